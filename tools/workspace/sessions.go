package workspace

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine/signin"
)

// sessions returns those that this desk has opened.
func (d *Workspace) sessions() *browser.Group {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.group == nil {
		d.group = d.Pool.Group(d.Hosts)
	}
	return d.group
}

// Launch opens a session of this desk, see [browser.Pool.Launch].
func (d *Workspace) Launch(ctx context.Context, lo browser.LaunchOptions) (*browser.Session, error) {
	d.Start.fill(&lo)
	return d.sessions().Launch(ctx, lo)
}

// Session finds a session of this desk, see [browser.Pool.Session].
func (d *Workspace) Session(id string) (*browser.Session, error) { return d.sessions().Session(id) }

// SessionIDs lists the open sessions of this desk, oldest first.
func (d *Workspace) SessionIDs() []string { return d.sessions().SessionIDs() }

// CloseSessions closes the sessions of this desk that are still open. The pool,
// which others may be using, stays.
func (d *Workspace) CloseSessions(ctx context.Context) error { return d.sessions().Close(ctx) }

// Start holds what the sessions of a desk start with, where the call that opens one
// says nothing else.
type Start struct {
	Width, Height int              // of the viewport, in CSS pixels; 0: the pool's
	State         []byte           // a storage state: a sign-in
	Caution       *browser.Caution // what is stopped as destructive; nil: what the pool stops
}

func (s Start) fill(lo *browser.LaunchOptions) {
	if lo.Width == 0 && lo.Height == 0 && lo.Device == "" {
		lo.Width, lo.Height = s.Width, s.Height
	}
	if lo.State == nil && lo.StorageState == "" {
		lo.State = s.State
	}
	lo.Caution = s.Caution
}

// SignedIn returns the storage state of the session that the desk opened last, for
// sessions that are to start with it. It is a credential: from now on no text
// shows it.
func (d *Workspace) SignedIn(ctx context.Context) ([]byte, error) {
	ids := d.SessionIDs()
	if len(ids) == 0 {
		return nil, errors.New("no session is open any more: the browser was closed before its sign-in was kept")
	}
	s, err := d.Session(ids[len(ids)-1])
	if err != nil {
		return nil, err
	}
	state, _, err := s.StorageState(ctx)
	if err != nil {
		return nil, err
	}
	d.Hide(state)
	return state, nil
}

// SignInOf returns the sign-in of a session, or nil if it has none.
func (d *Workspace) SignInOf(s *browser.Session) *signin.SignIn {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.signIns[s.ID()]
}

// NoteSignIn remembers the sign-in of a session, and forgets those of sessions
// that are closed.
func (d *Workspace) NoteSignIn(s *browser.Session, in *signin.SignIn) {
	open := d.SessionIDs()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.signIns == nil {
		d.signIns = map[string]*signin.SignIn{}
	}
	for id := range d.signIns {
		if !slices.Contains(open, id) {
			delete(d.signIns, id)
		}
	}
	d.signIns[s.ID()] = in
}

// MarkRunStart remembers where the open sessions stand when a run starts: what their
// pages said before is not the run's.
func (d *Workspace) MarkRunStart() {
	starts := map[string]browser.Position{}
	for _, id := range d.SessionIDs() {
		if s, err := d.Session(id); err == nil { // it may be closed meanwhile
			starts[id] = s.Position()
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.starts = starts
}

// StartOf returns where a session stood when the open run began.
func (d *Workspace) StartOf(s *browser.Session) browser.Position {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.starts[s.ID()]
}

// NoteUse remembers which run a session was used in last, and forgets sessions
// that are closed.
func (d *Workspace) NoteUse(session, run string) {
	open := d.SessionIDs()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.uses == nil {
		d.uses = map[string]string{}
	}
	maps.DeleteFunc(d.uses, func(id, _ string) bool { return !slices.Contains(open, id) })
	d.uses[session] = run
}

// UsedIn returns the open sessions that a run has used, and no later one.
func (d *Workspace) UsedIn(run string) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	for _, id := range slices.Sorted(maps.Keys(d.uses)) {
		if d.uses[id] == run {
			out = append(out, id)
		}
	}
	return out
}
