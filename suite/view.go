package suite

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/pagetext"
	"github.com/assay-qa/assay/qa"
)

// View holds a suite as its readers see it: index, JUnit, CTRF, summary,
// webhook and run_status. It is made while the suite still runs, too.
type View struct {
	Title      string
	StartedAt  time.Time
	FinishedAt time.Time // zero while it runs
	Link       string    // http address of the suite's reports; empty: none is known
	Cases      []CaseView
}

// CaseView holds a case as its readers see it.
type CaseView struct {
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
	Before             []AttemptView // attempts that did not pass, oldest first
	Tags               []string
	RunID              string
	Seal               *qa.Seal     // of the run's report; nil: none is known
	Evidence           *qa.Evidence // of the run's report, if it has any
}

// AttemptView holds a run of a case that another one followed.
type AttemptView struct {
	RunID  string
	Status qa.Status
	Reason pagetext.Text
	Report string // path as seen from where the index is written
}

// View returns a suite as its readers see it, with paths as seen from a folder; "" is
// for readers elsewhere, who could not follow any.
func (s Suite) View(folder string) View {
	out := View{Title: s.name(), StartedAt: s.StartedAt, FinishedAt: s.FinishedAt}
	for _, e := range s.Entries {
		c := CaseView{Name: e.Name, Path: e.Path, Tags: e.Tags, State: e.State, Running: e.State == Running, Reason: pagetext.Text(e.Note)}
		switch {
		case e.State == Skipped:
			c.Status, c.Reason = qa.Inconclusive, "interrupted before it began"
		case c.Running && !s.FinishedAt.IsZero(): // what it did could not be kept
			c.Running, c.Status = false, qa.Inconclusive
		}
		if r := e.Result; r != nil {
			c.Outcome, c.Status, c.Reason = r.Status, r.Status.Verdict(), r.FailureReason
			c.Details = r.Details
			c.DurationMS, c.Findings, c.Checks, c.ToolCalls, c.Flaky, c.RunID = r.DurationMS, r.Findings, r.Checks, r.ToolCalls, r.Flaky, r.RunID
			c.Seal, c.Evidence = r.Seal, r.Evidence
			c.Report, c.Screenshot = relative(folder, r.Report), relative(folder, r.Screenshot)
			if len(r.Traces) > 0 {
				c.Trace = relative(folder, r.Traces[0])
			}
			for _, b := range r.Before {
				c.Before = append(c.Before, AttemptView{RunID: b.RunID, Status: b.Status.Verdict(), Reason: b.Reason, Report: relative(folder, b.Report)})
			}
		}
		out.Cases = append(out.Cases, c)
	}
	return out
}

// name returns what the suite was asked to run: the address, or the names of the paths.
func (s Suite) name() string {
	names := make([]string, 0, len(s.Paths))
	for _, p := range s.Paths {
		names = append(names, filepath.Base(p))
	}
	if more := len(names) - shownPaths; more > 0 {
		names = append(names[:shownPaths], fmt.Sprintf("%d more", more))
	}
	return cmp.Or(s.BaseURL, strings.Join(names, ", "), plural(len(s.Entries), "case"))
}

// shownPaths bounds the paths in a suite's name.
const shownPaths = 3

// relative returns a path as seen from a folder, with slashes.
func relative(folder, path string) string {
	if folder == "" || path == "" {
		return ""
	}
	from, err := filepath.Abs(folder)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(from, path)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

// Totals counts a suite's cases.
type Totals struct {
	Cases, Passed, Failed, Inconclusive, Running, Queued, Flaky int
}

// Totals counts the cases by their state. What has a status that we don't know
// is inconclusive.
func (v View) Totals() Totals {
	t := Totals{Cases: len(v.Cases)}
	for _, c := range v.Cases {
		switch {
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
// if it has ended and every case of at least one passed. While it runs and
// nothing failed it is "".
func (v View) Status() qa.Status {
	t := v.Totals()
	switch {
	case t.Failed > 0:
		return qa.Failed
	case v.FinishedAt.IsZero():
		return ""
	case t.Cases > 0 && t.Passed == t.Cases:
		return qa.Passed
	default:
		return qa.Inconclusive
	}
}

// Line returns the outcome of the whole in one line.
func (v View) Line() string {
	t := v.Totals()
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
func (v View) EvidenceLine() string {
	words := map[qa.SealState]string{qa.SealPartial: "not all re-read", qa.SealNone: "not sealed", qa.SealBroken: "broken"}
	count, runs := map[string]int{}, 0
	for _, c := range v.Cases {
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

// Checkpoint returns the newest one in the runs' reports, or "".
func (v View) Checkpoint() (signed string) {
	size := int64(-1)
	for _, c := range v.Cases {
		if e := c.Evidence; e != nil && e.Checkpoint != "" && e.TreeSize > size {
			signed, size = e.Checkpoint, e.TreeSize
		}
	}
	return signed
}

// CaseFinding holds a finding with the case it belongs to.
type CaseFinding struct {
	qa.Finding
	Case CaseView
}

// TopFindings returns at most n findings of all cases, gravest first. Those that
// only repeat why a run is inconclusive are the reason of their case already,
// and are left out.
func (v View) TopFindings(n int) (top []CaseFinding, more int) {
	for _, c := range v.Cases {
		for _, f := range c.Findings {
			if f.Severity != qa.Info {
				top = append(top, CaseFinding{f, c})
			}
		}
	}
	slices.SortStableFunc(top, func(a, b CaseFinding) int {
		return slices.Index(qa.Severities(), a.Severity) - slices.Index(qa.Severities(), b.Severity)
	})
	more = max(0, len(top)-n)
	return top[:len(top)-more], more
}

// plural counts things by their noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
