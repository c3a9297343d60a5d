package report

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/summary"
)

// The documents of a suite are made from its view.
type (
	// Suite holds a suite as its readers see it.
	Suite = summary.Suite
	// SuiteCase holds a case of it.
	SuiteCase = summary.Case
	// SuiteAttempt holds an attempt of a case that did not pass.
	SuiteAttempt = summary.Attempt
	// SuiteFinding holds a finding with its case.
	SuiteFinding = summary.Finding
	// Totals counts the cases.
	Totals = summary.Totals
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
		case c.Status != "":
			return qa.Told(c.Status, 4, 0, 1)
		case c.Running:
			return 2
		default:
			return 3
		}
	}
	out := slices.Clone(cases)
	sort.SliceStable(out, func(i, j int) bool { return order(out[i]) < order(out[j]) })
	return out
}

// SuiteJUnit returns the suite as JUnit XML, a test case each, with the last picture and
// the trace as attachments. It holds to the public schemas but for three attributes that
// CI systems show: the file and the time of a case, and how many were skipped. What did not run is skipped while the suite runs, and an
// error once it has ended.
func SuiteJUnit(s Suite) ([]byte, error) {
	cases := make([]testCase, len(s.Cases))
	for i, c := range s.Cases {
		tc := testCase{ID: c.RunID, Name: cmp.Or(c.Name, c.Path, "case "+fmt.Sprint(i+1)), Class: cmp.Or(c.Path, "suite"), Status: c.Status.TestStatus(),
			Reason: c.Reason, Type: string(c.Status), Took: c.DurationMS}
		switch {
		case c.Status == qa.Passed:
		case c.Excused():
			tc.Status = qa.TestSkipped
		case c.Status == "" && s.FinishedAt.IsZero():
			tc.Status, tc.Reason = qa.TestSkipped, "not finished yet"
		case c.Status == "":
			tc.Type, tc.Reason = "not-run", cmp.Or(c.Reason, "it did not run")
		}
		for _, f := range gravestFirst(c.Findings) {
			if line := findingLine(f); line != tc.Reason {
				tc.Detail = append(tc.Detail, line)
			}
		}
		if c.Report != "" {
			tc.Detail = append(tc.Detail, pagetext.Text("report: "+c.Report))
		}
		cases[i] = tc
	}
	var took int64
	if !s.FinishedAt.IsZero() {
		took = s.FinishedAt.Sub(s.StartedAt).Milliseconds()
	}
	doc := newSuite(cmp.Or(s.Title, "assay"), took, distinct(cases))
	doc.Timestamp = xmlTime(s.StartedAt)
	for i, c := range s.Cases {
		x := &doc.Cases[i]
		x.File, x.Timestamp, x.Out = plainOutput(c.Path), xmlTime(startOf(c.RunID)), strings.Join(caseOutput(c), "\n")
	}
	for _, p := range []xmlProperty{{"assay.evidence.line", s.EvidenceLine()}, {"assay.evidence.checkpoint", s.Checkpoint()}} {
		if p.Value != "" {
			doc.add(xmlProperty{p.Name, plainOutput(p.Value)})
		}
	}
	return doc.root().encode()
}

// caseOutput says how often a case was tried, as a pass that was not the first attempt
// is no plain one, and attaches its picture and its trace.
func caseOutput(c SuiteCase) (lines []string) {
	for n, b := range c.Before {
		lines = append(lines, plainOutput(pagetext.Sprintf("attempt %d: %s: %s", n+1, b.Status, b.Reason)))
	}
	if c.Flaky {
		lines = append(lines, fmt.Sprintf("flaky: passed at attempt %d", len(c.Before)+1))
	}
	for _, file := range []string{c.Screenshot, c.Trace} {
		if file != "" {
			lines = append(lines, "[[ATTACHMENT|"+plainOutput(strings.Join(strings.Fields(file), " "))+"]]")
		}
	}
	return lines
}

// startOf returns when a run began, as its id has it; the zero time for another id.
func startOf(runID string) time.Time {
	stamp, _, _ := strings.Cut(runID, "-")
	t, err := time.Parse("20060102T150405.000Z", stamp)
	if err != nil {
		return time.Time{}
	}
	return t
}

// findingLine formats a finding in one line.
func findingLine(f qa.Finding) pagetext.Text {
	line := pagetext.Text(f.Severity) + ": " + f.Headline()
	if f.Expected != "" || f.Observed != "" {
		line += ": expected " + cmp.Or(f.Expected, "nothing") + ", observed " + cmp.Or(f.Observed, "nothing")
	}
	return line
}
