package browser

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
)

// Bounds on bringing a session back. They keep a page that kills whatever
// shows it from being loaded for ever.
const (
	rebuildLimit = rest.LaunchLimit // for all of one recovery
	maxBuilds    = 4                // pages or browsers that one recovery tries
	maxReloads   = 2                // loads of one address in a row of the page's own accord
)

// replaced gives the reason for a blank page when a navigation made the reload
// pointless; the navigation clears it, unless it was given up meanwhile.
const replaced = "a navigation was to take its place"

// heavyAgain gives the reason for a blank page when loading it again would only
// end it again.
const heavyAgain = "it was over limits.memory_mb again"

// recovery holds one attempt to bring a session back after its page or its
// browser died.
type recovery struct {
	code    explain.Code // PAGE_CRASHED or BROWSER_CRASHED
	of      *tab         // what died
	address string       // what it showed
	kept    time.Time    // when cookies and storage were captured
	used    int64        // bytes of memory, if the page was ended for that; else 0

	otherTabs int // open beside it
	began     time.Time
	starts    chan struct{} // closed when a navigation makes the reload pointless
	done      chan struct{} // closed when the session can be used, or is lost

	// Of the session's mutex:
	state recoveryState
	why   string // of a blank page: why it isn't at the address again
	err   error  // of a lost session
}

// reloads counts the loads of one address since a call last got an answer.
type reloads struct {
	address string
	n       int
}

// recover begins to bring the session back after t died, unless that is under
// way. It returns the recovery that t's end belongs to, or nil when the session
// has moved on.
func (s *livePage) recover(t *tab, code explain.Code) *recovery {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.recovery; r != nil && (r.of == t || !ended(r.done)) {
		return r
	}
	if s.active != t || ended(s.ended) || ended(s.lost) {
		return s.recovery
	}
	r := &recovery{code: code, of: t, address: t.page.URL(), began: s.pool.Now(), starts: make(chan struct{}), done: make(chan struct{})}
	_, r.kept = s.storage.get()
	r.otherTabs = len(s.othersThan(t))
	if code == explain.PageCrashed {
		r.used = t.overMemory.Load()
	}
	if !strings.HasPrefix(r.address, "http://") && !strings.HasPrefix(r.address, "https://") {
		r.address = "about:blank"
	}
	s.recovery = r
	s.losses++
	s.pool.Log.Warn("rebuilding a session", "session", s.id, "code", code, "url", redact.URL(r.address))
	go s.rebuild(r)
	return r
}

// Losses returns how often the session has lost its page or its browser so
// far, and the code of the last time. A caller of several calls that need the
// same page all along compares it: only one call returns an error for a loss,
// and a navigation never does.
func (s *livePage) Losses() (n int, last explain.Code) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recovery != nil {
		last = s.recovery.code
	}
	return s.losses, last
}

// rebuild runs a recovery to its end.
func (s *livePage) rebuild(r *recovery) {
	ctx, cancel := context.WithTimeout(s.life, rebuildLimit)
	defer cancel()
	defer close(r.done)
	blank, err := s.bringBack(ctx, r)
	s.mu.Lock()
	r.why, r.err = blank, err
	switch {
	case err != nil:
		r.state = r.state.after(sessionLost)
	case blank != "":
		r.state = r.state.after(pageBlank)
	default:
		r.state = r.state.after(pageRestored)
	}
	release := s.release
	s.mu.Unlock()
	if err != nil && !ended(s.ended) {
		s.pool.Log.Error("a session is lost", "session", s.id, "err", err)
		close(s.lost)
		release()
	}
}

// bringBack puts a fresh page in the place of the dead one and loads its
// address again. blank tells why the page is not there.
func (s *livePage) bringBack(ctx context.Context, r *recovery) (blank string, err error) {
	again := r.used > 0 && s.wasHeavy(r.address)
	for range maxBuilds {
		var t *tab
		if t, err = s.freshPage(ctx, r); err != nil {
			if ctx.Err() != nil || !isLoss(err) {
				return "", err
			}
			continue
		}
		switch {
		case r.address == "about:blank":
			return "", nil
		case ended(r.starts):
			return replaced, nil
		case again:
			return heavyAgain, nil
		}
		if !s.mayReload(r.address) {
			return "it crashed again each time it was loaded", nil
		}
		err = s.reload(ctx, r, t)
		switch {
		case t.died():
			again = t.overMemory.Load() > 0
			continue
		case err == nil:
			return "", nil
		}
		// What is half there must not be taken for the page, nor come between the
		// next navigation.
		if _, fresh := s.freshPage(ctx, r); fresh != nil {
			return "", fresh
		}
		if ended(r.starts) {
			return replaced, nil
		}
		return whyNotLoaded(err), nil
	}
	if err == nil {
		err = errors.New("the browser died again each time")
	}
	return "", err
}

