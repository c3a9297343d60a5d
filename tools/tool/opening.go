package tool

import (
	"context"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
)

// Opened adds to the outputs of tools that can open an address by themselves how often
// that was tried.
type Opened struct {
	Attempts int          `json:"attempts,omitempty" jsonschema:"to open url"`
	Flaky    bool         `json:"flaky,omitempty" jsonschema:"passed, but not at the first attempt"`
	Retries  []flow.Retry `json:"retries,omitempty" jsonschema:"the transient faults that ended attempts"`
}

// say adds to the answer which faults were retried.
func (o Opened) say(c *Call) {
	for _, r := range o.Retries {
		c.Say("attempt %d at opening the address ended by a transient fault (%s: %s); started over", r.Attempt, r.Code, engine.OneLine(r.Cause))
	}
	if o.Flaky {
		c.Say("flaky: it passed, but not at once")
	}
}

// opening loads an address for a call that judges what it shows (a fresh look), each
// attempt in a session of its own. Calls that act and page_navigate have none: what they
// have done to their session can't be taken back.
type opening struct {
	call     *Call
	url      string
	timeout  time.Duration // of all navigations, pauses included; 0: each has the pool's
	attempts flow.Attempts
	until    time.Time // the end of timeout; zero: no navigation has begun
	began    time.Time // the newest attempt
}

// run returns the session, nil where none could be opened, and what came of the last
// attempt.
func (o *opening) run(ctx context.Context) (s *browser.Session, nav browser.Navigation, err error) {
	c := o.call
	for {
		before := err
		o.began = c.Workspace.Now()
		c.opened.Attempts++
		if s, err = c.openOneOff(ctx, o.url); err == nil {
			nav, err = o.load(ctx, s, before)
		}
		if err == nil {
			return s, nav, nil
		}
		fault := flowpage.Fault(err, s != nil)
		if !fault.Transient || s == nil && !fault.Lost {
			return s, nav, err
		}
		again, ending := o.next(ctx, fault)
		if ending != nil {
			return nil, nav, ending
		}
		if !again {
			return s, nav, err
		}
	}
}

// load loads the address in the time that is left. Where there is none, it returns the
// error of the attempt before.
func (o *opening) load(ctx context.Context, s *browser.Session, before error) (browser.Navigation, error) {
	if o.timeout <= 0 {
		return o.call.Navigate(ctx, s, o.url, "load", 0)
	}
	now := o.call.Workspace.Now()
	if o.until.IsZero() {
		o.until = now.Add(o.timeout)
		if o.attempts.Deadline.IsZero() || o.until.Before(o.attempts.Deadline) {
			o.attempts.Deadline = o.until
		}
	}
	left := o.until.Sub(now)
	if left <= 0 && before != nil {
		return browser.Navigation{}, before
	}
	left = max(left, time.Millisecond)
	nav, err := o.call.Navigate(ctx, s, o.url, "load", left)
	return nav, explain.WithLimit(err, o.timeout) // the caller knows the limit of all attempts
}

// next reports whether another attempt follows the one that a fault has ended. If so it
// has recorded that, ended the attempt's session, and waited. The error says that the
// retry could not be recorded, or that the call ended meanwhile.
func (o *opening) next(ctx context.Context, fault *flow.Fault) (bool, error) {
	c := o.call
	pause, again := o.attempts.Next(ctx, c.opened.Attempts, o.began)
	if !again {
		return false, nil
	}
	if c.RunErr != nil {
		return false, c.RunErr
	}
	if c.oneOff {
		c.FileExceptions(c.Session)
		closing, cancel := Closing(ctx)
		c.CloseOneOff(closing)
		cancel()
		c.Session, c.oneOff, c.grouped = nil, false, false
	}
	c.Progress("opening the address again")
	r := flow.Retry{Attempt: c.opened.Attempts, Step: "opening " + browser.ShownURL(o.url), Code: fault.Code, Cause: fault.Message.Text()}
	c.opened.Retries = append(c.opened.Retries, r)
	if err := c.Run.Event(evidence.Event{Name: evidence.LookRetried, Step: c.Step, Input: engine.JSON(r), ErrorCode: r.Code}); err != nil {
		return false, err
	}
	return true, o.attempts.Clock.Sleep(ctx, pause)
}

// unfiled reports whether the look, which has opened its address, has filed nothing yet.
func (o *opening) unfiled() bool {
	c := o.call
	return c.oneOff && c.RunErr == nil && len(c.Captured) == 0 &&
		!slices.ContainsFunc(c.Run.Record().Checks, func(check qa.Check) bool { return check.Step == c.Step })
}
