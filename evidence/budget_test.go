package evidence_test

import (
	"strings"
	"testing"
	"time"

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
