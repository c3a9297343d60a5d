package tools

import (
	"context"
	"errors"
	"time"

	"github.com/assay-qa/assay/auth"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/signin"
	"github.com/assay-qa/assay/qa/flow"
)

// loginName is what a sign-in is called outside of every run.
const loginName = "assay login"

// LoginOptions say how a role is signed in.
type LoginOptions struct {
	Role string
	// Person has somebody sign in by hand, in the window that a headed pool has;
	// otherwise the login flow does.
	Person   bool
	Flow     *flow.Flow      // instead of the role's own
	Done     <-chan struct{} // closed when the person says that it is done; may be nil
	Progress func(string)
}

// LoginResult holds a sign-in as it is stored. None of it is a secret.
type LoginResult struct {
	Role        string     `json:"role"`
	Environment string     `json:"environment"`
	Works       bool       `json:"works"`
	Reason      string     `json:"reason,omitempty"` // why it does not work
	Path        string     `json:"path"`
	Sealed      bool       `json:"sealed"`               // encrypted
	Address     string     `json:"address"`              // what was opened with it
	Until       *time.Time `json:"until,omitempty"`      // the first end of a cookie; absent: the site decides
	NotStored   []string   `json:"not_stored,omitempty"` // what of the page's storage could not be read
}

// Login signs a role in, proves in a fresh context that what it has then is
// enough, and stores it. It is what `assay login` does.
func (d *Desk) Login(ctx context.Context, o LoginOptions) (out LoginResult, err error) {
	defer func() { out.Address = browser.ShownURL(out.Address) }() // a sign-in may have ended with a token in it
	c, in, err := d.loginCall(o)
	if err != nil {
		return LoginResult{}, asBrowserError(err)
	}
	out = LoginResult{Role: o.Role, Environment: d.Target.Name, Path: in.Role.State.Path(), Sealed: in.Role.State.Sealed()}
	end, err := in.Role.State.Turn(ctx)
	if err != nil {
		return out, asBrowserError(err)
	}
	defer end()
	state, err := c.obtain(ctx, in, o, &out)
	if err != nil {
		return out, asBrowserError(err)
	}
	d.hide(state)
	if err := c.prove(ctx, in, state, &out); err != nil || !out.Works {
		return out, asBrowserError(err)
	}
	return out, asBrowserError(in.Role.State.Write(state))
}

// KnowsRole reports whether the environment has a role of that name.
func (d *Desk) KnowsRole(name string) error {
	_, err := d.role(name)
	return asBrowserError(err)
}

// asBrowserError returns an error as callers in Go know it, with what to do next.
func asBrowserError(err error) error {
	var te *engine.Error
	var stored *auth.Error
	switch {
	case errors.As(err, &te):
		return &browser.Error{Code: browser.Code(te.Code), Message: te.Message, Hint: te.Hint, Page: te.Page, Retriable: te.Retriable}
	case errors.As(err, &stored):
		return &browser.Error{Code: browser.InvalidInput, Message: stored.Error(), Hint: stored.Hint(), Cause: err}
	}
	return err
}

// CheckLogin tells whether the stored sign-in of a role still works.
func (d *Desk) CheckLogin(ctx context.Context, role string, progress func(string)) (out LoginResult, err error) {
	defer func() { out.Address = browser.ShownURL(out.Address) }()
	c, in, err := d.loginCall(LoginOptions{Role: role, Progress: progress})
	if err != nil {
		return LoginResult{}, asBrowserError(err)
	}
	out = LoginResult{Role: role, Environment: d.Target.Name, Path: in.Role.State.Path(), Sealed: in.Role.State.Sealed()}
	state, err := in.Role.State.Read()
	switch {
	case errors.Is(err, auth.ErrNone):
		out.Reason = "nobody has signed in as " + role + " yet"
		return out, nil
	case err != nil:
		return out, asBrowserError(err)
	}
	d.hide(state)
	if out.Address = auth.Address(state); out.Address == "" {
		out.Address = d.Target.BaseURL
	}
	err = c.prove(ctx, in, state, &out)
	return out, asBrowserError(err)
}

// loginCall returns a call outside of every run: a sign-in proves nothing.
func (d *Desk) loginCall(o LoginOptions) (*call, *signin.SignIn, error) {
	r, err := d.role(o.Role)
	if err != nil {
		return nil, nil, err
	}
	if o.Flow != nil {
		r.Login = o.Flow
	}
	return newCall(d, spec{name: loginName}, nil, o.Progress), signin.New(o.Role, r), nil
}

// obtain signs in, and returns what the session has then.
func (c *call) obtain(ctx context.Context, in *signin.SignIn, o LoginOptions, out *LoginResult) ([]byte, error) {
	s, err := c.desk.Pool.Launch(ctx, browser.LaunchOptions{})
	if err != nil {
		return nil, err
	}
	defer c.closeSession(ctx, s)
	c.setSession(s)
	switch {
	case o.Person:
		start := c.desk.Target.BaseURL
		if u := in.Role.LoginAddress(); u != nil {
			if start, err = c.desk.address(u.String()); err != nil {
				return nil, err
			}
		}
		out.Address, err = in.ByPerson(ctx, signInCall{call: c}, s, start, o.Done)
	case in.Role.Login == nil:
		err = engine.InvalidInput("give it one, or sign in by hand", "role %q has no login_flow", in.Name)
	default:
		out.Address, err = in.RunLogin(ctx, signInCall{call: c}, s)
	}
	if err != nil {
		return nil, err
	}
	state, lost, err := s.StorageState(ctx)
	if err != nil {
		return nil, err
	}
	out.NotStored = lost
	return auth.WithAddress(state, out.Address)
}

// prove opens, in a fresh context with the state, the page that the sign-in led
// to.
func (c *call) prove(ctx context.Context, in *signin.SignIn, state []byte, out *LoginResult) error {
	shown := browser.ShownURL(out.Address)
	c.progress("opening " + shown + " with it")
	if until, ok := auth.Until(state); ok {
		out.Until = &until
	}
	s, err := c.desk.Pool.Launch(ctx, browser.LaunchOptions{State: state})
	if err != nil {
		return err
	}
	defer c.closeSession(ctx, s)
	out.Reason, err = in.Works(ctx, s, out.Address)
	out.Works = err == nil && out.Reason == ""
	return err
}

func (c *call) closeSession(ctx context.Context, s *browser.Session) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		c.desk.Log.Warn("close the session of a sign-in", "err", err)
	}
}
