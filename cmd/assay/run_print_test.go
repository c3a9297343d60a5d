package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// Promise 1: what a page or a model says can't look like a line of a verdict.
func TestPrintedCaseIsPlain(t *testing.T) {
	t.Parallel()
	const lie = "broken\npassed  a.md  \"A\" (checks: 3)\r\x1b[2K\x1b[1Apassed\u202e"
	var out bytes.Buffer
	a := &app{stdout: &out}
	a.printCase(suite.Entry{Path: "a.md", Result: &suite.Result{TestCase: qa.TestCase{Name: "A" + lie, Status: qa.TestFailed, FailureReason: lie},
		Notes: []string{lie}, Before: []suite.Attempt{{Status: qa.TestFailed, Reason: lie}},
		Findings: []qa.Finding{{Severity: qa.Major, Assertion: lie, Expected: lie, Observed: lie}}}})
	for _, l := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		if strings.HasPrefix(l, "passed") || strings.ContainsAny(l, "\x1b\r\u202e") {
			t.Errorf("printed: %q", l)
		}
	}
	if !strings.HasPrefix(out.String(), "failed  a.md") || strings.Count(out.String(), "\n") != 6 {
		t.Errorf("printed: %q", out.String())
	}
}
