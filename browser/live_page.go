package browser

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
)

// livePage keeps the page that a session's calls act on: it gives each call its
// turn, and brings the page back when its renderer, its browser or its driver
// dies. The components of a session know it, and not each other.
type livePage struct {
	log       *eventlog.Log
	id        string
	pool      Options
	opts      LaunchOptions
	scale     float64         // device pixels of a CSS pixel
	life      context.Context // ends with the session; of what no call waits for
	endLife   context.CancelFunc
	ended     <-chan struct{} // closed when the session was closed
	lost      chan struct{}   // closed when its browser died and could not be had again
	storage   *storageKeeper
	databases []originDatabases                       // IndexedDB of the storage state, for every new context
	renew     func(ctx context.Context) (*tab, error) // a new context with one page, in a browser that runs
	guardPage func(page playwright.Page) error        // prepares a page before it loads anything
	release   func()                                  // gives the session's place back; once is enough
	forget    func()                                  // takes it off the pool's list

	swapping *wait.Places // one: the right to replace the page
	used     rest.Signal  // a call took the page since its memory was counted
	mu       sync.Mutex
	active   *tab
	tabs     []*tab    // open ones of the session's context, in the order in which they came
	numbered int       // tabs so far
	reported *tab      // the closed tab whose end was reported to the caller
	recovery *recovery // the newest one, or nil
	losses   int       // how many recoveries were begun
	heavy    string    // the address of the page that was ended last for its memory
	reloads  reloads
	settled  time.Time // when the last act of ours or load was over
	timers   toldTimers
	endOnce  sync.Once
}

func newLivePage(o Options, lo LaunchOptions) *livePage {
	o.Timeout = cmp.Or(lo.Timeout, o.Timeout)
	p := &livePage{id: newID("s-"), pool: o, opts: lo, scale: 1, lost: make(chan struct{}),
		storage: newStorageKeeper(), swapping: wait.NewPlaces(1), release: func() {}, forget: func() {}}
	p.life, p.endLife = context.WithCancel(context.Background())
	p.ended = p.life.Done()
	p.log = eventlog.New(eventlog.Options{Now: o.Now, Mask: o.Mask, Page: func() eventlog.Page { return p.current().page }, Tab: p.tabNumber, Lines: o.logLines, Requests: o.logRequests})
	return p
}

// Waits returns how long the session waits where no event tells that something is over.
func (s *livePage) Waits() wait.Waits { return s.pool.Waits }

// cleanUp returns the context of what puts back what a call has changed, whose caller
// may have gone by then. It ends with the session.
func (s *livePage) cleanUp(limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(s.life, limit)
}

// whileOpen ends a wait for an answer about a context when that or the session is gone.
func (s *livePage) whileOpen(l *browserContext, what pagetext.Sentence) rest.Policy {
	return rest.Policy{Events: []rest.Event{{Of: l.gone, Err: explain.BrowserGone(what, nil)}, {Of: s.ended, Err: explain.SessionClosed(what, s.id)}}}
}

// noteSettled notes that an act of ours or a load is over.
func (s *livePage) noteSettled() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settled = s.pool.Now()
}

// settledAt returns when the last act of ours or load was over.
func (s *livePage) settledAt() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settled
}

// noteUse notes that a call has the page, so that its memory is counted.
func (s *livePage) noteUse() {
	s.used.Set()
}

// State returns the page line.
func (s *livePage) State(ctx context.Context) (PageState, error) {
	return on(ctx, s, "read the page", "", func(ctx context.Context, t *tab) (PageState, error) {
		title, err := titleOf(ctx, t)
		return s.log.PageState(t.page, title), err
	})
}

// on runs fn, which uses the session's page, with the page's turn held. It
// returns early when ctx ends, the renderer crashes or the browser goes away;
// the turn is kept until the late call has really ended, so that the next one
// never meets a page in the middle of something.
func on[T any](ctx context.Context, s *livePage, op string, subject pagetext.Sentence, fn func(ctx context.Context, t *tab) (T, error)) (T, error) {
	return onHeld(ctx, s, op, subject, s.hold, fn)
}

