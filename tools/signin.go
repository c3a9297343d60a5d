package tools

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/auth"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/signin"
	"github.com/assay-qa/assay/qa"
)

// signInOf returns the sign-in of a session, or nil if it has none.
func (d *Desk) signInOf(s *browser.Session) *signin.SignIn {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.signIns[s.ID()]
}

// noteSignIn remembers the sign-in of a session, and forgets those of sessions
// that are closed.
func (d *Desk) noteSignIn(s *browser.Session, in *signin.SignIn) {
	open := d.sessionIDs()
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

// hide keeps the values of a state that are credentials out of every text.
func (d *Desk) hide(state []byte) {
	if d.Secrets != nil {
		d.Secrets.Hide(auth.Secrets(state))
	}
}

// launch opens a session: signed in, where the run's task names a role of the
// environment.
func (c *call) launch(ctx context.Context, lo browser.LaunchOptions) (*browser.Session, error) {
	if c.runErr == nil && len(c.desk.Target.Roles) > 0 {
		if role := c.run.Task().Role; role != "" {
			return c.signedIn(ctx, role, lo)
		}
	}
	return c.desk.launch(ctx, lo)
}

// signedIn opens a session that is signed in as a role: by its stored sign-in,
// or, where there is none yet, by its login flow.
func (c *call) signedIn(ctx context.Context, role string, lo browser.LaunchOptions) (*browser.Session, error) {
	r, err := c.desk.role(role)
	if err != nil {
		return nil, err
	}
	in := signin.New(role, r)
	state, err := in.Stored(signInCall{call: c})
	switch {
	case errors.Is(err, auth.ErrNone) && r.Login != nil:
		return c.firstSignIn(ctx, in, lo)
	case err != nil:
		return nil, in.Unusable(signInCall{call: c}, err)
	}
	lo.State = state
	s, err := c.desk.launch(ctx, lo)
	var be *browser.Error
	if errors.As(err, &be) && be.Code == browser.InvalidInput && strings.HasPrefix(be.Message, "storage state") {
		return nil, c.needsHuman(in, "the stored sign-in "+r.State.Path()+" can't be used: "+be.Message)
	}
	if err != nil {
		return nil, err
	}
	c.desk.noteSignIn(s, in)
	return s, nil
}

// firstSignIn opens a session and signs it in by the login flow, unless somebody
// else has signed the role in meanwhile.
func (c *call) firstSignIn(ctx context.Context, in *signin.SignIn, lo browser.LaunchOptions) (*browser.Session, error) {
	s, err := c.desk.launch(ctx, lo)
	if err != nil {
		return nil, err
	}
	c.setSession(s)
	if _, err := in.Renew(ctx, signInCall{call: c}, s); err != nil {
		if shooting := c.shoot(ctx, "sign-in-failed", browser.ShotOptions{}); shooting != nil {
			c.say("no screenshot: %s", engine.AsError(c.spec.name, shooting).Message)
		}
		if c.runErr == nil {
			c.desk.stopTrace(ctx, s, c.run, c.step)
		}
		c.session = nil
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		return nil, errors.Join(err, s.Close(closing))
	}
	c.desk.noteSignIn(s, in)
	return s, nil
}

// navigate loads an address. A session with a role that lands on the login page
// instead is signed in again, once in a run.
func (c *call) navigate(ctx context.Context, s *browser.Session, address, waitUntil string, timeout time.Duration) (browser.Navigation, error) {
	nav, err := s.Navigate(ctx, address, waitUntil, timeout)
	if err == nil {
		c.noteOpened(address, nav.URL)
	}
	in := c.desk.signInOf(s)
	if in != nil && !c.signing {
		in.Ask(address)
	}
	if err != nil || in == nil || c.signing || !in.Expired(nav, address) {
		return nav, err
	}
	end, err := in.Turn(ctx)
	if err != nil {
		return nav, err
	}
	defer end()
	if c.runErr == nil && !in.Spend(c.run.ID()) {
		return nav, c.needsHuman(in, "the page asks to sign in, and "+in.Name+" was signed in again in this run already")
	}
	for {
		byFlow, err := in.Renew(ctx, signInCall{call: c}, s)
		if err != nil {
			return nav, err
		}
		if nav, err = s.Navigate(ctx, address, waitUntil, timeout); err != nil || !in.Expired(nav, address) {
			c.say("the sign-in as %s had expired: signed in again", in.Name)
			return nav, err
		}
		if byFlow {
			return nav, c.signInDoesNotLast(ctx, in, address)
		}
		// What somebody else has stored is no good any more either.
	}
}

// signInDoesNotLast files that the site asks to sign in right after a sign-in
// that went well: that is a fault of the site.
func (c *call) signInDoesNotLast(ctx context.Context, in *signin.SignIn, address string) error {
	if c.runErr == nil {
		finding := qa.Finding{Severity: qa.Major, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
			Assertion: "a sign-in as " + in.Name + " lasts", Expected: "the page at " + address, Observed: "right after the sign-in the page asks to sign in again", Evidence: []qa.EvidenceRef{}}
		if err := c.shoot(ctx, "signed-out-again", browser.ShotOptions{}); err == nil {
			finding.Evidence = append(finding.Evidence, qa.EvidenceRef{ScreenshotRef: c.shot.Name})
		}
		if _, err := c.run.AddFinding(finding); err != nil {
			return err
		}
	}
	return c.needsHuman(in, "right after signing in as "+in.Name+" the page asks to sign in again")
}

// needsHuman returns the error of a sign-in that only a person can bring about. The
// run can't pass by it.
func (c *call) needsHuman(in *signin.SignIn, message string) *engine.Error {
	if c.runErr == nil {
		c.run.Interrupt(qa.Interruption{Kind: qa.NeedsHuman, Subject: "sign-in as " + in.Name, Detail: message})
	}
	if c.spec.name == loginName {
		return &engine.Error{Code: string(browser.NeedsHuman), Message: message, Hint: "fix the flow, or sign in by hand: assay login " + in.Name + " --headed"}
	}
	return &engine.Error{Code: string(browser.NeedsHuman), Message: message, Hint: "a person has to run: " + c.loginCommand(in)}
}

func (c *call) loginCommand(in *signin.SignIn) string {
	command := "assay login " + in.Name
	if c.desk.Target.Name != "" {
		command += " --env " + c.desk.Target.Name
	}
	return command
}

// saySignedOut tells the caller that an action has led a session with a role to
// the login page, and what to do.
func (c *call) saySignedOut(e browser.Effects) {
	if c.session == nil {
		return
	}
	if in := c.desk.signInOf(c.session); in != nil && in.Role.AsksToSignIn(e.Page.URL) && !in.Role.AsksToSignIn(e.URLFrom) {
		c.say("the page asks to sign in now; page_navigate to the page you want signs in again as %s", in.Name)
	}
}

// signInCall adapts a call to what a sign-in needs.
type signInCall struct{ *call }

// Now returns the time.
func (c signInCall) Now() time.Time { return c.desk.Now() }

// Progress reports what is being done.
func (c signInCall) Progress(message string) { c.progress(message) }

// Hide keeps the credentials of a stored state out of every text.
func (c signInCall) Hide(state []byte) { c.desk.hide(state) }

// NeedsHuman makes the error of a sign-in that only a person can bring about.
func (c signInCall) NeedsHuman(in *signin.SignIn, message string) *engine.Error {
	return c.needsHuman(in, message)
}

// NotStored reports that a session is signed in, and its state was not stored.
func (c signInCall) NotStored(in *signin.SignIn, err error) {
	c.desk.Log.Warn("store a sign-in", "role", in.Name, "err", err)
	c.say("warning: the sign-in could not be stored: %v", err)
}
