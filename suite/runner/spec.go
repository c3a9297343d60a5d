package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/agent/replay"
	agentrules "github.com/assay-qa/assay/agent/rules"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/rules"
	"github.com/assay-qa/assay/tools/workspace"
)

// specCase holds a spec with the sign-in that it makes for others, and the one
// that it waits for; nil where there is none.
type specCase struct {
	load.Spec
	login, by *signedIn
}

// healingProvider makes the models that heal recordings, if there can be any: without
// them whatever drifts stays as it is.
func (rn *Runner) healingProvider(cfg config.Agent) provider.Provider {
	if cfg.Provider == "rules" || rn.recordings.mode != "prefer" {
		return provider.Provider{}
	}
	m, err := rn.provider(cfg)
	if err != nil {
		rn.Log.Info("no model to heal recordings with", "err", err)
		return provider.Provider{}
	}
	return m
}

// runSpec runs a spec until it passes, or its retries are spent. A pass that was
// not the first attempt is flaky.
func (rn *Runner) runSpec(ctx context.Context, d *workspace.Workspace, m provider.Provider, s specCase, again string, watch func(agent.Event)) (r suite.Result, err error) {
	if s.login != nil {
		defer close(s.login.done)
	}
	start := d.Start // of a profile's cell
	if s.Viewport != nil && !start.Pinned {
		start.Width, start.Height = s.Viewport.Width, s.Viewport.Height
	}
	if start.Caution, err = caution(s.Destructive, rn.Config.Guard, rn.Confirm); err != nil {
		return r, err
	}
	if s.by != nil {
		select {
		case <-s.by.done:
		case <-ctx.Done():
			return notSignedIn(s.Spec, "it was interrupted"), nil
		}
		if why := s.by.why; why != "" {
			return notSignedIn(s.Spec, why), nil
		}
		start.State = s.by.state
	}
	var before []suite.Attempt
	for attempt := 1; ; attempt++ {
		r, err = rn.attempt(ctx, d, m, s, start, again, watch)
		r.Name, r.Before = pagetext.Text(s.Name()), before
		if s.Retries > 0 {
			r.Attempts = attempt
		}
		r.Flaky = attempt > 1 && r.Status == qa.TestPassed
		if err != nil || ctx.Err() != nil || r.Status == qa.TestPassed || attempt > s.Retries {
			return r, err
		}
		before = append(before, suite.Attempt{RunID: r.RunID, Status: r.Status, Reason: r.FailureReason, Report: r.Report})
	}
}

// caution returns what a session of a spec stops beyond the configuration,
// which is never looser; nil where the spec sets nothing.
func caution(own string, g config.Guard, confirm func(context.Context, string) (bool, error)) (*browser.Caution, error) {
	if own == "" || own == g.Destructive {
		return nil, nil //nolint:nilnil // the pool's own holds
	}
	judge, err := guard.New(g.ClickPatterns, g.RequestPatterns)
	if err == nil {
		judge, err = judge.Allowing(g.AllowRequests)
	}
	if err != nil {
		return nil, config.Usage("%w", err)
	}
	c := &browser.Caution{Guard: judge}
	if own == "ask" {
		c.Confirm = confirm
	}
	return c, nil
}

// attempt runs a spec once.
func (rn *Runner) attempt(ctx context.Context, d *workspace.Workspace, m provider.Provider, s specCase, start workspace.Start, again string, watch func(agent.Event)) (suite.Result, error) {
	task := s.Task()
	task.Route, task.Role = s.Base, s.Role
	task.Metadata = maps.Clone(task.Metadata)
	task.Metadata[qa.CommandKey] = again
	own := d.Fork()
	own.Target.BaseURL, own.Start, own.PictureAtEnd = s.Base, rn.start(d, start, task), true
	if own.Secrets != nil {
		own.Secrets = workspace.Only(own.Secrets, s.Secrets)
	}
	j := Job{Task: task, Procedure: s.Procedure(), Path: s.Path, Address: s.Base, Hosts: s.Hosts, Record: true}
	var left sessionState
	if s.login != nil {
		j.After = func(ctx context.Context, desk *workspace.Workspace, _ agent.Outcome) { left.take(ctx, desk) }
		j.Ended = left.take
	}
	var err error
	if j.Model, err = rn.specModel(d, m, s, task, j.Procedure); err != nil {
		return taskResult(s.Name(), qa.QAReport{}, "", err), nil
	}
	kept := recordingOf(s.Spec.Spec, s.Base)
	r, replayed, notes, err := rn.replaySpec(ctx, own, s.Spec.Spec, &kept, j, watch)
	if !replayed && err == nil {
		r, err = rn.recordByAgent(ctx, own, s, &kept, j, notes, watch)
	}
	if err == nil {
		if note := rn.recordings.writeTest(s.Spec, kept, r, replayed); note != "" {
			r.Notes = append(r.Notes, pagetext.Text(note))
		}
	}
	r.Notes = append(r.Notes, pagetext.Of(s.Unused...)...)
	if n := len(r.Screenshots); n > 0 {
		r.Screenshot = r.Screenshots[n-1]
	}
	if s.login != nil && err == nil {
		s.login.keep(left, r)
	}
	return r, err
}

