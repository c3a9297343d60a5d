package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
)

// onElement is embedded by inputs of tools that act on one element.
type onElement struct {
	onSession
	Selector string `json:"selector"`
	Intent   string `json:"intent,omitempty"`
	timeLimit
}

// sayActed renders what an action did.
func (c *call) sayActed(verb string, a browser.Acted, err error) (browser.Acted, error) {
	if err != nil {
		return a, err
	}
	c.noteSeen(a.Target)
	c.say("%s %s", verb, a.Target)
	c.sayEffects(a.Effects)
	return a, nil
}

// actOn returns the handler of the tools that only need the element.
func actOn(verb string, act func(ctx context.Context, s *browser.Session, in onElement) (browser.Acted, error)) func(context.Context, *call, onElement) (browser.Acted, error) {
	return func(ctx context.Context, c *call, in onElement) (browser.Acted, error) {
		s, err := c.sessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Acted{}, err
		}
		if err := c.identify(ctx, s, in.Selector, in.TimeoutMS); err != nil {
			return browser.Acted{}, err
		}
		a, err := act(ctx, s, in)
		return c.sayActed(verb, a, err)
	}
}
