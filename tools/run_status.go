package tools

import (
	"context"
	"errors"
	"time"

	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type runStatusInput struct {
	onSuite
	WaitMS int `json:"wait_ms,omitempty" jsonschema:"wait for the end, at most 40000"`
}

func runStatus(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "run_status", Set: tool.Full, Repeat: workspace.Repeat{Nothing: true}, ReadOnly: true, Idempotent: true, ClosedWorld: true,
		Description: "Where a suite stands, and what has not passed. Ask again, with wait_ms, while its state is running.",
	}, func(ctx context.Context, c *tool.Call, in runStatusInput) (workspace.SuiteStatus, error) {
		if in.WaitMS < 0 {
			return workspace.SuiteStatus{}, engine.InvalidInput("use 0 to 40000", "wait_ms is %d", in.WaitMS)
		}
		waiting, cancel := context.WithTimeout(ctx, min(time.Duration(in.WaitMS)*time.Millisecond, longestWait))
		defer cancel()
		s, err := ws.Suites.Status(waiting, in.SuiteID)
		if err != nil {
			return s, suiteProblem(err)
		}
		saySuite(c, s)
		return s, ctx.Err()
	})
}

// longestWait sets how long run_status waits at most: well within the bound on a
// call.
const longestWait = 40 * time.Second

// onSuite adds the suite's id to the inputs of tools about a suite.
type onSuite struct {
	SuiteID string `json:"suite_id"`
}

// suiteProblem turns an error of a suite into one with a code and a next step.
func suiteProblem(err error) error {
	switch {
	case errors.Is(err, workspace.ErrNoSuite):
		return engine.InvalidInput("use the suite_id that run_suite answered with", "%v", err)
	case errors.Is(err, workspace.ErrSuiteRefused):
		return engine.InvalidInput("fix what is named, and call run_suite again", "%v", err)
	default:
		return err
	}
}

// saySuite says how a suite stands, as a model reads it: where it stands, and what did not
// pass.
func saySuite(c *tool.Call, s workspace.SuiteStatus) {
	c.Say("suite %s: %s, %d of %d done: %d passed, %d failed, %d error, %d skipped", s.SuiteID, s.State, s.Done, s.Total, s.Passed, s.Failed, s.Error, s.Skipped)
	if s.Problem != "" {
		c.Say("problem: %s", s.Problem)
	}
	for _, k := range s.Cases {
		if k.Reason != "" {
			c.Quote("%s %s %q: %s", k.Status, k.Path, k.Name, engine.OneLine(k.Reason))
		} else if k.Flaky {
			c.Say("flaky %s %q", k.Path, k.Name)
		}
	}
	if s.Index != "" {
		c.Say("index: %s", s.Index)
	}
	if s.State == "running" {
		c.Say("next: run_status with wait_ms")
	}
}
