package tools

import (
	"context"

	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type runCancelInput struct{ onSuite }

func runCancel(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "run_cancel", Set: tool.Full, Destructive: true, Idempotent: true, ClosedWorld: true,
		Description: "Stop a suite: what runs is interrupted and judged, the rest is skipped.",
	}, func(ctx context.Context, c *tool.Call, in runCancelInput) (workspace.SuiteStatus, error) {
		s, err := ws.Suites.Cancel(ctx, in.SuiteID)
		if err != nil {
			return s, suiteProblem(err)
		}
		saySuite(c, s)
		return s, nil
	})
}
