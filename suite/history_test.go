package suite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// ended makes a suite of one case in rounds that ended so.
func ended(id string, outcomes ...qa.TestStatus) suite.Suite {
	s := suite.Suite{ID: id, StartedAt: time.Unix(0, 0)}
	for i, status := range outcomes {
		e := suite.Entry{Path: "a.flow.toml", File: "/p/a.flow.toml", Name: "a", Round: i + 1, State: suite.Done, Result: &suite.Result{TestCase: qa.TestCase{Status: status}}}
		if status != qa.TestPassed {
			e.Result.FailureReason = "the total is wrong"
		}
		s.Entries = append(s.Entries, e)
	}
	return s
}

// 33 E: the newest outcome of a case is that of the newest suite in which it ran, all its rounds; what was kept or never
// began is none.
func TestHistory(t *testing.T) {
	store := suite.Store{Dir: filepath.Join(t.TempDir(), "suites")}
	if h, err := store.History(); err != nil || len(h) != 0 {
		t.Fatalf("nothing is stored: %v, %v", h, err)
	}
	kept := ended("20260103T000000.000Z-cccccc", qa.TestPassed)
	kept.Entries[0].State = suite.Kept
	begun := ended("20260104T000000.000Z-dddddd", qa.TestPassed)
	begun.Entries[0].State, begun.Entries[0].Result = suite.Skipped, nil
	for _, s := range []suite.Suite{
		ended("20260101T000000.000Z-aaaaaa", qa.TestPassed), ended("20260102T000000.000Z-bbbbbb", qa.TestFailed, qa.TestPassed), kept, begun,
	} {
		if err := store.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	h, err := store.History()
	if err != nil {
		t.Fatal(err)
	}
	newest := h.Newest("/p/a.flow.toml", 0)
	if len(newest) != 2 || newest[0].Status != qa.TestPassed || newest[1].Status != qa.TestFailed || newest[0].SuiteID != "20260102T000000.000Z-bbbbbb" {
		t.Errorf("the newest outcomes are %+v", newest)
	}
	if all := h[kept.Entries[0].ID()]; len(all) != 3 {
		t.Errorf("three outcomes are stored, not %+v", all)
	}
	if other := h.Newest("/p/a.flow.toml", 1); other != nil {
		t.Errorf("another row has %+v", other)
	}
}

// 33 E: rounds are summed up with the interval that they allow: few of them say little.
func TestStability(t *testing.T) {
	for _, c := range []struct {
		outcomes  []qa.TestStatus
		verdict   string
		low, high float64 // published values of the score interval
	}{
		{[]qa.TestStatus{qa.TestPassed, qa.TestPassed, qa.TestPassed, qa.TestPassed, qa.TestPassed}, "stable", 0, 0.4345},
		{[]qa.TestStatus{qa.TestFailed, qa.TestPassed, qa.TestPassed, qa.TestPassed, qa.TestPassed}, "flaky", 0.0362, 0.6245},
		{[]qa.TestStatus{qa.TestError, qa.TestFailed}, "failing", 0.3424, 1},
	} {
		all := ended("x", c.outcomes...).Stability()
		if len(all) != 1 {
			t.Fatalf("%v: %+v", c.outcomes, all)
		}
		s := all[0]
		if s.Verdict() != c.verdict || s.Low < c.low-.0001 || s.Low > c.low+.0001 || s.High < c.high-.0001 || s.High > c.high+.0001 {
			t.Errorf("%v: %s, %.4f to %.4f; it should be %s, %.4f to %.4f", c.outcomes, s.Verdict(), s.Low, s.High, c.verdict, c.low, c.high)
		}
		if bad := s.Rounds - s.Passed; bad > 0 && (len(s.Reasons) != 1 || s.Reasons[0].Rounds != bad) {
			t.Errorf("%v: the reasons are %+v", c.outcomes, s.Reasons)
		}
	}
	once := ended("x", qa.TestPassed)
	once.Entries[0].Round = 0
	if all := once.Stability(); all != nil {
		t.Errorf("a case that ran once says nothing of it: %+v", all)
	}
}

// 33 E: a case that failed in one of its rounds runs again when the suite is resumed.
func TestResumeRounds(t *testing.T) {
	old := ended("20260102T000000.000Z-bbbbbb", qa.TestPassed, qa.TestFailed, qa.TestPassed)
	interrupted := ended("20260103T000000.000Z-cccccc", qa.TestPassed, qa.TestPassed)
	interrupted.Entries[1].State, interrupted.Entries[1].Result = suite.Skipped, nil
	for name, old := range map[string]suite.Suite{"a round failed": old, "a round did not run": interrupted} {
		s := suite.Resume(suite.New("x", "", nil, []suite.Case{{Path: "a.flow.toml", File: "/p/a.flow.toml", Name: "a"}}), old)
		if s.Entries[0].State != suite.Queued {
			t.Errorf("%s: it is %s", name, s.Entries[0].State)
		}
	}
}

// The trend of a case is what became of that case in earlier suites of the same command,
// oldest first and no more than ten: not of one with another row or cell, not what a resumed
// suite only kept, and not of suites that came later (33).
func TestHistoryOfCases(t *testing.T) {
	t.Parallel()
	st := suite.Store{Dir: t.TempDir()}
	stored := func(id, command string, entries ...suite.Entry) {
		t.Helper()
		if err := st.Write(suite.Suite{ID: id, Command: command, StartedAt: time.Unix(int64(len(id)), 0), Entries: entries}); err != nil {
			t.Fatal(err)
		}
	}
	ran := func(ms int64, status qa.TestStatus) suite.Entry {
		return suite.Entry{File: "/w/a.md", Path: "a.md", Hash: fmt.Sprint(ms), State: suite.Done, Result: &suite.Result{TestCase: qa.TestCase{Status: status, DurationMS: ms}}}
	}
	for i := range 12 {
		stored(fmt.Sprintf("2026%02d", i), "", ran(int64(i), qa.TestPassed))
	}
	other, kept := ran(100, qa.TestFailed), ran(101, qa.TestPassed)
	other.Row, kept.State = 2, suite.Kept
	stored("202612", "", other, kept)
	stored("202613", "check", ran(102, qa.TestFailed))
	stored("202614", "", ran(103, qa.TestFailed))
	stored("202699", "", ran(104, qa.TestFailed)) // later
	if err := os.MkdirAll(st.Folder("202615"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(st.Folder("202615"), "suite.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	now := suite.Suite{ID: "202620", Entries: []suite.Entry{{File: "/w/a.md", Path: "a.md", Hash: "another"}, {File: "/w/b.md", Path: "b.md", Hash: "b"}}}
	got, err := st.WithHistory(now)
	if err != nil {
		t.Fatal(err)
	}
	past := got.Entries[0].Past
	if len(past) != 10 || past[0].DurationMS != 3 || past[8].DurationMS != 11 || past[9].DurationMS != 103 || past[9].Status != qa.Failed || len(got.Entries[1].Past) != 0 {
		t.Errorf("the trend is %+v and %+v", past, got.Entries[1].Past)
	}
	if len(now.Entries[0].Past) != 0 {
		t.Error("the suite that was asked about has changed")
	}
	if view := got.View(""); len(view.Cases[0].Past) != 10 {
		t.Error("what readers see has no trend")
	}
	if _, err := (suite.Store{Dir: filepath.Join(st.Dir, "none")}).WithHistory(now); err != nil {
		t.Errorf("without a stored suite: %v", err)
	}
}
