package signin

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
)

// Call names what a sign-in needs of the call that it is part of.
type Call interface {
	Now() time.Time
	// Progress reports what is being done.
	Progress(message string)
	// Hide keeps the credentials of a stored state out of every text.
	Hide(state []byte)
	// RunFlow runs a login flow on a session, once: without pictures, and without
	// checks, since a sign-in proves nothing.
	RunFlow(ctx context.Context, s *browser.Session, f flow.Flow) (flow.Result, error)
	// NeedsHuman makes the error of a sign-in that only a person can bring about.
	// The run cannot pass by it.
	NeedsHuman(in *SignIn, message pagetext.Sentence) *engine.Error
	// NotStored reports that a session is signed in, and its state was not stored.
	NotStored(in *SignIn, err error)
}

// SignIn holds the sign-in of an open session.
type SignIn struct {
	Name string // of the role
	Role Role

	stamp  string       // of the state that the session has
	turn   *wait.Places // one: the right to sign in again
	spent  string       // the run in which that was done; of turn
	wanted atomic.Bool  // the caller asked for the login page itself

	offered *bool       // the page that it led to offered to sign in right after it; nil: unknown
	doubted atomic.Bool // a page that offers to sign in was looked at

	mu      sync.Mutex
	cleared map[string]int // number of the newest request of a name whose refusal says nothing about the sign-in
}

// New returns the sign-in of a session that has none yet.
func New(name string, r Role) *SignIn {
	return &SignIn{Name: name, Role: r, turn: wait.NewPlaces(1), cleared: map[string]int{}}
}

// Stored returns the stored state of the role, for a session that is to begin with
// it.
func (in *SignIn) Stored(call Call) ([]byte, error) {
	state, err := in.Role.State.Read()
	if err != nil {
		return nil, err
	}
	call.Hide(state)
	in.stamp = auth.Stamp(state)
	in.Recall(state)
	return state, nil
}

// Turn waits for the right to sign in again, and returns how it is given back.
func (in *SignIn) Turn(ctx context.Context) (end func(), err error) {
	return in.turn.Give, in.turn.Take(ctx)
}

// Spend reports whether a run has not signed in again yet, and enters that it
// does. Only whoever has the turn may call it.
func (in *SignIn) Spend(run string) bool {
	if in.spent == run {
		return false
	}
	in.spent = run
	return true
}

// Ask notes whether the caller asked for the login page.
func (in *SignIn) Ask(address string) { in.wanted.Store(in.Role.AsksToSignIn(address)) }

// Ended reports whether what a page shows means that the sign-in has ended. Where
// the caller asked for the login page itself, it does not.
func (in *SignIn) Ended(page browser.PageState) bool {
	if !in.Role.AsksToSignIn(page.URL) && page.Status != http.StatusUnauthorized {
		in.wanted.Store(false)
		return false
	}
	return !in.wanted.Load()
}

// Renew gives a session a sign-in that it has not had yet: the stored one if
// that is newer, and one by the login flow otherwise. Of all who want the same
// role at a time, one signs in and the others take what it stored.
func (in *SignIn) Renew(ctx context.Context, call Call, s *browser.Session) (byFlow bool, err error) {
	end, err := in.Role.State.Turn(ctx)
	if err != nil {
		return false, err
	}
	defer end()
	state, err := in.Role.State.Read()
	if err != nil && !errors.Is(err, auth.ErrNone) {
		return false, in.Unusable(call, err)
	}
	if err == nil && auth.Stamp(state) != in.stamp {
		call.Hide(state)
		in.stamp = auth.Stamp(state)
		return false, s.Adopt(ctx, state)
	}
	return true, in.byFlow(ctx, call, s)
}

// byFlow runs the login flow on a session and stores what it has then.
func (in *SignIn) byFlow(ctx context.Context, call Call, s *browser.Session) error {
	if in.Role.Login == nil {
		return call.NeedsHuman(in, pagetext.Sentencef("the sign-in as %s has expired, and the role has no login_flow", in.Name))
	}
	if err := in.Role.State.Resting(call.Now()); err != nil {
		return call.NeedsHuman(in, pagetext.Sentencef("%v", err))
	}
	call.Progress("signing in as " + in.Name)
	address, err := in.RunLogin(ctx, call, s)
	if err != nil {
		in.Role.State.Rest(call.Now(), err)
		return err
	}
	state, _, err := s.StorageState(ctx)
	if err != nil {
		return err
	}
	if state, err = auth.WithAddress(state, address); err != nil {
		return err
	}
	if state, err = in.noteOffers(ctx, s, state); err != nil {
		return err
	}
	if before, err := in.Role.State.Read(); err == nil { // else it is the first
		if state, err = auth.WithRefused(state, auth.Refused(before)); err != nil {
			return err
		}
	}
	call.Hide(state)
	in.stamp = auth.Stamp(state)
	if err := in.Role.State.Write(state); err != nil { // the session itself is signed in
		call.NotStored(in, err)
	}
	return nil
}

// noteOffers notes in a state whether the page that the sign-in led to offers to sign in. A page
// that can't be looked at leaves that unknown: the session is signed in.
func (in *SignIn) noteOffers(ctx context.Context, s *browser.Session, state []byte) ([]byte, error) {
	_, err := s.Rest(ctx, browser.RestOptions{})
	offers := false
	if err == nil {
		offers, err = in.Offers(ctx, s)
	}
	if err != nil {
		return state, ctx.Err()
	}
	return auth.WithOffersSignIn(state, offers)
}

// Expired reports whether a navigation shows that a session is not signed in.
func (in *SignIn) Expired(nav browser.Navigation, asked string) bool {
	return nav.Status == http.StatusUnauthorized || in.Role.AsksToSignIn(nav.URL) && !in.Role.AsksToSignIn(asked)
}

// Unusable makes the error of a stored sign-in that can't be used.
func (in *SignIn) Unusable(call Call, cause error) *engine.Error {
	if errors.Is(cause, auth.ErrNone) {
		return call.NeedsHuman(in, pagetext.Sentencef("nobody has signed in as %s yet, and the role has no login_flow", in.Name))
	}
	e := call.NeedsHuman(in, pagetext.Sentencef("%v", cause))
	var hinted interface{ Hint() string }
	if errors.As(cause, &hinted) && hinted.Hint() != "" {
		e.Hint = hinted.Hint()
	}
	return e
}
