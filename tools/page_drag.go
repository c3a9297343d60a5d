package tools

import (
	"context"
	"encoding/json"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageDragInput struct {
	tool.OnElement
	To string `json:"to" jsonschema:"selector of what it is dropped on"`
}

func pageDrag(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_drag", Set: tool.Full, ChangesPage: true, Destructive: true, Repeat: workspace.Repeat{Step: repeatDrag},
		Description: "Drag one element onto another.",
	}, func(ctx context.Context, c *tool.Call, in pageDragInput) (browser.Acted, error) {
		if in.To == "" {
			return browser.Acted{}, engine.InvalidInput("name what it is dropped on", "to is empty")
		}
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Acted{}, err
		}
		if err := c.Identify(ctx, s, in.Selector, in.TimeoutMS); err != nil {
			return browser.Acted{}, err
		}
		return c.Act(ctx, s, "dragged", in.Selector, func() (browser.Acted, error) {
			return s.Drag(ctx, in.Selector, in.To, in.TimeoutMS.Duration())
		})
	})
}

// repeatDrag adds the step that drags one element onto another.
func repeatDrag(r *workspace.FlowBuilder, in workspace.RecordedInput) error {
	s := qa.FlowStep{Action: "drag", Selector: in.Selector, Intent: in.Intent, TimeoutMS: in.TimeoutMS}
	if err := json.Unmarshal(in.Onto, &s.To); err != nil {
		return workspace.ErrNoStep
	}
	r.Flow.Steps = append(r.Flow.Steps, s)
	return nil
}
