package login

import (
	"context"
	"errors"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/signin"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// Options say how a role is signed in.
type Options struct {
	Role string
	// Person lets a person sign in by hand, in the window that a headed pool has;
	// otherwise the login flow does.
	Person   bool
	Flow     *flow.Flow      // instead of the role's own
	Done     <-chan struct{} // closed when the person says that it is done; may be nil
	Progress func(string)
}

// Result holds a sign-in as it is stored. None of it is a secret.
type Result struct {
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
func Login(ctx context.Context, ws *workspace.Workspace, o Options) (out Result, err error) {
	defer func() { out.Address = browser.ShownURL(out.Address) }() // a sign-in may have ended with a token in it
	c, in, err := loginCall(ws, o)
	if err != nil {
		return Result{}, workspace.AsBrowserError(err)
	}
	out = Result{Role: o.Role, Environment: ws.Target.Name, Path: in.Role.State.Path(), Sealed: in.Role.State.Sealed()}
	end, err := in.Role.State.Turn(ctx)
	if err != nil {
		return out, workspace.AsBrowserError(err)
	}
	defer end()
	state, err := obtain(ctx, c, in, o, &out)
	if err != nil {
		return out, workspace.AsBrowserError(err)
	}
	ws.Hide(state)
	page, err := prove(ctx, c, in, state, &out)
	if err != nil || !out.Works {
		return out, workspace.AsBrowserError(err)
	}
	if state, err = auth.WithRefused(state, requestsOf(page.Refused)); err != nil { // who is refused right after a sign-in may not have it
		return out, workspace.AsBrowserError(err)
	}
	if state, err = auth.WithOffersSignIn(state, page.Offers); err != nil {
		return out, workspace.AsBrowserError(err)
	}
	return out, workspace.AsBrowserError(in.Role.State.Write(state))
}

// Check reports whether the stored sign-in of a role still works.
func Check(ctx context.Context, ws *workspace.Workspace, role string, progress func(string)) (out Result, err error) {
	defer func() { out.Address = browser.ShownURL(out.Address) }()
	c, in, err := loginCall(ws, Options{Role: role, Progress: progress})
	if err != nil {
		return Result{}, workspace.AsBrowserError(err)
	}
	out = Result{Role: role, Environment: ws.Target.Name, Path: in.Role.State.Path(), Sealed: in.Role.State.Sealed()}
	state, err := in.Role.State.Read()
	switch {
	case errors.Is(err, auth.ErrNone):
		out.Reason = "nobody has signed in as " + role + " yet"
		return out, nil
	case err != nil:
		return out, workspace.AsBrowserError(err)
	}
	ws.Hide(state)
	out.Address = signin.OnSite(auth.Address(state), ws.Target.BaseURL)
	in.Recall(state)
	page, err := prove(ctx, c, in, state, &out)
	if refused := page.Refused; out.Works && len(refused) > 0 {
		out.Works, out.Reason = false, refused[0].Request+" is refused, as it is to who is not signed in"
	}
	return out, workspace.AsBrowserError(err)
}

// loginCall returns a call outside of every run: a sign-in proves nothing.
func loginCall(ws *workspace.Workspace, o Options) (*tool.Call, *signin.SignIn, error) {
	r, err := ws.Role(o.Role)
	if err != nil {
		return nil, nil, err
	}
	if o.Flow != nil {
		r.Login = o.Flow
	}
	return tool.NewCall(ws, tool.Spec{Name: tool.LoginName}, nil, o.Progress), signin.New(o.Role, r), nil
}

// obtain signs in, and returns what the session has then.
func obtain(ctx context.Context, c *tool.Call, in *signin.SignIn, o Options, out *Result) ([]byte, error) {
	s, err := c.Workspace.Pool.Launch(ctx, browser.LaunchOptions{})
	if err != nil {
		return nil, err
	}
	defer closeSession(ctx, c, s)
	c.SetSession(s)
	switch {
	case o.Person:
		start := c.Workspace.Target.BaseURL
		if u := in.Role.LoginAddress(); u != nil {
			if start, err = c.Workspace.Address(u.String()); err != nil {
				return nil, err
			}
		}
		out.Address, err = in.ByPerson(ctx, tool.SignInCall{Call: c}, s, start, o.Done)
	case in.Role.Login == nil:
		err = engine.InvalidInput("give it one, or sign in by hand", "role %q has no login_flow", in.Name)
	default:
		out.Address, err = in.RunLogin(ctx, tool.SignInCall{Call: c}, s)
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

// prove opens, in a fresh context with the state, the page that the sign-in led to. It returns
// what that shows.
func prove(ctx context.Context, c *tool.Call, in *signin.SignIn, state []byte, out *Result) (signin.Opened, error) {
	shown := browser.ShownURL(out.Address)
	c.Progress("opening " + shown + " with it")
	if until, ok := auth.Until(state); ok {
		out.Until = &until
	}
	s, err := c.Workspace.Pool.Launch(ctx, browser.LaunchOptions{State: state})
	if err != nil {
		return signin.Opened{}, err
	}
	defer closeSession(ctx, c, s)
	page, err := in.Open(ctx, s, out.Address)
	out.Reason, out.Works = page.Reason, err == nil && page.Reason == ""
	return page, err
}

func requestsOf(refused []browser.Unauthorized) (requests []string) {
	for _, u := range refused {
		requests = append(requests, u.Request)
	}
	return requests
}

func closeSession(ctx context.Context, c *tool.Call, s *browser.Session) {
	ctx, cancel := wait.CleanUp(ctx, 2*time.Second)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		c.Workspace.Log.Warn("close the session of a sign-in", "err", err)
	}
}
