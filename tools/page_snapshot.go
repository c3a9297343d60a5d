package tools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/tools/engine"
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

// pageSnapshotOutput holds what there is to say about the outline. The outline itself
// stands in the text alone: twice it would cost a model twice.
type pageSnapshotOutput struct {
	URL   string        `json:"url"`
	Title pagetext.Text `json:"title"`
	Lines int           `json:"lines"`
	Hash  string        `json:"hash" jsonschema:"of the outline (SHA-256, the first 8 bytes)"`
	Cut   string        `json:"cut,omitempty" jsonschema:"what was left out, and how to see it"`
}

func pageSnapshot(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_snapshot", Set: tool.Core, Repeat: workspace.Repeat{Nothing: true}, ReadOnly: true, Idempotent: true,
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
		c.NoteSeen(tool.SeenLines(pagetext.Text(o.Text))...)
		c.NewPageLine(state)
		c.Quote("%s", strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(o.Text, "\n"), o.Cut), "\n")) // what was cut is said above
		sum := sha256.Sum256([]byte(o.Text))
		return pageSnapshotOutput{URL: state.URL, Title: state.Title, Lines: o.Shown, Hash: hex.EncodeToString(sum[:8]), Cut: o.Cut}, nil
	})
}
