package replay

import (
	"encoding/json"
	"fmt"

	"github.com/assay-qa/assay/qa"
)

// looseAssertion decodes an assertion whose expectation or value may be
// written as a number.
type looseAssertion struct {
	qa.Assertion
	Expected json.RawMessage `json:"expected"`
	Value    json.RawMessage `json:"value"`
}

// strict returns the assertion as a flow writes it.
func (l looseAssertion) strict() (a qa.Assertion, err error) {
	a = l.Assertion
	if a.Expected, err = textOf(l.Expected); err != nil {
		return a, fmt.Errorf("expected: %w", err)
	}
	if a.Value, err = textOf(l.Value); err != nil {
		return a, fmt.Errorf("value: %w", err)
	}
	return a, nil
}

// verify makes an assertion of a verify call.
func (c *compiler) verify(in arguments) error {
	s := qa.FlowStep{Action: "assert", Selector: in.Selector, TimeoutMS: in.TimeoutMS}
	switch c.done.Name {
	case "verify_assertion":
		if in.Assertion == nil {
			return c.demanded(in)
		}
		a, err := in.Assertion.strict()
		if err != nil {
			return c.refuse("%v", err)
		}
		s.Assertion = &a
	case "verify_element_exists":
		if in.URL != "" {
			return c.refuse("it looks at an address in a context of its own, and a flow has one")
		}
		s.Assertion = &qa.Assertion{Type: qa.Visible}
		if in.ShouldBeVisible != nil && !*in.ShouldBeVisible {
			s.Assertion.Type = qa.Exists
		}
	case "analyze_console_errors":
		if in.URL != "" || len(in.IgnorePatterns) > 0 {
			return c.refuse("a flow asserts that the console is clean on the open page, and ignores nothing")
		}
		s.Assertion = &qa.Assertion{Type: qa.ConsoleClean}
	case "verify_page_loads":
		return c.loads(in)
	default:
		return c.refuse("no step of a flow does that")
	}
	c.prove(s, in.Expects)
	return nil
}

// demanded makes assertions of a call that left it to the server what to check: its
// answer says what that was.
func (c *compiler) demanded(in arguments) error {
	var answer struct {
		Data struct {
			Checks []struct {
				Expects   string        `json:"expects"`
				Selector  string        `json:"selector"`
				Assertion *qa.Assertion `json:"assertion"`
				Figure    string        `json:"figure"`
			} `json:"checks"`
		} `json:"data"`
	}
	if err := json.Unmarshal(c.done.Structured, &answer); err != nil {
		return c.refuse("its answer can't be read: %v", err)
	}
	if len(answer.Data.Checks) == 0 {
		return c.refuse("it has no assertion, and its answer names none")
	}
	for _, made := range answer.Data.Checks {
		if made.Assertion == nil {
			return c.refuse("no step of a flow compares a figure (%q)", made.Figure)
		}
		c.prove(qa.FlowStep{Action: "assert", Selector: made.Selector, Assertion: made.Assertion, TimeoutMS: in.TimeoutMS}, []string{made.Expects})
	}
	return nil
}

// loads adds the check that an address loads: the flow opens it, and asserts
// status and title. It must be the first call, because later it would replace
// the flow's page.
func (c *compiler) loads(in arguments) error {
	if c.acted {
		return c.refuse("it loads an address in a context of its own, and a flow has one; it can be recorded as the first call only")
	}
	var answer struct {
		Data struct {
			Status int `json:"status"`
		} `json:"data"`
	}
	if err := json.Unmarshal(c.done.Structured, &answer); err != nil {
		return c.refuse("its answer can't be read: %v", err)
	}
	c.navigate(in.URL, in.TimeoutMS)
	c.prove(qa.FlowStep{Action: "assert", Assertion: &qa.Assertion{Type: qa.ResponseStatus, Expected: number(answer.Data.Status)}}, in.Expects)
	if in.ExpectedTitle != "" {
		c.prove(qa.FlowStep{Action: "assert", Assertion: &qa.Assertion{Type: qa.TitleEquals, Expected: in.ExpectedTitle}}, in.Expects)
	}
	return nil
}
