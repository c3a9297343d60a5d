package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
)

type pageSelectInput struct {
	onElement
	Option string `json:"option" jsonschema:"label or value"`
}

func (d *Desk) pageSelect() Tool {
	return define(d, spec{
		name: "page_select", set: Core, changesPage: true, repeat: acts("select"), destructive: true, idempotent: true,
		description: "Choose an option of a select element.",
	}, func(ctx context.Context, c *call, in pageSelectInput) (browser.Acted, error) {
		s, err := c.sessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Acted{}, err
		}
		if err := c.identify(ctx, s, in.Selector, in.TimeoutMS); err != nil {
			return browser.Acted{}, err
		}
		a, err := s.Select(ctx, in.Selector, in.Option, in.TimeoutMS.duration())
		return c.sayActed("selected in", a, err)
	})
}
