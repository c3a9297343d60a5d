package signin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/engine"
)

// ByPerson opens the login page and waits until the person has left it, or
// confirms it.
func (in *SignIn) ByPerson(ctx context.Context, call Call, s *browser.Session, start string, done <-chan struct{}) (address string, err error) {
	if _, err := s.Navigate(ctx, start, "", 0); err != nil {
		return "", err
	}
	call.Progress("sign in as " + in.Name + " in the window")
	var left time.Time // zero: it is the login page
	for {
		state, err := s.State(ctx)
		var be *explain.Error
		if errors.As(err, &be) && be.Code == explain.PageCrashed {
			return "", &engine.Error{Code: code.NeedsHuman,
				Message: pagetext.Sentencef("the window was closed before anybody had signed in as %s", in.Name), Hint: "try again: the window closes by itself"}
		}
		if err != nil {
			return "", err
		}
		now := call.Now()
		switch {
		case in.Role.LoginAddress() == nil, in.Role.AsksToSignIn(state.URL):
			left = time.Time{}
		case left.IsZero():
			left = now
		case now.Sub(left) >= s.Waits().SignedIn: // some sites pass the login page again on their way
			return state.URL, nil
		}
		switch err := rest.Until(ctx, nil, rest.Policy{Limit: 200 * time.Millisecond, Events: []rest.Event{{Of: done}}}); {
		case err == nil:
			return state.URL, nil
		case !errors.Is(err, rest.ErrLimit):
			return "", err
		}
	}
}

// Works opens an address with the sign-in that a session has. reason is why it does
// not work; empty: it does, and the page answers when it has come to rest.
func (in *SignIn) Works(ctx context.Context, s *browser.Session, address string) (reason string, err error) {
	shown := browser.ShownURL(address)
	nav, err := s.Navigate(ctx, address, "", 0)
	switch {
	case err != nil:
		return "", err
	case in.Expired(nav, address):
		return shown + " asks to sign in", nil
	case nav.Status >= 400:
		return fmt.Sprintf("%s answers status %d", shown, nav.Status), nil
	}
	return "", s.Answers(ctx)
}
