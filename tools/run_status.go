package tools

import (
	"context"
	"time"

	"github.com/assay-qa/assay/engine"
)

type runStatusInput struct {
	onSuite
	WaitMS int `json:"wait_ms,omitempty" jsonschema:"wait for the end, at most 40000"`
}

func (d *Desk) runStatus() Tool {
	return define(d, spec{
		name: "run_status", set: Full, repeat: repeat{nothing: true}, readOnly: true, idempotent: true, closedWorld: true,
		description: "Where a suite stands, and what has not passed. Ask again, with wait_ms, while its state is running.",
	}, func(ctx context.Context, c *call, in runStatusInput) (SuiteStatus, error) {
		if in.WaitMS < 0 {
			return SuiteStatus{}, engine.InvalidInput("use 0 to 40000", "wait_ms is %d", in.WaitMS)
		}
		waiting, cancel := context.WithTimeout(ctx, min(time.Duration(in.WaitMS)*time.Millisecond, longestWait))
		defer cancel()
		s, err := d.Suites.Status(waiting, in.SuiteID)
		if err != nil {
			return s, suiteProblem(err)
		}
		c.saySuite(s)
		return s, ctx.Err()
	})
}
