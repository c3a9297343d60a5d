package signin

import (
	"context"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
)

// RunLogin runs the role's login flow on a session, once and never again, and
// returns the address that it led to.
func (in *SignIn) RunLogin(ctx context.Context, call Call, s *browser.Session) (address string, err error) {
	f, once := *in.Role.Login, 0
	f.Retries = &once // a password that is typed twice may lock the account
	result, err := call.RunFlow(ctx, s, f)
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
		e := call.NeedsHuman(in, pagetext.Sentencef("signing in as %s failed at %s", in.Name, where))
		e.Page = append(e.Page, result.Reason)
		if f := step.Fault; f != nil {
			if f.Hint != "" && !f.OfPage() {
				e.Hint = f.Hint
			}
			for _, name := range f.Near {
				e.Page = append(e.Page, pagetext.Sprintf("there is: %s", name))
			}
		}
		return "", e
	}
	return in.leaves(ctx, call, s)
}

// leaves waits until the page is no longer the login page, which a script
// may bring about after the last step.
func (in *SignIn) leaves(ctx context.Context, call Call, s *browser.Session) (address string, err error) {
	start := call.Now()
	for {
		state, err := s.State(ctx)
		if err != nil {
			return "", err
		}
		if !in.Role.AsksToSignIn(state.URL) {
			return state.URL, nil
		}
		if call.Now().Sub(start) > s.Waits().SigningIn {
			return "", call.NeedsHuman(in, pagetext.Sentencef("signing in as %s: after the last step of its login flow the page is still the login page", in.Name))
		}
		if err := wait.For(ctx, 100*time.Millisecond); err != nil {
			return "", err
		}
	}
}
