package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
)

// Bounds on waiting for rest.
const (
	maxDocuments  = 3  // that one wait follows a page through: after them, time is up as if it had stayed
	maxRestFrames = 20 // frames of other sites that are waited for
)

// RestOptions say what must be at rest.
type RestOptions struct {
	Selector string        // one element; "", or one that matches none or several: the page
	Window   time.Duration // how long it must have stood still; 0: that of [wait.Waits]
	Limit    time.Duration // how long that is waited for; 0: that of [wait.Waits]
	Brief    bool          // what moved of a page that came to rest is not named
}

// Motion holds something of a page that moves.
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

// Rest holds how a wait for rest ended.
type Rest struct {
	Still      bool          // the subject is at rest
	Moving     []Motion      // what moved in the end, on the subject's document
	Pending    []string      // requests that were awaited, and not answered in time
	Unanswered []string      // requests that are not awaited: streams, long polls, what is asked for again and again
	Waited     time.Duration // from the first look to the last
}

// MotionError names the elements that do not stand still, as the cause of the
// TIMEOUT error of [Session.Rest]. It is neither a fault of the page nor of
// the caller: nothing about a moving element can be decided.
type MotionError struct{ Moving []Motion }

func (e *MotionError) Error() string {
	return "it does not stand still: " + strings.Join(motionLines(e.Moving), ", ")
}

