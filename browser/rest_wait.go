package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// waiting is one wait for rest.
type waiting struct {
	s       *waiter
	of      *target // nil: the page
	window  time.Duration
	limit   time.Duration
	began   time.Time
	fresh   time.Time // when the document that is waited for was first seen
	id      string    // of its observer
	seen    int       // documents
	alone   bool      // the newest look was at one element
	last    restState
	silence time.Time // since when the page answers nothing, and goes nowhere
	moves   int       // how often a frame went to another address by then
}

// restState is one look at what moves.
type restState struct {
	restAnswer
	quiet      time.Duration // since the last change, answer or document
	pending    []string      // requests that are awaited
	unanswered []string      // others
	silent     bool          // the page answered nothing
}

// restAnswer describes what the engine tells; see outline/rest.js. Times are in ms.
type restAnswer struct {
	ID       string   `json:"id"`
	Count    int      `json:"count"`
	Still    float64  `json:"still"`
	Ending   int      `json:"ending"`
	Loading  bool     `json:"loading"`
	Fonts    bool     `json:"fonts"`
	Refresh  float64  `json:"refresh"`
	Preloads []string `json:"preloads"`
	Subject  *struct {
		Still  float64 `json:"still"`
		What   string  `json:"what"`
		N      int     `json:"n"`
		Line   string  `json:"line"`
		Ending int     `json:"ending"`
	} `json:"subject"`
	Moving []struct {
		S string `json:"s"`
		W string `json:"w"`
		N int    `json:"n"`
	} `json:"moving"`
}

// wait looks until the subject is at rest, or time is up.
func (w *waiting) wait(ctx context.Context) (Rest, error) {
	w.fresh = w.began
	for {
		if err := w.look(ctx, false); err != nil {
			return Rest{}, err
		}
		left := w.left()
		if left <= 0 {
			return w.end(ctx, true)
		}
		now := w.s.pool.Now()
		switch {
		case w.last.silent && now.Sub(w.silence) > w.bound()+answerLimit:
			return Rest{}, silentPage(restOp + " " + w.subject())
		case w.last.silent && now.Sub(w.began) > 2*(w.bound()+answerLimit): // it goes from address to address
			return Rest{Moving: []Motion{{Selector: "the page", What: "navigation"}}, Waited: now.Sub(w.began)}, nil
		}
		if !w.last.silent && now.After(w.deadline()) {
			return w.end(ctx, false)
		}
		if err := rest(ctx, min(left, restPoll)); err != nil {
			return Rest{}, classify(err, restOp+" "+w.subject())
		}
	}
}

func (w *waiting) subject() string {
	if w.of == nil {
		return "the page"
	}
	return w.of.String()
}

// bound returns how long is waited for one document.
func (w *waiting) bound() time.Duration {
	switch {
	case w.limit > 0:
		return w.limit
	case w.alone:
		return subjectRestLimit
	default:
		return pageRestLimit
	}
}

func (w *waiting) deadline() time.Time {
	d := w.fresh.Add(w.bound())
	if due := w.refreshDue(); due > 0 { // it is followed
		if at := w.s.pool.Now().Add(due + restPoll); at.After(d) {
			return at
		}
	}
	return d
}

// refreshDue is in what time the page goes elsewhere as its markup says; 0
// where that is not waited for.
func (w *waiting) refreshDue() time.Duration {
	due := time.Duration(w.last.Refresh * float64(time.Millisecond))
	if w.alone || w.last.silent || w.last.Refresh < 0 || due > refreshLimit || w.seen >= maxDocuments {
		return 0
	}
	return max(due, time.Millisecond)
}

