package tools

import (
	"context"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/reproduce"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type assertInput struct {
	Severity     qa.Severity      `json:"severity"`
	Category     qa.Category      `json:"category"`
	Assertion    string           `json:"assertion" jsonschema:"what should have held"`
	Expected     string           `json:"expected"`
	Observed     string           `json:"observed"`
	Tolerance    *qa.Tolerance    `json:"tolerance,omitempty"`
	Evidence     []qa.EvidenceRef `json:"evidence,omitempty" jsonschema:"screenshotRef: 001-login.png"`
	SuggestedFix string           `json:"suggested_fix,omitempty"`
	Confidence   float64          `json:"confidence" jsonschema:"0 to 1"`
}

type assertOutput struct {
	AssertionID string `json:"assertionId"`
}

func assert(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "assert", Set: tool.Core, Repeat: reproduce.Repeat{Nothing: true}, Plain: []string{"tolerance", "evidence"}, Secrets: workspace.Anywhere(), ClosedWorld: true,
		Description: "Record a fault you found: major or worse fails the run, nothing here passes it.",
	}, func(_ context.Context, c *tool.Call, in assertInput) (assertOutput, error) {
		f := qa.Finding{Severity: in.Severity, Category: in.Category, Assertion: pagetext.Text(in.Assertion), Expected: pagetext.Text(in.Expected), Observed: pagetext.Text(in.Observed),
			Tolerance: in.Tolerance, Evidence: in.Evidence, SuggestedFix: pagetext.Text(in.SuggestedFix), Confidence: in.Confidence, Source: qa.SourceModel}
		if f.Evidence == nil {
			f.Evidence = []qa.EvidenceRef{}
		}
		if c.RunErr != nil {
			return assertOutput{}, c.RunErr
		}
		if err := f.Validate(c.Run.Stored); err != nil {
			return assertOutput{}, engine.InvalidInput("", "%v", err)
		}
		filed, err := c.Run.AddFinding(f)
		if err != nil {
			return assertOutput{}, err
		}
		c.Say("finding %s recorded: %s", filed.ID, in.Severity)
		return assertOutput{AssertionID: filed.ID}, nil
	})
}
