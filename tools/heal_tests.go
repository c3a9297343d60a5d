package tools

import (
	"context"
	"errors"
	"time"

	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type healTestsInput struct {
	Action      string   `json:"action" jsonschema:"start, poll or cancel"`
	HealID      string   `json:"heal_id,omitempty" jsonschema:"of poll and cancel"`
	WaitMS      int      `json:"wait_ms,omitempty" jsonschema:"of poll: wait for the end, at most 40000"`
	Tests       []string `json:"tests,omitempty" jsonschema:"of start: files or folders below the project's folder of tests"`
	Plan        string   `json:"plan,omitempty" jsonschema:"test-plan.md or site.json that they were made of"`
	BaseURL     string   `json:"base_url,omitempty" jsonschema:"the site is there instead"`
	Grep        string   `json:"grep,omitempty" jsonschema:"regular expression over titles"`
	MaxAttempts int      `json:"max_attempts,omitempty" jsonschema:"locators of one test; default 3"`
}

func healTests(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "heal_tests", Set: tool.Author, Destructive: true,
		Description: "Find out why tests fail, in the background, and find the elements that moved: new locators as a diff, " +
			"proved. Expectations never change, and no file is written. Start it, then poll.",
	}, func(ctx context.Context, c *tool.Call, in healTestsInput) (workspace.HealStatus, error) {
		s, err := healFor(ctx, ws, in)
		if errors.Is(err, workspace.ErrHealRefused) {
			return s, engine.InvalidInput("fix what is named, and start again", "%v", err)
		}
		if err != nil {
			return s, err
		}
		sayHeal(c, s)
		return s, nil
	})
}

func healFor(ctx context.Context, ws *workspace.Workspace, in healTestsInput) (workspace.HealStatus, error) {
	switch in.Action {
	case "start":
		return ws.Heals.Start(ctx, ws, workspace.HealRequest{Tests: in.Tests, Plan: in.Plan, BaseURL: in.BaseURL, Grep: in.Grep, MaxAttempts: in.MaxAttempts})
	case "poll":
		waiting, cancel := context.WithTimeout(ctx, min(time.Duration(max(in.WaitMS, 0))*time.Millisecond, longestWait))
		defer cancel()
		return ws.Heals.Status(waiting, in.HealID)
	case "cancel":
		return ws.Heals.Cancel(ctx, in.HealID)
	}
	return workspace.HealStatus{}, engine.InvalidInput("use start, poll or cancel", "action %q is unknown", in.Action)
}

// sayHeal says where a healing stands, as a model reads it.
func sayHeal(c *tool.Call, s workspace.HealStatus) {
	if s.State == "running" {
		c.Say("running: %s", s.Doing)
		c.Say("next: heal_tests with action poll and wait_ms")
		return
	}
	c.Say("%s: %d tests green as they are, %d locators healed, %d proposals, %d tests not healed", s.State, s.Green, len(s.Healed), len(s.Proposals), len(s.Unhealed))
	if s.Problem != "" {
		c.Quote("problem: %s", engine.OneLine(s.Problem))
	}
	for _, u := range s.Unhealed {
		c.Quote("%s", "not healed ("+u.Reason+"): "+engine.OneLine(u.Test)+": "+engine.OneLine(u.Detail))
	}
	if s.Diff != "" {
		c.Quote("%s", s.Diff)
		c.Say("nothing is written: a person applies the diff, or runs assay heal with --write")
	}
}
