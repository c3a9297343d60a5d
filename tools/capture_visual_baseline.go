package tools

import (
	"context"
	"fmt"
	"net/http"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
)

type captureVisualInput struct {
	onSession
	URL       string   `json:"url,omitempty" jsonschema:"in a fresh context"`
	Name      string   `json:"name"`
	Selectors []string `json:"selectors,omitempty" jsonschema:"default: the page"`
	qa.VisualOptions
	timeLimit
}

type captureVisualOutput struct {
	BaselineID  string          `json:"baseline_id"`
	Version     int             `json:"version"`
	Status      baseline.Status `json:"status" jsonschema:"unapproved, proposed or approved; proposed is not in force"`
	Screenshots []baselineShot  `json:"screenshots"`
	Masks       []offeredMask   `json:"proposed_masks,omitempty" jsonschema:"what changed by itself within a second; not applied"`
}

// baselineShot is one picture of a version, as the run has stored it.
type baselineShot struct {
	Part   string `json:"part,omitempty" jsonschema:"the element's selector; empty: the page"`
	Name   string `json:"name"`
	URI    string `json:"uri"`
	SHA256 string `json:"sha256"`
}

func (d *Desk) captureVisualBaseline() Tool {
	return define(d, spec{
		name: "capture_visual_baseline", set: Core, idempotent: true, loose: []string{"components"},
		unlisted:    []string{"full_page", "ignore", "threshold", "named_changes", "components", "ignore_colors", "ignore_antialiasing", "freeze", "timeout_ms"},
		description: "Keep pictures of the page or elements as a baseline; no check. Over an existing one: a proposal.",
	}, func(ctx context.Context, c *call, in captureVisualInput) (captureVisualOutput, error) {
		job := visualJob{Name: in.Name, Parts: in.Selectors, Options: in.VisualOptions, Timeout: in.TimeoutMS.duration()}
		if err := job.validate(); err != nil {
			return captureVisualOutput{}, err
		}
		s, fault, err := c.sessionAt(ctx, in.SessionID, in.URL)
		if err != nil {
			return captureVisualOutput{}, err
		}
		if fault != "" {
			return captureVisualOutput{}, &engine.Error{Code: string(browser.NavigationFailed), Message: "nothing was captured: " + fault, Hint: "look at the server's log", Retriable: true}
		}
		return c.captureVisual(ctx, s, job)
	})
}

// captureVisual takes the pictures and keeps them.
func (c *call) captureVisual(ctx context.Context, s *browser.Session, job visualJob) (captureVisualOutput, error) {
	if c.runErr != nil {
		return captureVisualOutput{}, c.runErr
	}
	v := newVisualCheck(c, s, job)
	v.capturing = true
	if err := v.prepare(ctx); err != nil {
		return captureVisualOutput{}, err
	}
	if v.status >= http.StatusInternalServerError {
		return captureVisualOutput{}, &engine.Error{Code: string(browser.NavigationFailed), Message: fmt.Sprintf("nothing was captured: the page answers status %d", v.status), Hint: "look at the server's log", Retriable: true}
	}
	for _, p := range v.pictures {
		if err := v.look(ctx, p); err != nil {
			return captureVisualOutput{}, err
		}
		if p.restless != nil {
			return captureVisualOutput{}, v.restlessError(p)
		}
		if p.before.SHA256 != "" {
			if err := v.compare(p); err != nil {
				c.say("warning: the picture in force can't be compared with: %s", engine.AsError(c.spec.name, err).Message)
			}
		}
	}
	n, err := v.proposed()
	if err != nil {
		return captureVisualOutput{}, err
	}
	kept, err := c.desk.Baselines.Capture(ctx, n)
	if err != nil {
		return captureVisualOutput{}, err
	}
	masks := v.offerMasks(ctx)
	out, err := v.captured(kept)
	out.Masks = masks
	for _, m := range masks {
		c.quote("mask %s: %s", engine.OneLine(m.Selector), engine.OneLine(m.Why))
	}
	return out, err
}

// captured files the pictures, and is the answer.
func (v *visualCheck) captured(kept baseline.Version) (captureVisualOutput, error) {
	c := v.c
	out := captureVisualOutput{BaselineID: kept.ID, Version: kept.Number, Status: kept.Status, Screenshots: []baselineShot{}}
	for _, p := range v.pictures {
		ref, err := c.keep(v.title(p, "baseline"), p.still.Data)
		if err != nil {
			return out, err
		}
		if c.shot == nil {
			c.shot = ref
		}
		out.Screenshots = append(out.Screenshots, baselineShot{Part: p.part, Name: ref.Name, URI: ref.URI, SHA256: ref.SHA256})
	}
	switch {
	case kept.ID == v.version.ID:
		c.say("version %d of %q has these very pictures: nothing new was kept; it is %s", kept.Number, kept.Name, kept.Status)
	case kept.Status == baseline.Proposed:
		c.say("proposed version %d of %q: it is not in force, the version before it stays so until a person decides", kept.Number, kept.Name)
		c.say("next: a person approves it: %s", approving(kept.ID))
	default:
		c.say("captured version %d of %q: in force, and unapproved", kept.Number, kept.Name)
		c.say("next: compare_visual_regression compares with it; a person looks at it and approves it: %s", approving(kept.ID))
	}
	for _, n := range v.out.Notes {
		c.say("%s", n)
	}
	return out, nil
}

// restlessError says that a page that keeps moving can't be a baseline.
func (v *visualCheck) restlessError(p *visualPicture) error {
	e := engine.AsError(v.c.spec.name, p.unrest)
	out := &engine.Error{Code: e.Code, Message: e.Message, Hint: "mask what keeps moving, or stop it", Retriable: e.Retriable}
	for _, r := range v.moving(p.restless) {
		if r.Cause && len(out.Page) < maxCauses {
			out.Page = added(out.Page, []string{r.Text})
		}
	}
	return out
}
