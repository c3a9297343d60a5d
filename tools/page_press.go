package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
)

type pagePressInput struct {
	onSession
	Selector string `json:"selector,omitempty" jsonschema:"default: the focus"`
	Key      string `json:"key" jsonschema:"such as Enter or Control+A"`
	Intent   string `json:"intent,omitempty"`
	timeLimit
}

func (d *Desk) pagePress() Tool {
	return define(d, spec{
		name: "page_press", set: Core, changesPage: true, repeat: acts("press"), destructive: true,
		description: "Press a key or chord, then wait for what that causes.",
	}, func(ctx context.Context, c *call, in pagePressInput) (browser.Acted, error) {
		s, err := c.sessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Acted{}, err
		}
		if err := c.identify(ctx, s, in.Selector, in.TimeoutMS); err != nil {
			return browser.Acted{}, err
		}
		a, err := s.Press(ctx, in.Selector, in.Key, in.TimeoutMS.duration())
		return c.sayActed("pressed "+in.Key+" on", a, err)
	})
}
