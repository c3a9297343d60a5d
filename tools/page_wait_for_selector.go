package tools

import (
	"cmp"
	"context"
)

type pageWaitInput struct {
	onSession
	Selector string `json:"selector"`
	State    string `json:"state,omitempty" jsonschema:"visible, hidden, attached or detached"`
	timeLimit
}

type pageWaitOutput struct {
	WaitedMS int64 `json:"waited_ms" jsonschema:"measured"`
}

func (d *Desk) pageWaitForSelector() Tool {
	return define(d, spec{
		name: "page_wait_for_selector", set: Core, repeat: repeat{step: (*reproducer).wait}, readOnly: true, idempotent: true,
		description: "Wait for an element's state. Actions and verify tools wait anyway.",
	}, func(ctx context.Context, c *call, in pageWaitInput) (pageWaitOutput, error) {
		s, err := c.sessionFor(ctx, in.SessionID)
		if err != nil {
			return pageWaitOutput{}, err
		}
		state := cmp.Or(in.State, "visible")
		c.progress("waiting for " + in.Selector)
		waited, err := s.WaitFor(ctx, in.Selector, state, in.TimeoutMS.duration())
		if err != nil {
			return pageWaitOutput{}, err
		}
		c.say("%s is %s after %d ms", in.Selector, state, waited.Milliseconds())
		return pageWaitOutput{WaitedMS: waited.Milliseconds()}, nil
	})
}
