package qa_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
)

// B4: the whole passed only if every case did; what could not be found out is
// an error, and nothing at all is one, too.
func TestSumUp(t *testing.T) {
	at := time.Unix(1e9, 0)
	for name, tt := range map[string]struct {
		cases []qa.TestStatus
		want  qa.TestStatus
		sum   qa.TestSummary
	}{
		"none":    {nil, qa.TestError, qa.TestSummary{}},
		"passed":  {[]qa.TestStatus{"passed", "passed"}, qa.TestPassed, qa.TestSummary{Total: 2, Passed: 2}},
		"failed":  {[]qa.TestStatus{"passed", "error", "failed"}, qa.TestFailed, qa.TestSummary{Total: 3, Passed: 1, Failed: 1, Error: 1}},
		"error":   {[]qa.TestStatus{"passed", "error"}, qa.TestError, qa.TestSummary{Total: 2, Passed: 1, Error: 1}},
		"skipped": {[]qa.TestStatus{"passed", "skipped"}, qa.TestError, qa.TestSummary{Total: 2, Passed: 1, Skipped: 1}},
		"unknown": {[]qa.TestStatus{"great"}, qa.TestError, qa.TestSummary{Total: 1, Error: 1}},
	} {
		var cases []qa.TestCase
		for _, s := range tt.cases {
			cases = append(cases, qa.TestCase{Status: s, Screenshots: []string{"a.png"}})
		}
		r := qa.SumUp("id", at, at.Add(1500*time.Millisecond), cases)
		if diff := cmp.Diff(tt.sum, r.Summary); r.Status != tt.want || diff != "" || r.DurationMS != 1500 || len(r.Artifacts.Screenshots) != len(cases) {
			t.Errorf("%s: %s in %d ms, want %s; summary (-want +got):\n%s", name, r.Status, r.DurationMS, tt.want, diff)
		}
	}
	for status, want := range map[qa.Status]qa.TestStatus{qa.Passed: qa.TestPassed, qa.Failed: qa.TestFailed, qa.Inconclusive: qa.TestError, "": qa.TestError} {
		if got := status.TestStatus(); got != want {
			t.Errorf("%q becomes %s, want %s", status, got, want)
		}
	}
}
