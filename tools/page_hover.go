package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
)

func (d *Desk) pageHover() Tool {
	return define(d, spec{
		name: "page_hover", set: Core, repeat: acts("hover"), idempotent: true,
		description: "Move the pointer over one element.",
	}, actOn("hovering over", func(ctx context.Context, s *browser.Session, in onElement) (browser.Acted, error) {
		return s.Hover(ctx, in.Selector, in.TimeoutMS.duration())
	}))
}
