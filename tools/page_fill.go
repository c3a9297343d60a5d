package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
)

type pageFillInput struct {
	onElement
	Value string `json:"value" jsonschema:"may hold ${secret:NAME}"`
}

func (d *Desk) pageFill() Tool {
	return define(d, spec{
		name: "page_fill", set: Core, changesPage: true, repeat: acts("fill"), destructive: true, idempotent: true, secrets: []string{"value"},
		description: "Replace a field's text and read it back.",
	}, func(ctx context.Context, c *call, in pageFillInput) (browser.Acted, error) {
		// Until the field is known not to hold a password, its value is a secret.
		c.hidden = []string{"value"}
		value, secret, err := d.reveal(ctx, in.Value)
		if err != nil {
			return browser.Acted{}, err
		}
		s, err := c.sessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Acted{}, err
		}
		if err := c.identify(ctx, s, in.Selector, in.TimeoutMS); err != nil {
			return browser.Acted{}, err
		}
		if secret {
			a, err := s.FillSecret(ctx, in.Selector, value, in.TimeoutMS.duration())
			if isReference(in.Value) {
				c.hidden = nil // a name is no secret
			}
			return c.sayActed("filled", a, err)
		}
		a, masked, err := s.Fill(ctx, in.Selector, value, in.TimeoutMS.duration())
		if err != nil {
			return a, err
		}
		if !masked {
			c.hidden = nil
			if a.Value != in.Value {
				c.say("note: the field reads differently now, see value")
				c.quote("value: %s", engine.OneLine(a.Value))
			}
		}
		return c.sayActed("filled", a, nil)
	})
}
