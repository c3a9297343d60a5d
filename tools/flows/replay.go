package flows

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// Play runs one flow in a context of its own and makes one run of it, with
// its reports. The status of the case is the run's verdict: an uncaught
// exception fails it, too. The error says that no report could be made, or that
// there is no browser to look with.
//
// It is what `assay run` does; f must be valid and its addresses absolute.
func Play(ctx context.Context, ws *workspace.Workspace, f flow.Flow, progress func(string)) (qa.TestCase, error) {
	if f.Role != "" {
		if err := ws.KnowsRole(f.Role); err != nil {
			return qa.TestCase{}, err
		}
	}
	played, err := Replay(ctx, ws, f, qa.TaskSpec{Goal: cmp.Or(f.Name, f.StartURL), Route: f.StartURL, Role: f.Role}, Replaying{}, progress)
	return played.TestCase, err
}

// Replaying holds what a replay needs beside its flow.
type Replaying struct {
	Heals  []flow.Heal
	Input  int // tokens that finding them took
	Cached int // of Input
	Output int
	USD    float64
	Ended  func(context.Context) // is called when an attempt is over, while its session is open; may be nil
}

// Played holds what came of a flow.
type Played struct {
	qa.TestCase
	Drift *flow.Drift // why it no longer fits the page; nil: it does
}

// Replay runs a recorded flow as [Play] does, in a run of task, whose
// expectations the flow's assertions prove. Its report lists what was healed.
// The task's budgets bound nothing: a replay spends no turns.
func Replay(ctx context.Context, ws *workspace.Workspace, f flow.Flow, task qa.TaskSpec, o Replaying, progress func(string)) (Played, error) {
	task.Budgets = nil
	run, err := ws.Store.Start(task)
	if err != nil {
		return Played{}, err
	}
	run.Spend(o.Input, o.Cached, o.Output, o.USD)
	for _, heal := range o.Heals {
		if _, err := run.AddFinding(healed(f, heal)); err != nil {
			return Played{}, err
		}
	}
	c := tool.NewCall(ws, tool.Spec{Name: "verify_user_flow", Verifies: true}, run, progress)
	run.Annotate(qa.CommandKey, f.Command)
	r := &Run{Call: c, Flow: f, ended: o.Ended}
	if err := r.Execute(ctx); err != nil {
		e := engine.AsError("run", err)
		if e.Code == string(explain.DriverMissing) {
			return Played{}, err
		}
		run.NotExecuted(c.About.Kind, c.About.Subject, c.About.Expected, e.Code, e.Message.Text())
	}
	ws.EndTraces(ctx, run)
	if err := ws.FileOwnTraffic(run); err != nil {
		ws.Log.Warn("file the run's traffic", "run", run.ID(), "err", err)
	}
	report, err := run.Finish("", ws.ReportEnvironment(), ws.Views)
	if err != nil {
		return Played{}, err
	}
	out := Played{TestCase: r.testCase(report)}
	if s := r.Result.Failed; s != nil && s.Fault != nil {
		out.Drift = s.Fault.Drift
	}
	return out, nil
}

// healed returns a healed locator as a finding: it fails nothing, and a person should
// look at it.
func healed(f flow.Flow, h flow.Heal) qa.Finding {
	return qa.Finding{Severity: qa.Info, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1, Evidence: []qa.EvidenceRef{},
		Title:     pagetext.Sprintf("Step %d of %s found its element otherwise than recorded (%s)", h.Step+1, cmp.Or(f.Name, "the flow"), h.By),
		Assertion: pagetext.Sprintf("step %d of %s finds its element as it was recorded", h.Step+1, cmp.Or(f.Name, "the flow")),
		Expected:  pagetext.Text(h.Old), Observed: pagetext.Text("healed by " + h.By + ": " + h.New), SuggestedFix: "run the spec with --update-flows to keep it"}
}

// testCase returns the flow as a test case (B4).
func (r *Run) testCase(report qa.QAReport) qa.TestCase {
	run := r.Call.Run
	out := qa.TestCase{Name: pagetext.Text(r.Subject()), Status: report.Status.TestStatus(), DurationMS: r.Result.Duration.Milliseconds(),
		Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{}, RunID: run.ID(), Report: filepath.Join(run.Dir(), "report.html"),
		Attempts: r.Result.Attempts, Flaky: r.Result.Flaky}
	for _, a := range report.Artifacts {
		if a.Width > 0 {
			out.Screenshots = append(out.Screenshots, filepath.Join(run.Dir(), filepath.FromSlash(a.Name)))
		}
	}
	for _, e := range r.Console {
		out.ConsoleLogs = append(out.ConsoleLogs, qa.ConsoleEntry{Level: e.Level, Text: e.Text, URL: e.URL, Line: e.Line, Time: e.Time})
	}
	if report.Status != qa.Passed {
		out.FailureReason = report.StatusReason
		if s := r.Result.Failed; s != nil {
			out.FailureReason = pagetext.Text(s.Name()+": ") + r.Result.Reason + nearby(s)
			if s.Origin != "" {
				out.FailureReason = pagetext.Text(s.Origin+": ") + out.FailureReason
			}
		}
	}
	return maskedCase(r.Call.Workspace, out)
}

// maskedCase hides secrets in a test case, which goes to more places than its
// run's folder: standard output, a suite's documents, a webhook.
func maskedCase(ws *workspace.Workspace, c qa.TestCase) qa.TestCase {
	c.Name, c.FailureReason = c.Name.Map(ws.Mask), c.FailureReason.Map(ws.Mask)
	for i := range c.ConsoleLogs {
		e := &c.ConsoleLogs[i]
		e.Text, e.URL = e.Text.Map(ws.Mask), ws.Mask(e.URL)
	}
	return c
}
