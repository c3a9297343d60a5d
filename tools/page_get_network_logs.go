package tools

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type networkLogsInput struct {
	tool.OnSession
	Filter    string     `json:"filter,omitempty" jsonschema:"search: part of the URL, or **/api/*"`
	Status    int        `json:"status,omitempty" jsonschema:"404, 4 for 4xx, -1 for failed"`
	Since     *time.Time `json:"since,omitempty"`
	Limit     int        `json:"limit,omitempty"`
	RequestID string     `json:"request_id,omitempty" jsonschema:"with headers and body"`
}

type networkLogsOutput struct {
	Events  []browser.NetworkEvent `json:"events"`
	Matched int                    `json:"matched"`
	Dropped int                    `json:"dropped" jsonschema:"older events no longer kept"`
	Detail  *browser.Exchange      `json:"detail,omitempty"`
}

func pageGetNetworkLogs(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_get_network_logs", Set: tool.Core, Repeat: workspace.Repeat{Nothing: true}, ReadOnly: true, Idempotent: true,
		Description: "Requests, kept across navigations; one in detail with request_id.",
	}, func(ctx context.Context, c *tool.Call, in networkLogsInput) (networkLogsOutput, error) {
		if in.Limit < 0 {
			return networkLogsOutput{}, engine.InvalidInput("leave it out for 50", "limit can't be negative")
		}
		if err := browser.CheckFilter(in.Filter); err != nil {
			return networkLogsOutput{}, err
		}
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return networkLogsOutput{}, err
		}
		if in.RequestID != "" {
			x, err := s.Exchange(ctx, in.RequestID)
			if err != nil {
				return networkLogsOutput{}, err
			}
			quoteRequest(c, x.NetworkEvent)
			c.Quote("response headers: %v\n%s", x.ResponseHeaders, engine.OneLine(x.Body))
			return networkLogsOutput{Events: []browser.NetworkEvent{}, Detail: &x}, nil
		}
		r := s.Network(in.Filter, in.Status, since(in.Since), cmp.Or(in.Limit, defaultLogLimit))
		c.Say("%d of %d matching requests, %d older ones no longer kept", len(r.Events), r.Matched, r.Dropped)
		for _, e := range r.Events {
			quoteRequest(c, e)
		}
		return networkLogsOutput{Events: r.Events, Matched: r.Matched, Dropped: r.Dropped}, nil
	})
}

func quoteRequest(c *tool.Call, e browser.NetworkEvent) {
	outcome := fmt.Sprint(e.Status)
	switch {
	case e.Blocked != "":
		outcome = "blocked by " + e.Blocked
	case e.Failure != "":
		outcome = e.Failure
	case e.Pending && e.Status == 0:
		outcome = "pending"
	}
	if e.Mocked != "" {
		outcome += " mocked"
	}
	if e.Pending && e.Status != 0 {
		outcome += ", body pending"
	}
	c.Quote("%s %s %s %s %d ms", e.RequestID, e.Method, e.URL, outcome, e.DurationMS)
}
