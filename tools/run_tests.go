package tools

import (
	"context"
	"errors"
	"time"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type runTestsInput struct {
	Action        string `json:"action,omitempty" jsonschema:"start (default), poll or cancel"`
	TestRunID     string `json:"test_run_id,omitempty" jsonschema:"of poll and cancel"`
	WaitMS        *int   `json:"wait_ms,omitempty" jsonschema:"wait for the end, at most 40000 (default of start)"`
	Pattern       string `json:"pattern,omitempty" jsonschema:"a file, a folder or a part of a path below the project's folder"`
	ExplorationID string `json:"exploration_id,omitempty" jsonschema:"run the tests that generate_tests made of it"`
	Grep          string `json:"grep,omitempty" jsonschema:"regular expression over titles"`
	Project       string `json:"project,omitempty" jsonschema:"of Playwright's configuration"`
	Role          string `json:"role,omitempty" jsonschema:"who is signed in"`
	BaseURL       string `json:"base_url,omitempty" jsonschema:"default: that of the environment, else the tests' own"`
	TimeoutMS     int    `json:"timeout_ms,omitempty" jsonschema:"bound on one test"`
}

func runTests(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "run_tests", Set: tool.Author, Destructive: true,
		Description: "Run the project's Playwright tests, or those of generate_tests, once and without retries; each is filed as a run with " +
			"evidence. Answers with the outcome, or while it takes longer with state running: then poll.",
	}, func(ctx context.Context, c *tool.Call, in runTestsInput) (workspace.TestStatus, error) {
		s, err := testRunFor(ctx, ws, in)
		var missing *driver.InstallError
		switch {
		case errors.As(err, &missing):
			return s, missingRunner(missing)
		case errors.Is(err, workspace.ErrNoTestRun):
			return s, engine.InvalidInput("use the test_run_id that action start answered with", "%v", err)
		case errors.Is(err, workspace.ErrTestRunRefused):
			return s, engine.InvalidInput("fix what is named, and start again", "%v", err)
		case err != nil:
			return s, err
		}
		sayTestRun(c, s)
		return s, nil
	})
}

func testRunFor(ctx context.Context, ws *workspace.Workspace, in runTestsInput) (workspace.TestStatus, error) {
	wait := time.Duration(0)
	if in.WaitMS != nil {
		wait = min(time.Duration(max(*in.WaitMS, 0))*time.Millisecond, longestWait)
	}
	id := in.TestRunID
	switch in.Action {
	case "", "start":
		if in.TimeoutMS < 0 || id != "" {
			return workspace.TestStatus{}, engine.InvalidInput("give test_run_id with action poll or cancel, and a timeout_ms of 0 or more", "test_run_id is given, or timeout_ms is negative")
		}
		started, err := ws.TestRuns.Start(ctx, ws,
			workspace.TestRequest{Pattern: in.Pattern, ExplorationID: in.ExplorationID, Grep: in.Grep, Project: in.Project, Role: in.Role, BaseURL: in.BaseURL, TimeoutMS: in.TimeoutMS})
		if err != nil {
			return started, err
		}
		id = started.TestRunID
		if in.WaitMS == nil {
			wait = longestWait
		}
	case "poll":
	case "cancel":
		return ws.TestRuns.Cancel(ctx, id)
	default:
		return workspace.TestStatus{}, engine.InvalidInput("use start, poll or cancel", "action %q is unknown", in.Action)
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return ws.TestRuns.Status(waiting, id)
}

// sayTestRun says what came of tests, as a model reads it: all that did not pass.
func sayTestRun(c *tool.Call, s workspace.TestStatus) {
	if s.State == "running" {
		c.Say("test run %s is running", s.TestRunID)
		c.Say("next: run_tests with action poll, test_run_id and wait_ms")
		return
	}
	c.Say("test run %s: %s, %d passed, %d failed", s.TestRunID, s.State, s.Passed, s.Failed)
	if s.Problem != "" {
		c.Quote("problem: %s", engine.OneLine(s.Problem))
	}
	for _, t := range s.Tests {
		if t.Status != "passed" {
			c.Quote("%s %s:%d %q: %s", t.Status, t.File, t.Line, t.Title, engine.OneLine(t.Error))
		}
	}
	for _, e := range s.Errors {
		c.Quote("failed: %s", engine.OneLine(e))
	}
	if s.Report != "" {
		c.Say("report: %s", s.Report)
	}
}
