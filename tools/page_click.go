package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
)

func (d *Desk) pageClick() Tool {
	return define(d, spec{
		name: "page_click", title: "Click", set: Core, destructive: true,
		description: "Click one element, then wait for what the click causes: navigation, requests, their handlers. Several matches are an error that lists them.",
	}, d.actOn("clicked", func(ctx context.Context, s *browser.Session, in onElement) (browser.Acted, error) {
		return s.Click(ctx, in.Selector, in.TimeoutMS.duration())
	}))
}