// specModel returns the model that works a spec: the configured one, or rules where they
// read all of its sentences. nil: there is none.
func (rn *Runner) specModel(d *workspace.Workspace, m provider.Provider, s specCase, task qa.TaskSpec, procedure *agent.Procedure) (agent.Model, error) {
	if m.Model != nil && m.Name != "rules" {
		return m.Model(task, s.Base, s.Hosts)
	}
	if agentConfig(rn.Config, d).Provider != "rules" || !rn.recordings.mayWork || len(unreadSentences(s.Spec.Spec)) > 0 {
		return nil, nil //nolint:nilnil // a recording is replayed without one
	}
	return agentrules.New(agentrules.Options{Task: task.Number(), Address: s.Base, AllowedHosts: s.Hosts, Procedure: procedure}), nil
}

// recordByAgent has a model run a spec, and records what it did.
func (rn *Runner) recordByAgent(ctx context.Context, d *workspace.Workspace, s specCase, kept *recording, j Job, notes []pagetext.Text, watch func(agent.Event)) (suite.Result, error) {
	if j.Model == nil {
		r := taskResult(s.Name(), qa.QAReport{}, "", nil)
		r.FailureReason = pagetext.Join(append([]pagetext.Text{needsModelHint}, notes...), "; ")
		return r, nil
	}
	out, r, err := rn.runAgent(ctx, d, j, watch)
	if err != nil {
		return r, err
	}
	r.Notes = append(r.Notes, notes...)
	note, err := rn.recordSpec(ctx, d, s.Spec.Spec, kept, j, out, &r)
	if err != nil {
		note = pagetext.Text("not recorded: " + err.Error()) // the spec was run all the same
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	return r, nil
}

// recordSpec compiles what an agent did in a run that passed, replays it once,
// and writes the recording beside the spec. note says what came of it; it is
// empty where there was nothing to do. That it was recorded is entered in r.
func (rn *Runner) recordSpec(ctx context.Context, d *workspace.Workspace, s spec.Spec, kept *recording, j Job, out agent.Outcome, r *suite.Result) (note pagetext.Text, err error) {
	if rn.recordings.repeated || out.Report.Status != qa.Passed || rn.recordings.mode == "off" && !rn.recordings.update {
		return "", nil
	}
	if kept.err != nil || kept.misfit == "" && !rn.recordings.update {
		return "", kept.err
	}
	if !rn.recordings.asked && byRules(j.Model) {
		return "", nil // they do the same again
	}
	if !rn.recordings.asked && !versioned(s.Recording()) {
		return pagetext.Text("not recorded: " + load.Relative([]string{filepath.Dir(s.Recording())})[0] +
			" is not under version control; to write the recording beside the spec: assay run --record"), nil
	}
	hide, err := Redactor(rn.Vault, agentConfig(rn.Config, d).Redact)
	if err != nil {
		return "", err
	}
	f, err := replay.Compile(replay.Source{Spec: s.ID, Name: s.Name(), Run: out.Report.RunID, Base: j.Address, Role: j.Task.Role, Steps: replaySteps(s), Keys: stepKeys(s),
		Done: out.Done, Secret: func(text string) bool { return hide(text) != text }, Rules: rules.Flows()})
	if bad := (*replay.UnrecordableError)(nil); errors.As(err, &bad) {
		return pagetext.Text("not recorded: " + bad.Error()), nil
	}
	if err != nil {
		return "", err
	}
	again, problems := f.Below(j.Address).Resolve(j.Address)
	if len(problems) > 0 {
		return pagetext.Text("not recorded: " + problems[0].Error()), nil
	}
	desk := rn.JobDesk(d, j)
	defer rn.Leave(ctx, desk, j.Path)
	played, err := flows.Replay(ctx, desk, again, j.Task, flows.Replaying{}, func(string) {})
	switch {
	case err != nil:
		return "", fmt.Errorf("replay the recording: %w", err)
	case played.Status != qa.TestPassed:
		return pagetext.Sprintf("not recorded: its replay did not pass: %s (%s)", played.FailureReason, played.Report), nil
	}
	if err := kept.write(s, f); err != nil {
		return "", err
	}
	r.Recorded = true
	return pagetext.Sprintf("recorded: %d steps in %s", len(f.Steps), load.Relative([]string{s.Recording()})[0]), nil
}
