package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

func pageHover(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_hover", Set: tool.Core, Repeat: workspace.Acts("hover"), Idempotent: true,
		Description: "Move the pointer over one element.",
	}, tool.ActOn("hovering over", func(ctx context.Context, s *browser.Session, in tool.OnElement) (browser.Acted, error) {
		return s.Hover(ctx, in.Selector, in.TimeoutMS.Duration())
	}))
}
