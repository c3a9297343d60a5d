package tools

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/assay-qa/assay/auth"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
)

// signIn is the sign-in of an open session.
type signIn struct {
	name  string // of the role
	role  Role
	stamp string        // of the state that the session has
	turn  chan struct{} // one token: the right to sign in again
	spent string        // the run in which that was done; of turn

	wanted atomic.Bool // the caller asked for the login page itself
}

func newSignIn(name string, r Role, stamp string) *signIn {
	return &signIn{name: name, role: r, stamp: stamp, turn: make(chan struct{}, 1)}
}

// signInOf is the sign-in of a session, or nil if it has none.
func (d *Desk) signInOf(s *browser.Session) *signIn {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.signIns[s.ID()]
}

// noteSignIn remembers the sign-in of a session, and forgets those of sessions
// that are closed.
func (d *Desk) noteSignIn(s *browser.Session, in *signIn) {
	open := d.sessionIDs()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.signIns == nil {
		d.signIns = map[string]*signIn{}
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
	in := newSignIn(role, r, "")
	state, err := r.State.Read()
	switch {
	case errors.Is(err, auth.ErrNone) && r.Login != nil:
		return c.firstSignIn(ctx, in, lo)
	case err != nil:
		return nil, c.notSignedIn(in, err)
	}
	c.desk.hide(state)
	in.stamp, lo.State = auth.Stamp(state), state
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
func (c *call) firstSignIn(ctx context.Context, in *signIn, lo browser.LaunchOptions) (*browser.Session, error) {
	s, err := c.desk.launch(ctx, lo)
	if err != nil {
		return nil, err
	}
	c.setSession(s)
	if _, err := c.renew(ctx, s, in); err != nil {
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

// renew gives a session a sign-in that it has not had yet: the stored one if
// that is newer, and one by the login flow otherwise. Of all who want the same
// role at a time, one signs in and the others take what it stored.
func (c *call) renew(ctx context.Context, s *browser.Session, in *signIn) (byFlow bool, err error) {
	end, err := in.role.State.Turn(ctx)
	if err != nil {
		return false, err
	}
	defer end()
	state, err := in.role.State.Read()
	if err != nil && !errors.Is(err, auth.ErrNone) {
		return false, c.notSignedIn(in, err)
	}
	if err == nil && auth.Stamp(state) != in.stamp {
		c.desk.hide(state)
		in.stamp = auth.Stamp(state)
		return false, s.Adopt(ctx, state)
	}
	return true, c.signInByFlow(ctx, s, in)
}

// signInByFlow runs the login flow on a session and stores what it has then.
func (c *call) signInByFlow(ctx context.Context, s *browser.Session, in *signIn) error {
	if in.role.Login == nil {
		return c.needsHuman(in, "the sign-in as "+in.name+" has expired, and the role has no login_flow")
	}
	if err := in.role.State.Resting(c.desk.Now()); err != nil {
		return c.needsHuman(in, err.Error())
	}
	c.progress("signing in as " + in.name)
	address, err := c.runLogin(ctx, s, in)
	if err != nil {
		in.role.State.Rest(c.desk.Now(), err)
		return err
	}
	state, _, err := s.StorageState(ctx)
	if err != nil {
		return err
	}
	if state, err = auth.WithAddress(state, address); err != nil {
		return err
	}
	c.desk.hide(state)
	in.stamp = auth.Stamp(state)
	if err := in.role.State.Write(state); err != nil { // the session itself is signed in
		c.desk.Log.Warn("store a sign-in", "role", in.name, "err", err)
		c.say("warning: the sign-in could not be stored: %v", err)
	}
	return nil
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
		in.wanted.Store(in.role.asksToSignIn(address))
	}
	if err != nil || in == nil || c.signing || !in.expired(nav, address) {
		return nav, err
	}
	select {
	case in.turn <- struct{}{}:
		defer func() { <-in.turn }()
	case <-ctx.Done():
		return nav, ctx.Err()
	}
	if c.runErr == nil && in.spent == c.run.ID() {
		return nav, c.needsHuman(in, "the page asks to sign in, and "+in.name+" was signed in again in this run already")
	}
	if c.runErr == nil {
		in.spent = c.run.ID()
	}
	for {
		byFlow, err := c.renew(ctx, s, in)
		if err != nil {
			return nav, err
		}
		if nav, err = s.Navigate(ctx, address, waitUntil, timeout); err != nil || !in.expired(nav, address) {
			c.say("the sign-in as %s had expired: signed in again", in.name)
			return nav, err
		}
		if byFlow {
			return nav, c.signInDoesNotLast(ctx, in, address)
		}
		// What somebody else has stored is no good any more either.
	}
}

// expired reports whether a navigation shows that a session is not signed in.
func (in *signIn) expired(nav browser.Navigation, asked string) bool {
	return nav.Status == http.StatusUnauthorized || in.role.asksToSignIn(nav.URL) && !in.role.asksToSignIn(asked)
}

// signInDoesNotLast files that the site asks to sign in right after a sign-in
// that went well: that is a fault of the site.
func (c *call) signInDoesNotLast(ctx context.Context, in *signIn, address string) error {
	if c.runErr == nil {
		finding := qa.Finding{Severity: qa.Major, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
			Assertion: "a sign-in as " + in.name + " lasts", Expected: "the page at " + address, Observed: "right after the sign-in the page asks to sign in again", Evidence: []qa.EvidenceRef{}}
		if err := c.shoot(ctx, "signed-out-again", browser.ShotOptions{}); err == nil {
			finding.Evidence = append(finding.Evidence, qa.EvidenceRef{ScreenshotRef: c.shot.Name})
		}
		if _, err := c.run.AddFinding(finding); err != nil {
			return err
		}
	}
	return c.needsHuman(in, "right after signing in as "+in.name+" the page asks to sign in again")
}

// needsHuman is the error of a sign-in that only a person can bring about. The
// run can't pass by it.
func (c *call) needsHuman(in *signIn, message string) *engine.Error {
	if c.runErr == nil {
		c.run.Interrupt(qa.Interruption{Kind: qa.NeedsHuman, Subject: "sign-in as " + in.name, Detail: message})
	}
	if c.spec.name == loginName {
		return &engine.Error{Code: string(browser.NeedsHuman), Message: message, Hint: "mend the flow, or sign in by hand: assay login " + in.name + " --headed"}
	}
	return &engine.Error{Code: string(browser.NeedsHuman), Message: message, Hint: "a person has to run: " + c.loginCommand(in)}
}

func (c *call) loginCommand(in *signIn) string {
	command := "assay login " + in.name
	if c.desk.Target.Name != "" {
		command += " --env " + c.desk.Target.Name
	}
	return command
}

// notSignedIn is the error of a stored sign-in that can't be used.
func (c *call) notSignedIn(in *signIn, cause error) *engine.Error {
	if errors.Is(cause, auth.ErrNone) {
		return c.needsHuman(in, "nobody has signed in as "+in.name+" yet, and the role has no login_flow")
	}
	e := c.needsHuman(in, cause.Error())
	var hinted interface{ Hint() string }
	if errors.As(cause, &hinted) && hinted.Hint() != "" {
		e.Hint = hinted.Hint()
	}
	return e
}

// saySignedOut tells the caller that an action has led a session with a role to
// the login page, and what to do.
func (c *call) saySignedOut(e browser.Effects) {
	if c.session == nil {
		return
	}
	if in := c.desk.signInOf(c.session); in != nil && in.role.asksToSignIn(e.Page.URL) && !in.role.asksToSignIn(e.URLFrom) {
		c.say("the page asks to sign in now; page_navigate to the page you want signs in again as %s", in.name)
	}
}