// IsUnsettled reports whether an error only says that nothing could be decided
// yet: what was looked at moves, or the page was still in use by an earlier
// call of ours. Neither is a fault of the page.
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
	w := waiting{s: s, window: o.Window, limit: o.Limit, brief: o.Brief, began: s.pool.Now()}
	if w.window <= 0 {
		w.window = s.pool.Waits.Rest
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

const changeOp = "wait for what changes"

// WatchFrames does watch, and then waits until the frames of other sites, which no
// watch of the page notices, have stood still for the window too. One that goes
// on is not waited for longer than 3 s, and one that does not answer not at all.
func (s *waiter) WatchFrames(ctx context.Context, window time.Duration, watch func() error) error {
	left, err := s.framesMove(ctx, window) // they are observed from here on
	if err != nil {
		return err
	}
	if err := watch(); err != nil || left == 0 {
		return err
	}
	until := s.pool.Now().Add(s.pool.Waits.PageRest)
	for s.pool.Now().Before(until) {
		if left, err = s.framesMove(ctx, window); err != nil || left <= 0 {
			return err
		}
		if err := wait.For(ctx, min(left, rest.RestPoll)); err != nil {
			return classify(err, restOp+" the frames")
		}
	}
	return nil
}

// framesMove returns how much longer the frames of other sites must stand still; 0
// where there are none, or they do.
func (s *waiter) framesMove(ctx context.Context, window time.Duration) (time.Duration, error) {
	return on(ctx, s.livePage, restOp, "the frames", func(_ context.Context, t *tab) (time.Duration, error) {
		out, asked, own := time.Duration(0), 0, eventlog.Origin(t.page.URL())
		for _, frame := range inner(t.page) {
			if address := frame.URL(); strings.HasPrefix(address, "about:") || eventlog.Origin(address) == own {
				continue
			}
			if asked++; asked > maxRestFrames {
				break
			}
			var a restAnswer
			if err := askEngine(frame.Locator(engineAsk{Op: "rest", Within: int(window.Milliseconds())}.query()), rest.FrameRestLimit, &a); err != nil {
				continue // it has gone, or does not answer: whoever looks into it finds out
			}
			still := milliseconds(a.Still)
			if a.Loading || a.Ending > 0 {
				still = 0
			}
			out = max(out, window-still)
		}
		return out, nil
	})
}

// LetChange gives the page the time to change: its timers of the next 50 ms run, and
// it is painted once more.
func (s *waiter) LetChange(ctx context.Context) {
	s.letPass(ctx, rest.ChangeTime, rest.ChangeLimit, true)
}

// LetPass gives the page so much time of its own clock: timers that are due by then have
// run, however busy the machine. A page that does not answer is waited for 4 s longer;
// whether it does, the next look tells.
func (s *waiter) LetPass(ctx context.Context, d time.Duration) {
	s.letPass(ctx, d, d+rest.SilenceLimit, false)
}

func (s *waiter) letPass(ctx context.Context, d, limit time.Duration, paint bool) {
	_, _ = on(ctx, s.livePage, changeOp, "", func(ctx context.Context, t *tab) (int, error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return 0, turnAfter(ctx, t, int(d.Milliseconds()), paint) // the next look returns what is wrong
	})
}

// Answers waits for one answer of the page, given when the window of rest has passed
// since the last act of ours or load. What was found on the page before counts by it: a
// page whose script runs without end shortly after it was loaded shows all that was
// looked for, and works for nobody. One that does not answer is a TIMEOUT error; one that
// goes from address to address answers.
//
// The window is counted by the page's clock too, so that what its timers do in that time
// is done by then, however busy the machine.
func (s *waiter) Answers(ctx context.Context) error {
	w := waiting{s: s, window: s.pool.Waits.Rest, began: s.pool.Now()}
	return w.answers(ctx)
}

// answers waits for that one answer, unless the newest look was it.
func (w *waiting) answers(ctx context.Context) error {
	s := w.s
	if w.answered() {
		return nil
	}
	moves := s.log.Moves()
	if left := s.pool.Waits.Rest - s.pool.Now().Sub(s.settledAt()); left > 0 {
		s.LetPass(ctx, left)
	}
	for {
		if err := w.look(ctx); err != nil || !w.last.silent || s.log.Moves()-moves > maxDocuments {
			return err
		}
		if over, err := w.unheard(); over {
			return err
		}
		if err := wait.For(ctx, rest.RestPoll); err != nil {
			return classify(err, restOp+" the page")
		}
	}
}

// answered reports whether the newest look was put when the window of rest had passed since the
// last act or load, by the page's clock too.
func (w *waiting) answered() bool {
	least := w.s.pool.Waits.Rest
	return !w.at.IsZero() && !w.last.silent && w.at.Sub(w.s.settledAt()) >= least && milliseconds(max(w.last.Still, w.last.Calm)) >= least
}

// AnswerWait holds one wait for what the page's document has asked for, see [rest.Answers],
// and for the timers that acts have set.
type AnswerWait struct {
	*rest.Answers
	s     *waiter
	until time.Time // no timer is waited for any longer
}

// AwaitAnswers begins a wait for the answers that the page waits for.
func (s *waiter) AwaitAnswers() AnswerWait {
	return AnswerWait{rest.AwaitAnswers(observed{s}, s.pool.Waits.Answers), s, s.pool.Now().Add(s.pool.Waits.Timers)}
}

// Open returns the requests that are not answered, with how long they have been open.
func (w AnswerWait) Open() []string {
	var out []string
	for _, r := range w.Answers.Open() {
		out = append(out, fmt.Sprintf("%s %s (for %.1f s)", r.Method, texts.Cut(r.URL, eventlog.MaxNote), w.For(r).Seconds()))
	}
	return out
}

// Until waits until nothing is unanswered and no timer is to come that an act has set, or the
// limit of all its waits is over. It reports whether it has waited, and the page may be another
// one.
func (w AnswerWait) Until(ctx context.Context) (waited bool, err error) {
	return w.s.awaitTimers(ctx, w.until, func() (bool, error) {
		answered, err := w.Answers.Until(ctx)
		return answered, classify(err, "wait for the answers that the page waits for")
	})
}

// stillAnswer is how the engine answers for how long nothing was changed; see outline/page_rest.js.
type stillAnswer struct {
	Ago float64    `json:"ago"` // ms
	Set timersSaid `json:"set"`
}

// timersSaid is how the engine answers what a document has set to come; see outline/page_waits.js.
// All are ms.
type timersSaid struct {
	Open   float64 `json:"open"` // since when the document is there
	Timers []struct {
		Age   float64 `json:"age"`
		Left  float64 `json:"left"`
		After float64 `json:"after"`
	} `json:"timers"`
}

// AwaitTimers waits for the timers that acts have set, as far as looks since then have told of
// them, and that are due soon enough after a moment. It reports whether one has run.
func (s *waiter) AwaitTimers(ctx context.Context, since time.Time) (bool, error) {
	return s.awaitTimers(ctx, since.Add(s.pool.Waits.Timers), func() (bool, error) { return false, nil })
}

// awaitTimers waits for the timers that acts have set, of those that are due by then, and does
// what is given before the first one and when one has run. It reports whether it has waited.
func (s *waiter) awaitTimers(ctx context.Context, until time.Time, between func() (waited bool, err error)) (waited bool, err error) {
	for {
		more, err := between()
		if waited = waited || more; err != nil {
			return waited, err
		}
		next, waits := s.nextTimer(s.pool.Now())
		if !waits || next.Due.After(until) {
			return waited, nil
		}
		waited = true
		if err := s.awaitTimer(ctx, next); err != nil {
			return waited, err
		}
	}
}

// awaitTimer waits until a timer has run, and asks which there are then.
func (s *waiter) awaitTimer(ctx context.Context, next rest.Timer) error {
	s.LetPass(ctx, next.Due.Sub(s.pool.Now())+rest.TimerMargin)
	if ctx.Err() != nil {
		return classify(ctx.Err(), "wait for a timer of the page")
	}
	s.mu.Lock()
	s.timers.all, s.timers.ran, s.timers.ranAt = nil, next, s.pool.Now()
	s.mu.Unlock()
	_, _ = on(ctx, s.livePage, changeOp, "", func(ctx context.Context, t *tab) (int, error) { // a page that doesn't answer tells it to the next look
		var said timersSaid
		_, err := within(ctx, t, rest.LookLimit+rest.LookMargin, func() (int, error) {
			return 0, askEngine(t.page.Locator(engineAsk{Op: "due"}.query()), rest.LookLimit, &said)
		})
		if err == nil {
			s.noteTimers(t, said)
		}
		return 0, err
	})
	return nil
}

// observed is the page as the policies of waits know it. Nothing of it asks the page.
type observed struct{ s *waiter }

// Now returns the time by which the page's requests are told.
func (o observed) Now() time.Time { return o.s.pool.Now() }

// Requests returns what the page's document has asked for, and when the last act began.
func (o observed) Requests() ([]rest.Request, time.Time) {
	return o.s.log.OwnRequests(o.s.current().page)
}

// Stirred returns what is closed when the next answer comes, or a request ends.
func (o observed) Stirred() <-chan struct{} { return o.s.log.Stirred() }

// waiting holds one wait for rest.
type waiting struct {
	s       *waiter
	of      *target // nil: the page
	window  time.Duration
	limit   time.Duration
	brief   bool
	watch   bool // for what comes late
	named   bool // what moves is named by the next look
	looked  bool // the newest look is not yet judged
	began   time.Time
	fresh   time.Time // when the document that is waited for was first seen
	id      string    // of its observer
	seen    int       // documents
	alone   bool      // the newest look was at one element
	at      time.Time // of the newest look
	heard   time.Time // its answer
	last    restState
	silence time.Time // since when the page answers nothing, and goes nowhere
	moves   int       // how often a frame went to another address by then
}

// restState holds one look at what moves.
type restState struct {
	restAnswer
	quiet      time.Duration // since the last change, answer or document
	pending    []string      // requests that are awaited
	unanswered []string      // others
	page       PageState
	live       bool // something else than the page's own script may change it
	silent     bool // the page answered nothing
}

// restAnswer describes what the engine tells; see outline/page_rest.js. Times are in ms.
type restAnswer struct {
	ID       string     `json:"id"`
	Count    int        `json:"count"`
	Still    float64    `json:"still"`
	Ending   int        `json:"ending"`
	Loading  bool       `json:"loading"`
	Fonts    bool       `json:"fonts"`
	Refresh  float64    `json:"refresh"`
	Preloads []string   `json:"preloads"`
	Set      timersSaid `json:"set"`
	Calm     float64    `json:"calm"` // since when nothing was changed, where nothing can come by itself; 0: something may
	Title    string     `json:"title"`
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
		if !w.looked {
			if err := w.look(ctx); err != nil {
				return Rest{}, err
			}
		}
		w.looked = false
		left := w.left()
		if left <= 0 {
			return w.end(ctx, true)
		}
		now := w.s.pool.Now()
		if over, err := w.unheard(); err != nil {
			return Rest{}, err
		} else if over {
			return Rest{Moving: []Motion{{Selector: "the page", What: "navigation"}}, Waited: now.Sub(w.began)}, nil
		}
		if !w.last.silent && now.After(w.deadline()) {
			return w.end(ctx, false)
		}
		if err := wait.For(ctx, w.pause(left)); err != nil {
			return Rest{}, classify(err, explain.Doing(restOp, w.subject()))
		}
	}
}

