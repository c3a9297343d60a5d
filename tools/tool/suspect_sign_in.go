package tool

import (
	"cmp"
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/tools/assertion"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/signin"
)

// signedInAgain says that a session was signed in again and has loaded its page again. It is
// [assertion.ErrLoadedAgain].
type signedInAgain struct {
	told *engine.Error
	nav  browser.Navigation // what the page answered then
}

func (e *signedInAgain) Error() string { return e.told.Error() }

// Is reports whether it is target.
func (e *signedInAgain) Is(target error) bool { return target == assertion.ErrLoadedAgain }

// Unwrap returns what is told to who does not look again.
func (e *signedInAgain) Unwrap() error { return e.told }

// suspicion asks about the sign-in of a session, and renews it, as a part of a call.
type suspicion struct {
	call    *Call
	session *browser.Session
	in      *signin.SignIn
}

// decide finds out whether the sign-in has ended under a page, and renews it. It returns nil where it
// works: then what was refused is refused to the role.
func (p suspicion) decide(ctx context.Context, page browser.PageState) error {
	end, err := p.in.Turn(ctx)
	if err != nil {
		return err
	}
	defer end()
	refused := p.in.Suspects(page) // another call may have found it out
	if len(refused) == 0 {
		return nil
	}
	reason, err := p.ask(ctx)
	if err != nil {
		return err
	}
	if reason != "" {
		return p.renew(ctx, page, refused)
	}
	p.in.Clear(refused)
	return nil
}

// ask finds out whether what a session has still signs the role in, in a context of its
// own: the page that is looked at stays as it is.
func (p suspicion) ask(ctx context.Context) (reason string, err error) {
	c, in := p.call, p.in
	c.Progress("asking whether the sign-in as " + in.Name + " still works")
	state, _, err := p.session.StorageState(ctx)
	if err != nil {
		return "", err
	}
	SignInCall{Call: c}.Hide(state)
	fresh, err := c.Workspace.Launch(ctx, browser.LaunchOptions{State: state, OneCall: true})
	if err != nil {
		return "", err
	}
	defer func() {
		closing, cancel := Closing(ctx)
		defer cancel()
		err = cmp.Or(err, fresh.Close(closing))
	}()
	return in.Gone(ctx, fresh, in.CheckedAt(c.Workspace.Target.BaseURL))
}

// renew signs a session in again whose sign-in has ended under its page, and loads that
// again, unless something was done on it: that is not done a second time.
func (p suspicion) renew(ctx context.Context, was browser.PageState, refused []browser.Unauthorized) error {
	c, in := p.call, p.in
	why := pagetext.Sentencef("the sign-in as %s had ended: %s was refused", in.Name, pagetext.Text(refused[0].Request))
	if c.RunErr == nil && !in.Spend(c.Run.ID()) {
		return c.needsHuman(in, pagetext.Sentencef("%s, and %s was signed in again in this run already", why, in.Name))
	}
	if err := p.renewUntilItWorks(ctx); err != nil {
		return err
	}
	in.Clear(refused) // who is refused right after a sign-in may not have it
	c.Say("the sign-in as %s had ended: signed in again", in.Name)
	told := &engine.Error{Code: string(explain.NeedsHuman), Message: pagetext.Sentencef("%s; signed in again, and the page loaded again", why), Retriable: true, Hint: "look again"}
	if was.Acted {
		told.Message = pagetext.Sentencef("%s; signed in again, but what was done on the page since it was opened is not done a second time", why)
		told.Hint = "page_navigate to the page, do what you did there again, then check again"
		return told
	}
	nav, err := p.session.Navigate(ctx, was.URL, "", 0)
	switch {
	case err != nil:
		return err
	case in.Expired(nav, was.URL):
		return c.signInDoesNotLast(ctx, in, was.URL)
	}
	return &signedInAgain{told, nav}
}

// renewUntilItWorks renews a sign-in by what is stored, where that is newer and works, and by the
// login flow otherwise.
func (p suspicion) renewUntilItWorks(ctx context.Context) error {
	for {
		byFlow, err := p.in.Renew(ctx, SignInCall{Call: p.call}, p.session)
		if err != nil || byFlow {
			return err
		}
		if reason, err := p.ask(ctx); err != nil || reason == "" {
			return err
		}
	}
}
