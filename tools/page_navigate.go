package tools

import (
	"context"
	"net/http"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageNavigateInput struct {
	tool.OnSession
	URL       string `json:"url,omitempty"`
	Back      bool   `json:"back,omitempty"`
	WaitUntil string `json:"wait_until,omitempty" jsonschema:"default load"`
	tool.TimeLimit
}

// signInHint says what to do about status 401.
const signInHint = "next: the page asks for a sign-in: open a session with options.role of browser_launch; a role is signed in by: assay login ROLE"

func pageNavigate(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_navigate", Set: tool.Core, ChangesPage: true,
		Repeat:      workspace.Repeat{Failed: true, Step: repeatNavigation},
		Enums:       map[string][]string{"wait_until": browser.WaitStates()},
		Description: "Load url, or go back: status, title, redirects, load time.",
	}, func(ctx context.Context, c *tool.Call, in pageNavigateInput) (browser.Navigation, error) {
		if err := in.check(ws); err != nil {
			return browser.Navigation{}, err
		}
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Navigation{}, err
		}
		c.RecheckBeforeAct(ctx, s)
		var nav browser.Navigation
		if in.Back {
			c.Progress("going back")
			nav, err = s.Back(ctx, in.TimeoutMS.Duration())
		} else {
			c.Progress("loading " + in.URL)
			nav, err = c.Navigate(ctx, s, in.URL, in.WaitUntil, in.TimeoutMS.Duration())
		}
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

// check makes the address a whole one.
func (in *pageNavigateInput) check(ws *workspace.Workspace) (err error) {
	switch {
	case in.Back && in.URL+in.WaitUntil != "":
		return engine.InvalidInput("leave url and wait_until out, or back", "back takes no address")
	case in.Back:
		return nil
	case in.URL == "":
		return engine.InvalidInput("accepted: url, or back: true", "argument %q is missing", "url")
	}
	if in.URL, err = ws.Address(in.URL); err != nil {
		return err
	}
	return browser.CheckURL(in.URL)
}

// repeatNavigation adds the step that opens the address, or goes back.
func repeatNavigation(r *workspace.FlowBuilder, in workspace.RecordedInput) error {
	if in.Back {
		return workspace.Acts("back").Step(r, in)
	}
	return r.Open(in.URL, in.TimeoutMS)
}
