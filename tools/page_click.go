package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
)

func (d *Desk) pageClick() Tool {
	return define(d, spec{
		name: "page_click", set: Core, changesPage: true, repeat: acts("click"), destructive: true,
		description: "Click one element, then wait for what that causes. A selector is a snapshot line, CSS, XPath, text=, role=, testid= or label=.",
	}, actOn("clicked", func(ctx context.Context, s *browser.Session, in onElement) (browser.Acted, error) {
		return s.Click(ctx, in.Selector, in.TimeoutMS.duration())
	}))
}
