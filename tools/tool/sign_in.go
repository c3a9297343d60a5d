package tool

import (
	"context"
	"errors"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
	"github.com/assay-qa/assay/tools/signin"
)

// Launch opens a session: signed in, where the run's task names a role of the
// environment.
func (c *Call) Launch(ctx context.Context, lo browser.LaunchOptions) (*browser.Session, error) {
	if c.RunErr == nil && len(c.Workspace.Target.Roles) > 0 {
		if role := c.Run.Task().Role; role != "" {
			return c.SignedIn(ctx, role, lo)
		}
	}
	return c.Workspace.Launch(ctx, lo)
}

// SignedIn opens a session that is signed in as a role: by its stored sign-in,
// or, where there is none yet, by its login flow.
func (c *Call) SignedIn(ctx context.Context, role string, lo browser.LaunchOptions) (*browser.Session, error) {
	r, err := c.Workspace.Role(role)
	if err != nil {
		return nil, err
	}
	in := signin.New(role, r)
	state, err := in.Stored(SignInCall{Call: c})
	switch {
	case errors.Is(err, auth.ErrNone) && r.Login != nil:
		return c.firstSignIn(ctx, in, lo)
	case err != nil:
		return nil, in.Unusable(SignInCall{Call: c}, err)
	}
	lo.State = state
	s, err := c.Workspace.Launch(ctx, lo)
	var be *explain.Error
	if errors.As(err, &be) && be.State {
		return nil, c.needsHuman(in, pagetext.Sentencef("the stored sign-in %s can't be used: %s", r.State.Path(), be.Message))
	}
	if err != nil {
		return nil, err
	}
	c.Workspace.NoteSignIn(s, in)
	return s, nil
}

// firstSignIn opens a session and signs it in by the login flow, unless somebody
// else has signed the role in meanwhile.
func (c *Call) firstSignIn(ctx context.Context, in *signin.SignIn, lo browser.LaunchOptions) (*browser.Session, error) {
	s, err := c.Workspace.Launch(ctx, lo)
	if err != nil {
		return nil, err
	}
	c.SetSession(s)
	if _, err := in.Renew(ctx, SignInCall{Call: c}, s); err != nil {
		if shooting := c.Shoot(ctx, "sign-in-failed", browser.ShotOptions{}); shooting != nil {
			c.Say("no screenshot: %s", engine.AsError(c.Spec.Name, shooting).Message)
		}
		closing, cancel := Closing(ctx)
		defer cancel()
		if c.RunErr == nil {
			c.Workspace.StopTrace(closing, s, c.Run, c.Step)
		}
		c.Session = nil
		return nil, errors.Join(err, s.Close(closing))
	}
	c.Workspace.NoteSignIn(s, in)
	return s, nil
}

// Navigate loads an address. A session with a role that lands on the login page
// instead is signed in again, once in a run.
func (c *Call) Navigate(ctx context.Context, s *browser.Session, address, waitUntil string, timeout time.Duration) (browser.Navigation, error) {
	nav, err := s.Navigate(ctx, address, waitUntil, timeout)
	if err == nil {
		c.noteOpened(address, nav.URL)
	}
	in := c.Workspace.SignInOf(s)
	if in != nil && !c.Signing {
		in.Ask(address)
	}
	if err != nil || in == nil || c.Signing {
		return nav, err
	}
	if expired, err := c.hasExpired(ctx, s, in, nav, address); err != nil || !expired {
		return nav, err
	}
	end, err := in.Turn(ctx)
	if err != nil {
		return nav, err
	}
	defer end()
	if c.RunErr == nil && !in.Spend(c.Run.ID()) {
		return nav, c.needsHuman(in, pagetext.Sentencef("the page asks to sign in, and %s was signed in again in this run already", in.Name))
	}
	for {
		byFlow, err := in.Renew(ctx, SignInCall{Call: c}, s)
		if err != nil {
			return nav, err
		}
		if nav, err = s.Navigate(ctx, address, waitUntil, timeout); err != nil || !in.Expired(nav, address) {
			c.Say("the sign-in as %s had expired: signed in again", in.Name)
			return nav, err
		}
		if byFlow {
			return nav, c.signInDoesNotLast(ctx, in, address)
		}
		// What another process has stored has ended, too.
	}
}

// hasExpired reports whether a navigation shows that a session is not signed in. The first page
// of one that has a stored sign-in may only offer to sign in: then the stored one is asked.
func (c *Call) hasExpired(ctx context.Context, s *browser.Session, in *signin.SignIn, nav browser.Navigation, address string) (bool, error) {
	if in.Expired(nav, address) {
		return true, nil
	}
	if in.Role.AsksToSignIn(address) || !in.DoubtOnce() {
		return false, nil
	}
	if offers, err := in.Offers(ctx, s); err != nil || !offers { // a page that is gone already says nothing
		return false, ctx.Err()
	}
	reason, err := suspicion{c, s, in}.ask(ctx)
	return reason != "", err
}

