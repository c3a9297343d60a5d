package verify_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

// stored makes runs as the product does, in a new data folder.
func stored(t *testing.T, now func() time.Time) (*evidence.Store, string) {
	t.Helper()
	dir := t.TempDir()
	store, err := evidence.Open(dir, now)
	if err != nil {
		t.Fatal(err)
	}
	return store, dir
}

// work does a run in a store: so many calls, pictures of so many bytes, and one
// check, which passes or doesn't.
func work(t *testing.T, store *evidence.Store, calls, pictures, size int, pass bool) string {
	t.Helper()
	const title = "h1"
	shown := qa.Assertion{Type: qa.Visible}
	run, err := store.Start(qa.TaskSpec{Goal: "look at the sales page", Expectations: []qa.Expectation{{Text: "the title is shown", Assertion: &shown, Selector: title}}})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range pictures {
		data := append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte(fmt.Sprint(i, ",")), size/3)...)
		_, err := run.SaveScreenshot("page", data, 10, 10, i+1)
		must(err)
	}
	for range calls {
		must(run.Event(evidence.Event{Tool: "browser_click", Step: run.NextStep()}))
	}
	check := shown.Check(title)
	check.Passed, check.Source, check.Expects = pass, qa.SourceTool, []string{"E1"}
	_, err = run.AddCheck(check)
	must(err)
	_, err = run.Finish("", qa.Environment{AssayVersion: "test", OS: "linux", Arch: "amd64"}, func(r qa.QAReport) (map[string][]byte, error) {
		html, err := report.HTML(r, report.Options{})
		if err != nil {
			return nil, err
		}
		junit, err := report.JUnit(r)
		return map[string][]byte{"report.html": html, "junit.xml": junit}, err
	})
	must(err)
	return run.ID()
}

// What the product writes is verified, one by one and as a whole, also while
// another run is going on (B8).
func TestStored(t *testing.T) {
	store, dir := stored(t, time.Now)
	passed := work(t, store, 3, 2, 300, true)
	failed := work(t, store, 1, 0, 0, false)
	for id, status := range map[string]string{passed: "passed", failed: "failed"} {
		got, err := verify.Run(t.Context(), dir, id, verify.Options{})
		if err != nil || got.Verdict != verify.Verified || got.Status != status || len(got.Findings) > 0 {
			t.Errorf("%s: %+v, %v", id, got, err)
		}
	}
	open, err := store.Start(qa.TaskSpec{Goal: "going on"})
	if err != nil {
		t.Fatal(err)
	}
	if err := open.Event(evidence.Event{Tool: "browser_click", Step: open.NextStep()}); err != nil {
		t.Fatal(err)
	}
	got, err := verify.All(t.Context(), dir, verify.Options{})
	if err != nil || got.Verdict != verify.Verified || got.Runs != 3 || len(got.Findings) != 1 || got.Findings[0].Code != "run-unfinished" {
		t.Errorf("all: %+v, %v", got, err)
	}
	got, err = verify.Run(t.Context(), dir, open.ID(), verify.Options{})
	if err != nil || got.Verdict != verify.Incomplete || len(got.Findings) != 1 || got.Findings[0].Code != "run-unfinished" {
		t.Errorf("a run that goes on: %+v, %v", got, err)
	}
}
