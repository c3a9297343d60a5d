package evidence_test

import (
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

// A9: a run that took more tokens than it was given says how many, and has not
// passed.
func TestTokensOfABudget(t *testing.T) {
	s, _ := openStore(t)
	r, err := s.Start(qa.TaskSpec{Goal: "g", Budgets: &qa.Budgets{MaxTokens: 100, MaxTimeMS: 600_000}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.AddCheck(qa.Check{Kind: "visible", Passed: true, Source: qa.SourceTool}); err != nil {
		t.Fatal(err)
	}
	r.Spend(60, 0, 50, 0)
	report, err := r.Finish("", qa.Environment{}, nil)
	if err != nil || report.Status != qa.Inconclusive || !strings.Contains(string(report.StatusReason), "110 of 100 spent") {
		t.Errorf("%s (%s), %v", report.Status, report.StatusReason, err)
	}
}

// A9: once a call was cut off because the time was spent, the next is refused, even where
// the clock has not left the last millisecond.
func TestNoCallAfterOneThatWasCutOff(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	s, err := evidence.Open(t.TempDir(), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Start(qa.TaskSpec{Goal: "g", Budgets: &qa.Budgets{MaxTimeMS: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	if over := r.SpendCall("page_click"); len(over) > 0 {
		t.Fatalf("the first call: %+v", over)
	}
	now = now.Add(time.Second)
	r.OutOfTime("page_click")
	if over := r.SpendCall("page_snapshot"); len(over) != 1 || !strings.Contains(string(over[0].Detail), "page_snapshot was refused") {
		t.Errorf("the next call: %+v", over)
	}
}

// setForward returns a moment as a machine tells it whose clock was set forward since:
// what it shows has moved, and what it counts by has not.
func setForward(t *testing.T, now time.Time, d time.Duration) time.Time {
	t.Helper()
	jumped := now
	(*[3]uint64)(unsafe.Pointer(&jumped))[0] += uint64(d/time.Second) << 30 // seconds of the wall clock, above its nanoseconds
	if jumped.Sub(now) != 0 || jumped.Round(0).Sub(now.Round(0)) != d {
		t.Fatalf("%v and %v: this version of Go keeps its clocks otherwise", now, jumped)
	}
	return jumped
}

// A9: setting the machine's clock spends no time of a run.
func TestSettingTheClockSpendsNoTime(t *testing.T) {
	t.Parallel()
	began := time.Now()
	now := began
	s, err := evidence.Open(t.TempDir(), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Start(qa.TaskSpec{Goal: "g", Budgets: &qa.Budgets{MaxTimeMS: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	now = setForward(t, began.Add(500*time.Millisecond), time.Hour)
	if over := r.SpendCall("page_click"); len(over) > 0 || r.Elapsed() != 500*time.Millisecond {
		t.Errorf("after an hour that nobody waited %v were spent: %+v", r.Elapsed(), over)
	}
	r.End()
	now = now.Add(time.Minute)
	if r.Elapsed() != 500*time.Millisecond {
		t.Errorf("%v were spent when its work was over", r.Elapsed())
	}
}
