package runner

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/agent/replay"
	agentrules "github.com/assay-qa/assay/agent/rules"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/workspace"
)

// replaySpec runs the recording of a spec, if there is one to run: no model takes
// a turn, but to heal a locator. replayed is false where the spec is for a model
// to work; notes say why.
func (rn *Runner) replaySpec(ctx context.Context, d *workspace.Workspace, s spec.Spec, kept *recording, j Job, watch func(agent.Event)) (
	r suite.Result, replayed bool, notes []pagetext.Text, err error) {
	if rn.recordings.mode == "off" {
		return r, false, nil, nil
	}
	f, misfit := kept.flow, kept.misfit
	switch {
	case kept.err != nil:
		return r, false, nil, kept.err
	case misfit != "" && byRules(j.Model):
		return r, false, []pagetext.Text{"worked by rules, without a model"}, nil
	case misfit != "" && rn.recordings.mode == "only":
		r, err := reportMisfit(d, s, j, misfit)
		return r, true, nil, err
	case misfit != "":
		return r, false, []pagetext.Text{pagetext.Text(misfit)}, nil
	}
	f.Command = j.Task.Metadata[qa.CommandKey]
	log := rn.Log.With("specPath", j.Path)
	log.Info(string(agent.SpecStarted), "event", string(agent.SpecStarted), "recording", s.Recording())
	desk := rn.JobDesk(d, j)
	defer rn.Leave(ctx, desk, j.Path)
	o := replay.Options{Attempted: func(d flow.Drift, h *flow.Heal, why string) {
		heal := agent.Event{Name: agent.HealAttempted, Step: d.Step + 1, Reason: pagetext.Text(why)}
		if h != nil {
			heal.Reason = pagetext.Text(h.String())
		}
		log.Info(string(heal.Name), "event", string(heal.Name), "stepIndex", heal.Step, "healed", h != nil, "detail", heal.Reason)
		watch(heal)
	}}
	if rn.recordings.mode == "prefer" && !byRules(j.Model) {
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
	if err != nil { // the evidence of the verdict could not be looked at
		r.Status, r.FailureReason = qa.TestError, withError(r.FailureReason, err)
		return r, true, nil, nil
	}
	addReport(&r, report, filepath.Dir(r.Report))
	log.Info(string(agent.SpecFinished), "event", string(agent.SpecFinished), "runId", r.RunID, "status", string(report.Status), "reason", report.StatusReason)
	if played.Drift != nil {
		return rn.recordings.reportDrift(r, s, *played.Drift, healed, j)
	}
	r.Notes = append(r.Notes, "replayed, without a model")
	return rn.recordings.keepHeals(r, s, kept, healed)
}

// byRules reports whether rules work a job: they heal nothing, and need no recording.
func byRules(m agent.Model) bool {
	_, ok := m.(*agentrules.Model)
	return ok
}

// reportMisfit returns the inconclusive result of a spec that has no recording to
// replay, where nothing but a replay is allowed.
func reportMisfit(d *workspace.Workspace, s spec.Spec, j Job, misfit string) (r suite.Result, err error) {
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
	closing, cancel := wait.CleanUp(ctx, leaveLimit)
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
