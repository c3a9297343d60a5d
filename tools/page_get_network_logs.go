package tools

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
)

type networkLogsInput struct {
	onSession
	Filter    string     `json:"filter,omitempty" jsonschema:"search: part of the URL, or **/api/*"`
	Status    int        `json:"status,omitempty" jsonschema:"404, 4 for 4xx, -1 for failed"`
	Since     *time.Time `json:"since,omitempty" jsonschema:"RFC 3339"`
	Limit     int        `json:"limit,omitempty" jsonschema:"default 50"`
	RequestID string     `json:"request_id,omitempty" jsonschema:"with headers and body"`
}

type networkLogsOutput struct {
	Events  []browser.NetworkEvent `json:"events"`
	Matched int                    `json:"matched"`
	Dropped int                    `json:"dropped" jsonschema:"older events no longer kept"`
	Detail  *browser.Exchange      `json:"detail,omitempty"`
}

func (d *Desk) pageGetNetworkLogs() Tool {
	return define(d, spec{
		name: "page_get_network_logs", set: Core, repeat: repeat{nothing: true}, readOnly: true, idempotent: true,
		description: "Requests, kept across navigations; one in detail with request_id.",
	}, func(ctx context.Context, c *call, in networkLogsInput) (networkLogsOutput, error) {
		if in.Limit < 0 {
			return networkLogsOutput{}, engine.InvalidInput("leave it out for 50", "limit can't be negative")
		}
		if err := browser.CheckFilter(in.Filter); err != nil {
			return networkLogsOutput{}, err
		}
		s, err := c.sessionFor(ctx, in.SessionID)
		if err != nil {
			return networkLogsOutput{}, err
		}
		if in.RequestID != "" {
			x, err := s.Exchange(ctx, in.RequestID)
			if err != nil {
				return networkLogsOutput{}, err
			}
			c.quoteRequest(x.NetworkEvent)
			c.quote("response headers: %v\n%s", x.ResponseHeaders, engine.OneLine(x.Body))
			return networkLogsOutput{Events: []browser.NetworkEvent{}, Detail: &x}, nil
		}
		r := s.Network(in.Filter, in.Status, since(in.Since), cmp.Or(in.Limit, defaultLogLimit))
		c.say("%d of %d matching requests, %d older ones no longer kept", len(r.Events), r.Matched, r.Dropped)
		for _, e := range r.Events {
			c.quoteRequest(e)
		}
		return networkLogsOutput{Events: r.Events, Matched: r.Matched, Dropped: r.Dropped}, nil
	})
}

func (c *call) quoteRequest(e browser.NetworkEvent) {
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
	c.quote("%s %s %s %s %d ms", e.RequestID, e.Method, e.URL, outcome, e.DurationMS)
}
