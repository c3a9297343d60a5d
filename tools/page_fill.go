package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/tools/reproduce"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageFillInput struct {
	tool.OnElement
	Value string `json:"value" jsonschema:"may hold ${secret:NAME}"`
}

func pageFill(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_fill", Set: tool.Core, ChangesPage: true, Repeat: reproduce.Acts("fill"), Destructive: true, Idempotent: true, Secrets: []string{"value"},
		Description: "Replace a field's text and read it back.",
	}, func(ctx context.Context, c *tool.Call, in pageFillInput) (browser.Acted, error) {
		// Until the field is known not to hold a password, its value is a secret.
		c.Hidden = []string{"value"}
		value, secret, err := ws.Reveal(ctx, in.Value)
		if err != nil {
			return browser.Acted{}, err
		}
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Acted{}, err
		}
		if err := c.Identify(ctx, s, in.Selector, in.TimeoutMS); err != nil {
			return browser.Acted{}, err
		}
		if secret {
			a, err := s.FillSecret(ctx, in.Selector, value, in.TimeoutMS.Duration())
			if workspace.IsReference(in.Value) {
				c.Hidden = nil // a name is no secret
			}
			return c.SayActed("filled", a, err)
		}
		a, masked, err := s.Fill(ctx, in.Selector, value, in.TimeoutMS.Duration())
		if err != nil {
			return a, err
		}
		if !masked {
			c.Hidden = nil
			if a.Value != in.Value {
				c.Say("note: the field reads differently now, see value")
				c.Quote("value: %s", engine.OneLine(a.Value))
			}
		}
		return c.SayActed("filled", a, nil)
	})
}