// left returns how much longer the page must stand as it does now; a page that does
// not may need longer.
func (w *waiting) left() time.Duration {
	a := &w.last
	if a.silent || a.Loading || a.Fonts {
		return restPoll
	}
	slow := w.s.pool.Now().Sub(w.fresh) > pageRestLimit // requests and what is elsewhere are no longer waited for
	if len(a.pending) > 0 && !slow {
		return restPoll
	}
	if w.alone {
		if a.Subject.Ending > 0 {
			return restPoll
		}
		return w.window - min(time.Duration(a.Subject.Still*float64(time.Millisecond)), a.quiet)
	}
	if a.Ending > 0 || w.refreshDue() > 0 {
		return restPoll
	}
	return w.window - min(time.Duration(a.Still*float64(time.Millisecond)), a.quiet)
}

// end returns the outcome of the wait.
func (w *waiting) end(ctx context.Context, still bool) (Rest, error) {
	out := Rest{Still: still, Pending: w.last.pending, Unanswered: w.last.unanswered}
	if !still || time.Duration(w.last.Still*float64(time.Millisecond)) < time.Second {
		if err := w.look(ctx, true); err != nil {
			return Rest{}, err
		}
	}
	out.Waited = w.s.pool.Now().Sub(w.began)
	if sub := w.last.Subject; w.alone && !still && sub != nil {
		what := sub.What
		if sub.Ending > 0 && what == "" {
			what = "animation"
		}
		if what != "" {
			out.Moving = append(out.Moving, Motion{Selector: w.of.String(), What: what, Times: sub.N})
		}
	}
	for _, m := range w.last.Moving {
		out.Moving = append(out.Moving, Motion{Selector: m.S, What: m.W, Times: m.N})
	}
	if still || !w.alone {
		return out, nil
	}
	moves := &MotionError{Moving: out.Moving}
	return out, &Error{Code: TimedOut, Retriable: true, Cause: moves, Page: motionLines(out.Moving),
		Message: fmt.Sprintf("%s %s: it does not stand still: it was still changing after %d ms, so nothing can be told of it", restOp, w.of, out.Waited.Milliseconds()),
		Hint:    "check something of it that stands still, or check again when it has come to rest; what moves:"}
}

// look asks the page once.
func (w *waiting) look(ctx context.Context, named bool) error {
	type looked struct {
		state restState
		alone bool
	}
	s := w.s
	got, err := on(ctx, s.livePage, restOp, w.subject(), func(ctx context.Context, t *tab) (looked, error) {
		var out looked
		if s.loading(t) != "" {
			out.state.silent = true
			return out, nil
		}
		at, ask := t.page.Locator(engineAsk{Op: "rest", Named: named}.query()), engineAsk{Op: "rest", Named: named}
		if w.of != nil {
			n, err := w.of.count(t.page)
			if err != nil && !isNavigating(err) {
				return out, err
			}
			if n == 1 {
				at, out.alone = w.of.locator(t.page).Locator(ask.query()), true
			}
		}
		_, err := within(ctx, t, lookLimit+time.Second, func() (int, error) { return 0, askEngine(at, lookLimit, &out.state.restAnswer) })
		switch {
		case err == nil:
			out.alone = out.alone && out.state.Subject != nil
			out.state.pending, out.state.unanswered, out.state.quiet = s.awaitedNow(t, out.state.Preloads)
		case isNavigating(err), errors.Is(err, playwright.ErrTimeout), errors.Is(err, errNoAnswer), strings.Contains(rawText(err), "strict mode violation"):
			out.state.silent = true
		default:
			return out, err
		}
		return out, nil
	})
	if err != nil {
		return err
	}
	now := s.pool.Now()
	if got.state.silent {
		if moves := s.moveCount(); !w.last.silent || w.silence.IsZero() || moves != w.moves {
			w.silence, w.moves = now, moves
		}
		w.last.silent = true
		return nil
	}
	if got.state.ID != w.id {
		if w.id != "" && w.seen < maxDocuments {
			w.fresh = now
		}
		w.id = got.state.ID
		w.seen++
	}
	w.last, w.alone = got.state, got.alone
	return nil
}
