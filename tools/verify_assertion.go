package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-qa/assay/address"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
)

type verifyAssertionInput struct {
	onSession
	Selector  string       `json:"selector,omitempty" jsonschema:"the element, if it is about one"`
	Assertion qa.Assertion `json:"assertion"`
	timeLimit
	binds
}

type verifyAssertionOutput struct {
	Passed   bool   `json:"passed"`
	Expected string `json:"expected"`
	Observed string `json:"observed"`
	WaitedMS int64  `json:"waited_ms"`
	CheckID  string `json:"check_id"`
}

func (d *Desk) verifyAssertion() Tool {
	return define(d, spec{
		name: "verify_assertion", set: Core, verifies: true, publish: true, fields: []string{"passed", "expected", "observed", "waited_ms"},
		description: "Check a property of the page or an element, retrying until it holds or 5 s are over.",
	}, func(ctx context.Context, c *call, in verifyAssertionInput) (verifyAssertionOutput, error) {
		if err := in.Assertion.Validate(in.Selector); err != nil {
			return verifyAssertionOutput{}, wrongAssertion(err)
		}
		c.about = in.Assertion.Check(in.Selector)
		c.about.Expects = in.Expects
		s, err := c.on(ctx, in.SessionID)
		if err != nil {
			return verifyAssertionOutput{}, err
		}
		c.progress("asserting " + string(in.Assertion.Type))
		r, err := c.asserted(ctx, s, in.Assertion, in.Selector, assertTimeout(in.TimeoutMS))
		if err == nil {
			r.Void, err = c.typed(ctx, s, in.Assertion, in.Selector, r)
		}
		if err != nil {
			return verifyAssertionOutput{}, err
		}
		if !r.Passed {
			if err := c.shoot(ctx, "assertion-failed", browser.ShotOptions{}); err != nil {
				c.say("no screenshot: %s", asToolError(c.spec.name, err).Message)
			}
		}
		check, err := c.check(r.Outcome)
		if err != nil {
			return verifyAssertionOutput{}, err
		}
		c.holds(s, in.Assertion, in.Selector, r)
		c.say("%s after %d ms: %s %s", pass(r.Passed), r.waited.Milliseconds(), in.Assertion.Type, in.Selector)
		c.tellVoid(check)
		c.quote("expected: %s\nobserved: %s", oneLine(r.Expected), oneLine(r.Observed))
		return verifyAssertionOutput{Passed: r.Passed, Expected: r.Expected, Observed: r.Observed, WaitedMS: r.waited.Milliseconds(), CheckID: check.ID}, nil
	})
}

// wrongAssertion says what is wrong with an assertion, and what to write instead.
func wrongAssertion(err error) error {
	var pattern *address.Error
	if errors.As(err, &pattern) {
		return invalidInput(pattern.Hint, "assertion: %s", pattern.Message)
	}
	return invalidInput("", "assertion: %v", err)
}

const defaultAssertTimeout = 5 * time.Second

// errDoubt is why a look that could not tell what is seen proves nothing.
var errDoubt = errors.New("it could not be told what is seen")

// inDoubt is the error of an assertion about something of which it can't be told
// whether a person sees it, or what.
func inDoubt(a qa.Assertion, selector, why string) error {
	e := &browser.Error{Code: browser.TimedOut, Retriable: true, Cause: errDoubt,
		Message: fmt.Sprintf("%s: it can't be told whether it is seen: %s", oneSpace(string(a.Type), selector), why),
		Hint:    "wait until what moves stands still, or check another element"}
	switch a.Type {
	case qa.NumberCompared, qa.SortedBy:
		e.Message = fmt.Sprintf("%s: it can't be told: %s", oneSpace(string(a.Type), selector), why)
		e.Hint = "check an element that shows one number or date, in one way to read it"
	case qa.Downloaded, qa.AriaSnapshot:
		e.Message, e.Hint = fmt.Sprintf("%s: it can't be told: %s", oneSpace(string(a.Type), selector), why), ""
	}
	return e
}
