package runner

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/agent/replay"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/workspace"
)

// replaySpec runs the recording of a spec, if there is one to run: no model takes
// a turn, but to heal a locator. replayed is false where the spec is for a model
// to work; notes say why.
func (rn *Runner) replaySpec(ctx context.Context, d *workspace.Workspace, s spec.Spec, j Job, watch func(agent.Event)) (r suite.Result, replayed bool, notes []string, err error) {
	if rn.recordings.mode == "off" {
		return r, false, nil, nil
	}
	f, misfit, err := fittingRecording(s, j.Address)
	switch {
	case err != nil:
		return r, false, nil, err
	case misfit != "" && rn.recordings.mode == "only":
		r, err := rn.reportMisfit(d, s, j, misfit)
		return r, true, nil, err
	case misfit != "":
		return r, false, []string{misfit}, nil
	}
	f.Command = j.Task.Metadata[qa.CommandKey]
	log := rn.Log.With("specPath", j.Path)
	log.Info(string(agent.SpecStarted), "event", string(agent.SpecStarted), "recording", s.Recording())
	desk := rn.JobDesk(d, j)
	defer rn.Leave(ctx, desk, j.Path)
	o := replay.Options{Attempted: func(d flow.Drift, h *flow.Heal, why string) {
		heal := agent.Event{Name: agent.HealAttempted, Step: d.Step + 1, Reason: why}
		if h != nil {
			heal.Reason = h.String()
		}
		log.Info(string(heal.Name), "event", string(heal.Name), "stepIndex", heal.Step, "healed", h != nil, "detail", heal.Reason)
		watch(heal)
	}}
	if rn.recordings.mode == "prefer" {
		o.Model = j.Model
		rn.hideSecrets(ctx, desk, j.Model)
	}
	if o.Redact, err = Redactor(rn.Vault, agentConfig(rn.Config, d).Redact); err != nil {
		return r, false, nil, err
	}
	played, healed, err := replay.Run(ctx, f, o, func(ctx context.Context, h replay.Healed) (flows.Played, *flow.Drift, error) {
		p, err := flows.Replay(ctx, desk, h.Flow, j.Task, flows.Replaying{Heals: h.Heals, Input: h.Usage.Input, Cached: h.Usage.Cached, Output: h.Usage.Output,
			USD: price(rn.Config, d, h.Usage), Ended: func(ctx context.Context) {
				if j.Ended != nil {
					j.Ended(ctx, desk)
				}
			}}, func(string) {})
		return p, p.Drift, err
	})
	if err != nil {
		return r, true, nil, err
	}
	r = suite.Result{TestCase: played.TestCase}
	report, err := d.Store.Report(r.RunID)
	if err != nil { // nobody could look at what the verdict rests on
		r.Status, r.FailureReason = qa.TestError, strings.TrimPrefix(r.FailureReason+"; "+err.Error(), "; ")
		return r, true, nil, nil
	}
	addReport(&r, report, filepath.Dir(r.Report))
	log.Info(string(agent.SpecFinished), "event", string(agent.SpecFinished), "runId", r.RunID, "status", string(report.Status), "reason", report.StatusReason)
	if played.Drift != nil {
		return rn.reportDrift(r, s, *played.Drift, healed, j)
	}
	r.Notes = append(r.Notes, "replayed, without a model")
	return rn.keepHeals(r, s, healed)
}

// reportDrift returns the result of a spec whose recording no longer fits the page.
func (rn *Runner) reportDrift(r suite.Result, s spec.Spec, d flow.Drift, h replay.Healed, j Job) (suite.Result, bool, []string, error) {
	for i, step := range h.Flow.Recorded.Steps {
		if step.From <= d.Step && d.Step < step.To {
			r.Notes = append(r.Notes, fmt.Sprintf("it drifted in step %d of the spec: %s", i+1, step.Text))
		}
	}
	if h.Why != "" {
		r.Notes = append(r.Notes, "not healed: "+h.Why)
	}
	if rn.recordings.update && rn.recordings.mode == "prefer" && j.Model != nil {
		return r, false, append(r.Notes, "its recording no longer fits the page: "+r.FailureReason+" ("+r.Report+")"), nil
	}
	r.Notes = append(r.Notes, "if the page is meant to have changed, record it again: "+recordCommand(s))
	return r, true, nil, nil
}

