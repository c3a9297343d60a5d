package tools

import (
	"context"
	"errors"

	"github.com/assay-qa/assay/address"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
)

type verifyAssertionInput struct {
	onSession
	Selector  string        `json:"selector,omitempty" jsonschema:"the element, if it is about one"`
	Assertion *qa.Assertion `json:"assertion,omitempty" jsonschema:"default: what expects demand"`
	timeLimit
	binds
}

type verifyAssertionOutput struct {
	Passed   bool        `json:"passed"`
	Expected string      `json:"expected"`
	Observed string      `json:"observed"`
	WaitedMS int64       `json:"waited_ms"`
	CheckID  string      `json:"check_id" jsonschema:"of several: of the first that failed, or the first"`
	Checks   []madeCheck `json:"checks,omitempty" jsonschema:"what expects demanded, where no assertion was given"`
}

func (d *Desk) verifyAssertion() Tool {
	return define(d, spec{
		name: "verify_assertion", set: Core, repeat: repeat{step: (*reproducer).assertion}, verifies: true, publish: true, fields: []string{"passed", "expected", "observed", "waited_ms"},
		description: "Check what the expectations in expects demand, or the given property, retrying until it holds or 5 s are over.",
	}, func(ctx context.Context, c *call, in verifyAssertionInput) (verifyAssertionOutput, error) {
		if in.Assertion == nil {
			return c.proveAll(ctx, in)
		}
		if err := in.Assertion.Validate(in.Selector); err != nil {
			return verifyAssertionOutput{}, wrongAssertion(err)
		}
		c.about = in.Assertion.Check(in.Selector)
		c.about.Expects = in.Expects
		s, err := c.sessionFor(ctx, in.SessionID)
		if err != nil {
			return verifyAssertionOutput{}, err
		}
		check, r, err := c.verify(ctx, s, *in.Assertion, in.Selector, in.Expects, assertTimeout(in.TimeoutMS))
		if err != nil {
			return verifyAssertionOutput{}, err
		}
		return verifyAssertionOutput{Passed: r.Passed, Expected: r.Expected, Observed: r.Observed, WaitedMS: r.Waited.Milliseconds(), CheckID: check.ID}, nil
	})
}

// wrongAssertion says what is wrong with an assertion, and what to write instead.
func wrongAssertion(err error) error {
	var pattern *address.Error
	if errors.As(err, &pattern) {
		return engine.InvalidInput(pattern.Hint, "assertion: %s", pattern.Message)
	}
	return engine.InvalidInput("", "assertion: %v", err)
}
