package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
)

// signInExpired returns why what a session with a role shows decides nothing: its
// sign-in has ended, and the page asks to sign in. That is no fault of the site.
// It returns nil where the caller asked for the login page itself.
func (c *call) signInExpired(ctx context.Context, s *browser.Session) (*engine.Error, error) {
	in := c.desk.signInOf(s)
	if in == nil || c.signing {
		return nil, nil
	}
	state, err := s.State(ctx)
	if err != nil {
		return nil, err
	}
	if !in.Ended(state) {
		return nil, nil
	}
	e := &engine.Error{Code: string(browser.NeedsHuman), Message: "the sign-in as " + in.Name + " has ended: the page asks to sign in, so what it shows proves nothing",
		Hint: "page_navigate to the page you want signs in again as " + in.Name + "; then check again"}
	if in.Role.Login == nil {
		e.Hint = "a person has to run: " + c.loginCommand(in)
	}
	return e, nil
}

// checkSignedIn returns an error where the sign-in of a session has ended.
func (c *call) checkSignedIn(ctx context.Context, s *browser.Session) error {
	expired, err := c.signInExpired(ctx, s)
	if expired != nil { // no error of a nil pointer
		return expired
	}
	return err
}
