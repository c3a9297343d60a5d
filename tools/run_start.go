package tools

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/rules"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type runStartInput struct {
	qa.TaskSpec
	Goal       string            `json:"goal,omitempty"`
	Amends     map[string]string `json:"amends,omitempty" jsonschema:"of the open run, before its first check: id of an expectation that was not understood to its new wording, once"`
	Resumes    string            `json:"resumes,omitempty" jsonschema:"run that was not finished, instead of a task: its expectations that are left"`
	Iteration  string            `json:"iteration,omitempty"`
	Checkpoint string            `json:"checkpoint,omitempty"`
	Commit     string            `json:"commit,omitempty"`
}

type runStartOutput struct {
	RunID        string           `json:"run_id"`
	Expectations []qa.Expectation `json:"expectations"`
}

func runStart(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "run_start", Set: tool.Core, Unbudgeted: true, Bounds: true, Repeat: workspace.Repeat{Nothing: true},
		ClosedWorld: true, Loose: []string{"kpiSpec", "ranges", "visual", "budgets", "tolerance", "metadata", "expectations"},
		Unlisted: slices.Concat([]string{"kpiSpec", "ranges", "tolerance", "visual", "metadata", "number_locale",
			"expectations.id", "expectations.by_caller", "expectations.accepted_by", "expectations.amended_from", "amends"},
			rareOfAssertion("expectations.assertion")),
		Enums: map[string][]string{"expectations.assertion.type": nil}, // verify_assertion lists them
		Description: "Start a run for the next calls. Prove each expectation by verify_assertion with expects and no assertion, " +
			"or the run is inconclusive. More fields: assay://schemas/task-spec.json",
	}, func(ctx context.Context, c *tool.Call, in runStartInput) (runStartOutput, error) {
		in.TaskSpec.Goal = in.Goal
		if len(in.Amends) > 0 {
			return amendRun(ws, c, in)
		}
		var held []qa.Expectation
		if in.Resumes != "" {
			var err error
			if in.TaskSpec, held, err = resumedTask(ws, in); err != nil {
				return runStartOutput{}, err
			}
		}
		if in.KPISpec == nil && len(in.Ranges) > 0 {
			in.KPISpec = ws.Target.KPI
		}
		if err := rules.CheckTask(in.TaskSpec); err != nil {
			return runStartOutput{}, engine.InvalidInput("", "%v", err)
		}
		var err error
		if in.Expectations, err = withAcceptedReadings(ws, in.Expectations); err != nil {
			return runStartOutput{}, err
		}
		if in.Role != "" {
			if _, err := ws.Role(in.Role); err != nil {
				return runStartOutput{}, err
			}
		}
		task := in.TaskSpec.Number()
		if task.Budgets == nil {
			task.Budgets = ws.Target.Budgets
		}
		task.Metadata = maps.Clone(task.Metadata)
		for key, value := range map[string]string{"iteration": in.Iteration, "checkpoint": in.Checkpoint, "commit": in.Commit, "resumes": in.Resumes} {
			if value == "" {
				continue
			}
			if task.Metadata == nil {
				task.Metadata = map[string]string{}
			}
			task.Metadata[key] = value
		}
		c.FileAllExceptions() // they belong to what went before
		if c.InOwn && c.RunErr == nil {
			ws.StopTraces(ctx, c.Run) // and so do traces
		}
		run, err := ws.Open(task)
		if err != nil {
			return runStartOutput{}, err
		}
		ws.MarkRunStart()
		ws.ForgetRecordedCalls()
		c.Run, c.RunErr, c.Step = run, nil, run.NextStep()
		c.Say("run %s started", run.ID())
		for _, e := range held {
			c.Say("held in run %s, and is no part of this one: %s", in.Resumes, engine.OneLine(e.Text))
		}
		out := runStartOutput{RunID: run.ID(), Expectations: []qa.Expectation{}}
		sayDemands(ws, c, task.Expectations)
		out.Expectations = append(out.Expectations, task.Expectations...)
		return out, nil
	})
}

// sayDemands says what each expectation demands, and how one that is not understood is worded anew.
func sayDemands(ws *workspace.Workspace, c *tool.Call, expectations []qa.Expectation) {
	for _, e := range expectations {
		c.Say("%s: %s\n  %s", e.ID, engine.OneLine(e.Text), engine.OneLine(e.Wants()))
	}
	at := slices.IndexFunc(expectations, func(e qa.Expectation) bool {
		_, err := qa.Demands(e.Text)
		return err != nil && e.Assertion == nil && e.AmendedFrom == ""
	})
	if at >= 0 && !ws.FromFile {
		c.Say("before the first check a sentence that is not understood can be worded anew, once: run_start {\"amends\":{%q: \"…\"}}", expectations[at].ID)
	}
}

// amendRun gives expectations of the open run their new wordings.
func amendRun(ws *workspace.Workspace, c *tool.Call, in runStartInput) (runStartOutput, error) {
	rest := in
	rest.Amends = nil
	switch {
	case !reflect.ValueOf(rest).IsZero():
		return runStartOutput{}, engine.InvalidInput("give amends alone, or leave it out", "amends words the open run's expectations anew, and a task is given as well")
	case ws.FromFile:
		return runStartOutput{}, engine.InvalidInput("a person changes the file", "the expectations stand in a file, and no call words them anew")
	case c.RunErr != nil:
		return runStartOutput{}, c.RunErr
	case c.InOwn:
		return runStartOutput{}, engine.InvalidInput("give the task with its new wording", "no run is open whose expectations could be worded anew")
	}
	if err := c.Run.Amend(in.Amends); err != nil {
		return runStartOutput{}, engine.InvalidInput("run_start and the message say what can be written", "amends: %v", err)
	}
	task := c.Run.Task()
	c.Say("run %s goes on", c.Run.ID())
	sayDemands(ws, c, task.Expectations)
	return runStartOutput{RunID: c.Run.ID(), Expectations: task.Expectations}, nil
}

// resumedTask returns what is left of the run that the caller goes on from, and what
// held there. The caller gives no task beside it: its verdict would be about another one.
func resumedTask(ws *workspace.Workspace, in runStartInput) (qa.TaskSpec, []qa.Expectation, error) {
	if !reflect.ValueOf(in.TaskSpec).IsZero() {
		return qa.TaskSpec{}, nil, engine.InvalidInput("give resumes alone, with iteration, checkpoint and commit at most", "resumes takes the task of run %s, and a task is given as well", in.Resumes)
	}
	return ws.Resumed(in.Resumes)
}

// withAcceptedReadings notes on each expectation who read it as its assertion:
// the caller, unless the task comes from a file. It refuses accepted_by of a
// caller: only a person can accept a reading.
func withAcceptedReadings(ws *workspace.Workspace, expectations []qa.Expectation) ([]qa.Expectation, error) {
	if ws.FromFile {
		return expectations, nil
	}
	out := slices.Clone(expectations)
	for i := range out {
		if out[i].AcceptedBy != "" || out[i].ByCaller || out[i].AmendedFrom != "" {
			return nil, engine.InvalidInput("leave accepted_by, by_caller and amended_from out; give the assertion alone", "expectations[%d]: only a person accepts a reading, with assay accept", i)
		}
		out[i].ByCaller = out[i].Assertion != nil && out[i].Text != ""
	}
	return out, nil
}
