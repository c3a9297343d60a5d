package workspace

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/signin"
)

// sessions returns those that this workspace has opened.
func (ws *Workspace) sessions() *browser.Group {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.group == nil {
		ws.group = ws.Pool.Group(ws.Hosts)
	}
	return ws.group
}

// Launch opens a session of this workspace, see [browser.Pool.Launch].
func (ws *Workspace) Launch(ctx context.Context, lo browser.LaunchOptions) (*browser.Session, error) {
	ws.Start.fill(&lo)
	ws.mu.Lock()
	run := ws.started
	ws.mu.Unlock()
	if run != nil {
		taskStart(run.Task(), ws.FromFile).fill(&lo)
	}
	return ws.sessions().Launch(ctx, lo)
}

// Warm starts driver and browser in the background, and has the session stand by that a
// launch without options opens; see [browser.Group.Warm].
func (ws *Workspace) Warm() {
	var lo browser.LaunchOptions
	ws.Start.fill(&lo)
	ws.sessions().Warm(lo)
}

// The viewport of pages that are worked by places in their pictures (A3).
const (
	ComputerWidth  = 1366
	ComputerHeight = 768
)

// ComputerStart returns what a session starts with that is opened to be worked by places:
// the viewport of computer use, unless another than the default one is configured.
func (ws *Workspace) ComputerStart() browser.LaunchOptions {
	if width, height := ws.Pool.Viewport(); width != browser.DefaultWidth || height != browser.DefaultHeight {
		return browser.LaunchOptions{}
	}
	return browser.LaunchOptions{Width: ComputerWidth, Height: ComputerHeight}
}

// Session finds a session of this workspace, see [browser.Pool.Session].
func (ws *Workspace) Session(id string) (*browser.Session, error) { return ws.sessions().Session(id) }

// SessionIDs lists the open sessions of this workspace, oldest first.
func (ws *Workspace) SessionIDs() []string { return ws.sessions().SessionIDs() }

// SharedSessionIDs lists those of them that an empty id can mean.
func (ws *Workspace) SharedSessionIDs() []string { return ws.sessions().SharedIDs() }

// HoldDefault waits for its turn to find or open the default session. The caller
// releases it.
func (ws *Workspace) HoldDefault(ctx context.Context) (release func(), err error) {
	ws.mu.Lock()
	if ws.opening == nil {
		ws.opening = wait.NewPlaces(1)
	}
	turn := ws.opening
	ws.mu.Unlock()
	if turn.Take(ctx) != nil {
		return nil, context.Cause(ctx)
	}
	return turn.Give, nil
}

// CloseSessions closes the sessions of this workspace that are still open. The pool,
// which others may be using, stays.
func (ws *Workspace) CloseSessions(ctx context.Context) error { return ws.sessions().Close(ctx) }

// Start holds what the sessions of a workspace start with, where the call that
// opens one sets nothing else.
type Start struct {
	Width, Height int              // of the viewport, in CSS pixels; 0: the pool's
	Device        string           // name of a device, which has a viewport of its own
	Locale        string           // BCP 47
	Timezone      string           // IANA
	Pinned        bool             // the call can't say otherwise
	State         []byte           // a storage state: a sign-in
	Caution       *browser.Caution // what is stopped as destructive; nil: what the pool stops
}

func (s Start) fill(lo *browser.LaunchOptions) {
	shown := lo.Width != 0 || lo.Height != 0 || lo.Device != ""
	if (s.Width != 0 || s.Device != "") && (s.Pinned || !shown) {
		lo.Width, lo.Height, lo.Device = s.Width, s.Height, s.Device
	}
	if s.Locale != "" && (s.Pinned || lo.Locale == "") {
		lo.Locale = s.Locale
	}
	if s.Timezone != "" && (s.Pinned || lo.Timezone == "") {
		lo.Timezone = s.Timezone
	}
	if lo.State == nil && lo.StorageState == "" {
		lo.State = s.State
	}
	if s.Caution != nil {
		lo.Caution = s.Caution
	}
}

// taskStart returns what the sessions of a task start with. Who works a task from a file
// can't choose otherwise: its verdict is about that device and language.
func taskStart(t qa.TaskSpec, pinned bool) Start {
	s := Start{Device: t.Device, Locale: t.Locale, Timezone: t.Timezone, Pinned: pinned}
	if t.Viewport != nil {
		s.Width, s.Height = t.Viewport.Width, t.Viewport.Height
	}
	return s
}

// SignedIn returns the storage state of the session that the workspace opened last, for
// sessions that are to start with it. It is a credential: from now on no text
// shows it.
func (ws *Workspace) SignedIn(ctx context.Context) ([]byte, error) {
	ids := ws.SessionIDs()
	if len(ids) == 0 {
		return nil, errors.New("no session is open any more: the browser was closed before its sign-in was kept")
	}
	s, err := ws.Session(ids[len(ids)-1])
	if err != nil {
		return nil, err
	}
	state, _, err := s.StorageState(ctx)
	if err != nil {
		return nil, err
	}
	ws.Hide(state)
	return state, nil
}

// SignInOf returns the sign-in of a session, or nil if it has none.
func (ws *Workspace) SignInOf(s *browser.Session) *signin.SignIn {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return ws.signIns[s.ID()]
}

// NoteSignIn records the sign-in of a session, and drops those of sessions
// that are closed.
func (ws *Workspace) NoteSignIn(s *browser.Session, in *signin.SignIn) {
	open := ws.SessionIDs()
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.signIns == nil {
		ws.signIns = map[string]*signin.SignIn{}
	}
	for id := range ws.signIns {
		if !slices.Contains(open, id) {
			delete(ws.signIns, id)
		}
	}
	ws.signIns[s.ID()] = in
}

// MarkRunStart records where the open sessions stand when a run starts: what their
// pages said before is not the run's.
func (ws *Workspace) MarkRunStart() {
	starts := map[string]browser.Position{}
	for _, id := range ws.SessionIDs() {
		if s, err := ws.Session(id); err == nil { // it may be closed meanwhile
			starts[id] = s.Position()
		}
	}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.starts = starts
}

// StartOf returns where a session stood when the open run began.
func (ws *Workspace) StartOf(s *browser.Session) browser.Position {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return ws.starts[s.ID()]
}

// NoteUse records which run a session was used in last, and drops sessions
// that are closed.
func (ws *Workspace) NoteUse(session, run string) {
	open := ws.SessionIDs()
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.uses == nil {
		ws.uses = map[string]string{}
	}
	maps.DeleteFunc(ws.uses, func(id, _ string) bool { return !slices.Contains(open, id) })
	maps.DeleteFunc(ws.told, func(id string, _ [toldLines]pagetext.Text) bool { return !slices.Contains(open, id) })
	ws.uses[session] = run
}

// UsedIn returns the open sessions that a run has used, and no later one.
func (ws *Workspace) UsedIn(run string) []string {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	var out []string
	for _, id := range slices.Sorted(maps.Keys(ws.uses)) {
		if ws.uses[id] == run {
			out = append(out, id)
		}
	}
	return out
}
