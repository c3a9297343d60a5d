package tools

import "context"

type runCancelInput struct{ onSuite }

func (d *Desk) runCancel() Tool {
	return define(d, spec{
		name: "run_cancel", set: Full, destructive: true, idempotent: true, closedWorld: true,
		description: "Stop a suite: what runs is interrupted and judged, the rest is skipped.",
	}, func(ctx context.Context, c *call, in runCancelInput) (SuiteStatus, error) {
		s, err := d.Suites.Cancel(ctx, in.SuiteID)
		if err != nil {
			return s, suiteProblem(err)
		}
		c.saySuite(s)
		return s, nil
	})
}
