package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// RestWindow is how long a subject must have stood still to be at rest, where
// nobody says.
const RestWindow = 400 * time.Millisecond

// Bounds on waiting for rest.
const (
	pageRestLimit    = 3 * time.Second // a page that goes on is judged all the same after that
	subjectRestLimit = 5 * time.Second // an element that moves for longer is not at rest
	restPoll         = 100 * time.Millisecond
	maxDocuments     = 3               // that one wait follows a page through: after them, time is up as if it had stayed
	refreshLimit     = 5 * time.Second // a refresh in the markup that is due later is not waited for
	answerLimit      = 4 * time.Second // how long a page may answer nothing beyond a wait's own limit
)

// RestOptions say what must be at rest.
type RestOptions struct {
	Selector string        // one element; "", or one that matches none or several: the page
	Window   time.Duration // how long it must have stood still; 0: RestWindow
	Limit    time.Duration // how long that is waited for; 0: 3 s for a page, 5 s for an element
}

// Motion is something of a page that moves.
type Motion struct {
	Selector string `json:"selector"`
	What     string `json:"what" jsonschema:"text, content, style, attribute, box or animation"`
	Times    int    `json:"times,omitempty" jsonschema:"changes that were seen"`
}

func (m Motion) String() string {
	if m.Times > 1 {
		return fmt.Sprintf("%s (%s, %d changes)", m.Selector, m.What, m.Times)
	}
	return fmt.Sprintf("%s (%s)", m.Selector, m.What)
}

// Rest is how a wait for rest ended.
type Rest struct {
	Still      bool          // the subject is at rest
	Moving     []Motion      // what moved in the end, on the subject's document
	Pending    []string      // requests that were awaited, and not answered in time
	Unanswered []string      // requests that are not awaited: streams, long polls, what is asked for again and again
	Waited     time.Duration // from the first look to the last
}

// MotionError is the cause of the TIMEOUT error of [Session.Rest]: an element
// does not stand still. That is neither a fault of the page nor one of the
// caller: nothing can be told of what moves.
type MotionError struct{ Moving []Motion }

func (e *MotionError) Error() string {
	return "it does not stand still: " + strings.Join(motionLines(e.Moving), ", ")
}

// IsUnsettled reports whether an error only says that nothing could be told yet:
// what was looked at moves, or the page was still in use by an earlier call of
// ours. Neither is a fault of the page.
func IsUnsettled(err error) bool {
	var moves *MotionError
	return errors.As(err, &moves) || errors.Is(err, errHeld)
}

func motionLines(all []Motion) []string {
	out := make([]string, len(all))
	for i, m := range all {
		out[i] = m.String()
	}
	return out
}

// waiter waits until the page, or an element of it, is as it is wanted: at rest, in a
// state, watched for a while.
type waiter struct {
	*livePage
	watched watchedState // the page when it was last watched, guarded by the page's mutex
}

const restOp = "wait until it is at rest:"

// Rest waits until its subject is at rest: its own box and text have stood
// still for the window, the requests that the act or the load caused are
// answered, finite animations of it are done, and its fonts are there. Not
// awaited are what goes on by design (see [Rest.Unanswered]) and what moves
// elsewhere on the page.
//
// The page as a subject is at rest when nothing in it was changed for the
// window. One that goes on is not waited for longer than 3 s: the answer then
// says what moves, and is no error. An element that does not stand still is a
// TIMEOUT error with a [MotionError] as its cause.
//
// The turn of the page is free between two looks: others may use it meanwhile.
func (s *waiter) Rest(ctx context.Context, o RestOptions) (Rest, error) {
	w := waiting{s: s, window: o.Window, limit: o.Limit, began: s.pool.Now()}
	if w.window <= 0 {
		w.window = RestWindow
	}
	if o.Selector != "" {
		t, err := parseSelector(o.Selector)
		if err != nil {
			return Rest{}, err
		}
		w.of = &t
	}
	return w.wait(ctx)
}

