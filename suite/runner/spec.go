package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/auth"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools/workspace"
)

// SignedIn holds the outcome of a spec that signs in for others.
type signedIn struct {
	done  chan struct{} // closed when the rest is known
	state []byte        // storage state: a credential, in memory alone
	why   string        // why there is no state
}

func newSignedIn() *signedIn {
	return &signedIn{done: make(chan struct{}), why: "it was not run"}
}

// specCase is a spec with the sign-in that it makes for others, and the one that it
// waits for; nil where there is none.
type specCase struct {
	load.Spec
	login, by *signedIn
}

// signIns makes a place for the outcome of each spec that signs in for others.
func signIns(files []load.Case) map[*load.Spec]*signedIn {
	out := map[*load.Spec]*signedIn{}
	for _, f := range files {
		if f.Spec != nil && f.Spec.SignsIn {
			out[f.Spec] = newSignedIn()
		}
	}
	return out
}

// unrecorded names a spec that only a model can run, or "".
func (rn *Runner) unrecorded(files []load.Case) (string, error) {
	for _, f := range files {
		if f.Spec == nil || rn.recordings.mode == "only" {
			continue
		}
		if rn.recordings.mode == "off" {
			return f.Path, nil
		}
		_, misfit, err := fittingRecording(f.Spec.Spec, f.Spec.Base)
		if err != nil {
			return "", config.Usage("%s: %w", f.Path, err)
		}
		if misfit != "" {
			return f.Path, nil
		}
	}
	return "", nil
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
	if start.Caution, err = rn.caution(s.Destructive, rn.Config.Guard); err != nil {
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
		r.Name, r.Before = s.Name(), before
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

// notSignedIn returns the result of a spec that could not begin: inconclusive, as
// nothing was tested.
func notSignedIn(s load.Spec, why string) suite.Result {
	return suite.Result{TestCase: qa.TestCase{Name: s.Name(), Status: qa.TestError, Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{},
		FailureReason: fmt.Sprintf("not run: its sign-in %s did not pass: %s", s.SignedInBy.Path, why)}}
}

// caution returns what a session of a spec stops beyond the configuration, which is
// never looser; nil where the spec says nothing.
func (rn *Runner) caution(own string, g config.Guard) (*browser.Caution, error) {
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
		c.Confirm = rn.Confirm
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
	own.Target.BaseURL, own.Start, own.PictureAtEnd = s.Base, rn.start(m, d, start, task), true
	if own.Secrets != nil {
		own.Secrets = workspace.Only(own.Secrets, s.Secrets)
	}
	j := Job{Task: task, Procedure: s.Procedure(), Path: s.Path, Address: s.Base, Hosts: s.Hosts, Record: true}
	var left sessionState
	if s.login != nil {
		j.After = func(ctx context.Context, desk *workspace.Workspace, _ agent.Outcome) { left.take(ctx, desk) }
		j.Ended = left.take
	}
	if m.Model != nil && m.Name != "rules" {
		var err error
		if j.Model, err = m.Model(task, s.Base, s.Hosts); err != nil {
			return taskResult(s.Name(), qa.QAReport{}, "", err), nil
		}
	}
	r, replayed, notes, err := rn.replaySpec(ctx, own, s.Spec.Spec, j, watch)
	if !replayed && err == nil {
		r, err = rn.recordByAgent(ctx, own, s, j, notes, watch)
	}
	if err == nil {
		if note := rn.writeTest(s.Spec, r, replayed); note != "" {
			r.Notes = append(r.Notes, note)
		}
	}
	r.Notes = append(r.Notes, s.Unused...)
	if n := len(r.Screenshots); n > 0 {
		r.Screenshot = r.Screenshots[n-1]
	}
	if s.login != nil && err == nil {
		s.login.keep(left, r)
	}
	return r, err
}

// recordByAgent has a model run a spec, and records what it did.
func (rn *Runner) recordByAgent(ctx context.Context, d *workspace.Workspace, s specCase, j Job, notes []string, watch func(agent.Event)) (suite.Result, error) {
	if j.Model == nil {
		return taskResult(s.Name(), qa.QAReport{}, "", errors.New("there is no model to run it: "+strings.Join(notes, "; "))), nil
	}
	out, r, err := rn.runAgent(ctx, d, j, watch)
	if err != nil {
		return r, err
	}
	r.Notes = append(r.Notes, notes...)
	note, err := rn.recordSpec(ctx, d, s.Spec.Spec, j, out)
	if err != nil {
		note = "not recorded: " + err.Error() // the spec was run all the same
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	return r, nil
}

// sessionState holds the storage state of a sign-in's session at its end.
type sessionState struct {
	state []byte
	err   error
}

func (k *sessionState) take(ctx context.Context, desk *workspace.Workspace) {
	k.state, k.err = desk.SignedIn(ctx)
}

// keep stores what a sign-in left for others, if it passed.
func (in *signedIn) keep(left sessionState, r suite.Result) {
	in.state, in.why = nil, strings.TrimSpace(r.FailureReason+" "+r.Report)
	switch {
	case r.Status != qa.TestPassed:
	case left.err != nil:
		in.why = "it passed, and what it left could not be read: " + left.err.Error()
	case auth.Empty(left.state):
		in.why = "it passed, and left no cookie and nothing in local storage for others to start with (session storage ends with its page)"
	default:
		in.state, in.why = left.state, ""
	}
}
