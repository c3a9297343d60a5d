package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageSelectInput struct {
	tool.OnElement
	Option string `json:"option" jsonschema:"label or value"`
}

func pageSelect(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_select", Set: tool.Core, ChangesPage: true, Repeat: workspace.Acts("select"), Destructive: true, Idempotent: true,
		Description: "Choose an option of a select element.",
	}, func(ctx context.Context, c *tool.Call, in pageSelectInput) (browser.Acted, error) {
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Acted{}, err
		}
		if err := c.Identify(ctx, s, in.Selector, in.TimeoutMS); err != nil {
			return browser.Acted{}, err
		}
		return c.Act(ctx, s, "selected in", in.Selector, func() (browser.Acted, error) {
			return s.Select(ctx, in.Selector, in.Option, in.TimeoutMS.Duration())
		})
	})
}
