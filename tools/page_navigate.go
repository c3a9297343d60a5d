package tools

import (
	"context"
	"net/http"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageNavigateInput struct {
	tool.OnSession
	URL       string `json:"url"`
	WaitUntil string `json:"wait_until,omitempty" jsonschema:"default load"`
	tool.TimeLimit
}

// signInHint says what to do about status 401.
const signInHint = "next: the page asks for a sign-in: open a session with options.role of browser_launch; a role is signed in by: assay login ROLE"

func pageNavigate(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_navigate", Set: tool.Core, ChangesPage: true,
		Repeat:      workspace.Repeat{Failed: true, Step: func(r *workspace.FlowBuilder, in workspace.RecordedInput) error { return r.Open(in.URL, in.TimeoutMS) }},
		Enums:       map[string][]string{"wait_until": browser.WaitStates()},
		Description: "Load an address: status, title, redirects, load time.",
	}, func(ctx context.Context, c *tool.Call, in pageNavigateInput) (browser.Navigation, error) {
		var err error
		if in.URL, err = ws.Address(in.URL); err != nil {
			return browser.Navigation{}, err
		}
		if err := browser.CheckURL(in.URL); err != nil {
			return browser.Navigation{}, err
		}
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Navigation{}, err
		}
		c.RecheckBeforeAct(ctx, s)
		c.Progress("loading " + in.URL)
		nav, err := c.Navigate(ctx, s, in.URL, in.WaitUntil, in.TimeoutMS.Duration())
		if err == nil {
			nav, err = c.AskSuspect(ctx, s, nav)
		}
		if err != nil {
			return nav, err
		}
		c.Say("loaded in %d ms, status %d", nav.LoadTimeMS, nav.Status)
		for _, r := range nav.Redirects {
			c.Quote("redirected by %s (%d)", r.URL, r.Status)
		}
		if nav.Status == http.StatusUnauthorized {
			c.Say("%s", signInHint)
		}
		nav.Effects.URLFrom = ""
		c.SayEffects(nav.Effects)
		return nav, nil
	})
}
