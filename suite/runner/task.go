package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// Job holds a task for the agent: that of a task file, or that of a spec.
type Job struct {
	Task      qa.TaskSpec
	Procedure *agent.Procedure // of a spec; nil: the task has none
	Path      string           // of its file
	Address   string           // of the first page, absolute; empty: there is none
	Hosts     []string         // the only hosts that its pages reach
	Model     agent.Model
	Record    bool // keep what its elements are known again by
	// Ended runs when an attempt of a replay is over, while its session is
	// open; may be nil.
	Ended func(ctx context.Context, desk *workspace.Workspace)
	// Equip completes the desk before its tools are made; may be nil.
	Equip func(desk *workspace.Workspace)
	// Own changes how the agent works the job: which tools it has, what it is
	// told; may be nil.
	Own func(o *agent.Options, desk *workspace.Workspace)
	// After receives the outcome, while the sessions are still open; may be
	// nil.
	After func(context.Context, *workspace.Workspace, agent.Outcome)
}

// runTask runs one task file.
func (rn *Runner) runTask(ctx context.Context, d *workspace.Workspace, m provider.Provider, t spec.Task, watch func(agent.Event)) (suite.Result, error) {
	address, err := load.Address(t.Route, d.Target.BaseURL)
	if err != nil {
		return taskResult(t.ID, qa.QAReport{}, "", err), nil
	}
	hosts := load.Hosts(t.Route, d.Target.BaseURL, rn.Config.Network.AllowedHosts)
	model, err := m.Model(t.TaskSpec, address, hosts)
	if err != nil {
		return taskResult(t.ID, qa.QAReport{}, "", err), nil
	}
	d = d.Fork()
	d.Start = rn.start(d, d.Start, t.TaskSpec)
	_, r, err := rn.runAgent(ctx, d, Job{Task: t.TaskSpec, Path: t.Path, Address: address, Hosts: hosts, Model: model}, watch)
	r.Notes = append(r.Notes, pagetext.Of(t.Unused...)...)
	return r, err
}

// RunJob has the agent run a job of a caller's own. The error says that nothing can be
// run here at all.
func (rn *Runner) RunJob(ctx context.Context, d *workspace.Workspace, j Job, watch func(agent.Event)) (agent.Outcome, suite.Result, error) {
	return rn.runAgent(ctx, d, j, watch)
}

// Model makes the configured provider's model for a job, after the provider has said that it can
// be reached.
func (rn *Runner) Model(ctx context.Context, d *workspace.Workspace, j Job) (agent.Model, error) {
	m, err := rn.provider(agentConfig(rn.Config, d))
	if err != nil {
		return nil, err
	}
	if err := m.Check(ctx); err != nil {
		return nil, err
	}
	return m.Model(j.Task, j.Address, j.Hosts)
}

// runAgent has the agent run a job on a desk of its own. The error says that
// nothing can be run here at all.
func (rn *Runner) runAgent(ctx context.Context, d *workspace.Workspace, j Job, watch func(agent.Event)) (out agent.Outcome, r suite.Result, err error) {
	started := rn.Now()
	desk := rn.JobDesk(d, j)
	desk.PictureBefore, desk.Identify, desk.FromFile = true, j.Record, true
	if j.Equip != nil {
		j.Equip(desk)
	}
	defer rn.Leave(ctx, desk, j.Path)
	s := server.New(server.Options{Version: rn.Version, Instructions: tools.Instructions(), Tools: ServerTools(tools.Catalogue(desk)), Now: rn.Now, Log: rn.Log})
	client, err := server.InProcess(ctx, s)
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return out, taskResult(j.Task.ID, qa.QAReport{}, "", err), nil
	}
	defer func() {
		if closeErr := client.Close(); closeErr != nil {
			rn.Log.Warn("detach from the server", "specPath", j.Path, "err", closeErr)
		}
	}()
	options, err := rn.AgentOptions(d, j)
	if err != nil {
		return out, r, err
	}
	options.Tools, options.Record, options.Watch = Toolbox{Client: client, MaxPixels: desk.MaxPixels}, desk.Recorder(), watch
	options.AtStep = desk.AtSpecStep
	if j.Own != nil {
		j.Own(&options, desk)
	}
	rn.hideSecrets(ctx, desk, j.Model)
	out, err = agent.Run(ctx, options)
	if s, ok := j.Model.(provider.Model); ok && out.Outage != nil {
		s.Trip(out.Outage)
	}
	if j.After != nil && err == nil {
		j.After(ctx, desk, out)
	}
	switch {
	case errors.Is(err, agent.ErrNoDriver):
		return out, r, config.Usage("%w", err)
	case err != nil && ctx.Err() == nil:
		rn.Log.Error("task not finished", "specPath", j.Path, "err", err)
	}
	r = taskResult(j.Task.ID, out.Report, filepath.Join(rn.DataDir, "runs", out.Report.RunID), err)
	if out.Report.RunID == "" {
		r.DurationMS = rn.Now().Sub(started).Milliseconds()
	}
	return out, r, nil
}

// runFlow runs one flow.
func runFlow(ctx context.Context, d *workspace.Workspace, f load.Flow, progress func(string)) (r suite.Result, err error) {
	r.Steps = len(f.Steps)
	if r.TestCase, err = flows.Play(ctx, d, f.Flow, progress); err != nil {
		return r, err
	}
	report, err := d.Store.Report(r.RunID)
	if err != nil { // the evidence of the verdict could not be looked at
		r.Status, r.FailureReason = qa.TestError, withError(r.FailureReason, err)
		return r, nil // the case says so; the other cases can still run
	}
	addReport(&r, report, filepath.Dir(r.Report))
	return r, nil
}

// progressLine returns an event as a line for a person.
func progressLine(e agent.Event) pagetext.Text {
	switch e.Name {
	case agent.ToolCalled:
		line := fmt.Sprintf("%d %s (%s)", e.Step, e.Tool, e.Took.Round(time.Millisecond))
		if e.ErrorCode != "" {
			line += " " + e.ErrorCode
		}
		return pagetext.Text(line)
	case agent.SpecFinished:
		return pagetext.Text(string(e.Status)+": ") + e.Reason
	default:
		return pagetext.Text(string(e.Name))
	}
}

// ServerTools converts the catalogue for the server, which imports no room of
// ours.
func ServerTools(catalogue []tool.Tool) []server.Tool {
	out := make([]server.Tool, len(catalogue))
	for i, t := range catalogue {
		out[i] = server.Tool{Definition: t.Definition, Handle: t.Handle}
	}
	return out
}
