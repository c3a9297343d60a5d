package tool

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/assertion"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
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
	if c.remembers() {
		c.Workspace.NoteHolds(s.ID(), s.Acts(), heldAs(a, selector))
	}
	c.Workspace.NoteHeld(s, c.Run.ID(), workspace.HeldAssertion{A: a, Selector: selector, Check: c.About, At: s.Moment()})
}

// watching is the watch of a page on which a run ends.
type watching struct {
	*browser.Watching
	session *browser.Session
	address string // when it began
	used    bool   // by the run: whether it answers counts
}

// WatchAtEnd watches the pages of a run that ends, while beside is done, and
// looks once more at what was asserted last, if nothing has acted since. A page that
// the run has used and that does not answer keeps it from passing.
func (c *Call) WatchAtEnd(ctx context.Context, wanted *int, beside func()) {
	window := c.WatchTime(wanted)
	if window <= 0 && len(c.Workspace.SessionIDs()) > 0 {
		c.Say("%s", flowpage.Watched(browser.Watched{}))
	}
	all := c.beginWatches(ctx, window)
	beside()
	lost := false // what held on a page that is gone can't be looked at again
	for _, one := range all {
		w, err := one.End()
		if isLoss(err) { // which is told once: the page that is there now is asked
			lost = true
			w, err = one.session.Watch(ctx, window)
		}
		switch {
		case err != nil && one.used:
			c.fileNoAnswer(one.address, err)
		case len(w.Moving)+len(w.Pending)+len(w.Unanswered) > 0:
			c.Quote("%s: %s", w.Page.URL, flowpage.Watched(w))
		}
		if broke := flowpage.WentWrong(w); err == nil && broke != nil {
			c.FileFailed(qa.Check{Kind: "watch", Subject: w.From, Expected: broke.Expected, Observed: broke.Observed})
		}
	}
	if len(all) > 0 && window > 0 && !lost {
		c.recheckHeld(ctx)
	}
}

// beginWatches begins to watch the open pages. Without a window those that the run has
// used are asked whether they answer.
func (c *Call) beginWatches(ctx context.Context, window time.Duration) []watching {
	var out []watching
	used := c.Workspace.UsedIn(c.Run.ID())
	for _, id := range c.Workspace.SessionIDs() {
		s, err := c.Workspace.Session(id)
		if err != nil { // it was closed meanwhile
			continue
		}
		one := watching{session: s, address: s.Made().URL, used: slices.Contains(used, id)}
		if one.address == "about:blank" || window <= 0 && !one.used {
			continue
		}
		one.Watching = s.BeginWatch(ctx, window)
		out = append(out, one)
	}
	return out
}

// recheckHeld files a failed check for each assertion that no longer holds
// although no call has acted since.
func (c *Call) recheckHeld(ctx context.Context) {
	s, all := c.Workspace.TakeHeld(c.Run.ID())
	if len(all) == 0 {
		return
	}
	for i, looked := range c.Checker(s).LastAll(ctx, askedOf(all)) {
		if errors.Is(looked.Err, assertion.ErrDoubt) {
			e := engine.AsError(c.Spec.Name, looked.Err)
			c.Run.NotExecuted("watch", s.Made().URL, "what held still holds in the end", e.Code, e.Message.Text())
		}
		if looked.Err != nil { // closed, lost, or frozen since: the watch has told that
			return
		}
		if looked.Passed || looked.Doubt != "" {
			continue
		}
		c.fileTakenBack(s, all[i], looked.Result)
	}
}

// askedOf returns assertions of which each is followed by the others.
func askedOf(all []workspace.HeldAssertion) []qa.Asked {
	out, later := make([]qa.Asked, len(all)), make([]qa.Assertion, len(all))
	for i, one := range all {
		later[i] = one.A
	}
	for i, one := range all {
		out[i] = qa.Asked{A: one.A, Selector: one.Selector, Later: later[i+1:]}
	}
	return out
}

func (c *Call) fileTakenBack(s *browser.Session, one workspace.HeldAssertion, r assertion.Result) {
	one.Check.Expected, one.Check.Observed = r.Expected, cmp.Or(r.Observed, "nothing")+" (it held before, and the page took it back by itself)"
	c.fileFailed(s, one.Check)
}

