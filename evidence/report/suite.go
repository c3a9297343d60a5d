package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/qa"
)

// Suite is the outcome of several runs, as far as it is known: it is shown
// while it still runs.
type Suite struct {
	Title      string
	StartedAt  time.Time
	FinishedAt time.Time // zero while it runs
	Cases      []SuiteCase
}

// SuiteCase is one task, flow or page of a suite.
type SuiteCase struct {
	Name, Path         string
	Status             qa.Status // "" while queued or running
	Running            bool
	Reason             string
	DurationMS         int64
	Report, Screenshot string // paths as seen from where the index is written, or http addresses
	Findings           []qa.Finding
	Checks, ToolCalls  int
	Flaky              bool
	Before             []SuiteAttempt // attempts that did not pass, oldest first
	Tags               []string
	RunID              string
	Seal               *qa.Seal     // of the run's report; nil: none is known
	Evidence           *qa.Evidence // of the run's report, if it has any
}

// SuiteAttempt is a run of a case that another one followed.
type SuiteAttempt struct {
	RunID  string
	Status qa.Status
	Reason string
	Report string // path as seen from where the index is written
}

// state is what a card says of its case.
func (c SuiteCase) state() mark {
	switch {
	case c.Status != "":
		return statusMark(c.Status)
	case c.Running:
		return mark{"note", "▸", "Running"}
	default:
		return mark{"idle", "·", "Queued"}
	}
}

// Totals counts a suite's cases.
type Totals struct {
	Cases, Passed, Failed, Inconclusive, Running, Queued, Flaky int
}

// Totals counts the cases by their state. What has a status that we don't know
// is inconclusive.
func (s Suite) Totals() Totals {
	t := Totals{Cases: len(s.Cases)}
	for _, c := range s.Cases {
		switch {
		case c.Status == qa.Passed:
			t.Passed++
		case c.Status == qa.Failed:
			t.Failed++
		case c.Status != "":
			t.Inconclusive++
		case c.Running:
			t.Running++
		default:
			t.Queued++
		}
		if c.Flaky {
			t.Flaky++
		}
	}
	return t
}

// Status is the outcome of the whole: failed if any case failed, passed only
// if it has ended and every case of at least one passed. While it runs and
// nothing failed it is "".
func (s Suite) Status() qa.Status {
	t := s.Totals()
	switch {
	case t.Failed > 0:
		return qa.Failed
	case s.FinishedAt.IsZero():
		return ""
	case t.Cases > 0 && t.Passed == t.Cases:
		return qa.Passed
	default:
		return qa.Inconclusive
	}
}

// Line is the outcome of the whole in one line.
func (s Suite) Line() string {
	t := s.Totals()
	parts := []string{fmt.Sprintf("%d of %s passed", t.Passed, plural(t.Cases, "case"))}
	for _, p := range []struct {
		n    int
		word string
	}{{t.Failed, "failed"}, {t.Inconclusive, "inconclusive"}, {t.Running, "running"}, {t.Queued, "not run"}, {t.Flaky, "flaky"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	return strings.Join(parts, ", ")
}

// EvidenceLine says in a sentence how many of the runs have evidence that was
// intact when their reports were written; "" while there is no run.
func (s Suite) EvidenceLine() string {
	words := map[qa.SealState]string{qa.SealPartial: "not all re-read", qa.SealNone: "not sealed", qa.SealBroken: "broken"}
	count, runs := map[string]int{}, 0
	for _, c := range s.Cases {
		if c.RunID == "" {
			continue
		}
		runs++
		switch {
		case c.Seal == nil:
			count["not known"]++
		case c.Seal.State != qa.SealIntact:
			count[cmp.Or(words[c.Seal.State], "not known")]++
		}
	}
	if runs == 0 {
		return ""
	}
	bad, parts := 0, []string{}
	for _, word := range slices.Sorted(maps.Keys(count)) {
		bad += count[word]
		parts = append(parts, fmt.Sprintf("%d %s", count[word], word))
	}
	line := fmt.Sprintf("evidence of %d of %s was intact when its report was written", runs-bad, plural(runs, "run"))
	return strings.Join(append([]string{line}, parts...), ", ")
}

// Checkpoint is the newest one in the runs' reports, or "".
func (s Suite) Checkpoint() (signed string) {
	size := int64(-1)
	for _, c := range s.Cases {
		if e := c.Evidence; e != nil && e.Checkpoint != "" && e.TreeSize > size {
			signed, size = e.Checkpoint, e.TreeSize
		}
	}
	return signed
}

// SuiteFinding is a finding with the case it belongs to.
type SuiteFinding struct {
	qa.Finding
	Case SuiteCase
}

// TopFindings are at most n findings of all cases, gravest first. Those that
// only repeat why a run is inconclusive are the reason of their case already,
// and are left out.
func (s Suite) TopFindings(n int) (top []SuiteFinding, more int) {
	for _, c := range s.Cases {
		for _, f := range c.Findings {
			if f.Severity != qa.Info {
				top = append(top, SuiteFinding{f, c})
			}
		}
	}
	slices.SortStableFunc(top, func(a, b SuiteFinding) int { return rank(a.Severity) - rank(b.Severity) })
	more = max(0, len(top)-n)
	return top[:len(top)-more], more
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

// findingLine is a finding in one line.
func findingLine(f qa.Finding) string {
	line := string(f.Severity) + ": " + f.Assertion
	if f.Expected != "" || f.Observed != "" {
		line += ": expected " + orDash(f.Expected) + ", observed " + orDash(f.Observed)
	}
	return line
}
