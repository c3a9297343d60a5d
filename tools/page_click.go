package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
)

func (d *Desk) pageClick() Tool {
	return define(d, spec{
		name: "page_click", set: Core, destructive: true,
		description: "Click one element and wait for what the click causes: navigation, requests, their handlers.",
	}, d.actOn("clicked", func(ctx context.Context, s *browser.Session, in onElement) (browser.Acted, error) {
		return s.Click(ctx, in.Selector, in.TimeoutMS.duration())
	}))
}
