package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

func pageClick(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_click", Set: tool.Core, ChangesPage: true, Repeat: workspace.Acts("click"), Destructive: true,
		Description: "Click one element, then wait for the requests that follow. A selector is a snapshot line, CSS, XPath, text=, role=, testid= or label=.",
	}, tool.ActOn("clicked", func(ctx context.Context, s *browser.Session, in tool.OnElement) (browser.Acted, error) {
		return s.Click(ctx, in.Selector, in.TimeoutMS.Duration())
	}))
}