// pause returns when it is looked again. What a page changes meanwhile its observer notes; the
// place of one element is only seen by a look.
func (w *waiting) pause(left time.Duration) time.Duration {
	if w.alone || w.last.silent {
		return min(left, rest.RestPoll)
	}
	return min(left, max(rest.RestPoll, w.deadline().Sub(w.s.pool.Now())))
}

// calmLeft returns how much longer a page must stand still to which nothing can come by itself.
func (w *waiting) calmLeft() (time.Duration, bool) {
	a := &w.last
	if !w.watch || a.live || a.Calm == 0 || len(a.pending)+len(a.unanswered) > 0 {
		return 0, false
	}
	least := min(w.window, w.s.pool.Waits.Rest)
	return least - min(milliseconds(a.Calm), a.quiet, w.s.pool.Now().Sub(w.s.settledAt())), true
}

// unheard reports whether an answer has been waited for long enough: of a page that goes
// from address to address. The error says that it went nowhere, and answered nothing.
func (w *waiting) unheard() (over bool, err error) {
	now, limit := w.s.pool.Now(), w.bound()+rest.SilenceLimit
	switch {
	case !w.last.silent:
		return false, nil
	case now.Sub(w.silence) > limit:
		return true, explain.LongSilent(explain.Doing(restOp, w.subject()), errNoAnswer)
	}
	return now.Sub(w.began) > 2*limit, nil
}

