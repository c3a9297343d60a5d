package browser

import (
	"context"
	"errors"
	"time"
)

// WatchWindow is how long a page is watched after its last change, where nobody
// says.
const WatchWindow = time.Second

// Watched describes what a page did while it was watched.
type Watched struct {
	Rest
	Window  time.Duration // that it was watched for; 0: it was not watched
	Known   bool          // it has been watched in this very state before, and was not watched again
	Errors  []LogEntry    // console errors and exceptions
	Notes   []string      // dialogs, popups and downloads
	From    string        // the address before, when the page went elsewhere
	Page    PageState     // the page line in the end
	Reloads int           // documents that followed the one that the watch began with
}

// watchedState is a page as it was when a watch of it ended.
type watchedState struct {
	id                      string // of the observer of its document
	count                   int    // of mutations
	logs, notes, net, moves int    // the event log's
	window                  time.Duration
}

// Watch follows the page until nothing in it has changed for the window, which
// is counted from its last change, so that what comes late still counts: an
// exception, a console error, a dialog, a refresh to another address. It ends 3 s
// after the newest document came where a page goes on for ever; the answer then
// says what moves. A page that was watched in the same state before is not
// watched again. A window of 0 is no watch.
//
// The turn of the page is free between two looks, so that a picture can be taken
// meanwhile: see [Session.BeginWatch].
func (s *waiter) Watch(ctx context.Context, window time.Duration) (Watched, error) {
	state, err := s.stateNow(ctx)
	if err != nil {
		return Watched{}, err
	}
	out := Watched{Window: max(window, 0), Page: state}
	if window <= 0 {
		return out, nil
	}
	s.EventLog.mu.Lock()
	began := s.EventLog.position()
	s.EventLog.mu.Unlock()
	w := waiting{s: s, window: window, began: s.pool.Now()}
	if err := w.look(ctx, false); err != nil {
		return out, err
	}
	s.mu.Lock()
	before := s.watched
	s.mu.Unlock()
	if now := s.watchedState(&w); !w.last.silent && now.id != "" && before.window >= window && now.like(before) {
		out.Known, out.Still = true, true
		return out, nil
	}
	documents := w.seen
	if out.Rest, err = w.wait(ctx); err != nil {
		return out, err
	}
	if out.Page, err = s.stateNow(ctx); err != nil {
		return out, err
	}
	out.Reloads = w.seen - documents
	if out.Page.URL != state.URL {
		out.From = state.URL
	}
	s.mu.Lock()
	s.watched = s.watchedState(&w)
	s.mu.Unlock()
	s.EventLog.mu.Lock()
	defer s.EventLog.mu.Unlock()
	out.Notes = listed(s.EventLog.notesSince(began.notes), s.EventLog.notes.total-began.notes)
	found := s.EventLog.errorsAfter(began.logs)
	out.Errors = logsOf(found[:min(maxListed, len(found))], 0).Entries
	return out, nil
}

// stateNow is [Session.State], without a title where the page goes from address
// to address.
func (s *waiter) stateNow(ctx context.Context) (PageState, error) {
	state, err := s.State(ctx)
	if ours := (*Error)(nil); errors.As(err, &ours) && ours.Code == NavigationFailed {
		return s.pageState(s.current(), ""), nil
	}
	return state, err
}

// like reports whether nothing happened between two states.
func (a watchedState) like(b watchedState) bool {
	a.window = b.window
	return a == b
}

// Watching is a watch that goes on beside other work.
type Watching struct {
	done chan struct{}
	out  Watched
	err  error
}

// BeginWatch begins a [Session.Watch] and returns at once.
func (s *waiter) BeginWatch(ctx context.Context, window time.Duration) *Watching {
	w := &Watching{done: make(chan struct{})}
	go func() {
		defer close(w.done)
		w.out, w.err = s.Watch(ctx, window)
	}()
	return w
}

// End waits until the watch is over.
func (w *Watching) End() (Watched, error) {
	<-w.done
	return w.out, w.err
}