// frameLimit bounds the wait for a page's next frame: one that is not painted
// has none.
const frameLimit = 300 * time.Millisecond

const frameOp = "wait for a frame"

// NextFrame waits until the page has had the time to paint once more.
func (s *waiter) NextFrame(ctx context.Context) {
	_, _ = on(ctx, s.livePage, frameOp, "", func(ctx context.Context, t *tab) (int, error) {
		ctx, cancel := context.WithTimeout(ctx, frameLimit)
		defer cancel()
		return 0, nextTurn(ctx, t, true) // whoever looks next is told what is wrong
	})
}

// silentPage returns the error of a page that has not answered for long.
func silentPage(what string) error {
	return &Error{Code: TimedOut, Message: what + ": the page does not answer", Retriable: true, Cause: errNoAnswer,
		Hint: "a script of the page may run without end, or this machine is overloaded: call page_navigate, which starts over on a fresh page, or try again"}
}

// longPoll is how long a data request may be open before it is taken for one
// that stays open by design.
const longPoll = 2 * time.Second

// longPast is how long ago an answer came that no window of rest reaches back to.
const longPast = 10 * time.Second

// maxRestRequests is how many of the newest requests are looked at: a page can
// ask without end.
const maxRestRequests = 300

// awaitedNow returns the requests of the page's current document that must be
// answered before the page is at rest, and those that are open and need not.
// quiet is the time since the newest awaited one ended or was given up.
// preloads are addresses that the page has fetched ahead and does not use.
func (s *waiter) awaitedNow(t *tab, preloads []string) (pending, unanswered []string, quiet time.Duration) {
	address, now := t.page.URL(), s.pool.Now()
	s.EventLog.mu.Lock()
	defer s.EventLog.mu.Unlock()
	var since mark
	if x := s.EventLog.documentOf(t.page, address); x != nil {
		since = x.before
	}
	all := newest(s.EventLog.network.since(since.net), maxRestRequests)
	var last time.Time
	for i, x := range all {
		if x.Blocked != "" || x.refused() {
			continue
		}
		switch {
		case !x.Pending:
			if end := x.Start.Add(time.Duration(x.DurationMS) * time.Millisecond); now.Sub(end) < longPast && awaited(x) && !x.worker && !x.aheadOfTime(preloads) && !s.EventLog.repeated(x, all[:i]) {
				last = later(last, end)
			}
		case !awaited(x) || x.worker || x.aheadOfTime(preloads) || s.EventLog.repeated(x, all[:i]):
			unanswered = append(unanswered, x.Method+" "+cut(x.URL, 120))
		case x.isData() && now.Sub(x.Start) > longPoll:
			unanswered = append(unanswered, x.Method+" "+cut(x.URL, 120))
			last = later(last, x.Start.Add(longPoll))
		default:
			pending = append(pending, x.Method+" "+cut(x.URL, 120))
		}
	}
	quiet = time.Hour
	if !last.IsZero() {
		quiet = now.Sub(last)
	}
	return listed(pending, len(pending)), listed(unanswered, len(unanswered)), quiet
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// aheadOfTime reports whether a request only fetches what may be used later.
func (x *exchange) aheadOfTime(preloads []string) bool {
	if x.Type == "prefetch" || slices.Contains(preloads, x.URL) {
		return true
	}
	headers := x.request.Headers()
	return strings.Contains(headers["purpose"]+headers["sec-purpose"], "prefetch")
}

// How often a page must have asked before, since the last act, for a further
// request to be one of a row that does not end: of the same content, or of
// another one at the same path.
const (
	repeatsAlike = 1
	repeatsPath  = 3
)

func pathOnly(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

// body returns what a request sends, as far as the driver has told.
func body(x *exchange) string {
	if x.Method == http.MethodGet || x.Method == http.MethodHead {
		return ""
	}
	text, err := x.request.PostData()
	if err != nil {
		return x.RequestID // it equals no other
	}
	return text
}
