package tools

import (
	"context"

	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type runSuiteInput struct {
	Paths   []string `json:"paths,omitempty" jsonschema:"files or folders with specs (*.md), tasks and flows, below the server's folder; default: all of it"`
	BaseURL string   `json:"base_url,omitempty" jsonschema:"site under test; default: that of the environment"`
	Grep    string   `json:"grep,omitempty" jsonschema:"regular expression over the names of cases"`
	Tags    []string `json:"tags,omitempty" jsonschema:"cases with one of these tags"`
	Shard   string   `json:"shard,omitempty" jsonschema:"i/n: the i-th of n parts"`
	Resume  string   `json:"resume,omitempty" jsonschema:"suite whose cases that have not passed run again; instead of paths"`
}

func runSuite(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "run_suite", Set: tool.Full, Destructive: true,
		Description: "Start specs, tasks and flows from files in the background, side by side. Answers at once; follow it with run_status.",
	}, func(ctx context.Context, c *tool.Call, in runSuiteInput) (workspace.SuiteStatus, error) {
		s, err := ws.Suites.Start(ctx, workspace.SuiteRequest(in))
		if err != nil {
			return s, suiteProblem(err)
		}
		saySuite(c, s)
		return s, nil
	})
}