func (w *waiting) subject() pagetext.Sentence {
	if w.of == nil {
		return "the page"
	}
	return w.of.quoted()
}

// bound returns how long is waited for one document.
func (w *waiting) bound() time.Duration {
	switch {
	case w.limit > 0:
		return w.limit
	case w.alone:
		return w.s.pool.Waits.SubjectRest
	default:
		return w.s.pool.Waits.PageRest
	}
}

func (w *waiting) deadline() time.Time {
	d := w.fresh.Add(w.bound())
	if due := w.refreshDue(); due > 0 { // it is followed
		if at := w.s.pool.Now().Add(due + rest.RestPoll); at.After(d) {
			return at
		}
	}
	return d
}

// refreshDue returns when the page's markup makes it load another address; 0
// where that is not awaited.
func (w *waiting) refreshDue() time.Duration {
	due := milliseconds(w.last.Refresh)
	if w.alone || w.last.silent || w.last.Refresh < 0 || due > rest.RefreshLimit || w.seen >= maxDocuments {
		return 0
	}
	return max(due, rest.Least)
}

// left returns how much longer the page must stand as it does now; a page that does
// not may need longer.
func (w *waiting) left() time.Duration {
	a := &w.last
	if a.silent || a.Loading || a.Fonts {
		return rest.RestPoll
	}
	slow := w.s.pool.Now().Sub(w.fresh) > w.s.pool.Waits.PageRest // requests and what is elsewhere are no longer waited for
	if len(a.pending) > 0 && !slow {
		return rest.RestPoll
	}
	if w.alone {
		if a.Subject.Ending > 0 {
			return rest.RestPoll
		}
		return w.window - min(milliseconds(a.Subject.Still), a.quiet)
	}
	if a.Ending > 0 || w.refreshDue() > 0 {
		return rest.RestPoll
	}
	if left, calm := w.calmLeft(); calm {
		return left
	}
	return w.window - min(milliseconds(a.Still), a.quiet)
}