// keepHeals notes what was healed, and writes it into the recording where that is
// asked for.
func (rn *Runner) keepHeals(r suite.Result, s spec.Spec, h replay.Healed) (suite.Result, bool, []string, error) {
	for _, heal := range h.Heals {
		r.Notes = append(r.Notes, "healed: "+heal.String())
	}
	switch {
	case len(h.Heals) == 0 || r.Status != qa.TestPassed:
	case !rn.recordings.update:
		r.Notes = append(r.Notes, "keep what was healed: assay run --update-flows "+filepath.ToSlash(s.Path))
	default:
		kept, problems, err := healedRecording(s, h)
		if err == nil && len(problems) > 0 {
			err = problems
		}
		if err == nil {
			err = writeRecording(s.Recording(), kept)
		}
		if err != nil {
			return r, true, nil, fmt.Errorf("keep what was healed: %w", err)
		}
		r.Notes = append(r.Notes, "written to "+load.Relative([]string{s.Recording()})[0])
	}
	return r, true, nil, nil
}

// healedRecording returns the recording as its file has it, with what was healed.
func healedRecording(s spec.Spec, h replay.Healed) (f flow.Flow, problems flow.Problems, err error) {
	f, problems, err = readRecording(s.Recording())
	if err != nil || len(problems) > 0 {
		return f, problems, err
	}
	for _, heal := range h.Heals {
		f = heal.Apply(f)
	}
	return f, nil, nil
}

// recordCommand returns the command that has a model run a spec and records what it did.
func recordCommand(s spec.Spec) string {
	return "assay run --replay prefer --update-flows " + filepath.ToSlash(s.Path)
}

// reportMisfit returns the inconclusive result of a spec that has no recording to
// replay, where nothing but a replay is allowed.
func (rn *Runner) reportMisfit(d *workspace.Workspace, s spec.Spec, j Job, misfit string) (r suite.Result, err error) {
	why := misfit + "; agent.replay is \"only\" (as in CI): record it where a model is at hand, and commit " + filepath.Base(s.Recording()) + ": " + recordCommand(s)
	if r.TestCase, err = flows.NotPlayed(d, j.Task, "replay "+s.Path, why); err != nil {
		return r, err
	}
	report, err := d.Store.Report(r.RunID)
	if err != nil {
		return r, err
	}
	addReport(&r, report, filepath.Dir(r.Report))
	return r, nil
}

// leaveLimit bounds the end of the sessions that a case has left open.
const leaveLimit = 1200 * time.Millisecond

// JobDesk returns the desk for a job: a fork with its hosts, and without page_evaluate.
func (rn *Runner) JobDesk(d *workspace.Workspace, j Job) *workspace.Workspace {
	desk := d.Fork()
	desk.Evaluate = false
	desk.Hosts, desk.SpecPath = j.Hosts, j.Path
	return desk
}

// Leave closes the runs and sessions that a job has left open on its desk.
func (rn *Runner) Leave(ctx context.Context, desk *workspace.Workspace, path string) {
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveLimit)
	defer cancel()
	if err := errors.Join(desk.Close(), desk.CloseSessions(closing)); err != nil {
		rn.Log.Warn("leave the workspace of a task", "specPath", path, "err", err)
	}
}

// price returns what a model's tokens cost, in US dollars; 0 where that is not known.
func price(cfg config.Config, d *workspace.Workspace, u agent.Usage) float64 {
	rates := modelRates(cfg, provider.ModelName(agentConfig(cfg, d)))
	if rates == nil {
		return 0
	}
	return rates.Of(u)
}

// urlPath returns the path of an address, which is the same in every environment.
func urlPath(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.Trim(u.Path, "/")
}
