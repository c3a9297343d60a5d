package explore

import (
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// CheckKind is the kind of the check that a site could be explored.
const CheckKind = "site_explored"

// Record returns what the verdict of an exploration is computed from: a check that the
// site opens and can be worked, a finding for each of the site's, in their order and
// without evidence, and an interruption where the exploration ended before its end.
func Record(s site.Site) qa.Record {
	check := qa.Check{Kind: CheckKind, Subject: s.StartURL, Expected: "the site opens, and can be worked", Source: qa.SourceRule, Passed: s.Stop.Reason != site.Unreachable,
		Observed: pagetext.Sprintf("%d states, %d actions, %d not tried", len(s.States), len(s.Edges), len(s.Untried))}
	if !check.Passed {
		check.Observed = s.Stop.Detail
	}
	r := qa.Record{Checks: []qa.Check{check}}
	switch s.Stop.Reason {
	case site.Complete, site.NoNewState, site.Unreachable:
	case site.MaxNavigations, site.MaxLoops, site.MaxActions, site.MaxStates, site.MaxTime:
		r.Interruptions = []qa.Interruption{{Kind: qa.BudgetSpent, Subject: s.Stop.Reason, Detail: s.Stop.Detail}}
	default:
		r.Interruptions = []qa.Interruption{{Kind: qa.NotExecuted, Subject: "explore " + s.StartURL, Detail: pagetext.Text(strings.ReplaceAll(s.Stop.Reason, "_", " ")+": ") + s.Stop.Detail}}
	}
	for _, f := range s.Findings {
		k := kindOfFault(f.Kind)
		one := qa.Finding{Severity: k.severity, Category: qa.Reliability, Assertion: pagetext.Text(k.assertion), Expected: "none",
			Observed: pagetext.Sprintf("%s (%s)", f.Message, f.URL), Evidence: []qa.EvidenceRef{}, Confidence: 1, Source: qa.SourceRule}
		if f.At != nil {
			one.At = &qa.Place{URL: f.At.URL, Line: f.At.Line, Column: f.At.Column}
		}
		if f.Request != nil {
			one.Requests = []qa.RequestRef{{Method: f.Request.Method, URL: f.Request.URL, Status: f.Status}}
		}
		r.Findings = append(r.Findings, one)
	}
	return r
}

// faultKind says what a finding of a kind means.
type faultKind struct {
	severity  qa.Severity
	assertion string
}

// kindOfFault returns that of a finding's kind, graded as the tools that look for the
// same grade it.
func kindOfFault(kind string) faultKind {
	known := map[string]faultKind{
		"exception": {qa.Blocker, "the page throws no uncaught exception"},
		"no_answer": {qa.Blocker, "the page answers"},
		"dead_link": {qa.Major, "links lead to pages"},
		"http":      {qa.Major, "the page's requests are answered"},
		"console":   {qa.Major, "the console has no error"},
		"health":    {qa.Minor, "nothing on the page is broken"},
	}
	if k, ok := known[kind]; ok {
		return k
	}
	return faultKind{qa.Major, "the site has no fault"}
}
