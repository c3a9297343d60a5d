package tools

import (
	"context"
	"errors"
	"slices"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
)

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
func (d *Desk) SignedIn(ctx context.Context) ([]byte, error) {
	ids := d.sessionIDs()
	if len(ids) == 0 {
		return nil, errors.New("no session is open any more: the browser was closed before its sign-in was kept")
	}
	s, err := d.session(ids[len(ids)-1])
	if err != nil {
		return nil, err
	}
	state, _, err := s.StorageState(ctx)
	if err != nil {
		return nil, err
	}
	d.hide(state)
	return state, nil
}

// Only lets a desk reveal some of its secrets alone.
func Only(all Secrets, names []string) Secrets { return only{all, names} }

type only struct {
	Secrets
	names []string
}

// Names returns those that may be revealed.
func (o only) Names() []string {
	return slices.DeleteFunc(slices.Clone(o.Secrets.Names()), func(name string) bool { return !slices.Contains(o.names, name) })
}

// Reveal returns one of them.
func (o only) Reveal(ctx context.Context, name string) (string, error) {
	if !slices.Contains(o.names, name) {
		return "", engine.InvalidInput("use one of those that the spec declares, or add it to secrets in its front matter", "secret %q is not declared by this spec", name)
	}
	return o.Secrets.Reveal(ctx, name)
}
