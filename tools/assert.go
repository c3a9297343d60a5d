package tools

import (
	"context"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
)

type assertInput struct {
	Severity     qa.Severity      `json:"severity"`
	Category     qa.Category      `json:"category"`
	Assertion    string           `json:"assertion" jsonschema:"what should have held"`
	Expected     string           `json:"expected"`
	Observed     string           `json:"observed"`
	Tolerance    *qa.Tolerance    `json:"tolerance,omitempty" jsonschema:"{absolute, percent}"`
	Evidence     []qa.EvidenceRef `json:"evidence,omitempty" jsonschema:"{screenshotRef: 001-login.png, selector, time, networkRequestId}"`
	SuggestedFix string           `json:"suggested_fix,omitempty"`
	Confidence   float64          `json:"confidence" jsonschema:"0 to 1"`
}

type assertOutput struct {
	AssertionID string `json:"assertionId"`
}

func (d *Desk) assert() Tool {
	return define(d, spec{
		name: "assert", set: Core, repeat: repeat{nothing: true}, insides: []string{"tolerance", "evidence"}, secrets: anywhere(), closedWorld: true,
		description: "Record a fault you found: major or worse fails the run, nothing here passes it.",
	}, func(_ context.Context, c *call, in assertInput) (assertOutput, error) {
		f := qa.Finding{Severity: in.Severity, Category: in.Category, Assertion: in.Assertion, Expected: in.Expected, Observed: in.Observed,
			Tolerance: in.Tolerance, Evidence: in.Evidence, SuggestedFix: in.SuggestedFix, Confidence: in.Confidence, Source: qa.SourceModel}
		if f.Evidence == nil {
			f.Evidence = []qa.EvidenceRef{}
		}
		if c.runErr != nil {
			return assertOutput{}, c.runErr
		}
		if err := f.Validate(c.run.Stored); err != nil {
			return assertOutput{}, engine.InvalidInput("", "%v", err)
		}
		filed, err := c.run.AddFinding(f)
		if err != nil {
			return assertOutput{}, err
		}
		c.say("finding %s recorded: %s", filed.ID, in.Severity)
		return assertOutput{AssertionID: filed.ID}, nil
	})
}
