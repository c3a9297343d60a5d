package tools

import (
	"context"
	"fmt"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageDialogInput struct {
	tool.OnSession
	Action string `json:"action"`
	Text   string `json:"text,omitempty" jsonschema:"answer of a prompt"`
}

type pageDialogOutput struct {
	Action string `json:"action"`
	Waits  bool   `json:"waits" jsonschema:"the answer waits for the next dialog"`
}

func pageDialog(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_dialog", Set: tool.Core, Destructive: true, Idempotent: true,
		Repeat: workspace.Repeat{Step: func(r *workspace.FlowBuilder, in workspace.RecordedInput) error {
			r.Flow.Steps = append(r.Flow.Steps, qa.FlowStep{Action: "dialog", Value: in.Action, Option: in.Text})
			return nil
		}},
		Enums: map[string][]string{"action": {"accept", "dismiss"}},
		Description: "Set the answer to the tab's next alert, confirm, prompt or beforeunload dialog, before the act that shows it. " +
			"It holds once. Without it, alerts and leaving are accepted, others dismissed.",
	}, func(ctx context.Context, c *tool.Call, in pageDialogInput) (pageDialogOutput, error) {
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return pageDialogOutput{}, err
		}
		if in.Action == "" {
			return pageDialogOutput{}, engine.InvalidInput("use accept or dismiss", "action is empty")
		}
		if _, err := s.State(ctx); err != nil { // a tab that is closed shows no dialog
			return pageDialogOutput{}, err
		}
		last, dismissed := s.LastDismissed()
		if err := s.ArmDialog(browser.DialogPolicy{Action: in.Action, Text: in.Text}); err != nil {
			return pageDialogOutput{}, err
		}
		c.Say("the next dialog of this tab is answered: %s; now do what shows it", in.Action)
		if dismissed {
			c.Say("the last one was dismissed already: do the same again")
			c.Quote("%s", fmt.Sprintf("%s %q", last.Dialog, engine.OneLine(last.Text)))
		}
		return pageDialogOutput{Action: in.Action, Waits: true}, nil
	})
}