// end returns the outcome of the wait.
func (w *waiting) end(ctx context.Context, still bool) (Rest, error) {
	out := Rest{Still: still, Pending: w.last.pending, Unanswered: w.last.unanswered}
	names := !still || !w.brief && milliseconds(w.last.Still) < rest.StillLong
	if names && !w.named {
		w.named = true
		if err := w.look(ctx); err != nil {
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
		if names {
			out.Moving = append(out.Moving, Motion{Selector: m.S, What: m.W, Times: m.N})
		}
	}
	if still || !w.alone {
		return out, nil
	}
	moves := &MotionError{Moving: out.Moving}
	return out, explain.InMotion(explain.Doing(restOp, w.of.quoted()), out.Waited, pagetext.Of(motionLines(out.Moving)...), moves)
}

// look asks the page once.
func (w *waiting) look(ctx context.Context) error {
	type looked struct {
		state restState
		alone bool
	}
	s := w.s
	w.at = s.pool.Now()
	got, err := on(ctx, s.livePage, restOp, w.subject(), func(ctx context.Context, t *tab) (looked, error) {
		var out looked
		if s.log.Loading(t.page) != "" {
			out.state.silent = true
			return out, nil
		}
		ask := engineAsk{Op: "rest", Named: w.named, Within: int(w.window.Milliseconds()), Calm: w.watch}
		at := t.page.Locator(ask.query())
		if w.of != nil {
			n, err := w.of.count(t.page)
			if err != nil && !isNavigating(err) {
				return out, err
			}
			if n == 1 {
				at, out.alone = w.of.locator(t.page).Locator(ask.query()), true
			}
		}
		_, err := within(ctx, t, rest.LookLimit+rest.LookMargin, func() (int, error) { return 0, askEngine(at, rest.LookLimit, &out.state.restAnswer) })
		switch {
		case err == nil:
			out.alone = out.alone && out.state.Subject != nil
			out.state.pending, out.state.unanswered, out.state.quiet = s.log.AwaitedNow(t.page, out.state.Preloads)
			out.state.live, out.state.page = t.live(), s.log.PageState(t.page, out.state.Title)
			s.noteTimers(t, out.state.Set)
		case isNavigating(err), errors.Is(err, playwright.ErrTimeout), errors.Is(err, errNoAnswer), isAmbiguous(err):
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
		if moves := s.log.Moves(); !w.last.silent || w.silence.IsZero() || moves != w.moves {
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
	w.last, w.alone, w.heard = got.state, got.alone, now
	return nil
}

// Watched describes what a page did while it was watched.
type Watched struct {
	Rest
	Window  time.Duration   // that it was watched for; 0: it was not watched
	Calm    bool            // it was watched for a shorter time than was wanted: nothing could come by itself
	Known   bool            // it has been watched in this very state before, and was not watched again
	Errors  []LogEntry      // console errors and exceptions
	Notes   []pagetext.Text // dialogs, popups and downloads
	From    string          // the address before, when the page went elsewhere
	Page    PageState       // the page line in the end
	Reloads int             // documents that followed the one that the watch began with
	stood   standing
}

// standing says since when a page is known to be unchanged, and when that was found.
type standing struct {
	since time.Time // zero: it is not known
	found Moment
}

// Stood reports whether the watch has seen that nothing of the page has changed since a moment,
// and nothing had happened by its end.
func (w Watched) Stood(since Moment) bool {
	found := w.stood.found
	return !w.stood.since.IsZero() && !since.at.Before(w.stood.since) && found.log == since.log && found.answers == since.answers
}

// watchedState holds a page as it was when a watch of it ended.
type watchedState struct {
	id     string // of the observer of its document
	count  int    // of mutations
	log    eventlog.State
	window time.Duration
}

// Watch follows the page until nothing in it has changed for the window, which
// is counted from its last change, so that what comes late still counts: an
// exception, a console error, a dialog, a refresh to another address. It ends 3 s
// after the newest document came where a page goes on for ever; the answer then
// says what moves. A page that was watched in the same state before is not
// watched again. A window of 0 is no watch, but for an answer: see [Session.Answers].
//
// The turn of the page is free between two looks, so that a picture can be taken
// meanwhile: see [Session.BeginWatch].
func (s *waiter) Watch(ctx context.Context, window time.Duration) (Watched, error) {
	began, out := s.log.Now(), Watched{Window: max(window, 0)}
	var err error
	if window <= 0 {
		if out.Page, err = s.stateNow(ctx); err != nil {
			return Watched{}, err
		}
		return out, s.Answers(ctx)
	}
	w := waiting{s: s, window: window, watch: true, named: true, began: s.pool.Now()}
	if err := w.look(ctx); err != nil {
		return Watched{}, err
	}
	if out.Page, err = w.state(ctx); err != nil {
		return Watched{}, err
	}
	from := out.Page.URL
	s.mu.Lock()
	before := s.watched
	s.mu.Unlock()
	if now := w.watchedState(); !w.last.silent && now.id != "" && before.window >= window && now.like(before) {
		out.Known, out.Still, out.stood = true, true, w.standing()
		return out, w.answers(ctx)
	}
	documents := w.seen
	w.looked = true
	if out.Rest, err = w.wait(ctx); err != nil {
		return out, err
	}
	if _, calm := w.calmLeft(); calm && out.Still && window > s.pool.Waits.Rest {
		out.Window, out.Calm = s.pool.Waits.Rest, true
	}
	if !w.last.silent { // else it goes from address to address
		if err := w.stretch(ctx); err != nil {
			return out, err
		}
		if err := w.answers(ctx); err != nil {
			return out, err
		}
	}
	if out.Page, err = w.state(ctx); err != nil {
		return out, err
	}
	out.Reloads, out.stood = w.seen-documents, w.standing()
	if out.Page.URL != from {
		out.From = from
	}
	s.mu.Lock()
	s.watched = w.watchedState()
	s.mu.Unlock()
	out.Notes, out.Errors = s.log.Happened(began)
	return out, nil
}

// standing returns since when the page is known to be unchanged by the last look.
func (w *waiting) standing() standing {
	out := standing{found: Moment{w.s.pool.Now(), w.s.log.State(), w.s.log.Answers()}}
	if _, calm := w.calmLeft(); calm && !w.last.silent {
		out.since = w.heard.Add(-milliseconds(w.last.Calm))
	}
	return out
}

// state returns the state of the page as it is at the last look.
func (w *waiting) state(ctx context.Context) (PageState, error) {
	if w.last.silent {
		return w.s.stateNow(ctx)
	}
	return w.last.page, nil
}

// stretch goes on with a watch until no timer is to come that an act has set.
func (w *waiting) stretch(ctx context.Context) error {
	ran := false
	_, err := w.s.awaitTimers(ctx, w.s.pool.Now().Add(w.s.pool.Waits.Timers), func() (bool, error) {
		if !ran {
			ran = true
			return false, nil
		}
		w.s.LetChange(ctx)
		return false, w.look(ctx)
	})
	return err
}

// stateNow returns the state as [Session.State] does, without a title where
// the page goes from address to address.
func (s *waiter) stateNow(ctx context.Context) (PageState, error) {
	state, err := s.State(ctx)
	if ours := (*explain.Error)(nil); errors.As(err, &ours) && ours.Code == explain.NavigationFailed {
		state = s.log.PageState(s.current().page, "")
		state.TitleUnread = true
		return state, nil
	}
	return state, err
}

// watchedState returns the page as it is at the last look.
func (w *waiting) watchedState() watchedState {
	return watchedState{w.last.ID, w.last.Count, w.s.log.State(), w.window}
}

// like reports whether nothing happened between two states.
func (a watchedState) like(b watchedState) bool {
	a.window = b.window
	return a == b
}

// Watching holds a watch that goes on beside other work.
type Watching struct {
	ctx  context.Context // of the watch
	done chan struct{}
	out  Watched
	err  error
}

// BeginWatch begins a [Session.Watch] and returns at once.
func (s *waiter) BeginWatch(ctx context.Context, window time.Duration) *Watching {
	w := &Watching{ctx: ctx, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		w.out, w.err = s.Watch(ctx, window)
	}()
	return w
}

// End waits until the watch is over, no longer than the context of the watch lives.
func (w *Watching) End() (Watched, error) {
	if err := rest.Until(w.ctx, nil, rest.Policy{Events: []rest.Event{{Of: w.done}}}); err != nil {
		return Watched{}, classify(err, restOp+" the page")
	}
	return w.out, w.err
}
