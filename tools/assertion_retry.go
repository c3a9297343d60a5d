package tools

import (
	"context"
	"reflect"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
)

// observed is the last comparison of a retrying assertion.
type observed struct {
	qa.Outcome
	seen   qa.Observation
	waited time.Duration
}

// maxRounds is how often an assertion that was taken back is waited for anew.
const maxRounds = 3

// asserted is retry and, where the assertion holds, a second look that is a
// frame later at least. It is what a single check is made with.
func (c *call) asserted(ctx context.Context, s *browser.Session, a qa.Assertion, selector string, timeout time.Duration) (observed, error) {
	r, err := c.retry(ctx, s, a, selector, timeout)
	if err != nil || !r.Passed {
		return r, err
	}
	if !a.Absent() {
		s.NextFrame(ctx)
	}
	return c.confirm(ctx, s, a, selector, r, timeout)
}

// retry looks until the assertion holds or timeout is over. A look that is not
// possible is an error, never a failed check, and so is one at a login page.
// Nothing is absent before the page has come to rest and was watched. The time
// of that, and of waiting for work of our own, is not the page's.
func (c *call) retry(ctx context.Context, s *browser.Session, a qa.Assertion, selector string, timeout time.Duration) (observed, error) {
	var r observed
	for round := 1; ; round++ {
		var err error
		if r, err = c.until(ctx, s, a, selector, timeout-r.waited, r.waited); err != nil {
			return r, err
		}
		if !r.Passed || !a.Absent() || round > maxRounds {
			break
		}
		if err := c.awaitRest(ctx, s); err != nil {
			return r, err
		}
		again, err := c.once(ctx, s, a, selector)
		if err != nil {
			return r, err
		}
		again.waited = r.waited
		if r = again; r.Passed {
			break
		}
	}
	return r, c.refuseIfExpired(ctx, s, a, r.Passed)
}

// until looks until the assertion holds or timeout is over, counted from the
// end of the first look.
func (c *call) until(ctx context.Context, s *browser.Session, a qa.Assertion, selector string, timeout, before time.Duration) (observed, error) {
	var start time.Time
	pause := 20 * time.Millisecond
	for {
		r, err := c.once(ctx, s, a, selector)
		if err != nil {
			return observed{}, err
		}
		if start.IsZero() {
			start = c.desk.Now()
		}
		waited := c.desk.Now().Sub(start)
		if r.waited = before + waited; r.Passed || waited >= timeout {
			return r, r.doubt(a, selector)
		}
		select {
		case <-ctx.Done():
			return observed{}, ctx.Err()
		case <-time.After(min(pause, timeout-waited)):
		}
		pause = min(2*pause, 250*time.Millisecond)
	}
}

// doubt is the error of a look that could not tell what is seen.
func (r observed) doubt(a qa.Assertion, selector string) error {
	if r.Passed || r.Doubt == "" {
		return nil
	}
	return inDoubt(a, selector, r.Doubt)
}

// once looks once.
func (c *call) once(ctx context.Context, s *browser.Session, a qa.Assertion, selector string) (observed, error) {
	seen, err := c.observe(ctx, s, a, selector)
	if err != nil {
		return observed{}, err
	}
	r := observed{Outcome: a.Compare(seen), seen: seen}
	c.noteObserved(a, selector, seen)
	if r.Passed && a.Absent() {
		return c.observeAllFrames(ctx, s, a, selector, r)
	}
	return r, nil
}

// awaitRest waits until the page is at rest and was watched: only then is what is
// not there absent.
func (c *call) awaitRest(ctx context.Context, s *browser.Session) error {
	window := c.watchTime(nil)
	return s.WatchFrames(ctx, max(window, browser.RestWindow), func() (err error) {
		if window > 0 {
			_, err = s.Watch(ctx, window)
		} else {
			_, err = s.Rest(ctx, browser.RestOptions{})
		}
		return err
	})
}

// confirm looks a second time at an assertion that held, and finds out whether it
// proves nothing: it is about what the caller typed, or holds with other words,
// too. What is absent was watched already.
func (c *call) confirm(ctx context.Context, s *browser.Session, a qa.Assertion, selector string, first observed, timeout time.Duration) (observed, error) {
	r := first
	if !a.Absent() {
		var err error
		if r, err = c.again(ctx, s, a, selector, first, timeout); err != nil || !r.Passed {
			return r, err
		}
	}
	made, err := c.typedReasons(ctx, s, a, selector, r)
	if err != nil {
		return r, err
	}
	held, err := c.counterCheck(ctx, s, a, selector, r.seen)
	if err != nil {
		return r, err
	}
	if r.Void = made; held != "" {
		r.Void = append(r.Void, held)
	}
	return r, nil
}

// again looks a second time at an assertion that held. Where it sees the same,
// that is the outcome; where it does not, what is looked at must come to rest
// first. What does not come to rest proves nothing: that is an error.
func (c *call) again(ctx context.Context, s *browser.Session, a qa.Assertion, selector string, first observed, timeout time.Duration) (observed, error) {
	for range maxRounds {
		second, err := c.once(ctx, s, a, selector)
		if err != nil {
			return second, err
		}
		second.waited = first.waited
		if second.Passed && sameSight(a, first.seen, second.seen) {
			return second, nil
		}
		if _, err := s.Rest(ctx, browser.RestOptions{Selector: selector}); err != nil {
			return second, err
		}
		r, err := c.until(ctx, s, a, selector, timeout-first.waited, first.waited)
		if err != nil || !r.Passed {
			if err == nil {
				err = c.refuseIfExpired(ctx, s, a, false)
			}
			return r, err
		}
		if second.Passed || r.waited == first.waited { // it held at once when all stood still
			return r, nil
		}
		first = r
	}
	return first, nil
}

// sameSight compares what two looks saw of what the assertion is about. How
// often was asked for something is no sight: a page that polls asks again. Of a
// text that is contained it is the texts that hold it, not what stands around.
func sameSight(about qa.Assertion, a, b qa.Observation) bool {
	a.Came = b.Came
	if about.Type == qa.TextContains || about.Type == qa.TextMatches {
		a.Text = b.Text
	}
	return !b.Ending && reflect.DeepEqual(a, b)
}