// signInDoesNotLast files that the site asks to sign in right after a sign-in
// that went well: that is a fault of the site.
func (c *Call) signInDoesNotLast(ctx context.Context, in *signin.SignIn, address string) error {
	if c.RunErr == nil {
		finding := qa.Finding{Severity: qa.Major, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
			Title: pagetext.Text("Signed out right after the sign-in as " + in.Name), Assertion: pagetext.Text("a sign-in as " + in.Name + " lasts"),
			Expected: pagetext.Text("the page at " + address), Observed: "right after the sign-in the page asks to sign in again", Evidence: []qa.EvidenceRef{}}
		if err := c.Shoot(ctx, "signed-out-again", browser.ShotOptions{}); err == nil {
			finding.Evidence = append(finding.Evidence, qa.EvidenceRef{ScreenshotRef: c.Shot.Name})
		}
		if _, err := c.Run.AddFinding(finding); err != nil {
			return err
		}
	}
	return c.needsHuman(in, pagetext.Sentencef("right after signing in as %s the page asks to sign in again", in.Name))
}

// needsHuman returns the error of a sign-in that only a person can bring about. The
// run can't pass by it.
func (c *Call) needsHuman(in *signin.SignIn, message pagetext.Sentence) *engine.Error {
	if c.RunErr == nil {
		c.Run.Interrupt(qa.Interruption{Kind: qa.NeedsHuman, Subject: "sign-in as " + in.Name, Detail: message.Text()})
	}
	if c.Spec.Name == LoginName {
		return &engine.Error{Code: string(explain.NeedsHuman), Message: message, Hint: "fix the flow, or sign in by hand: assay login " + in.Name + " --headed"}
	}
	return &engine.Error{Code: string(explain.NeedsHuman), Message: message, Hint: "a person has to run: " + c.loginCommand(in)}
}

func (c *Call) loginCommand(in *signin.SignIn) string {
	command := "assay login " + in.Name
	if c.Workspace.Target.Name != "" {
		command += " --env " + c.Workspace.Target.Name
	}
	return command
}

// saySignedOut adds to the answer that an action has led a session with a role to
// the login page, and what to do.
func (c *Call) saySignedOut(e browser.Effects) {
	if c.Session == nil {
		return
	}
	if in := c.Workspace.SignInOf(c.Session); in != nil && in.Role.AsksToSignIn(e.Page.URL) && !in.Role.AsksToSignIn(e.URLFrom) {
		c.Say("the page asks to sign in now; page_navigate to the page you want signs in again as %s", in.Name)
	}
}

// SignInExpired returns an error where the page of a session with a role
// decides nothing: its sign-in has ended, and the page asks to sign in. That
// is no fault of the site. It returns nil where the caller asked for the login
// page itself.
func (c *Call) SignInExpired(ctx context.Context, s *browser.Session) (*engine.Error, error) {
	in := c.Workspace.SignInOf(s)
	if in == nil || c.Signing {
		return nil, nil
	}
	state, err := s.State(ctx)
	if err != nil {
		return nil, err
	}
	if !in.Ended(state) {
		return nil, nil
	}
	return c.lapsed(in), nil
}

// lapsed returns the error of a page that asks to sign in.
func (c *Call) lapsed(in *signin.SignIn) *engine.Error {
	e := &engine.Error{Code: string(explain.NeedsHuman), Message: pagetext.Sentencef("the sign-in as %s has ended: the page asks to sign in, so what it shows proves nothing", in.Name),
		Hint: "page_navigate to the page you want signs in again as " + in.Name + "; then check again"}
	if in.Role.Login == nil {
		e.Hint = "a person has to run: " + c.loginCommand(in)
	}
	return e
}

// StillSignedIn returns an error where what a session shows decides nothing: its sign-in has
// ended. Where data was refused as it is to who is not signed in, the stored sign-in is asked, and
// renewed; the error is [assertion.ErrLoadedAgain] where the page was loaded again then.
func (c *Call) StillSignedIn(ctx context.Context, s *browser.Session) error {
	in := c.Workspace.SignInOf(s)
	if in == nil || c.Signing {
		return nil
	}
	state, err := s.State(ctx)
	switch {
	case err != nil:
		return err
	case in.Ended(state):
		return c.lapsed(in)
	case len(in.Suspects(state)) == 0:
		return nil
	}
	return suspicion{c, s, in}.decide(ctx, state)
}

// Expired parts what [Call.StillSignedIn] returns: that the sign-in has ended, and what kept us
// from finding out.
func (c *Call) Expired(ctx context.Context, s *browser.Session) (expired, err error) {
	err = c.StillSignedIn(ctx, s)
	if errors.As(err, new(*engine.Error)) {
		return err, nil
	}
	return nil, err
}

// UnlessLapsed does an act on a session's page, as [flowpage.UnlessLapsed] does.
func (c *Call) UnlessLapsed(ctx context.Context, s *browser.Session, waits bool, act func() error) error {
	return flowpage.UnlessLapsed(ctx, func(ctx context.Context) error { return c.StillSignedIn(ctx, s) }, waits, act)
}

// AskSuspect asks about the sign-in of a session whose page, just loaded, was refused data as it is
// refused to who is not signed in, and renews it. It returns how the page loaded last. Where
// nothing was refused, it asks nothing.
func (c *Call) AskSuspect(ctx context.Context, s *browser.Session, nav browser.Navigation) (browser.Navigation, error) {
	in := c.Workspace.SignInOf(s)
	if in == nil || c.Signing || len(in.Suspects(nav.Effects.Page)) == 0 {
		return nav, nil
	}
	err := suspicion{c, s, in}.decide(ctx, nav.Effects.Page)
	var again *signedInAgain
	if errors.As(err, &again) {
		return again.nav, nil
	}
	return nav, err
}
