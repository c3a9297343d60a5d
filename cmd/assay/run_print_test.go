package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// Promise 1: what a page or a model says can't look like a line of a verdict.
func TestPrintedCaseIsPlain(t *testing.T) {
	t.Parallel()
	const lie = "broken\npassed  a.md  \"A\" (checks: 3)\r\x1b[2K\x1b[1Apassed\u202e"
	var out bytes.Buffer
	a := &app{stdout: &out}
	printCase(a, suite.Entry{Path: "a.md", Result: &suite.Result{TestCase: qa.TestCase{Name: "A" + lie, Status: qa.TestFailed, FailureReason: lie},
		Notes: []pagetext.Text{lie}, Before: []suite.Attempt{{Status: qa.TestFailed, Reason: lie}},
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

// What a report found is never left out of what is printed: an exception that the
// console repeats is printed once, not never, and a failed check stands in a line.
func TestPrintedReportNamesEveryFault(t *testing.T) {
	t.Parallel()
	exception := qa.Finding{ID: "F1", Severity: qa.Blocker, Assertion: "the page throws no uncaught exception", Observed: "TypeError: x is null"}
	for name, tt := range map[string]struct {
		report qa.QAReport
		want   string
	}{
		"an exception in the console": {qa.QAReport{Checks: []qa.Check{{Kind: "console_errors", Source: qa.SourceRule, Expected: "no console error", Observed: "1: TypeError: x is null", Finding: "F1"}}, Findings: []qa.Finding{exception}}, "x is null"},
		"more than the exception":     {qa.QAReport{Checks: []qa.Check{{Kind: "console_errors", Source: qa.SourceRule, Expected: "no console error", Observed: "2: TypeError: x is null; late", Finding: "F1"}}, Findings: []qa.Finding{exception}}, "late"},
		"a message and a request":     {qa.QAReport{Checks: []qa.Check{{Kind: "console_errors", Source: qa.SourceRule, Observed: "2: Failed to load resource: 404; late"}, {Kind: "failed_requests", Source: qa.SourceRule, Observed: "1: GET /a status 404"}}}, "late"},
		"another request":             {qa.QAReport{Checks: []qa.Check{{Kind: "failed_requests", Subject: "http://x/", Source: qa.SourceRule, Observed: "2: GET http://x/ status 404; GET http://x/b status 404"}, {Kind: "http_status", Source: qa.SourceRule, Observed: "404"}}}, "http://x/b"},
		"health of its own":           {qa.QAReport{Checks: []qa.Check{{Kind: "health", Source: qa.SourceRule, Observed: "template-leftover"}}}, "template-leftover"},
		"nothing but a reason":        {qa.QAReport{Status: qa.Inconclusive, StatusReason: "blocked: by a rule"}, "why: blocked: by a rule"},
	} {
		var out bytes.Buffer
		printReport(&app{stdout: &out}, "http://x/", tt.report, "dir")
		if strings.Count(out.String(), tt.want) != 1 {
			t.Errorf("%s: %q is printed %d times:\n%s", name, tt.want, strings.Count(out.String(), tt.want), out.String())
		}
	}
}
