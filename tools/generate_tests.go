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

type generateTestsInput struct {
	Action        string `json:"action" jsonschema:"start, poll or cancel"`
	ExplorationID string `json:"exploration_id" jsonschema:"of explore_site"`
	WaitMS        int    `json:"wait_ms,omitempty" jsonschema:"of poll: wait for the end, at most 40000"`
	FromPlan      bool   `json:"from_plan,omitempty" jsonschema:"make them of the test plan, in place of site.json"`
	BaseURL       string `json:"base_url,omitempty" jsonschema:"the site is there instead"`
	Locators      string `json:"locators,omitempty" jsonschema:"robust or cohort"`
	Check         bool   `json:"check,omitempty" jsonschema:"prove that each test fails when the page is at fault, and write only those that do"`
	Role          string `json:"role,omitempty" jsonschema:"who is signed in; default: who explored"`
	Draft         bool   `json:"draft,omitempty" jsonschema:"no runner runs them: write drafts, which no runner picks up"`
	Resume        bool   `json:"resume,omitempty" jsonschema:"go on where the same was interrupted or spent its time"`
	MaxTimeMS     int    `json:"max_time_ms,omitempty" jsonschema:"begin no flow after this time"`
	Force         bool   `json:"force,omitempty" jsonschema:"write over generated files that were edited"`
}

func generateTests(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "generate_tests", Set: tool.Author, Destructive: true,
		Description: "Make Playwright tests of an explored site, in the background: each is tried on the live site and run by the test runner, and only what is green stays. Start it, then poll.",
	}, func(ctx context.Context, c *tool.Call, in generateTestsInput) (workspace.GenerateStatus, error) {
		s, err := generationFor(ctx, ws, in)
		var missing *driver.InstallError
		if errors.As(err, &missing) {
			return s, missingRunner(missing)
		}
		if errors.Is(err, workspace.ErrGenerationRefused) {
			return s, engine.InvalidInput("fix what is named, and start again", "%v", err)
		}
		if err != nil {
			return s, err
		}
		sayGeneration(c, s)
		return s, nil
	})
}

func generationFor(ctx context.Context, ws *workspace.Workspace, in generateTestsInput) (workspace.GenerateStatus, error) {
	switch in.Action {
	case "start":
		return ws.Generations.Start(ctx, ws,
			workspace.GenerateRequest{ExplorationID: in.ExplorationID, FromPlan: in.FromPlan, BaseURL: in.BaseURL, Locators: in.Locators, Force: in.Force, Check: in.Check, Role: in.Role,
				Draft: in.Draft, Resume: in.Resume, MaxTimeMS: max(in.MaxTimeMS, 0)})
	case "poll":
		waiting, cancel := context.WithTimeout(ctx, min(time.Duration(max(in.WaitMS, 0))*time.Millisecond, longestWait))
		defer cancel()
		return ws.Generations.Status(waiting, in.ExplorationID)
	case "cancel":
		return ws.Generations.Cancel(ctx, in.ExplorationID)
	}
	return workspace.GenerateStatus{}, engine.InvalidInput("use start, poll or cancel", "action %q is unknown", in.Action)
}

// sayGeneration says where the making of tests stands, as a model reads it.
func sayGeneration(c *tool.Call, s workspace.GenerateStatus) {
	if s.State == "running" {
		c.Say("%d of %d flows are done", s.Tried, s.Of)
		if s.Doing != "" {
			c.Quote("%s", engine.OneLine(s.Doing))
		}
		c.Say("next: generate_tests with action poll and wait_ms")
		return
	}
	c.Say("%s: %d tests with %d assertions in %s", s.State, s.Tests, s.Asserts, s.Folder)
	if s.Problem != "" {
		c.Quote("problem: %s", engine.OneLine(s.Problem))
	}
	if s.Left > 0 {
		c.Say("%d flows are left: start with resume", s.Left)
	}
	if s.ProofReport != "" {
		c.Say("report of the proofs: %s", s.ProofReport)
	}
	for _, list := range []struct {
		what string
		all  []string
	}{{"file", s.Files}, {"not covered", s.NotCovered}, {"left out", s.Dropped}, {"not verified", s.Unverified}, {"proof", s.Proofs},
		{"can't fail, so it is not written", s.CannotFail}, {"not proved, so it is not written", s.Unproved}, {"a person's, left as it is", s.Kept}} {
		for _, text := range list.all {
			c.Quote("%s", list.what+": "+engine.OneLine(text))
		}
	}
}