// RecheckBeforeAct files a failed check for each assertion that held and holds no longer,
// before a call that does not look at the page by itself acts: after that it can't be looked
// at again. A page on which nothing has happened since is not looked at, and none where the
// watch is off.
func (c *Call) RecheckBeforeAct(ctx context.Context, s *browser.Session) {
	c.recheckBefore(ctx, s, browser.Stood{}, func(held []browser.Moment) []bool { return s.ChangedSince(ctx, held...) })
}

// recheckBefore does so for those assertions since which the page may have changed. What was
// just seen of it tells of many at once that they hold still: they are not looked at again.
func (c *Call) recheckBefore(ctx context.Context, s *browser.Session, on browser.Stood, changed func(since []browser.Moment) []bool) {
	if c.RunErr != nil || s == nil || c.WatchTime(nil) <= 0 {
		return
	}
	held := c.Workspace.HeldOn(s, c.Run.ID())
	since := make([]browser.Moment, len(held))
	for i, one := range held {
		since[i] = one.At
	}
	var again []workspace.HeldAssertion
	var asked []qa.Asked
	all := askedOf(held)
	for i, may := range changed(since) {
		if may && !assertion.StoodBefore(s, held[i].A, held[i].Selector, qa.Observation{}, on) {
			again, asked = append(again, held[i]), append(asked, all[i])
		}
	}
	if len(again) == 0 {
		return
	}
	for i, looked := range c.Checker(s).StillAll(ctx, asked) {
		if looked.Err != nil { // lost or frozen: the act tells it
			return
		}
		if !looked.Passed && looked.Doubt == "" {
			c.fileTakenBack(s, again[i], looked.Result)
		}
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

// A page may stop answering when all was found that was looked for. What holds on it
// holds for nobody, so each way to a passed verdict ends with an answer of the page: a call
// that verifies an address in a session of its own, a flow (by its watch), a session that
// a run's caller closes, and the run. A check in a session that goes on is one of those
// checks that the last two answer for: asked each time, it would wait for rest each time.

// lastAnswer returns why what the call found does not count: its page no longer answers.
// What failed stands as it is.
func (c *Call) lastAnswer(ctx context.Context) error {
	if !c.mayPass() {
		return nil
	}
	err := c.Session.Answers(ctx)
	if err == nil {
		return nil
	}
	c.reply = reply{} // what held is not told as if it did
	e := *engine.AsError(c.Spec.Name, err)
	e.Message = "what was found does not count, as the page did not answer any more: " + e.Message
	return &e
}

// mayPass reports whether the call verifies a page that is closed with it, and has filed
// no failed check.
func (c *Call) mayPass() bool {
	return c.Spec.Verifies && c.oneOff && c.Session != nil && c.RunErr == nil && c.fault == "" &&
		!slices.ContainsFunc(c.Run.Record().Checks, func(check qa.Check) bool { return check.Step == c.Step && !check.Passed })
}

// ExpectAnswer files that the page of a session does not answer, where the run has used
// it and has found something: closed, it can't be asked any more.
func (c *Call) ExpectAnswer(ctx context.Context, s *browser.Session) {
	if c.RunErr != nil || !slices.Contains(c.Workspace.UsedIn(c.Run.ID()), s.ID()) || len(c.Run.Record().Checks) == 0 {
		return
	}
	address := s.Made().URL
	err := s.Answers(ctx)
	if isLoss(err) { // which is told once: the page that is there now is asked
		err = s.Answers(ctx)
	}
	if err != nil {
		c.fileNoAnswer(address, err)
	}
}

// isLoss reports whether an error tells that a session has lost its page.
func isLoss(err error) bool {
	var e *explain.Error
	return errors.As(err, &e) && (e.Code == explain.PageCrashed || e.Code == explain.BrowserCrashed)
}

// fileNoAnswer files that the page at an address could not be asked at its end.
func (c *Call) fileNoAnswer(address string, err error) {
	e := engine.AsError(c.Spec.Name, err)
	c.Run.NotExecuted("watch", address, "the page answers in the end", e.Code, e.Message.Text())
}
