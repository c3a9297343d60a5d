package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/rest"
)

// tab wraps one page and adds what Playwright's Go binding lacks: turns, so
// that calls on a page don't interleave, and channels that close when the page
// can't answer any more. Playwright's calls take no context, and some hang for
// ever after a renderer crash.
type tab struct {
	page    playwright.Page
	context *browserContext
	id      int           // number within its session, guarded by the session's mutex; 0: none yet
	opener  *tab          // that opened it; nil: none is known
	crashed chan struct{} // closed when the renderer crashed
	closed  chan struct{} // closed when the page is gone

	onCrash, onClose sync.Once
	watched          sync.Once
	overMemory       atomic.Int64 // bytes that it used when its renderers were ended for that; 0: they were not
	preparing        atomic.Bool
	pending          pendingCalls          // Playwright calls that outlived their limit
	devtools         playwright.CDPSession // nil before its first use; see tools
	contextID        string                // of its context in Chromium's protocol; "" before it is needed
	sockets          atomic.Bool           // its pages opened a WebSocket
	counting         bool                  // Chromium counts what of its scripts runs; of the page's turn
	storesWatched    []string              // origins of which Chromium tells what is written to their stores; of the page's turn

	mu      sync.Mutex
	holder  *turn         // nil when the page is free
	changed chan struct{} // closed, and replaced, when the holder lets go
}

// live reports whether something beside the page's own script may change it: a socket, a
// worker, another page of its context.
func (t *tab) live() bool {
	context := t.page.Context()
	return t.sockets.Load() || len(t.page.Workers()) > 0 || len(context.ServiceWorkers()) > 0 || len(context.Pages()) > 1
}

// turn holds one call's right to use a page.
type turn struct {
	op        string
	abandoned chan struct{} // closed when no caller waits for the call any more
	answered  atomic.Bool   // its caller has the answer: only questions of ours are left of it
	once      sync.Once
}

func newTurn(op string) *turn { return &turn{op: op, abandoned: make(chan struct{})} }

func (c *turn) abandon() { c.once.Do(func() { close(c.abandoned) }) }

func newTab(page playwright.Page, l *browserContext) *tab {
	t := &tab{page: page, context: l, crashed: make(chan struct{}), closed: make(chan struct{}), changed: make(chan struct{})}
	gone := func() { t.onClose.Do(func() { close(t.closed) }) }
	page.OnCrash(func(playwright.Page) { t.onCrash.Do(func() { close(t.crashed) }) })
	page.OnClose(func(playwright.Page) { gone() })
	page.OnDOMContentLoaded(func(playwright.Page) { t.prepare() })
	if page.IsClosed() { // before anybody listened
		gone()
	}
	return t
}

// prepare has Playwright put its script and our engine into a new document
// while that still loads, which would otherwise be the work of the first call
// that looks at it: 40 ms of 50. Nobody waits for it, and if it fails the first
// call does it.
func (t *tab) prepare() {
	if !t.preparing.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer t.preparing.Store(false)
		_, _ = guarded(func() (int, error) { return t.page.Locator(outlineEngine + "=text").Count() })
	}()
}

func ended(c <-chan struct{}) bool { return rest.Happened(c) }

// usable reports whether the page still answers.
func (t *tab) usable() bool { return !ended(t.crashed) && !ended(t.closed) }

// maxLonger bounds how often lateLimit is granted again to a look of ours that
// goes on.
const maxLonger = 4

// Why a turn could not be had.
var (
	errUnusable = errors.New("the page crashed or closed")
	errHeld     = errors.New("the page is held by a call that does not end")
	errGone     = errors.New("the browser is gone")
	errEnded    = errors.New("the session is closed")
)

// errAbandoned says that nobody waits any more for the call that holds the page.
var errAbandoned = errors.New("its caller has gone")

