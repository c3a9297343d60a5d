package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageTabsInput struct {
	tool.OnSession
	Action string `json:"action"`
	Tab    int    `json:"tab,omitempty" jsonschema:"close: default the current one"`
}

type pageTabsOutput struct {
	Tabs []browser.TabInfo `json:"tabs"`
}

func pageTabs(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_tabs", Set: tool.Core, Destructive: true,
		Repeat: workspace.Repeat{Step: func(r *workspace.FlowBuilder, in workspace.RecordedInput) error {
			switch {
			case in.Action == "close" && in.Tab == 0:
				r.Flow.Steps = append(r.Flow.Steps, qa.FlowStep{Action: "tab", Value: flow.CloseTab})
			case in.Action == "close":
				return workspace.ErrNoStep
			}
			return nil // the tab that is current then is followed
		}},
		Enums:       map[string][]string{"action": {"list", "select", "close"}},
		Description: "List the session's tabs and popups, make one current, or close one.",
	}, func(ctx context.Context, c *tool.Call, in pageTabsInput) (pageTabsOutput, error) {
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return pageTabsOutput{}, err
		}
		switch in.Action {
		case "list":
			c.SayTabClosed(ctx)
		case "select":
			if in.Tab == 0 {
				return pageTabsOutput{}, engine.InvalidInput(`list them by page_tabs {"action": "list"}`, "select needs tab")
			}
			if err := s.SelectTab(ctx, in.Tab); err != nil {
				return pageTabsOutput{}, err
			}
			c.Say("tab %d is current", in.Tab)
		case "close":
			closed, now, err := s.CloseTab(ctx, in.Tab)
			if err != nil {
				return pageTabsOutput{}, err
			}
			c.Say("closed tab %d", closed)
			if now != "" {
				c.Say("%s", now)
			}
		default:
			return pageTabsOutput{}, engine.InvalidInput("use list, select or close", "action %q is unknown", in.Action)
		}
		c.TabsListed()
		tabs, err := s.Tabs(ctx)
		for _, t := range tabs {
			switch {
			case in.Action == "list" || t.Silent:
				c.Quote("%s", t)
			case t.Current:
				c.PageLine(browser.PageState{URL: t.URL, Title: pagetext.Text(t.Title)})
			}
		}
		return pageTabsOutput{Tabs: tabs}, err
	})
}
