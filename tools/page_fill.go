package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/flowpage"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/reproduce"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageFillInput struct {
	tool.OnElement
	Value   string        `json:"value" jsonschema:"may hold ${secret:NAME}"`
	DelayMS schema.Millis `json:"delay_ms,omitempty" jsonschema:"type key by key, with this time between"`
	Exact   bool          `json:"exact,omitempty" jsonschema:"fail if the page formats it"`
}

func pageFill(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_fill", Set: tool.Core, ChangesPage: true, Repeat: reproduce.Acts("fill"), Destructive: true, Idempotent: true, Secrets: []string{"value"},
		Options:     map[string]string{"delay": "delay_ms", "delay_ms": "delay_ms", "exact": "exact"},
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
		typed := browser.Typing{Text: value, Secret: secret, Delay: in.DelayMS.Duration()}
		a, masked, err := s.Type(ctx, in.Selector, typed, in.TimeoutMS.Duration())
		plain := err == nil && !secret && !masked
		if plain || secret && workspace.IsReference(in.Value) {
			c.Hidden = nil // a name is no secret, and neither is what a plain field holds
		}
		if err != nil {
			return a, err
		}
		why, note, err := flowpage.NotTaken(ctx, s, in.Selector, typed, a, in.Exact)
		if err != nil || why != "" {
			return a, notFilled(in.Selector, why, err)
		}
		if note != "" {
			c.Say("note: %s", note)
		}
		if plain && a.Value != in.Value {
			c.Say("note: the field reads differently now, see value")
			c.Quote("value: %s", engine.OneLine(a.Value))
		}
		return c.SayActed("filled", a, nil)
	})
}

// notFilled returns the error of a field that did not take the text.
func notFilled(selector, why string, err error) error {
	if err != nil {
		return err
	}
	return &engine.Error{Code: code.NotActionable, Message: "page_fill " + selector + ": the field does not hold what was typed",
		Hint: "look at what the field accepts; it reads now:", Page: []string{engine.OneLine(why)}}
}
