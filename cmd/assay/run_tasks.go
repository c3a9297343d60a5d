package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools"
)

// job is what an agent works: a task from a task file, or a spec.
type job struct {
	task      qa.TaskSpec
	procedure *agent.Procedure // of a spec; nil: the task has none
	path      string           // of its file
	address   string           // of the first page, absolute; empty: there is none
	hosts     []string         // the only hosts that its pages reach
	model     agent.Model
	record    bool // keep what its elements are known again by
	// ended is told that an attempt of a replay is over while its session is open; may be nil.
	ended func(ctx context.Context, desk *tools.Desk)
	// after is told the outcome while the sessions are still open; may be nil.
	after func(context.Context, *tools.Desk, agent.Outcome)
}

// runTask works one task file.
func (a *app) runTask(ctx context.Context, cfg config.Config, d *tools.Desk, m provider.Provider, t spec.Task, watch func(agent.Event)) (suite.Result, error) {
	address, err := load.Address(t.Route, d.Target.BaseURL)
	if err != nil {
		return taskResult(t.ID, qa.QAReport{}, "", err), nil
	}
	hosts := load.Hosts(t.Route, d.Target.BaseURL, cfg.Network.AllowedHosts)
	model, err := m.Model(t.TaskSpec, address, hosts)
	if err != nil {
		return taskResult(t.ID, qa.QAReport{}, "", err), nil
	}
	_, r, err := a.work(ctx, cfg, d, job{task: t.TaskSpec, path: t.Path, address: address, hosts: hosts, model: model}, watch)
	r.Notes = append(r.Notes, t.Unused...)
	return r, err
}

// work has an agent work a job on a desk of its own. The error says that
// nothing can be run here at all.
func (a *app) work(ctx context.Context, cfg config.Config, d *tools.Desk, j job, watch func(agent.Event)) (out agent.Outcome, r suite.Result, err error) {
	started := a.now()
	dir, err := dataDir(cfg)
	if err != nil {
		return out, r, err
	}
	desk := a.deskOf(d, j)
	desk.PictureBefore, desk.Identify, desk.FromFile = true, j.record, true
	defer a.leave(ctx, desk, j.path)
	s := server.New(server.Options{Version: version, Instructions: tools.Instructions(), Tools: serverTools(desk.Catalogue()), Now: a.now, Log: a.log})
	client, err := server.InProcess(ctx, s)
	if err != nil {
		return out, taskResult(j.task.ID, qa.QAReport{}, "", err), nil
	}
	defer func() {
		if closeErr := client.Close(); closeErr != nil {
			a.log.Warn("detach from the server", "specPath", j.path, "err", closeErr)
		}
	}()
	options, err := a.agentOptions(cfg, d, j)
	if err != nil {
		return out, r, err
	}
	options.Tools, options.Record, options.Watch = toolbox{client}, desk.Recorder(), watch
	a.hideFirst(ctx, desk, j.model)
	out, err = agent.Run(ctx, options)
	if s, ok := j.model.(provider.Model); ok && out.Outage != nil {
		s.Trip(out.Outage)
	}
	if j.after != nil && err == nil {
		j.after(ctx, desk, out)
	}
	switch {
	case errors.Is(err, agent.ErrNoDriver):
		return out, r, usage("%w", err)
	case err != nil && ctx.Err() == nil:
		a.log.Error("task not finished", "specPath", j.path, "err", err)
	}
	r = taskResult(j.task.ID, out.Report, filepath.Join(dir, "runs", out.Report.RunID), err)
	if out.Report.RunID == "" {
		r.DurationMS = a.now().Sub(started).Milliseconds()
	}
	return out, r, nil
}

// taskResult is what came of a task, as a case of a suite. err says why there
// is no report.
func taskResult(name string, report qa.QAReport, dir string, err error) suite.Result {
	r := suite.Result{
		TestCase: qa.TestCase{Name: name, Status: report.Status.TestStatus(), // error, where there is none
			Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{}},
	}
	if report.RunID == "" {
		r.FailureReason = "there is no report"
		if err != nil {
			r.FailureReason += ": " + err.Error()
		}
		return r
	}
	r.RunID, r.Report = report.RunID, filepath.Join(dir, "report.html")
	r.ConsoleLogs = append(r.ConsoleLogs, report.Console...)
	for _, a := range report.Artifacts {
		if a.Width > 0 {
			r.Screenshots = append(r.Screenshots, filepath.Join(dir, filepath.FromSlash(a.Name)))
		}
	}
	tell(&r, report, dir)
	if report.Status != qa.Passed {
		r.FailureReason = report.StatusReason
	}
	if err != nil { // the report is made, and something could not be kept
		r.Status, r.FailureReason = qa.TestError, strings.TrimPrefix(r.FailureReason+"; "+err.Error(), "; ")
	}
	return r
}

// tell fills in what the readers of a suite are told of a run, as the run's own
// test-result.json has it. dir is the run's folder.
func tell(r *suite.Result, report qa.QAReport, dir string) {
	r.Findings, r.Checks, r.ToolCalls, r.DurationMS = report.Findings, len(report.Checks), report.Costs.ToolCalls, report.Costs.DurationMS
	seal := report.Seal()
	r.Seal, r.Evidence = &seal, report.Evidence
	r.Notes = append(r.Notes, readingNotes(report)...)
	for _, name := range qa.Traces(report) {
		r.Traces = append(r.Traces, filepath.Join(dir, name))
	}
	if n := len(r.Screenshots); n > 0 {
		r.Screenshot = r.Screenshots[n-1] // a failed run ends with what it failed at
		if report.Status == qa.Passed {
			r.Screenshot = r.Screenshots[0]
		}
	}
}

// runFlow works one flow.
func runFlow(ctx context.Context, d *tools.Desk, f load.Flow, progress func(string)) (r suite.Result, err error) {
	r.Steps = len(f.Steps)
	if r.TestCase, err = d.RunFlow(ctx, f.Flow, progress); err != nil {
		return r, err
	}
	report, err := d.Store.Report(r.RunID)
	if err != nil { // nobody could look at what the verdict rests on
		r.Status, r.FailureReason = qa.TestError, strings.TrimPrefix(r.FailureReason+"; "+err.Error(), "; ")
		return r, nil //nolint:nilerr // the case says so; the other cases can still run
	}
	tell(&r, report, filepath.Dir(r.Report))
	return r, nil
}

// progressOf is an event as a line for a person.
func progressOf(e agent.Event) string {
	switch e.Name {
	case agent.ToolCalled:
		line := fmt.Sprintf("%d %s (%s)", e.Step, e.Tool, e.Took.Round(time.Millisecond))
		if e.ErrorCode != "" {
			line += " " + e.ErrorCode
		}
		return line
	case agent.SpecFinished:
		return string(e.Status) + ": " + e.Reason
	default:
		return string(e.Name)
	}
}
