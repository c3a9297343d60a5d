package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pagePressInput struct {
	tool.OnSession
	Selector string `json:"selector,omitempty" jsonschema:"default: the focus"`
	Key      string `json:"key" jsonschema:"such as Enter or Control+A"`
	Intent   string `json:"intent,omitempty"`
	tool.TimeLimit
}

func pagePress(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_press", Set: tool.Core, ChangesPage: true, Repeat: workspace.Acts("press"), Destructive: true,
		Description: "Press a key or chord, then wait for the requests that follow.",
	}, func(ctx context.Context, c *tool.Call, in pagePressInput) (browser.Acted, error) {
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Acted{}, err
		}
		if err := c.Identify(ctx, s, in.Selector, in.TimeoutMS); err != nil {
			return browser.Acted{}, err
		}
		return c.Act(ctx, s, "pressed "+in.Key+" on", in.Selector, func() (browser.Acted, error) {
			return s.Press(ctx, in.Selector, in.Key, in.TimeoutMS.Duration())
		})
	})
}
