package browser

import (
	"context"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"
)

// tab is one page with what Playwright's Go binding lacks: a lock, so that
// calls on a page don't interleave, and channels that say that the page is
// beyond answering. Its calls know no context, and some hang for ever after a
// renderer crash.
type tab struct {
	page    playwright.Page
	turn    chan struct{} // holds one token: the right to use the page
	crashed chan struct{} // closed when the renderer crashed
	closed  chan struct{} // closed when the page is gone

	onCrash, onClose sync.Once
	mu               sync.Mutex
	busyWith         string // the call that holds the turn
}

func newTab(page playwright.Page) *tab {
	t := &tab{page: page, turn: make(chan struct{}, 1), crashed: make(chan struct{}), closed: make(chan struct{})}
	page.OnCrash(func(playwright.Page) { t.onCrash.Do(func() { close(t.crashed) }) })
	page.OnClose(func(playwright.Page) { t.onClose.Do(func() { close(t.closed) }) })
	return t
}

// usable reports whether the page still answers.
func (t *tab) usable() bool {
	select {
	case <-t.crashed:
		return false
	case <-t.closed:
		return false
	default:
		return true
	}
}

func (t *tab) setBusy(op string) {
	t.mu.Lock()
	t.busyWith = op
	t.mu.Unlock()
}

func (t *tab) busy() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.busyWith
}

// on runs fn, which uses the session's page, with the page's turn held. It
// returns early when ctx ends, the renderer crashes or the browser goes away;
// the turn is kept until the late call has really ended, so that the next one
// never meets a page in the middle of something.
func on[T any](ctx context.Context, s *Session, op, subject string, fn func(ctx context.Context, t *tab) (T, error)) (T, error) {
	var zero T
	t, err := s.tab(ctx, op)
	if err != nil {
		return zero, err
	}
	select {
	case t.turn <- struct{}{}:
	case <-ctx.Done():
		return zero, stuck(ctx, t, op, subject)
	case <-t.crashed:
		return zero, s.crashed(t, op, subject)
	case <-s.gone:
		return zero, browserCrashed(op, nil)
	}
	t.setBusy(op)
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() { t.setBusy(""); <-t.turn }()
		v, err := fn(ctx, t)
		done <- outcome{v, err}
	}()
	select {
	case o := <-done:
		if o.err != nil && !t.usable() {
			return zero, s.lost(t, op, subject, o.err)
		}
		return o.value, classify(o.err, op, subject)
	case <-ctx.Done():
		return zero, classify(ctx.Err(), op, subject)
	case <-t.crashed:
		return zero, s.crashed(t, op, subject)
	case <-s.gone:
		return zero, browserCrashed(op+" "+subject, nil)
	}
}

// stuck says that an earlier call still holds the page.
func stuck(ctx context.Context, t *tab, op, subject string) error {
	if earlier := t.busy(); earlier != "" && context.Cause(ctx) == context.DeadlineExceeded {
		return &Error{Code: TimedOut, Message: op + " " + subject + ": the page is still busy with an earlier " + earlier, Retriable: true,
			Hint: "call page_navigate, which starts over on a fresh page, or browser_close"}
	}
	return classify(ctx.Err(), op, subject)
}

// left is the time until ctx ends in Playwright's unit, never more than limit.
func left(ctx context.Context, limit time.Duration) *float64 {
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline))
	}
	// Zero means "no time-out" to Playwright.
	return playwright.Float(max(1, float64(limit.Milliseconds())))
}
