package flow

import (
	"context"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Result holds the outcome of a flow, all attempts included.
type Result struct {
	Attempt          // the one that decided
	Attempts int     // how many there were
	Retries  []Retry // why there was more than one, in order
	Flaky    bool    // it passed, but not at once
	Started  time.Time
	Duration time.Duration
}

// Retry says why an attempt was followed by another one.
type Retry struct {
	Attempt int           `json:"attempt"` // the one that failed, from 1
	Step    string        `json:"step"`
	Code    string        `json:"code"`
	Cause   pagetext.Text `json:"cause"`
}

// Site gives each attempt its page.
type Site struct {
	// Open returns the page of an attempt, counted from 1. Close ends it.
	Open  func(ctx context.Context, attempt int) (Page, error)
	Close func(ctx context.Context)
	// Repeatable says that an attempt leaves nothing behind that the next one
	// would meet, because each has a context of its own.
	Repeatable bool
	// Retried receives each retry before it begins; it may be nil.
	Retried func(Retry)
}

// Run runs the flow within timeout, and starts over where a transient fault
// ended an attempt. A failed check is never tried again. The error says that
// not even a page could be had; that the flow's own time was over is no error.
func Run(ctx context.Context, f Flow, timeout time.Duration, site Site, o Options) (Result, error) {
	started := o.Clock.Now()
	whole := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	out := Result{Started: started}
	attempts := Attempts{Retries: MaxRetries, Deadline: started.Add(timeout), Clock: o.Clock}
	if f.Retries != nil {
		attempts.Retries = *f.Retries
	}
	var faulty *Attempt // an earlier attempt that the site made fail
	for n := 1; ; n++ {
		began := o.Clock.Now()
		page, err := site.Open(ctx, n)
		if err != nil {
			if n == 1 && ctx.Err() != nil && whole.Err() == nil {
				out.Attempts, out.Attempt = 1, unopened(ctx, f, o)
				break
			}
			if n == 1 {
				return out, err
			}
			break // what the attempt before found stands
		}
		out.Attempts = n
		out.Attempt = attempt(ctx, whole, f, page, attempts.Deadline, o)
		site.Close(ctx)
		if out.Status == qa.Failed {
			kept := out.Attempt
			faulty = &kept
		}
		retry, again := f.shouldRetry(out.Attempt, n, site)
		pause, fits := attempts.Next(ctx, n, began)
		if !again || !fits {
			break
		}
		out.Retries = append(out.Retries, retry)
		if site.Retried != nil {
			site.Retried(retry)
		}
		if o.Clock.Sleep(ctx, pause) != nil {
			break
		}
	}
	ended := out.Failed != nil && (out.Failed.Fault == nil || !out.Failed.Fault.GoesOn)
	if out.Status == qa.Inconclusive && ended && faulty != nil {
		out.Attempt = *faulty // the site was at fault, and it has not been seen to recover
	}
	out.Flaky = out.Status == qa.Passed && len(out.Retries) > 0
	out.Duration = o.Clock.Now().Sub(started)
	return out, nil
}

// shouldRetry reports whether another attempt makes sense: the fault is transient,
// and starting over meets the site as the first attempt did.
func (f Flow) shouldRetry(a Attempt, n int, site Site) (Retry, bool) {
	s := a.Failed
	if s == nil || s.Fault == nil || !s.Fault.Transient {
		return Retry{}, false
	}
	if !site.Repeatable && f.StartURL == "" && (len(f.Steps) == 0 || f.Steps[0].Action != "navigate") {
		return Retry{}, false // its first steps would be done twice on the same page
	}
	return Retry{Attempt: n, Step: s.Name(), Code: s.Fault.Code, Cause: s.Fault.Message.Text()}, true
}

// Attempts bounds how often something is begun that a transient fault can end: a flow,
// or the opening of an address that a call then looks at.
type Attempts struct {
	Retries  int       // after the first attempt, at most
	Deadline time.Time // of all attempts; zero: none
	Clock    Clock
}

// Next returns the pause between attempt n, counted from 1, which began at began, and
// the next one. It returns false where none follows: the retries are spent, ctx has
// ended, or the time that is left is shorter than the pause and what attempt n took. An
// attempt that can't come to its end would only hide what this one found.
func (a Attempts) Next(ctx context.Context, n int, began time.Time) (time.Duration, bool) {
	pause := pauseAfter(n)
	if n > a.Retries || ctx.Err() != nil {
		return 0, false
	}
	now := a.Clock.Now()
	if !a.Deadline.IsZero() && a.Deadline.Sub(now) < now.Sub(began)+pause {
		return 0, false
	}
	return pause, true
}

// pauseAfter grows: what is restarting needs a moment.
func pauseAfter(attempt int) time.Duration {
	return 250 * time.Millisecond << (attempt - 1)
}
