package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/rules"
	"github.com/assay-qa/assay/agent/suite"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/tools"
)

// loadTask reads and checks one task file.
func loadTask(file flowFile, target tools.Target, allowed []string) (t suite.Task, problems flow.Problems, err error) {
	root, err := os.OpenRoot(file.root)
	if err != nil {
		return t, nil, fmt.Errorf("tasks: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	data, err := readFlow(root, file.name)
	if err != nil {
		return t, nil, fmt.Errorf("tasks: %w", err)
	}
	t, problems = suite.Load(file.path(), data, target.BaseURL, suite.Rules{Flow: tools.FlowRules(), Validate: func(t qa.TaskSpec) error {
		if t.KPISpec == nil && len(t.Ranges) > 0 {
			t.KPISpec = target.KPI // as run_start does
		}
		return errors.Join(tools.ValidateTask(t), checkReach(t.Route, target.BaseURL, allowed), checkRole(t.Role, target))
	}})
	return t, problems, nil
}

// checkReach refuses a route that leads where the task's pages may not go.
func checkReach(route, base string, allowed []string) error {
	host, hosts := hostOf(route), taskHosts(route, base, allowed)
	if host == "" || slices.Contains(hosts, host) {
		return nil
	}
	return fmt.Errorf("route leads to %s, and pages may reach %s only: name that host in network.allowed_hosts", host, strings.Join(hosts, ", "))
}

// checkRole refuses a role that nobody can be signed in as.
func checkRole(role string, target tools.Target) error {
	if _, ok := target.Roles[role]; ok || role == "" {
		return nil
	}
	known := slices.Sorted(maps.Keys(target.Roles))
	if len(known) == 0 {
		return fmt.Errorf("role %q: no roles are configured; add [env.NAME.roles.%s] to mcp.toml", role, role)
	}
	return fmt.Errorf("role %q is unknown in environment %s%s; it has: %s", role, target.Name, nearest.Hint(role, known), strings.Join(known, ", "))
}

// taskHosts are the only hosts that the pages of a task reach: that of the
// base address (or of the route, where there is none), and those configured.
func taskHosts(route, base string, allowed []string) []string {
	hosts := slices.Clone(allowed)
	host := hostOf(base)
	if host == "" {
		host = hostOf(route)
	}
	if host != "" && !slices.Contains(hosts, host) {
		hosts = append(hosts, host)
	}
	return hosts
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// addressOf is a task's page as an absolute address. A route may leave out its
// first slash, and is the base itself when it is empty.
func addressOf(route, base string) (string, error) {
	u, err := url.Parse(route)
	switch {
	case route == "":
		return base, nil
	case err == nil && !u.IsAbs() && !strings.HasPrefix(route, "/") && !strings.HasPrefix(route, "?"):
		route = "/" + route
	}
	return flow.Join(base, route)
}

// agentOf is the agent's configuration for the environment under test.
func agentOf(cfg config.Config, d *tools.Desk) config.Agent {
	if env, ok := cfg.Environments[d.Target.Name]; ok {
		return env.Agent
	}
	return cfg.Agent
}

// checkProvider refuses a provider that this build has no model for, before
// anything runs. Flows need none.
func checkProvider(a config.Agent, files []loaded) error {
	tasks := slices.ContainsFunc(files, func(f loaded) bool { return f.task != nil })
	if tasks && a.Provider != "rules" {
		return usage("agent.provider %q: this version works tasks with rules only; set agent.provider = \"rules\"", a.Provider)
	}
	return nil
}

// limitsOf are a task's own budgets, completed by those of the environment and
// of the agent.
func limitsOf(task qa.TaskSpec, target *qa.Budgets, a config.Agent) agent.Limits {
	var own, env qa.Budgets
	if task.Budgets != nil {
		own = *task.Budgets
	}
	if target != nil {
		env = *target
	}
	first := func(values ...int) int {
		for _, v := range values {
			if v > 0 {
				return v
			}
		}
		return 0
	}
	return agent.Limits{
		Budgets: qa.Budgets{
			MaxToolCalls:   first(own.MaxToolCalls, env.MaxToolCalls, a.MaxToolCalls),
			MaxTimeMS:      first(own.MaxTimeMS, env.MaxTimeMS, a.MaxTimeMS),
			MaxScreenshots: first(own.MaxScreenshots, env.MaxScreenshots, a.MaxScreenshots),
			MaxTokens:      first(own.MaxTokens, env.MaxTokens, a.MaxTokens),
		},
		MaxConsecutiveErrors: a.MaxConsecutiveErrors,
		MaxRetriesPerStep:    a.MaxRetriesPerStep,
	}.WithDefaults()
}

// toolbox hands an agent's calls to the server over its own protocol.
type toolbox struct{ client *server.Client }

func (t toolbox) Tools(ctx context.Context) ([]agent.Tool, error) {
	offers, err := t.client.Tools(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]agent.Tool, len(offers))
	for i, o := range offers {
		out[i] = agent.Tool{Name: o.Name, Description: o.Description, Schema: o.Schema}
	}
	return out, nil
}

func (t toolbox) Call(ctx context.Context, name string, arguments json.RawMessage) (agent.Result, error) {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	answer, err := t.client.Call(ctx, name, arguments)
	if err != nil {
		return agent.Result{}, err
	}
	r := agent.Result{Name: name, Structured: answer.Structured, IsError: answer.IsError, Parts: []agent.Part{{Text: answer.Text}}}
	for _, p := range answer.Pictures {
		r.Parts = append(r.Parts, agent.Part{Image: &agent.Image{MIMEType: p.MIMEType, Data: p.Data}})
	}
	return r, nil
}

// runTask works one task on a desk of its own.
func (a *app) runTask(ctx context.Context, cfg config.Config, d *tools.Desk, t suite.Task, watch func(agent.Event)) (r suite.Result, err error) {
	started := a.now()
	dir, err := dataDir(cfg)
	if err != nil {
		return r, err
	}
	address, err := addressOf(t.Route, d.Target.BaseURL)
	if err != nil {
		return taskResult(t, qa.QAReport{}, "", err), nil
	}
	desk := d.Fork()
	desk.Evaluate = false
	desk.PictureBefore = true
	desk.Hosts = taskHosts(t.Route, d.Target.BaseURL, cfg.Network.AllowedHosts)
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
		defer cancel()
		if closeErr := errors.Join(desk.Close(), desk.CloseSessions(closing)); closeErr != nil {
			a.log.Warn("leave the desk of a task", "specPath", t.Path, "err", closeErr)
		}
	}()
	s := server.New(server.Options{Version: version, Instructions: tools.Instructions(), Tools: serverTools(desk.Catalogue()), Now: a.now, Log: a.log})
	client, err := server.InProcess(ctx, s)
	if err != nil {
		return taskResult(t, qa.QAReport{}, "", err), nil
	}
	defer func() {
		if closeErr := client.Close(); closeErr != nil {
			a.log.Warn("detach from the server", "specPath", t.Path, "err", closeErr)
		}
	}()
	settings := agentOf(cfg, d)
	limits := limitsOf(t.TaskSpec, d.Target.Budgets, settings)
	task := t.TaskSpec
	task.Budgets = &limits.Budgets
	outcome, err := agent.Run(ctx, agent.Options{
		Task:  task,
		Model: rules.New(rules.Options{Task: task, Address: address, AllowedHosts: desk.Hosts, Explore: true}),
		Tools: toolbox{client}, Record: desk.Recorder(), Limits: limits, Fatal: agent.FatalConsole(),
		Now: a.now, Log: a.log.With("specPath", t.Path), Watch: watch,
	})
	switch {
	case errors.Is(err, agent.ErrNoDriver):
		return r, usage("%w", err)
	case err != nil && ctx.Err() == nil:
		a.log.Error("task not finished", "specPath", t.Path, "err", err)
	}
	r = taskResult(t, outcome.Report, filepath.Join(dir, "runs", outcome.Report.RunID), err)
	if outcome.Report.RunID == "" {
		r.DurationMS = a.now().Sub(started).Milliseconds()
	}
	return r, nil
}

// taskResult is what came of a task, as a case of a suite. err says why there
// is no report.
func taskResult(t suite.Task, report qa.QAReport, dir string, err error) suite.Result {
	r := suite.Result{
		TestCase: qa.TestCase{Name: t.ID, Status: report.Status.TestStatus(), // error, where there is none
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
func runFlow(ctx context.Context, d *tools.Desk, f loadedFlow, progress func(string)) (r suite.Result, err error) {
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
