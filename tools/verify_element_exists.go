package tools

import (
	"context"
	"errors"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/assertion"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type verifyElementExistsInput struct {
	tool.OnSession
	URL             string `json:"url,omitempty" jsonschema:"in a fresh context"`
	Selector        string `json:"selector"`
	ShouldBeVisible *bool  `json:"should_be_visible,omitempty" jsonschema:"default true"`
	tool.TimeLimit
	tool.Binds
	tool.Shows
}

type verifyElementExistsOutput struct {
	tool.Shown
	tool.Opened
	Passed  bool   `json:"passed"`
	Exists  bool   `json:"exists"`
	Visible bool   `json:"visible"`
	Count   int    `json:"count"`
	CheckID string `json:"check_id"`
}

func verifyElementExists(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "verify_element_exists", Set: tool.Core, Repeat: workspace.Repeat{Step: repeatElement}, Verifies: true, Publish: true,
		Description: "Check, retrying for 5 s, that an element exists and is visible.",
	}, func(ctx context.Context, c *tool.Call, in verifyElementExistsInput) (verifyElementExistsOutput, error) {
		a := qa.Assertion{Type: qa.Visible}
		if in.ShouldBeVisible != nil && !*in.ShouldBeVisible {
			a.Type = qa.Exists
		}
		c.About = qa.Check{Kind: string(a.Type), Subject: strings.TrimSpace(in.URL + " " + in.Selector), Selector: in.Selector, Expected: string(a.Type), Expects: in.Expects}
		s, fault, err := c.SessionAt(ctx, in.SessionID, in.URL)
		if err != nil {
			return verifyElementExistsOutput{}, err
		}
		r := assertion.Result{Outcome: qa.Outcome{Expected: string(a.Type), Observed: fault.Text()}}
		held := c.HeldBefore(s, a, in.Selector)
		if fault == "" {
			defer c.Workspace.NoteChecked(s.ID(), s.Acts())
			if r, err = c.Checker(s).Check(ctx, a, in.Selector, tool.AssertTimeout(in.TimeoutMS)); err != nil {
				return verifyElementExistsOutput{}, err
			}
			if err := pictureElement(ctx, c, in.Selector, r.Seen); err != nil {
				return verifyElementExistsOutput{}, err
			}
		}
		c.About.Held = r.Passed && (held || c.StoodBefore(ctx, s, a, in.Selector, r.Seen))
		check, err := c.FileCheck(r.Outcome)
		if err != nil {
			return verifyElementExistsOutput{}, err
		}
		c.NoteHeld(s, a, in.Selector, r)
		c.Say("%s: %s %s", check.Status().Shouted(), a.Type, in.Selector)
		c.Quote("observed: %s", r.Observed)
		opened, err := c.Opened(r.Passed)
		return verifyElementExistsOutput{Opened: opened, Passed: r.Passed, Exists: r.Seen.Count > 0, Visible: r.Seen.Seen > 0, Count: r.Seen.Count, CheckID: check.ID}, err
	})
}

// pictureElement takes the picture of the element itself, where one is seen, and else,
// or where that can't be had, of the viewport in which it was looked for.
func pictureElement(ctx context.Context, c *tool.Call, selector string, seen qa.Observation) error {
	if seen.Count == 1 && seen.Seen == 1 {
		err := c.PictureOf(ctx, "element-exists", browser.ShotOptions{Selector: selector})
		if be := (*explain.Error)(nil); err == nil || !errors.As(err, &be) {
			return err
		}
	}
	return c.Picture(ctx, "element-exists")
}

// repeatElement asserts what a call looked for on the page that was open.
func repeatElement(r *workspace.FlowBuilder, in workspace.RecordedInput) error {
	if in.URL != "" {
		return workspace.ErrNoStep
	}
	a := qa.Assertion{Type: qa.Visible}
	if in.ShouldBeVisible != nil && !*in.ShouldBeVisible {
		a.Type = qa.Exists
	}
	r.Assert(a, in.Selector, in.TimeoutMS)
	return nil
}
