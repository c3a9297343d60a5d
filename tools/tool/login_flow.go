package tool

import (
	"cmp"
	"context"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
	"github.com/assay-qa/assay/tools/signin"
	"github.com/assay-qa/assay/tools/workspace"
)

// loginPage runs a login flow: it takes no pictures, which
// may show what is typed, and nothing of it proves anything of a run.
type loginPage struct{ *flowpage.Page }

// Watch watches nothing: a sign-in proves nothing.
func (loginPage) Watch(context.Context, *int) (string, *qa.Outcome, error) { return "", nil, nil }

// Shoot takes no picture.
func (loginPage) Shoot(context.Context, string, string, string) (int, error) { return 0, nil }

// RunFlow runs a login flow on a session.
func (c SignInCall) RunFlow(ctx context.Context, s *browser.Session, f flow.Flow) (flow.Result, error) {
	c.Signing = true
	s.ActAs(true) // a person wrote it into the environment
	defer func() { c.Signing = false; s.ActAs(false) }()
	page := flowpage.New(PageCall{Call: c.Call, Session: s}, c.Checker(s), map[string]bool{})
	page.Given = true
	return flow.Run(ctx, f, cmp.Or(time.Duration(f.TimeoutMS)*time.Millisecond, flow.DefaultTimeout), flow.Site{
		Open: func(context.Context, int) (flow.Page, error) {
			return loginPage{page}, nil
		},
		Close: func(context.Context) {},
	}, flow.Options{Clock: Clock{Workspace: c.Workspace}, Progress: c.Progress})
}

// Clock gives flows the time of a workspace.
type Clock struct{ Workspace *workspace.Workspace }

// Now returns the time.
func (k Clock) Now() time.Time { return k.Workspace.Now() }

// Sleep waits, or returns the error of a context that ends before.
func (Clock) Sleep(ctx context.Context, d time.Duration) error {
	return wait.For(ctx, d)
}

// Visual refuses: a sign-in proves nothing, and a picture may show what is typed.
func (loginPage) Visual(context.Context, qa.FlowStep, time.Duration) (qa.Outcome, int, error) {
	return qa.Outcome{}, 0, &flow.Fault{Code: string(explain.InvalidInput), Message: "a login flow compares no pictures",
		Hint: "take the visual step out of it, and put it into the flow that follows the sign-in"}
}

// LoginName names a sign-in that happens outside of every run.
const LoginName = "assay login"

// SignInCall adapts a call to what a sign-in needs.
type SignInCall struct{ *Call }

// Now returns the time.
func (c SignInCall) Now() time.Time { return c.Workspace.Now() }

// Progress reports what is being done.
func (c SignInCall) Progress(message string) { c.Call.Progress(message) }

// Hide keeps the credentials of a stored state out of every text.
func (c SignInCall) Hide(state []byte) { c.Workspace.Hide(state) }

// NeedsHuman makes the error of a sign-in that only a person can bring about.
func (c SignInCall) NeedsHuman(in *signin.SignIn, message pagetext.Sentence) *engine.Error {
	return c.needsHuman(in, message)
}

// NotStored reports that a session is signed in, and its state was not stored.
func (c SignInCall) NotStored(in *signin.SignIn, err error) {
	c.Workspace.Log.Warn("store a sign-in", "role", in.Name, "err", err)
	c.Say("warning: the sign-in could not be stored: %v", err)
}
