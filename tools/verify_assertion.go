package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-qa/assay/address"
	"github.com/assay-qa/assay/browser"
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
		return verifyAssertionOutput{Passed: r.Passed, Expected: r.Expected, Observed: r.Observed, WaitedMS: r.waited.Milliseconds(), CheckID: check.ID}, nil
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

const defaultAssertTimeout = 5 * time.Second

// errDoubt is why a look that could not tell what is seen proves nothing.
var errDoubt = errors.New("it could not be told what is seen")

// inDoubt is the error of an assertion about something of which it can't be told
// whether a person sees it, or what.
func inDoubt(a qa.Assertion, selector, why string) error {
	e := &browser.Error{Code: browser.TimedOut, Retriable: true, Cause: errDoubt,
		Message: fmt.Sprintf("%s: it can't be told whether it is seen: %s", engine.OneSpace(string(a.Type), selector), why),
		Hint:    "wait until what moves stands still, or check another element"}
	switch a.Type {
	case qa.NumberCompared, qa.SortedBy:
		e.Message = fmt.Sprintf("%s: it can't be told: %s", engine.OneSpace(string(a.Type), selector), why)
		e.Hint = "check an element that shows one number or date, in one way to read it"
	case qa.Downloaded, qa.AriaSnapshot:
		e.Message, e.Hint = fmt.Sprintf("%s: it can't be told: %s", engine.OneSpace(string(a.Type), selector), why), ""
	}
	return e
}
