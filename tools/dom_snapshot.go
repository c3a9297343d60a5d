package tools

import (
	"context"
	"fmt"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
)

type domSnapshotInput struct {
	onSession
	Selector   string   `json:"selector"`
	Mode       string   `json:"mode,omitempty" jsonschema:"single (default) or all"`
	Attributes []string `json:"attributes,omitempty"`
}

type domSnapshotOutput struct {
	Elements []browser.Element `json:"elements"`
	Total    int               `json:"total" jsonschema:"elements that match"`
}

// maxQuotedElements sets how many elements the text of an answer names; the data
// has them all.
const maxQuotedElements = 20

func (d *Desk) domSnapshot() Tool {
	return define(d, spec{
		name: "dom_snapshot", set: Core, repeat: repeat{nothing: true}, readOnly: true, idempotent: true,
		description: "Text, attributes, box, role and name of elements.",
	}, func(ctx context.Context, c *call, in domSnapshotInput) (domSnapshotOutput, error) {
		if in.Mode != "" && in.Mode != "single" && in.Mode != "all" {
			return domSnapshotOutput{}, engine.InvalidInput("use single or all", "mode %q is unknown", in.Mode)
		}
		s, err := c.sessionFor(ctx, in.SessionID)
		if err != nil {
			return domSnapshotOutput{}, err
		}
		found, total, err := s.Elements(ctx, in.Selector, in.Mode == "all", in.Attributes)
		if err != nil {
			return domSnapshotOutput{}, err
		}
		c.say("%d of %d matching elements", len(found), total)
		if len(found) < total {
			c.say("cut: narrow the selector for the rest")
		}
		if total == 0 {
			near, err := s.Nearest(ctx, in.Selector)
			if err == nil && len(near) > 0 {
				c.say("nothing matches; nearest:")
			}
			for _, line := range near {
				c.quote("%s", line)
			}
		}
		for i, e := range found {
			if i == maxQuotedElements {
				c.say("the others are in data.elements")
				break
			}
			c.quoteElement(e)
		}
		return domSnapshotOutput{Elements: found, Total: total}, nil
	})
}

func (c *call) quoteElement(e browser.Element) {
	box := "not rendered"
	if e.Box != nil {
		box = fmt.Sprintf("%.0f,%.0f %.0f×%.0f", e.Box.X, e.Box.Y, e.Box.Width, e.Box.Height)
	}
	c.quote("%s (%s): %s", e.Selector, box, engine.OneLine(e.InnerText))
	for _, name := range sortedKeys(e.Attributes) {
		if v := e.Attributes[name]; v != nil {
			c.quote("  %s=%q", name, engine.OneLine(*v))
		} else {
			c.quote("  no %s", name)
		}
	}
}
