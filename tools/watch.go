package tools

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/assertion"
	"github.com/assay-qa/assay/engine/flowpage"
	"github.com/assay-qa/assay/qa"
)

// watches is embedded by inputs of tools that watch the page in the end.
type watches struct {
	WatchMS *int `json:"watch_ms,omitempty" jsonschema:"0: no watch after"`
}

// maxWatchMS bounds a watch.
const maxWatchMS = 60_000

// valid refuses a window that is out of range.
func (w watches) valid() error {
	if w.WatchMS != nil && (*w.WatchMS < 0 || *w.WatchMS > maxWatchMS) {
		return engine.InvalidInput("", "watch_ms is %d: use 0 (no watch) to %d", *w.WatchMS, maxWatchMS)
	}
	return nil
}

// watchTime returns how long a page is watched: as the call says, or the run's task, or
// the configuration.
func (c *call) watchTime(wanted *int) time.Duration {
	if wanted == nil && c.run != nil {
		wanted = c.run.Task().WatchMS
	}
	if wanted != nil {
		return time.Duration(*wanted) * time.Millisecond
	}
	return c.desk.Watch
}

// lastAssertions holds the assertions that held since something acted last, of the tools that
// make one.
type lastAssertions struct {
	sync.Mutex
	s    *browser.Session
	acts int
	run  string
	all  []heldAssertion
}

type heldAssertion struct {
	a        qa.Assertion
	selector string
	check    qa.Check
}

// maxHeld bounds how many assertions a run's end looks at again.
const maxHeld = 50

// noteHeld remembers what has held, for the run's end.
func (c *call) noteHeld(s *browser.Session, a qa.Assertion, selector string, r assertion.Result) {
	if c.runErr != nil || c.oneOff || !r.Passed {
		return
	}
	c.desk.noteHeld(s, c.run.ID(), heldAssertion{a: a, selector: selector, check: c.about})
}

// noteHeld remembers an assertion that has held in a run, unless something acts
// after it.
func (d *Desk) noteHeld(s *browser.Session, run string, held heldAssertion) {
	h := &d.lastHeld
	h.Lock()
	defer h.Unlock()
	if acts := s.Acts(); h.s != s || h.acts != acts || h.run != run {
		h.s, h.acts, h.run, h.all = s, acts, run, nil
	}
	if len(h.all) == maxHeld {
		h.all = h.all[1:]
	}
	h.all = append(h.all, held)
}

// takeHeld returns what held last in a run, with its session, and forgets it. It
// is nil where something has acted since.
func (d *Desk) takeHeld(run string) (*browser.Session, []heldAssertion) {
	h := &d.lastHeld
	h.Lock()
	s, acts, of, all := h.s, h.acts, h.run, h.all
	h.s, h.all = nil, nil
	h.Unlock()
	if s == nil || of != run || s.Acts() != acts {
		return nil, nil
	}
	return s, all
}

// watchAtEnd watches the pages of a run that ends, while beside is done, and
// looks once more at what was asserted last, if nothing has acted since.
func (c *call) watchAtEnd(ctx context.Context, wanted *int, beside func()) {
	window := c.watchTime(wanted)
	var all []*browser.Watching
	if window <= 0 && len(c.desk.sessionIDs()) > 0 {
		c.say("%s", flowpage.Watched(browser.Watched{}))
	}
	for _, id := range c.desk.sessionIDs() {
		s, err := c.desk.session(id)
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
			e := engine.AsError(c.spec.name, err)
			c.run.NotExecuted("watch", w.Page.URL, "the page is watched before the run ends", e.Code, e.Message)
		case len(w.Moving)+len(w.Pending)+len(w.Unanswered) > 0:
			c.quote("%s: %s", w.Page.URL, flowpage.Watched(w))
		}
		if broke := flowpage.WentWrong(w); err == nil && broke != nil {
			c.file(qa.Check{Kind: "watch", Subject: w.From, Expected: broke.Expected, Observed: broke.Observed})
		}
	}
	if len(all) > 0 {
		c.recheckHeld(ctx)
	}
}

// recheckHeld files a failed check for each assertion that no longer holds,
// although nobody has done anything since.
func (c *call) recheckHeld(ctx context.Context) {
	s, all := c.desk.takeHeld(c.run.ID())
	for _, one := range all {
		r, err := c.checker(s).Once(ctx, one.a, one.selector)
		if err != nil { // closed, or lost since: what was looked at stands
			return
		}
		if r.Passed || r.Doubt != "" {
			continue
		}
		one.check.Expected, one.check.Observed = r.Expected, cmp.Or(r.Observed, "nothing")+" (it held before, and the page took it back by itself)"
		c.file(one.check)
	}
}

// file files a failed check that nobody asked for.
func (c *call) file(check qa.Check) {
	check.Step, check.Source, check.Passed = c.step, qa.SourceTool, false
	if _, err := c.run.AddCheck(check); err != nil {
		c.say("warning: a check could not be filed: %v", err)
	}
}
