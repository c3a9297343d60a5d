package tools

import (
	"cmp"
	"context"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageWaitInput struct {
	tool.OnSession
	Selector string `json:"selector"`
	State    string `json:"state,omitempty"`
	tool.TimeLimit
}

type pageWaitOutput struct {
	WaitedMS int64 `json:"waited_ms" jsonschema:"measured"`
}

func pageWaitForSelector(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_wait_for_selector", Set: tool.Core, Repeat: workspace.Repeat{Step: (*workspace.FlowBuilder).Wait}, ReadOnly: true, Idempotent: true,
		Enums:       map[string][]string{"state": browser.ElementStates()},
		Description: "Wait for an element's state. Actions and checks wait anyway.",
	}, func(ctx context.Context, c *tool.Call, in pageWaitInput) (pageWaitOutput, error) {
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return pageWaitOutput{}, err
		}
		state := cmp.Or(in.State, "visible")
		c.Progress("waiting for " + in.Selector)
		var waited time.Duration
		err = c.UnlessLapsed(ctx, s, true, func() (err error) {
			waited, err = s.WaitFor(ctx, in.Selector, state, in.TimeoutMS.Duration())
			return err
		})
		if err != nil {
			return pageWaitOutput{}, err
		}
		c.Say("%s is %s after %d ms", in.Selector, state, waited.Milliseconds())
		return pageWaitOutput{WaitedMS: waited.Milliseconds()}, nil
	})
}
