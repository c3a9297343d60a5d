package tools

import (
	"cmp"
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type networkInterceptInput struct {
	tool.OnSession
	Patterns []string              `json:"patterns,omitempty" jsonschema:"such as /api/** or POST **/orders"`
	Mode     browser.InterceptMode `json:"mode,omitempty" jsonschema:"observe (default) ends the others"`
	Response *browser.MockResponse `json:"response,omitempty"`
}

type networkInterceptOutput struct {
	Events  []browser.NetworkEvent  `json:"events"`
	Matched int                     `json:"matched"`
	Rules   []browser.InterceptRule `json:"rules" jsonschema:"blocks and mocks in force"`
}

func networkIntercept(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "network_intercept", Set: tool.Core, Repeat: workspace.Repeat{Step: observeOnly}, Destructive: true, Idempotent: true, Loose: []string{"response"},
		Description: "Observe, block or mock requests by pattern, for the session's life. Tells what matched.",
	}, func(ctx context.Context, c *tool.Call, in networkInterceptInput) (networkInterceptOutput, error) {
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return networkInterceptOutput{}, err
		}
		rules, err := s.Intercept(ctx, in.Patterns, cmp.Or(in.Mode, browser.Observe), in.Response)
		if err != nil {
			return networkInterceptOutput{}, err
		}
		seen := s.Matching(in.Patterns, defaultLogLimit)
		c.Say("matched requests so far: %d; rules in force: %d", seen.Matched, len(rules))
		for _, e := range seen.Events {
			quoteRequest(c, e)
		}
		for _, r := range rules {
			c.Quote("%s %s, requests so far: %d", r.Mode, r.Pattern, r.Hits)
		}
		return networkInterceptOutput{Events: seen.Events, Matched: seen.Matched, Rules: rules}, nil
	})
}

// observeOnly leaves out a rule that changes nothing: a flow neither blocks nor
// mocks requests.
func observeOnly(_ *workspace.FlowBuilder, in workspace.RecordedInput) error {
	if in.Mode == "" || in.Mode == string(browser.Observe) {
		return nil
	}
	return workspace.ErrNoStep
}