// onHeld runs fn as on does, with hold as its way to take a page.
func onHeld[T any](ctx context.Context, s *livePage, op string, subject pagetext.Sentence,
	hold func(context.Context, *turn, pagetext.Sentence) (*tab, error), fn func(ctx context.Context, t *tab) (T, error)) (T, error) {
	var v, zero T
	answered, err := callHeld(ctx, s, op, subject, hold, func(ctx context.Context, t *tab) (err error) {
		v, err = fn(ctx, t)
		return err
	})
	if !answered {
		return zero, err // fn may write v still
	}
	return v, err
}

// callHeld is onHeld without its type, so that it is compiled once. answered says that fn
// has returned.
func callHeld(ctx context.Context, s *livePage, op string, subject pagetext.Sentence,
	hold func(context.Context, *turn, pagetext.Sentence) (*tab, error), fn func(ctx context.Context, t *tab) error) (answered bool, err error) {
	what := explain.Doing(op, subject)
	c := newTurn(op)
	t, err := hold(ctx, c, what)
	if err != nil {
		return false, classify(err, what)
	}
	s.noteUse()
	defer c.abandon()
	if !isLook(op) {
		defer s.storage.call(ctx)()
	}
	answered, err = rest.Answer(ctx, func() (bool, error) {
		defer t.freeAfter(s, c)
		_, err := guarded(func() (bool, error) { return true, fn(ctx, t) })
		return true, err
	}, rest.Policy{Events: []rest.Event{{Of: t.crashed, Err: errPageLost}, {Of: t.context.gone, Err: errBrowserLost}, {Of: s.ended, Err: errEnded}}})
	switch {
	case err == nil:
		c.answered.Store(true)
		s.afterCall(t, op)
		return answered, nil
	case errors.Is(err, errPageLost):
		return false, s.interrupted(ctx, t, what, explain.PageCrashed)
	case errors.Is(err, errBrowserLost):
		return false, s.interrupted(ctx, t, what, explain.BrowserCrashed)
	case errors.Is(err, errEnded):
		return false, explain.SessionClosed(what, s.id)
	case ctx.Err() == nil:
		err = s.explainLoss(ctx, t, what, err)
	case !errors.As(err, new(*explain.Error)): // fn did not explain it
		err = s.delayed(t, what, err)
	}
	return answered, classify(err, what)
}

// What ended while a call was waited for.
var (
	errPageLost    = errors.New("the page crashed meanwhile")
	errBrowserLost = errors.New("the browser died meanwhile")
)

// freeAfter frees the page for the next call once the calls to Playwright that outlived
// their limit have ended, or the page has.
func (t *tab) freeAfter(s *livePage, c *turn) {
	c.abandon()
	if none := t.pending.none(); none != nil {
		go func() {
			defer t.give()
			_ = rest.Until(s.life, nil, rest.Policy{Events: append([]rest.Event{{Of: none}}, t.ends(s)...)}) // whichever it is
		}()
		return
	}
	t.give()
}

// hold returns the session's page with its turn taken by c. A page that died
// is brought back, one that closed itself is replaced by a blank one; the
// caller gets one error about that, so that it doesn't take the new page for
// its own.
func (s *livePage) hold(ctx context.Context, c *turn, what pagetext.Sentence) (*tab, error) {
	for {
		if err := s.open(what); err != nil {
			return nil, err
		}
		if err := s.recovered(ctx, what, false); err != nil {
			return nil, err
		}
		t := s.current()
		waited := t.usable()
		if waited {
			loading := s.log.Loading(t.page) != ""
			earlier, err := t.take(ctx, s, c, rest.LateLimit)
			switch {
			case err == nil && t.usable() && s.current() == t:
				return t, nil
			case err == nil:
				t.give()
			case errors.Is(err, errHeld) && loading:
				continue // it is not stuck: it will answer when its next document comes
			case !errors.Is(err, errUnusable) && !errors.Is(err, errGone):
				return nil, s.notHeld(s.delayed(t, what, err), what, earlier)
			}
			if s.current() != t && !t.died() {
				continue // a navigation started over on a fresh page meanwhile
			}
		}
		if code := s.lossCode(t); code != "" {
			if waited { // whoever waited for the lost page meant that one
				return nil, s.interrupted(ctx, t, what, code)
			}
			s.recover(t, code)
			continue
		}
		if s.hasOtherTabs(t) {
			return nil, s.tabClosed(what, t)
		}
		first := s.reportEnd(t)
		if s.opts.Record != nil { // who closed it wants no other one
			return nil, explain.PageClosed(what, errUnusable)
		}
		if err := s.replace(ctx, t); isLoss(err) && ctx.Err() == nil {
			continue // it was the browser after all
		} else if err != nil {
			return nil, err
		}
		if first || waited {
			return nil, explain.PageClosed(what, errUnusable)
		}
	}
}

