// Package summary says what readers see of a suite: its cases, their counts, its outcome.
// It lies below those who run suites and those who write their views.
package summary

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// State says how far a case has come.
type State string

// The states of a case.
const (
	Queued  State = "queued"
	Running State = "running"
	Done    State = "done"
	Kept    State = "kept"    // passed in the suite that this one resumes
	Skipped State = "skipped" // the suite was interrupted before it began
)

// Over reports whether a case has come to its end, be it by being left out.
func (s State) Over() bool { return s == Done || s == Kept || s == Skipped }

// Suite holds a suite as its readers see it: index, JUnit, CTRF, summary,
// webhook and run_status. It is made while the suite still runs, too.
type Suite struct {
	Title      string
	StartedAt  time.Time
	FinishedAt time.Time // zero while it runs
	Link       string    // http address of the suite's reports; empty: none is known
	Cases      []Case
}

// Case holds a case as its readers see it.
type Case struct {
	Name, Path         string
	State              State
	Outcome            qa.TestStatus // of its run; "" where it has no result
	Status             qa.Status     // its verdict; "" while queued or running
	Running            bool
	Reason             pagetext.Text
	Details            pagetext.Text // of a case that passed
	DurationMS         int64
	Report, Screenshot string // paths as seen from where the index is written, or http addresses
	Trace              string // path of its first trace, as the above
	Findings           []qa.Finding
	Checks, ToolCalls  int
	Flaky              bool
	Quarantine         pagetext.Text // why it does not count that it did not pass; empty: it counts
	Before             []Attempt     // attempts that did not pass, oldest first
	Tags               []string
	Past               []Past // what became of it before, oldest first
	RunID              string
	Seal               *qa.Seal     // of the run's report; nil: none is known
	Evidence           *qa.Evidence // of the run's report, if it has any
}

// Excused reports whether the case did not pass, and does not count, as it is in quarantine.
func (c Case) Excused() bool { return c.Quarantine != "" && c.Status != "" && c.Status != qa.Passed }

// Past holds what became of a case in an earlier suite.
type Past struct {
	At         time.Time
	Status     qa.Status
	DurationMS int64
}

// Attempt holds a run of a case that another one followed.
type Attempt struct {
	RunID  string
	Status qa.Status
	Reason pagetext.Text
	Report string // path as seen from where the index is written
}

// Totals counts a suite's cases.
type Totals struct {
	Cases, Passed, Failed, Inconclusive, Running, Queued, Flaky, Quarantined int
}

// Totals counts the cases by their state. What has a status that we don't know
// is inconclusive.
func (s Suite) Totals() Totals {
	t := Totals{Cases: len(s.Cases)}
	for _, c := range s.Cases {
		switch {
		case c.Excused():
			t.Quarantined++
		case c.Status != "":
			*qa.Told(c.Status, &t.Passed, &t.Failed, &t.Inconclusive)++
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

// Status returns the outcome of the whole: failed if any case failed, passed only
// if it has ended and every case of at least one passed, those in quarantine left out. While it runs and
// nothing failed it is "".
func (s Suite) Status() qa.Status {
	t := s.Totals()
	switch {
	case t.Failed > 0:
		return qa.Failed
	case s.FinishedAt.IsZero():
		return ""
	case t.Passed > 0 && t.Passed+t.Quarantined == t.Cases:
		return qa.Passed
	default:
		return qa.Inconclusive
	}
}

// Line returns the outcome of the whole in one line.
func (s Suite) Line() string {
	t := s.Totals()
	parts := []string{fmt.Sprintf("%d of %s passed", t.Passed, text.Count(t.Cases, "case"))}
	for _, p := range []struct {
		n    int
		word string
	}{{t.Failed, "failed"}, {t.Inconclusive, "inconclusive"}, {t.Running, "running"}, {t.Queued, "not run"}, {t.Flaky, "flaky"}, {t.Quarantined, "in quarantine"}} {
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
	line := fmt.Sprintf("evidence of %d of %s was intact when its report was written", runs-bad, text.Count(runs, "run"))
	return strings.Join(append([]string{line}, parts...), ", ")
}

// Checkpoint returns the newest one in the runs' reports, or "".
func (s Suite) Checkpoint() (signed string) {
	size := int64(-1)
	for _, c := range s.Cases {
		if e := c.Evidence; e != nil && e.Checkpoint != "" && e.TreeSize > size {
			signed, size = e.Checkpoint, e.TreeSize
		}
	}
	return signed
}

// Finding holds a finding with the case it belongs to.
type Finding struct {
	qa.Finding
	Case Case
}

// TopFindings returns at most n findings of all cases, gravest first. Those that
// only repeat why a run is inconclusive are the reason of their case already,
// and are left out.
func (s Suite) TopFindings(n int) (top []Finding, more int) {
	for _, c := range s.Cases {
		for _, f := range c.Findings {
			if f.Severity != qa.Info {
				top = append(top, Finding{f, c})
			}
		}
	}
	slices.SortStableFunc(top, func(a, b Finding) int {
		return slices.Index(qa.Severities(), a.Severity) - slices.Index(qa.Severities(), b.Severity)
	})
	more = max(0, len(top)-n)
	return top[:len(top)-more], more
}
