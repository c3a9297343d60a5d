package suite

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/summary"
)

// What readers see of a suite.
type (
	// View holds a suite as its readers see it.
	View = summary.Suite
	// CaseView holds a case of it.
	CaseView = summary.Case
	// AttemptView holds a run of a case that another one followed.
	AttemptView = summary.Attempt
	// State says how far a case has come.
	State = summary.State
)

// The states of a case.
const (
	Queued  = summary.Queued
	Running = summary.Running
	Done    = summary.Done
	Kept    = summary.Kept
	Skipped = summary.Skipped
)

// View returns a suite as its readers see it, with paths as seen from a folder; "" is
// for readers elsewhere, who could not follow any.
func (s Suite) View(folder string) View {
	out := View{Title: s.name(), StartedAt: s.StartedAt, FinishedAt: s.FinishedAt}
	for _, e := range s.Entries {
		c := CaseView{Name: e.Name, Path: e.Path, Tags: e.Tags, Past: e.Past, State: e.State, Running: e.State == Running, Reason: pagetext.Text(e.Note)}
		if s.Command == CheckCommand { // its name is the address, and no file is its path
			c.Path = ""
		}
		switch {
		case e.State == Skipped:
			c.Status, c.Reason = qa.Inconclusive, "interrupted before it began"
		case c.Running && !s.FinishedAt.IsZero(): // what it did could not be kept
			c.Running, c.Status = false, qa.Inconclusive
		}
		if r := e.Result; r != nil {
			c.Outcome, c.Status, c.Reason = r.Status, r.Status.Verdict(), r.FailureReason
			c.Details, c.Quarantine = r.Details, e.Quarantine
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
		if c.Excused() {
			c.Reason = "in quarantine, so it does not count (" + c.Quarantine + "): " + c.Reason
		}
		out.Cases = append(out.Cases, c)
	}
	return out
}

// name returns what the suite was asked to run: the address, the names of the paths, or the
// command.
func (s Suite) name() string {
	if s.Command == CheckCommand {
		said := "assay " + s.Command
		if len(s.Entries) > 0 && s.Entries[0].Cell != "" {
			said += " on " + s.Entries[0].Cell
		}
		return said
	}
	names := make([]string, 0, len(s.Paths))
	for _, p := range s.Paths {
		names = append(names, filepath.Base(p))
	}
	if more := len(names) - shownPaths; more > 0 {
		names = append(names[:shownPaths], fmt.Sprintf("%d more", more))
	}
	return cmp.Or(s.BaseURL, strings.Join(names, ", "), text.Count(len(s.Entries), "case"))
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