// holdAnew holds the page for a navigation, which starts over: it returns no
// error about a page that was lost, and replaces one that an earlier call left
// stuck.
func (s *livePage) holdAnew(ctx context.Context, c *turn, what pagetext.Sentence) (*tab, error) {
	for {
		if err := s.open(what); err != nil {
			return nil, err
		}
		if err := s.recovered(ctx, what, true); err != nil {
			return nil, err
		}
		t := s.current()
		earlier, err := t.take(ctx, s, c, rest.StuckAfter)
		switch {
		case err == nil && t.usable() && s.current() == t && answers(ctx, t):
			return t, nil
		case err == nil:
			t.give()
		case !errors.Is(err, errUnusable) && !errors.Is(err, errHeld) && !errors.Is(err, errGone):
			return nil, s.notHeld(err, what, earlier)
		}
		if code := s.lossCode(t); code != "" {
			s.recover(t, code)
			continue
		}
		if ended(t.closed) && s.hasOtherTabs(t) {
			return nil, s.tabClosed(what, t)
		}
		s.reportEnd(t)
		if err := s.replace(ctx, t); err != nil && (!isLoss(err) || ctx.Err() != nil) {
			return nil, err
		}
	}
}

// answers reports whether the page's renderer still does: one whose script never ends
// would block every navigation of the page. One that has not answered for a second may be
// no slower than all else on a busy machine. So a page that is opened then, and that
// nobody has worked on, is asked too: the older question must have its answer first.
func answers(ctx context.Context, t *tab) bool {
	asked := make(chan struct{})
	t.pending.begin()
	go func() {
		defer close(asked)
		defer t.pending.end()
		_, _ = guarded(func() (string, error) { return readTitle(t.page) }) // an error is an answer
	}()
	over := rest.Policy{Limit: rest.StuckAfter, Events: []rest.Event{{Of: asked}, {Of: t.crashed}}}
	if err := rest.Until(ctx, nil, over); !errors.Is(err, rest.ErrLimit) {
		return true
	}
	over.Limit = rest.ControlLimit
	_, _ = answerOf(ctx, func() (any, error) { return nil, t.context.askFreshPage() }, over) // whichever comes first
	return rest.Happened(asked)
}

// open reports why the session can't be used at all.
func (s *livePage) open(what pagetext.Sentence) error {
	switch {
	case ended(s.ended):
		return explain.SessionClosed(what, s.id)
	case ended(s.lost):
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.recoveryError(s.recovery, what, nil)
	}
	return nil
}

// notHeld says why a page could not be had.
func (s *livePage) notHeld(err error, what pagetext.Sentence, earlier string) error {
	switch {
	case errors.Is(err, errHeld), errors.Is(err, context.DeadlineExceeded):
		return explain.Busy(what, earlier, errors.Join(errHeld, err))
	case errors.Is(err, errEnded):
		return explain.SessionClosed(what, s.id)
	}
	return err
}

// reportEnd notes that the caller learns of t's end now, and reports whether it is
// the first time.
func (s *livePage) reportEnd(t *tab) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.reported != t
	s.reported = t
	return first
}

// explainLoss explains a call that failed, if its page is the reason: a crash,
// or the page's own end, or that of the session or the browser.
func (s *livePage) explainLoss(ctx context.Context, t *tab, what pagetext.Sentence, err error) error {
	if isLoss(err) || isCrash(err) {
		t.awaitLoss(ctx, s)
	}
	if ended(s.ended) {
		return explain.SessionClosed(what, s.id)
	}
	if t.usable() && !ended(t.context.gone) {
		return s.delayed(t, what, err)
	}
	switch code := s.lossCode(t); {
	case code != "":
		return s.interrupted(ctx, t, what, code)
	case ended(s.ended):
		return explain.SessionClosed(what, s.id)
	case s.hasOtherTabs(t):
		return s.tabClosed(what, t)
	default:
		s.reportEnd(t)
		return explain.PageClosed(what, err)
	}
}

