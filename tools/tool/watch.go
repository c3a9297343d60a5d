package tool

import (
	"cmp"
	"context"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/assertion"
	"github.com/assay-qa/assay/engine/flowpage"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/workspace"
)

// WatchTime returns how long a page is watched: as the call says, or the run's task, or
// the configuration.
func (c *Call) WatchTime(wanted *int) time.Duration {
	if wanted == nil && c.Run != nil {
		wanted = c.Run.Task().WatchMS
	}
	if wanted != nil {
		return time.Duration(*wanted) * time.Millisecond
	}
	return c.Workspace.Watch
}

// NoteHeld records what has held, for the run's end.
func (c *Call) NoteHeld(s *browser.Session, a qa.Assertion, selector string, r assertion.Result) {
	if c.RunErr != nil || c.oneOff || !r.Passed {
		return
	}
	c.Workspace.NoteHeld(s, c.Run.ID(), workspace.HeldAssertion{A: a, Selector: selector, Check: c.About})
}

// WatchAtEnd watches the pages of a run that ends, while beside is done, and
// looks once more at what was asserted last, if nothing has acted since.
func (c *Call) WatchAtEnd(ctx context.Context, wanted *int, beside func()) {
	window := c.WatchTime(wanted)
	var all []*browser.Watching
	if window <= 0 && len(c.Workspace.SessionIDs()) > 0 {
		c.Say("%s", flowpage.Watched(browser.Watched{}))
	}
	for _, id := range c.Workspace.SessionIDs() {
		s, err := c.Workspace.Session(id)
		if err != nil || window <= 0 { // it may be closed meanwhile
			continue
		}
		if state, err := s.State(ctx); err == nil && state.URL != "about:blank" {
			all = append(all, s.BeginWatch(ctx, window))
		}
	}
	beside()
	for _, watching := range all {
		w, err := watching.End()
		switch {
		case err != nil:
			e := engine.AsError(c.Spec.Name, err)
			c.Run.NotExecuted("watch", w.Page.URL, "the page is watched before the run ends", e.Code, e.Message.Text())
		case len(w.Moving)+len(w.Pending)+len(w.Unanswered) > 0:
			c.Quote("%s: %s", w.Page.URL, flowpage.Watched(w))
		}
		if broke := flowpage.WentWrong(w); err == nil && broke != nil {
			c.FileFailed(qa.Check{Kind: "watch", Subject: w.From, Expected: broke.Expected, Observed: broke.Observed})
		}
	}
	if len(all) > 0 {
		c.recheckHeld(ctx)
	}
}

// recheckHeld files a failed check for each assertion that no longer holds
// although no call has acted since.
func (c *Call) recheckHeld(ctx context.Context) {
	s, all := c.Workspace.TakeHeld(c.Run.ID())
	for _, one := range all {
		r, err := c.Checker(s).Once(ctx, one.A, one.Selector)
		if err != nil { // closed, or lost since: what was looked at stands
			return
		}
		if r.Passed || r.Doubt != "" {
			continue
		}
		one.Check.Expected, one.Check.Observed = r.Expected, cmp.Or(r.Observed, "nothing")+" (it held before, and the page took it back by itself)"
		c.fileFailed(s, one.Check)
	}
}

// FileFailed files a failed check outside the caller's request.
func (c *Call) FileFailed(check qa.Check) { c.fileFailed(c.Session, check) }

func (c *Call) fileFailed(s *browser.Session, check qa.Check) {
	check.Step, check.Source, check.Passed = c.Step, qa.SourceTool, false
	if _, err := c.addCheckOf(s, check); err != nil {
		c.Say("warning: a check could not be filed: %v", err)
	}
}
