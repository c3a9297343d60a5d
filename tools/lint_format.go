package tools

import (
	"context"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type lintFormatInput struct {
	Paths []string `json:"paths,omitempty" jsonschema:"files that were written; default: all of them"`
}

func lintFormat(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "lint_format", Set: tool.Author, Repeat: workspace.Repeat{Nothing: true}, Idempotent: true, ClosedWorld: true, Publish: true,
		Description: "Format written tests with prettier, and judge them by eslint's rules for Playwright.",
	}, func(ctx context.Context, c *tool.Call, in lintFormatInput) (draft.Linted, error) {
		out, err := ws.Draft.Lint(ctx, in.Paths)
		if err != nil {
			return out, draftProblem(ctx, err)
		}
		c.Say("%d files formatted, %d problems", len(out.Changed), len(out.Problems))
		for _, p := range out.Problems {
			c.Say("%s:%d:%d %s: %s", p.Path, p.Line, p.Column, p.Rule, p.Message)
		}
		return out, nil
	})
}
