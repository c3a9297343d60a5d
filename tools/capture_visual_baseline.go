package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/visualcheck"
	"github.com/assay-qa/assay/tools/workspace"
)

type captureVisualInput struct {
	tool.OnSession
	URL       string   `json:"url,omitempty" jsonschema:"in a fresh context"`
	Name      string   `json:"name"`
	Selectors []string `json:"selectors,omitempty" jsonschema:"default: the page"`
	qa.VisualOptions
	tool.TimeLimit
	tool.Shows
}

type captureVisualOutput struct {
	tool.Opened
	BaselineID  string             `json:"baseline_id"`
	Version     int                `json:"version"`
	Status      baseline.Status    `json:"status" jsonschema:"unapproved, proposed or approved; proposed is not in force"`
	Screenshots []baselineShot     `json:"screenshots"`
	Masks       []visualcheck.Mask `json:"proposed_masks,omitempty" jsonschema:"what changed by itself within a second; not applied"`
}

// baselineShot holds one picture of a version, as the run has stored it.
type baselineShot struct {
	Part   string `json:"part,omitempty" jsonschema:"the element's selector; empty: the page"`
	Name   string `json:"name"`
	URI    string `json:"uri"`
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Data   string `json:"base64,omitempty" jsonschema:"with include_image"`
}

// Show sets the pictures.
func (o *captureVisualOutput) Show(picture func(path string) string) {
	for i := range o.Screenshots {
		o.Screenshots[i].Data = picture(o.Screenshots[i].Path)
	}
}

func captureVisualBaseline(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "capture_visual_baseline", Set: tool.Core, Idempotent: true, Loose: []string{"components"},
		Unlisted:    []string{"full_page", "ignore", "threshold", "engine", "named_changes", "components", "ignore_colors", "ignore_antialiasing", "freeze", "timeout_ms"},
		Description: "Keep pictures of the page or elements as a baseline; no check. Over an existing one: a proposal.",
	}, func(ctx context.Context, c *tool.Call, in captureVisualInput) (captureVisualOutput, error) {
		job := visualcheck.Job{Name: in.Name, Parts: in.Selectors, Options: in.VisualOptions, Timeout: in.TimeoutMS.Duration()}
		if err := job.Validate(); err != nil {
			return captureVisualOutput{}, err
		}
		s, fault, err := c.SessionAt(ctx, in.SessionID, in.URL)
		if err != nil {
			return captureVisualOutput{}, err
		}
		if fault != "" {
			return captureVisualOutput{}, &engine.Error{Code: string(explain.NavigationFailed), Message: "nothing was captured: " + fault, Hint: "look at the server's log", Retriable: true}
		}
		return captureVisual(ctx, c, s, job)
	})
}

// captureVisual takes the pictures and keeps them.
func captureVisual(ctx context.Context, c *tool.Call, s *browser.Session, job visualcheck.Job) (captureVisualOutput, error) {
	if c.RunErr != nil {
		return captureVisualOutput{}, c.RunErr
	}
	v, kept, masks, err := visualcheck.Capture(ctx, flows.PictureCall{Call: c, Session: s}, flows.PictureOptions(c, s), job)
	for _, warning := range v.Warnings {
		c.Say("warning: %s", warning)
	}
	if err != nil {
		return captureVisualOutput{}, err
	}
	out, err := visualCaptured(c, v, kept)
	if err != nil {
		return out, err
	}
	out.Masks = masks
	for _, m := range masks {
		c.Quote("mask %s: %s", engine.OneLine(m.Selector), engine.OneLine(m.Why))
	}
	out.Opened, err = c.Opened(true)
	return out, err
}

// visualCaptured files the pictures, and returns the answer.
func visualCaptured(c *tool.Call, v *visualcheck.Check, kept baseline.Version) (captureVisualOutput, error) {
	out := captureVisualOutput{BaselineID: kept.ID, Version: kept.Number, Status: kept.Status, Screenshots: []baselineShot{}}
	for _, p := range v.Pictures {
		ref, err := c.KeepPicture(v.Title(p, "baseline"), p.Still.Data)
		if err != nil {
			return out, err
		}
		if c.Shot == nil {
			c.Shot = ref
		}
		out.Screenshots = append(out.Screenshots, baselineShot{Part: p.Part, Name: ref.Name, URI: ref.URI, Path: ref.Path, SHA256: ref.SHA256})
	}
	switch {
	case kept.ID == v.Replaced():
		c.Say("version %d of %q has these very pictures: nothing new was kept; it is %s", kept.Number, kept.Name, kept.Status)
	case kept.Status == baseline.Proposed:
		c.Say("proposed version %d of %q: it is not in force, the version before it stays so until a person decides", kept.Number, kept.Name)
		c.Say("next: a person approves it: %s", qa.Approving(kept.ID))
	default:
		c.Say("captured version %d of %q: in force, and unapproved", kept.Number, kept.Name)
		c.Say("next: compare_visual_regression compares with it; a person looks at it and approves it: %s", qa.Approving(kept.ID))
	}
	for _, n := range v.Outcome.Notes {
		c.Say("%s", n)
	}
	return out, nil
}
