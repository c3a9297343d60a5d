package tools

import (
	"context"
	"strings"
	"time"

	"github.com/assay-qa/assay/engine/assertion"
	"github.com/assay-qa/assay/qa"
)

type verifyElementExistsInput struct {
	onSession
	URL             string `json:"url,omitempty" jsonschema:"in a fresh context"`
	Selector        string `json:"selector"`
	ShouldBeVisible *bool  `json:"should_be_visible,omitempty" jsonschema:"default true"`
	timeLimit
	binds
}

type verifyElementExistsOutput struct {
	Passed  bool   `json:"passed"`
	Exists  bool   `json:"exists"`
	Visible bool   `json:"visible"`
	Count   int    `json:"count"`
	CheckID string `json:"check_id"`
}

func (d *Desk) verifyElementExists() Tool {
	return define(d, spec{
		name: "verify_element_exists", set: Core, repeat: repeat{step: repeatElement}, verifies: true, publish: true, fields: []string{"exists", "visible", "count"},
		description: "Check, retrying for 5 s, that an element exists and is visible.",
	}, func(ctx context.Context, c *call, in verifyElementExistsInput) (verifyElementExistsOutput, error) {
		a := qa.Assertion{Type: qa.Visible}
		if in.ShouldBeVisible != nil && !*in.ShouldBeVisible {
			a.Type = qa.Exists
		}
		c.about = qa.Check{Kind: string(a.Type), Subject: strings.TrimSpace(in.URL + " " + in.Selector), Selector: in.Selector, Expected: string(a.Type), Expects: in.Expects}
		s, fault, err := c.sessionAt(ctx, in.SessionID, in.URL)
		if err != nil {
			return verifyElementExistsOutput{}, err
		}
		r := assertion.Result{Outcome: qa.Outcome{Expected: string(a.Type), Observed: fault}}
		if fault == "" {
			if r, err = c.checker(s).Check(ctx, a, in.Selector, assertTimeout(in.TimeoutMS)); err != nil {
				return verifyElementExistsOutput{}, err
			}
			if err := c.picture(ctx, "element-exists"); err != nil {
				return verifyElementExistsOutput{}, err
			}
		}
		check, err := c.check(r.Outcome)
		if err != nil {
			return verifyElementExistsOutput{}, err
		}
		c.noteHeld(s, a, in.Selector, r)
		c.say("%s: %s %s: %s", pass(r.Passed), a.Type, in.Selector, r.Observed)
		return verifyElementExistsOutput{Passed: r.Passed, Exists: r.Seen.Count > 0, Visible: r.Seen.Seen > 0, Count: r.Seen.Count, CheckID: check.ID}, nil
	})
}

// assertTimeout returns the caller's time-out, or the default one.
func assertTimeout(m Millis) time.Duration {
	if m > 0 {
		return m.duration()
	}
	return assertion.DefaultTimeout
}

// repeatElement asserts what a call looked for on the page that was open.
func repeatElement(r *reproducer, in reproducibleInput) error {
	if in.URL != "" {
		return errNoStep
	}
	a := qa.Assertion{Type: qa.Visible}
	if in.ShouldBeVisible != nil && !*in.ShouldBeVisible {
		a.Type = qa.Exists
	}
	r.assert(a, in.Selector, in.TimeoutMS)
	return nil
}