// whyNotLoaded says why an address could not be loaded again, without repeating
// it.
func whyNotLoaded(err error) string {
	name := netErrorOf(err)
	if ours := (*explain.Error)(nil); errors.As(err, &ours) && ours.Net != "" { // it knows more than its cause
		name = ours.Net
	}
	if name != "" {
		return "it could not be loaded again: " + name
	}
	if errors.Is(err, errNoAnswer) || errors.Is(err, playwright.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
		return "it could not be loaded again: its server did not answer in " + rest.ReloadLimit.String()
	}
	return "it could not be loaded again"
}

// died reports whether the page crashed or its browser is gone.
func (t *tab) died() bool { return ended(t.crashed) || ended(t.context.gone) }

// wasHeavy notes that the page at an address was ended for its memory, and
// reports whether the one before it was at the same address: it is rebuilt once.
func (s *livePage) wasHeavy(address string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.heavy
	s.heavy = address
	return before == address
}

// mayReload counts one more load of address, unless there were enough.
func (s *livePage) mayReload(address string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reloads.address != address {
		s.reloads = reloads{address: address}
	}
	if s.reloads.n >= maxReloads {
		return false
	}
	s.reloads.n++
	return true
}

// freshPage makes a blank page the active one: in the same context, or, when
// that is gone, in a new one with the cookies and the storage last kept.
func (s *livePage) freshPage(ctx context.Context, r *recovery) (*tab, error) {
	if err := s.swapping.Take(ctx); err != nil {
		return nil, err
	}
	defer s.swapping.Give()
	l := s.current().context
	if !ended(l.gone) {
		page, err := s.newPage(ctx, l)
		if err == nil {
			t := s.tabOf(page, l)
			s.install(t)
			return t, nil
		}
		if ctx.Err() != nil || !isLoss(err) {
			return nil, err
		}
	}
	s.mu.Lock()
	r.code = explain.BrowserCrashed // as it may not have been in the beginning
	s.mu.Unlock()
	s.log.CutOff()
	t, err := s.renew(ctx)
	if err != nil {
		return nil, err
	}
	if !s.install(t) {
		_ = t.context.pw.Close() // no other code does
		return nil, errEnded
	}
	return t, nil
}

// reload loads the recovery's address in t. What loads without end counts as
// loaded: so it was before.
func (s *livePage) reload(ctx context.Context, r *recovery, t *tab) error {
	ctx, cancel := context.WithTimeout(ctx, rest.ReloadLimit)
	defer cancel()
	go func() {
		_ = rest.Until(ctx, nil, rest.Policy{Events: []rest.Event{{Of: r.starts}}}) // whichever it is
		cancel()
	}()
	m := s.log.MarkAct(t.page)
	_, err := within(ctx, t, rest.ReloadLimit, func() (playwright.Response, error) {
		return t.page.Goto(r.address, playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateCommit, Timeout: left(ctx, rest.ReloadLimit)})
	})
	if err := s.gateCause(t.page, m, "load the address again", err); err != nil {
		return err
	}
	_, _ = within(ctx, t, rest.LoadLimit, func() (struct{}, error) {
		return struct{}{}, t.page.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: playwright.LoadStateLoad, Timeout: left(ctx, rest.LoadLimit)})
	})
	return nil
}

// recovered waits until a recovery, if there is one, is over, and returns what
// the caller must know before it looks at the page: once, how it ended; and for
// as long as the page is blank instead of what it was, that. A navigation
// starts over: it needs no word about a page that it replaces.
func (s *livePage) recovered(ctx context.Context, what pagetext.Sentence, startsOver bool) error {
	s.mu.Lock()
	r := s.recovery
	if r == nil {
		s.mu.Unlock()
		return nil
	}
	startsOver = startsOver && (r.state.reported() || r.code == explain.PageCrashed)
	patient := r.state.reported() || startsOver
	if next := r.state.after(navigationBegan); startsOver && next != r.state {
		r.state = next
		close(r.starts)
	}
	s.mu.Unlock()
	over := rest.Policy{Events: []rest.Event{{Of: s.ended, Err: errEnded}, {Of: r.done}}}
	if !patient {
		over.Limit = rest.NoticeLimit
	}
	late := rest.Until(ctx, nil, over)
	if errors.Is(late, errEnded) {
		return explain.SessionClosed(what, s.id)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case r.state.underWay(), r.state.isLost():
		return s.recoveryError(r, what, late)
	case startsOver && (r.state.reported() || r.code == explain.PageCrashed):
		r.state, s.reloads = r.state.after(pageReplaced), reloads{}
		return nil
	case r.state == recoveryRestoredReported:
		return nil
	}
	return s.recoveryError(r, what, nil)
}

