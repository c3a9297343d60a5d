package tools

import (
	"context"
	"slices"

	"github.com/assay-qa/assay/browser"
)

// identified holds what an acting call was about, for whoever compiles the call
// into a step that finds the same element again.
type identified struct {
	Action int `json:"action"` // of a batch, from 0
	browser.Identity
}

// identify remembers, ahead of an action, what element it is about. Its errors
// are those that the action would have had.
func (c *call) identify(ctx context.Context, s *browser.Session, selector string, timeout Millis) error {
	if !c.desk.Identify {
		return nil
	}
	if selector == "" {
		return c.identifyFocus(ctx, s, 0)
	}
	id, err := s.Identify(ctx, c.spec.name, selector, timeout.duration())
	if err != nil {
		return err
	}
	c.elements = append(c.elements, identified{Identity: id})
	return nil
}

// identifyFocus remembers what a key or a typed text goes to. Nothing may have
// the focus.
func (c *call) identifyFocus(ctx context.Context, s *browser.Session, action int) error {
	id, ok, err := s.IdentifyFocus(ctx)
	if err == nil && ok {
		c.elements = append(c.elements, identified{action, id})
	}
	return err
}

// identifyInput is identify for the i-th action of computer_action.
func (c *call) identifyInput(ctx context.Context, s *browser.Session, i int, in browser.Input) error {
	switch {
	case !c.desk.Identify:
		return nil
	case in.Selector != "" && in.Action != "wait" && in.Action != "scroll":
		id, err := s.Identify(ctx, "computer_action "+in.Action, in.Selector, 0)
		if err == nil {
			c.elements = append(c.elements, identified{i, id})
		}
		return err
	case in.Action == "type" || in.Action == "hotkey":
		return c.identifyFocus(ctx, s, i)
	case in.At == nil || slices.Contains([]string{"move", "scroll", "wait"}, in.Action):
		return nil
	}
	id, ok, err := s.IdentifyAt(ctx, *in.At)
	if err == nil && ok {
		c.elements = append(c.elements, identified{i, id})
	}
	return err
}