// take waits until the page is free and gives it to c. It waits as long as ctx
// allows for a call with a waiting caller, and patience for any other.
func (t *tab) take(ctx context.Context, s *livePage, c *turn, patience time.Duration) (earlier string, err error) {
	var last *turn
	late, longer := false, 0 // nobody waits for last any more; how often it was given more time
	for {
		t.mu.Lock()
		h, changed := t.holder, t.changed
		if h == nil {
			t.holder = c
		}
		t.mu.Unlock()
		if h == nil {
			return "", nil
		}
		if h != last {
			last, late = h, false
		}
		over := rest.Policy{Events: append([]rest.Event{{Of: changed}}, t.ends(s)...)}
		if late {
			over.Limit = patience
		} else {
			over.Events = append(over.Events, rest.Event{Of: h.abandoned, Err: errAbandoned})
		}
		switch err := rest.Until(ctx, nil, over); {
		case err == nil: // another call may have it by now
		case errors.Is(err, errAbandoned):
			late = true
		case !errors.Is(err, rest.ErrLimit):
			return h.op, err
		default:
			// A look of ours may be slow on a loaded machine, and is not stuck for
			// that. A navigation takes a fresh page instead.
			ours := h.answered.Load() || slices.Contains(looks, h.op)
			if longer++; longer <= maxLonger && patience >= rest.LateLimit && ours && t.answers(ctx) {
				continue
			}
			return h.op, errHeld
		}
	}
}

// ends lists what makes a wait for the page vain.
func (t *tab) ends(s *livePage) []rest.Event {
	return []rest.Event{{Of: t.crashed, Err: errUnusable}, {Of: t.closed, Err: errUnusable}, {Of: t.context.gone, Err: errGone}, {Of: s.ended, Err: errEnded}}
}

// answers reports whether the page's renderer does, beside the call that holds
// the page.
func (t *tab) answers(ctx context.Context) bool {
	_, err := answerOf(ctx, func() (string, error) { return readTitle(t.page) }, rest.Policy{Limit: rest.StuckAfter})
	return err == nil
}

// give frees the page.
func (t *tab) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.holder = nil
	close(t.changed)
	t.changed = make(chan struct{})
}

// guarded turns a panic into an error. Playwright's binding panics on answers
// that it does not know.
func guarded[T any](fn func() (T, error)) (v T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("playwright's binding panicked: %v", r)
		}
	}()
	return fn()
}

// errNoAnswer says that a page did not answer within a limit.
var errNoAnswer = errors.New("the page does not answer")

// within runs one Playwright call that takes no time-out. When it takes longer
// than limit, the page's turn is kept until it has ended.
func within[T any](ctx context.Context, t *tab, limit time.Duration, call func() (T, error)) (T, error) {
	t.pending.begin()
	v, err := answerOf(ctx, func() (T, error) {
		defer t.pending.end()
		return call()
	}, rest.Policy{Limit: limit, Events: []rest.Event{{Of: t.crashed, Err: errUnusable}}})
	if errors.Is(err, rest.ErrLimit) {
		err = errNoAnswer
	}
	return v, err
}

// answerOf makes a call of Playwright's binding, and waits for it as long as p says.
func answerOf[T any](ctx context.Context, call func() (T, error), p rest.Policy) (T, error) {
	return rest.Answer(ctx, func() (T, error) { return guarded(call) }, p)
}

// left returns as [rest.Left] does, in Playwright's unit, in which zero means "no time-out".
func left(ctx context.Context, limit time.Duration) *float64 {
	return inMilliseconds(rest.Left(ctx, limit))
}

func inMilliseconds(d time.Duration) *float64 { return playwright.Float(float64(d.Milliseconds())) }

// pendingCalls counts Playwright calls that may outlive their limit. Unlike a
// [sync.WaitGroup] it may be waited for while another call begins: a turn waits
// for its own calls, while the error of its failure is still being explained.
type pendingCalls struct {
	mu    sync.Mutex
	count int
	ended chan struct{} // closed when the last one has; nil while there is none
}

func (l *pendingCalls) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count++; l.count == 1 {
		l.ended = make(chan struct{})
	}
}

func (l *pendingCalls) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count--; l.count == 0 {
		close(l.ended)
		l.ended = nil
	}
}

// none returns a channel that is closed when no call is under way; nil if none is now.
func (l *pendingCalls) none() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

// tools returns the page's connection to Chromium's own protocol, opened at its first
// use. Whoever uses it holds the page's turn.
func (t *tab) tools() (playwright.CDPSession, error) {
	if t.devtools != nil {
		return t.devtools, nil
	}
	session, err := t.page.Context().NewCDPSession(t.page)
	t.devtools = session
	return session, err
}
