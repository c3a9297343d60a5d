package tools

import (
	"context"
	"fmt"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type domSnapshotInput struct {
	tool.OnSession
	Selector   string   `json:"selector"`
	Mode       string   `json:"mode,omitempty"`
	Attributes []string `json:"attributes,omitempty"`
}

type domSnapshotOutput struct {
	Elements []browser.Element `json:"elements"`
	Total    int               `json:"total" jsonschema:"elements that match"`
}

// maxQuotedElements sets how many elements the text of an answer names; the data
// has them all.
const maxQuotedElements = 20

func domSnapshot(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "dom_snapshot", Set: tool.Core, Repeat: workspace.Repeat{Nothing: true}, ReadOnly: true, Idempotent: true,
		Enums:       map[string][]string{"mode": {"single", "all"}},
		Description: "Text, attributes, box, role and name of elements.",
	}, func(ctx context.Context, c *tool.Call, in domSnapshotInput) (domSnapshotOutput, error) {
		if in.Mode != "" && in.Mode != "single" && in.Mode != "all" {
			return domSnapshotOutput{}, engine.InvalidInput("use single or all", "mode %q is unknown", in.Mode)
		}
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return domSnapshotOutput{}, err
		}
		found, total, err := s.Elements(ctx, in.Selector, in.Mode == "all", in.Attributes)
		if err != nil {
			return domSnapshotOutput{}, err
		}
		c.Say("%d of %d matching elements", len(found), total)
		if len(found) < total {
			c.Say("cut: narrow the selector for the rest")
		}
		if total == 0 {
			near, err := s.Nearest(ctx, in.Selector)
			if err == nil && len(near) > 0 {
				c.Say("nothing matches; nearest:")
			}
			for _, line := range near {
				c.Quote("%s", line)
			}
		}
		for i, e := range found {
			if i == maxQuotedElements {
				c.Say("the others are in data.elements")
				break
			}
			quoteElement(c, e)
		}
		return domSnapshotOutput{Elements: found, Total: total}, nil
	})
}

func quoteElement(c *tool.Call, e browser.Element) {
	box := "not rendered"
	if e.Box != nil {
		box = fmt.Sprintf("%.0f,%.0f %.0f×%.0f", e.Box.X, e.Box.Y, e.Box.Width, e.Box.Height)
	}
	c.Quote("%s (%s): %s", e.Selector, box, engine.OneLine(e.InnerText))
	for _, name := range schema.SortedKeys(e.Attributes) {
		if v := e.Attributes[name]; v != nil {
			c.Quote("  %s=%q", name, engine.OneLine(*v))
		} else {
			c.Quote("  no %s", name)
		}
	}
}
