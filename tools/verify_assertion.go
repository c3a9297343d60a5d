package tools

import (
	"context"
	"strings"
	"time"

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
			return verifyAssertionOutput{}, invalidInput("", "assertion: %v", err)
		}
		if err := checkPattern(in.Assertion); err != nil {
			return verifyAssertionOutput{}, err
		}
		c.about = qa.Check{Kind: string(in.Assertion.Type), Selector: in.Selector, Expects: in.Expects,
			Subject:  strings.TrimSpace(in.Selector + " " + in.Assertion.Attribute + in.Assertion.URL),
			Expected: in.Assertion.Compare(qa.Observation{}).Expected}
		s, err := c.on(ctx, in.SessionID)
		if err != nil {
			return verifyAssertionOutput{}, err
		}
		c.progress("asserting " + string(in.Assertion.Type))
		r, err := c.retry(ctx, s, in.Assertion, in.Selector, timeoutOr(in.TimeoutMS, defaultAssertTimeout))
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
		c.say("%s after %d ms: %s %s", pass(r.Passed), r.waited.Milliseconds(), in.Assertion.Type, in.Selector)
		c.quote("expected: %s\nobserved: %s", oneLine(r.Expected), oneLine(r.Observed))
		return verifyAssertionOutput{Passed: r.Passed, Expected: r.Expected, Observed: r.Observed, WaitedMS: r.waited.Milliseconds(), CheckID: check.ID}, nil
	})
}

// checkPattern refuses a URL pattern that can't match: it would fail a page
// for the caller's slip.
func checkPattern(a qa.Assertion) error {
	switch a.Type {
	case qa.URLMatches:
		return browser.CheckURLPattern(a.Expected)
	case qa.RequestMade:
		_, pattern := browser.RequestPattern(a.Expected)
		return browser.CheckURLPattern(pattern)
	case qa.ResponseStatus:
		return browser.CheckURLPattern(a.URL)
	default:
		return nil
	}
}

const defaultAssertTimeout = 5 * time.Second

// retried is the last comparison of a retrying assertion.
type retried struct {
	qa.Outcome
	seen   qa.Observation
	waited time.Duration
}

// retry looks until the assertion holds or timeout is over. A look that is not
// possible is an error, never a failed check, and so is one at a login page.
func (c *call) retry(ctx context.Context, s *browser.Session, a qa.Assertion, selector string, timeout time.Duration) (retried, error) {
	start := c.desk.Now()
	pause := 20 * time.Millisecond
	for {
		seen, err := observe(ctx, s, a, selector)
		if err != nil {
			return retried{}, err
		}
		r := retried{Outcome: a.Compare(seen), seen: seen, waited: c.desk.Now().Sub(start)}
		if r.Passed || r.waited >= timeout {
			return r, c.proves(ctx, s, a, r.Passed)
		}
		select {
		case <-ctx.Done():
			return retried{}, ctx.Err()
		case <-time.After(min(pause, timeout-r.waited)):
		}
		pause = min(2*pause, 250*time.Millisecond)
	}
}

// fact says what to look at for each assertion about an element.
func fact(t qa.AssertionType) browser.Fact {
	switch t {
	case qa.TextContains, qa.TextEquals:
		return browser.FactText
	case qa.ValueEquals:
		return browser.FactValue
	case qa.AttributeEquals:
		return browser.FactAttribute
	case qa.Checked:
		return browser.FactChecked
	case qa.Enabled:
		return browser.FactEnabled
	default:
		return browser.FactCount
	}
}

// observe looks once at what the assertion is about.
func observe(ctx context.Context, s *browser.Session, a qa.Assertion, selector string) (qa.Observation, error) {
	switch a.Type {
	case qa.URLMatches, qa.TitleEquals:
		state, err := s.State(ctx)
		return qa.Observation{URL: state.URL, Title: state.Title, URLFits: browser.MatchURL(a.Expected, state.URL)}, err
	case qa.ConsoleClean:
		if _, err := s.State(ctx); err != nil { // a round trip: what the page logged is in
			return qa.Observation{}, err
		}
		return qa.Observation{Errors: s.DocumentErrors()}, nil
	case qa.RequestMade:
		_, err := s.State(ctx)
		return qa.Observation{Requests: s.CountRequests(a.Expected)}, err
	case qa.ResponseStatus:
		_, err := s.State(ctx)
		return qa.Observation{Status: s.LastStatus(a.URL)}, err
	}
	look, err := s.Look(ctx, selector, fact(a.Type), a.Attribute)
	return qa.Observation{Count: look.Count, Visible: look.Visible, Text: look.Text, Value: look.Value, On: look.On}, err
}
