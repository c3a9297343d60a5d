package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// The documents of a suite are made from its view.
type (
	// Suite holds a suite as its readers see it.
	Suite = suite.View
	// SuiteCase holds a case of it.
	SuiteCase = suite.CaseView
	// SuiteAttempt holds an attempt of a case that did not pass.
	SuiteAttempt = suite.AttemptView
	// SuiteFinding holds a finding with its case.
	SuiteFinding = suite.CaseFinding
	// Totals counts the cases.
	Totals = suite.Totals
)

// caseMark returns the mark on a card of a case.
func caseMark(c SuiteCase) mark {
	switch {
	case c.Status != "":
		return statusMark(c.Status)
	case c.Running:
		return mark{"note", "▸", "Running"}
	default:
		return mark{"idle", "·", "Queued"}
	}
}

// worstFirst sorts cases for somebody who looks for what to do: failed,
// inconclusive, running, queued, passed.
func worstFirst(cases []SuiteCase) []SuiteCase {
	order := func(c SuiteCase) int {
		switch {
		case c.Status == qa.Failed:
			return 0
		case c.Status == qa.Passed:
			return 4
		case c.Status != "":
			return 1
		case c.Running:
			return 2
		default:
			return 3
		}
	}
	out := slices.Clone(cases)
	slices.SortStableFunc(out, func(a, b SuiteCase) int { return order(a) - order(b) })
	return out
}

// SuiteJUnit writes the suite as JUnit XML that holds to the public schemas, a
// test case each. What did not run is skipped while the suite runs, and an
// error once it has ended.
func SuiteJUnit(w io.Writer, s Suite) error {
	cases := make([]testCase, len(s.Cases))
	for i, c := range s.Cases {
		tc := testCase{ID: c.RunID, Name: cmp.Or(c.Name, c.Path, "case "+fmt.Sprint(i+1)), Class: cmp.Or(c.Path, "suite"), Status: c.Status.TestStatus(),
			Reason: c.Reason, Type: string(c.Status), Took: c.DurationMS}
		switch {
		case c.Status == qa.Passed:
		case c.Status == "" && s.FinishedAt.IsZero():
			tc.Status, tc.Reason = qa.TestSkipped, "not finished yet"
		case c.Status == "":
			tc.Type, tc.Reason = "not-run", cmp.Or(c.Reason, "it did not run")
		}
		for _, f := range gravestFirst(c.Findings) {
			tc.Detail = append(tc.Detail, findingLine(f))
		}
		if c.Report != "" {
			tc.Detail = append(tc.Detail, "report: "+c.Report)
		}
		cases[i] = tc
	}
	var took int64
	if !s.FinishedAt.IsZero() {
		took = s.FinishedAt.Sub(s.StartedAt).Milliseconds()
	}
	doc := newSuite(cmp.Or(s.Title, "assay"), took, cases)
	for i, c := range s.Cases { // a pass that was not the first attempt is no plain one
		lines := make([]string, 0, len(c.Before)+1)
		for n, b := range c.Before {
			lines = append(lines, plainOutput(fmt.Sprintf("attempt %d: %s: %s", n+1, b.Status, b.Reason)))
		}
		if c.Flaky {
			lines = append(lines, fmt.Sprintf("flaky: passed at attempt %d", len(c.Before)+1))
		}
		doc.Cases[i].Out = joinLines(lines)
	}
	for _, p := range []xmlProperty{{"assay.evidence.line", s.EvidenceLine()}, {"assay.evidence.checkpoint", s.Checkpoint()}} {
		if p.Value != "" {
			doc.add(xmlProperty{p.Name, plainOutput(p.Value)})
		}
	}
	return writeXML(w, doc, "suite as JUnit")
}

// findingLine formats a finding in one line.
func findingLine(f qa.Finding) string {
	line := string(f.Severity) + ": " + f.Assertion
	if f.Expected != "" || f.Observed != "" {
		line += ": expected " + orDash(f.Expected) + ", observed " + orDash(f.Observed)
	}
	return line
}
