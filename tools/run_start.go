package tools

import (
	"context"
	"maps"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
)

type runStartInput struct {
	qa.TaskSpec
	Iteration  string `json:"iteration,omitempty"`
	Checkpoint string `json:"checkpoint,omitempty"`
	Commit     string `json:"commit,omitempty"`
}

type runStartOutput struct {
	RunID        string           `json:"run_id"`
	Expectations []qa.Expectation `json:"expectations"`
}

func (d *Desk) runStart() Tool {
	return define(d, spec{
		name: "run_start", set: Core, unbudgeted: true, bounds: true, repeat: repeat{nothing: true}, closedWorld: true, loose: []string{"kpiSpec", "ranges", "visual", "budgets", "tolerance", "metadata", "expectations"},
		description: "Start a run for the next calls. Prove each expectation by verify_assertion with expects and no assertion, or the run is inconclusive.",
	}, func(ctx context.Context, c *call, in runStartInput) (runStartOutput, error) {
		if in.KPISpec == nil && len(in.Ranges) > 0 {
			in.KPISpec = d.Target.KPI
		}
		if err := ValidateTask(in.TaskSpec); err != nil {
			return runStartOutput{}, engine.InvalidInput("", "%v", err)
		}
		var err error
		if in.Expectations, err = d.withAcceptedReadings(in.Expectations); err != nil {
			return runStartOutput{}, err
		}
		if in.Role != "" {
			if _, err := d.role(in.Role); err != nil {
				return runStartOutput{}, err
			}
		}
		task := in.TaskSpec.Number()
		if task.Budgets == nil {
			task.Budgets = d.Target.Budgets
		}
		task.Metadata = maps.Clone(task.Metadata)
		for key, value := range map[string]string{"iteration": in.Iteration, "checkpoint": in.Checkpoint, "commit": in.Commit} {
			if value == "" {
				continue
			}
			if task.Metadata == nil {
				task.Metadata = map[string]string{}
			}
			task.Metadata[key] = value
		}
		c.fileAllExceptions() // they belong to what went before
		if c.inOwn && c.runErr == nil {
			d.stopTraces(ctx, c.run) // and so do traces
		}
		run, err := d.open(task)
		if err != nil {
			return runStartOutput{}, err
		}
		d.markRunStart()
		d.forgetRecordedCalls()
		c.run, c.runErr, c.step = run, nil, run.NextStep()
		c.say("run %s started", run.ID())
		out := runStartOutput{RunID: run.ID(), Expectations: []qa.Expectation{}}
		for _, e := range task.Expectations {
			c.say("%s: %s\n  %s", e.ID, engine.OneLine(e.Text), engine.OneLine(e.Wants()))
			out.Expectations = append(out.Expectations, e)
		}
		return out, nil
	})
}