// awaitLoss waits for the word of what died, which follows the first failed
// call within moments.
func (t *tab) awaitLoss(ctx context.Context, s *livePage) {
	_ = rest.Until(ctx, nil, rest.Policy{Limit: rest.NoticeLimit / 2, Events: t.ends(s)}) // whichever it is
}

// lossCode returns whether t crashed, or its browser did; "" when neither.
func (s *livePage) lossCode(t *tab) explain.Code {
	switch {
	case ended(t.context.gone):
		return explain.BrowserCrashed
	case ended(t.crashed):
		return explain.PageCrashed
	case ended(t.closed) && !ended(s.ended) && !s.contextAlive(t.context):
		return explain.BrowserCrashed
	}
	return ""
}

// delayed explains a call that had no answer in time, if the page's next
// document is the reason.
func (s *livePage) delayed(t *tab, what pagetext.Sentence, err error) error {
	next := s.log.Loading(t.page)
	if next == "" || !errors.Is(err, errNoAnswer) && !errors.Is(err, errHeld) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return explain.StillLoading(what, next, err)
}

// closedItself reports whether the page is gone and the rest is not.
func (s *livePage) closedItself(t *tab) bool {
	return ended(t.closed) && !ended(t.crashed) && !ended(s.ended) && s.contextAlive(t.context)
}

// contextAlive asks the driver, which tells of a page's end before it tells of
// the browser's that caused it.
func (s *livePage) contextAlive(l *browserContext) bool {
	_, err := answerOf(s.life, func() ([]playwright.Cookie, error) { return l.pw.Cookies("http://localhost/") },
		rest.Policy{Limit: rest.AliveLimit, Events: []rest.Event{{Of: l.gone, Err: errGone}}})
	return err == nil && !ended(l.gone)
}

// replace makes a blank page the active one, unless another call has replaced
// old meanwhile. The old page is closed without waiting for it.
func (s *livePage) replace(ctx context.Context, old *tab) error {
	if err := s.swapping.Take(ctx); err != nil {
		return err
	}
	defer s.swapping.Give()
	if s.current() != old {
		return nil
	}
	page, err := s.newPage(ctx, old.context)
	if err != nil {
		return err
	}
	s.install(s.tabOf(page, old.context))
	return nil
}

// toldTimers holds what a page has set to come, as the newest look at it has told.
type toldTimers struct {
	of     *tab
	at     time.Time
	opened time.Time // the document
	all    []rest.Timer
	ran    rest.Timer // that a check has waited for last
	ranAt  time.Time
}

// noteTimers keeps what a look at the page has told of its timers.
func (s *livePage) noteTimers(t *tab, said timersSaid) {
	now := s.pool.Now()
	told := toldTimers{of: t, at: now, opened: now.Add(-milliseconds(said.Open))}
	for _, one := range said.Timers {
		told.all = append(told.all, rest.Timer{Began: now.Add(-milliseconds(one.Age)), Due: now.Add(milliseconds(one.Left)), After: milliseconds(one.After)})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	told.ran, told.ranAt = s.timers.ran, s.timers.ranAt
	s.timers = told
}

// nextTimer returns the timer that a check waits for, as far as looks since the newest act have
// told of one.
func (s *livePage) nextTimer(now time.Time) (rest.Timer, bool) {
	acts := s.log.ActTimes()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timers.of != s.active || len(acts) == 0 || acts[len(acts)-1].After(s.timers.at) {
		return rest.Timer{}, false
	}
	return rest.Stretch(now, s.timers.opened, acts, s.timers.all, s.pool.Waits.Timers)
}

// Stretched returns after what time a timer ran that an act had set, and that a check has
// waited for since the newest act; 0: none.
func (s *livePage) Stretched() time.Duration {
	acted := s.log.ActedAt()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timers.ranAt.Before(acted) {
		return 0
	}
	return s.timers.ran.After
}