// interrupted returns the error of a call that lost its page under its hands. It
// waits a moment for the recovery, so that it can tell how that ended.
func (s *livePage) interrupted(ctx context.Context, t *tab, what pagetext.Sentence, code explain.Code) error {
	r := s.recover(t, code)
	if r == nil {
		return explain.SessionClosed(what, s.id)
	}
	over := rest.Policy{Limit: rest.NoticeLimit, Events: []rest.Event{{Of: s.ended, Err: errEnded}, {Of: r.done}}}
	if errors.Is(rest.Until(ctx, nil, over), errEnded) {
		return explain.SessionClosed(what, s.id)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recoveryError(r, what, errUnusable)
}

// recoveryError describes how a recovery stands; s.mu is held.
func (s *livePage) recoveryError(r *recovery, what pagetext.Sentence, cause error) *explain.Error {
	seen := explain.Recovery{Session: s.id, Died: r.code, UsedMB: r.used / memoryMB, LimitMB: s.pool.MemoryLimit / memoryMB,
		OtherTabs: r.otherTabs, Age: r.began.Sub(r.kept), Address: redact.URL(r.address), Cause: cause}
	switch {
	case r.state.underWay():
		seen.State = explain.Rebuilding
	case r.state.isLost():
		seen.State, seen.Said, seen.Cause = explain.Lost, plain(r.err), r.err
	case r.state.isBlank():
		seen.State, seen.Blank = explain.Blank, r.why
	}
	r.state = r.state.after(callerInformed)
	return seen.Explain(what)
}

// recoveryState says how far a recovery is, and whether a caller has been
// informed. A caller is informed of each outcome once: one that was promised
// the page and gets a blank one, or loses the session, is informed again.
type recoveryState int

const (
	recoveryRunning            recoveryState = iota // no caller is informed
	recoveryAnnounced                               // rebuilding; a caller expects the page at its address
	recoverySuperseded                              // rebuilding; a navigation replaces the page, so it is not loaded again
	recoverySupersededReported                      // the same, and a caller is informed of the loss
	recoveryRestored                                // the page is at its address again
	recoveryRestoredReported                        // the same, and a caller is informed; or a navigation replaced the page
	recoveryBlank                                   // the page is blank
	recoveryBlankReported
	recoveryLost // the session can't be used any more
	recoveryLostReported
)

// recoveryEvent moves a recovery from one state to the next.
type recoveryEvent int

const (
	callerInformed  recoveryEvent = iota // an error described the state to a caller
	navigationBegan                      // a navigation waits, which needs no reload
	pageRestored                         // the rebuild ended with the page at its address
	pageBlank                            // it ended with a blank page
	sessionLost                          // it failed
	pageReplaced                         // a navigation took the rebuilt page
)

// recoveryTransitions returns the next state by state and event. An event that is not
// there changes nothing.
func recoveryTransitions() map[recoveryState]map[recoveryEvent]recoveryState {
	return map[recoveryState]map[recoveryEvent]recoveryState{
		recoveryRunning:            {callerInformed: recoveryAnnounced, navigationBegan: recoverySuperseded, pageRestored: recoveryRestored, pageBlank: recoveryBlank, sessionLost: recoveryLost},
		recoveryAnnounced:          {navigationBegan: recoverySupersededReported, pageRestored: recoveryRestoredReported, pageBlank: recoveryBlank, sessionLost: recoveryLost},
		recoverySuperseded:         {callerInformed: recoverySupersededReported, pageRestored: recoveryRestored, pageBlank: recoveryBlank, sessionLost: recoveryLost},
		recoverySupersededReported: {pageRestored: recoveryRestoredReported, pageBlank: recoveryBlankReported, sessionLost: recoveryLost},
		recoveryRestored:           {callerInformed: recoveryRestoredReported, pageReplaced: recoveryRestoredReported},
		recoveryBlank:              {callerInformed: recoveryBlankReported, pageReplaced: recoveryRestoredReported},
		recoveryBlankReported:      {pageReplaced: recoveryRestoredReported},
		recoveryLost:               {callerInformed: recoveryLostReported},
	}
}

// after returns the state that an event leads to.
func (s recoveryState) after(e recoveryEvent) recoveryState {
	if next, ok := recoveryTransitions()[s][e]; ok {
		return next
	}
	return s
}

// underWay reports whether the rebuild has not ended.
func (s recoveryState) underWay() bool { return s <= recoverySupersededReported }

// reported reports whether a caller has been informed of the recovery's state.
func (s recoveryState) reported() bool {
	switch s {
	case recoveryAnnounced, recoverySupersededReported, recoveryRestoredReported, recoveryBlankReported, recoveryLostReported:
		return true
	}
	return false
}

// isBlank reports whether the rebuilt page is blank.
func (s recoveryState) isBlank() bool { return s == recoveryBlank || s == recoveryBlankReported }

// isLost reports whether the session can't be used any more.
func (s recoveryState) isLost() bool { return s == recoveryLost || s == recoveryLostReported }
