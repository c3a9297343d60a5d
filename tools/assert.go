package tools

import (
	"context"
	"path"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type assertInput struct {
	Severity     qa.Severity     `json:"severity"`
	Category     qa.Category     `json:"category"`
	Assertion    string          `json:"assertion" jsonschema:"what should have held"`
	Expected     string          `json:"expected"`
	Observed     string          `json:"observed"`
	Tolerance    *qa.Tolerance   `json:"tolerance,omitempty"`
	Evidence     []citedEvidence `json:"evidence,omitempty" jsonschema:"screenshotRef: 001-login.png"`
	SuggestedFix string          `json:"suggested_fix,omitempty"`
	Confidence   float64         `json:"confidence" jsonschema:"0 to 1"`
}

// citedEvidence is what a caller says that shows a fault. A picture is named in any of the
// forms in which an answer names it.
type citedEvidence struct {
	qa.EvidenceRef
	Name   string `json:"name,omitempty" jsonschema:"of a picture, as answers give it"`
	URI    string `json:"uri,omitempty" jsonschema:"of a picture, as answers give it"`
	Path   string `json:"path,omitempty" jsonschema:"of a picture, as answers give it"`
	SHA256 string `json:"sha256,omitempty" jsonschema:"of a picture, as answers give it"`
}

// filed returns the evidence as a finding has it: a picture by its name in the run.
func (c citedEvidence) filed(stored func(reference string) (qa.Artifact, bool)) (qa.EvidenceRef, error) {
	out, named := c.EvidenceRef, ""
	for _, reference := range []string{c.ScreenshotRef, c.Name, c.URI, c.Path, c.SHA256} {
		if reference == "" {
			continue
		}
		out.ScreenshotRef = reference // what leads nowhere is refused with what else is wrong
		if a, ok := stored(reference); ok {
			out.ScreenshotRef = path.Base(a.Name)
		}
		if named != "" && named != out.ScreenshotRef {
			return out, engine.InvalidInput("make an entry of evidence for each", "an entry of evidence names two pictures, %s and %s", named, out.ScreenshotRef)
		}
		named = out.ScreenshotRef
	}
	return out, nil
}

type assertOutput struct {
	AssertionID string `json:"assertionId"`
}

func assert(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "assert", Set: tool.Core, Repeat: workspace.Repeat{Nothing: true}, Plain: []string{"tolerance", "evidence"},
		Unlisted: []string{"evidence.name", "evidence.uri", "evidence.path", "evidence.sha256"}, Secrets: workspace.Anywhere(), ClosedWorld: true,
		Description: "Record a fault you found: major or worse fails the run, nothing here passes it.",
	}, func(_ context.Context, c *tool.Call, in assertInput) (assertOutput, error) {
		f := qa.Finding{Severity: in.Severity, Category: in.Category, Assertion: pagetext.Text(in.Assertion), Expected: pagetext.Text(in.Expected), Observed: pagetext.Text(in.Observed),
			Tolerance: in.Tolerance, Evidence: make([]qa.EvidenceRef, len(in.Evidence)), SuggestedFix: pagetext.Text(in.SuggestedFix), Confidence: in.Confidence, Source: qa.SourceModel}
		if c.RunErr != nil {
			return assertOutput{}, c.RunErr
		}
		for i, cited := range in.Evidence {
			var err error
			if f.Evidence[i], err = cited.filed(c.Run.Stored); err != nil {
				return assertOutput{}, err
			}
		}
		isStored := func(name string) bool { _, ok := c.Run.Stored(name); return ok }
		if err := f.Validate(isStored); err != nil {
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
