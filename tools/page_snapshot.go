package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/tools/reproduce"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageSnapshotInput struct {
	tool.OnSession
	Root     string `json:"root,omitempty" jsonschema:"selector to start at"`
	Find     string `json:"find,omitempty" jsonschema:"only lines with this text"`
	Depth    int    `json:"depth,omitempty"`
	MaxChars int    `json:"max_chars,omitempty" jsonschema:"default 8000"`
}

type pageSnapshotOutput struct {
	Outline string `json:"outline"`
	Lines   int    `json:"lines"`
	Cut     string `json:"cut,omitempty" jsonschema:"what was left out, and how to see it"`
}

func pageSnapshot(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_snapshot", Set: tool.Core, Repeat: reproduce.Repeat{Nothing: true}, ReadOnly: true, Idempotent: true,
		Description: `Show the page as an outline; every line is a selector, such as button "Save" or button "Delete" [2].`,
	}, func(ctx context.Context, c *tool.Call, in pageSnapshotInput) (pageSnapshotOutput, error) {
		if in.Depth < 0 || in.MaxChars < 0 {
			return pageSnapshotOutput{}, engine.InvalidInput("leave them out for no limit and 8000", "depth and max_chars can't be negative")
		}
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return pageSnapshotOutput{}, err
		}
		o, state, err := s.Snapshot(ctx, browser.OutlineOptions{Root: in.Root, Find: in.Find, Depth: in.Depth, MaxChars: in.MaxChars})
		if err != nil {
			return pageSnapshotOutput{}, err
		}
		if o.Cut != "" {
			c.Say("%s", o.Cut)
		}
		c.NoteSeen(tool.SeenLines(o.Text)...)
		c.PageLine(state)
		c.Quote("%s", o.Text)
		return pageSnapshotOutput{Outline: o.Text, Lines: o.Shown, Cut: o.Cut}, nil
	})
}
