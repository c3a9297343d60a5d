package tools

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// loginLeaves is how long the page may take to leave the login page after the
// last step of a login flow.
const loginLeaves = 5 * time.Second

// loginPage is a page on which a login flow runs: it takes no pictures, which
// may show what is typed, and nothing of it proves anything of a run.
type loginPage struct{ *flowPage }

// Watch watches nothing: a sign-in proves nothing.
func (loginPage) Watch(context.Context, *int) (string, *qa.Outcome, error) { return "", nil, nil }

// Shoot takes no picture.
func (loginPage) Shoot(context.Context, string, string) (int, error) { return 0, nil }

// runLogin runs a role's login flow on a session, once and never again, and
// returns the address that it led to.
func (c *call) runLogin(ctx context.Context, s *browser.Session, in *signIn) (address string, err error) {
	c.signing = true
	defer func() { c.signing = false }()
	f, once := *in.role.Login, 0
	f.Retries = &once // a password that is typed twice may lock the account
	run := &flowRun{c: c, flow: f, session: s, plain: map[string]bool{}}
	losses, _ := s.Losses()
	result, err := flow.Run(ctx, f, cmp.Or(time.Duration(f.TimeoutMS)*time.Millisecond, flow.DefaultTimeout), flow.Site{
		Open: func(context.Context, int) (flow.Page, error) {
			return loginPage{&flowPage{run: run, session: s, losses: losses}}, nil
		},
		Close: func(context.Context) {},
	}, flow.Options{Clock: deskClock{c.desk}, Progress: c.progress})
	if err != nil {
		return "", err
	}
	if step := result.Failed; step != nil {
		where := step.Name()
		if step.Origin != "" {
			where = step.Origin + ": " + where
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		e := c.needsHuman(in, fmt.Sprintf("signing in as %s failed at %s: %s", in.name, where, result.Reason))
		if step.Fault != nil && step.Fault.Hint != "" && !step.Fault.OfPage {
			e.Hint = step.Fault.Hint
		}
		return "", e
	}
	return c.leavesLogin(ctx, s, in)
}

// leavesLogin waits until the page is no longer the login page, which a script
// may bring about after the last step.
func (c *call) leavesLogin(ctx context.Context, s *browser.Session, in *signIn) (address string, err error) {
	start := c.desk.Now()
	for {
		state, err := s.State(ctx)
		if err != nil {
			return "", err
		}
		if !in.role.asksToSignIn(state.URL) {
			return state.URL, nil
		}
		if c.desk.Now().Sub(start) > loginLeaves {
			return "", c.needsHuman(in, "signing in as "+in.name+": after the last step of its login flow the page is still the login page")
		}
		if err := (deskClock{c.desk}).Sleep(ctx, 100*time.Millisecond); err != nil {
			return "", err
		}
	}
}
