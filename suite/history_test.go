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
