package tools

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// RunFlow runs one flow in a context of its own and makes one run of it, with
// its reports. The status of the case is the run's verdict: an uncaught
// exception fails it, too. The error says that no report could be made, or that
// there is no browser to look with.
//
// It is what `assay run` does; f must be valid and its addresses absolute.
func (d *Desk) RunFlow(ctx context.Context, f flow.Flow, progress func(string)) (qa.TestCase, error) {
	if f.Role != "" {
		if err := d.KnowsRole(f.Role); err != nil {
			return qa.TestCase{}, err
		}
	}
	run, err := d.Store.Start(qa.TaskSpec{Goal: "the flow " + cmp.Or(f.Name, f.StartURL) + " works", Route: f.StartURL, Role: f.Role})
	if err != nil {
		return qa.TestCase{}, err
	}
	c := &call{desk: d, spec: spec{name: "verify_user_flow", verifies: true}, run: run, step: run.NextStep(), started: d.Now(), progress: progress}
	run.Annotate(qa.CommandKey, f.Command)
	r := &flowRun{c: c, flow: f}
	if err := r.execute(ctx); err != nil {
		e := asToolError("run", err)
		if e.Code == string(browser.DriverMissing) {
			return qa.TestCase{}, err
		}
		run.NotExecuted(c.about.Kind, c.about.Subject, c.about.Expected, e.Code, e.Message)
	}
	d.endTraces(ctx, run)
	if err := d.fileOwnTraffic(run); err != nil {
		d.Log.Warn("file the run's traffic", "run", run.ID(), "err", err)
	}
	report, err := run.Finish("", d.environment(), d.Views)
	if err != nil {
		return qa.TestCase{}, err
	}
	return r.testCase(report), nil
}

// testCase is the flow as a test case (B4).
func (r *flowRun) testCase(report qa.QAReport) qa.TestCase {
	run := r.c.run
	out := qa.TestCase{Name: r.subject(), Status: report.Status.TestStatus(), DurationMS: r.result.Duration.Milliseconds(),
		Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{}, RunID: run.ID(), Report: filepath.Join(run.Dir(), "report.html"),
		Attempts: r.result.Attempts, Flaky: r.result.Flaky}
	for _, a := range report.Artifacts {
		if a.Width > 0 {
			out.Screenshots = append(out.Screenshots, filepath.Join(run.Dir(), filepath.FromSlash(a.Name)))
		}
	}
	for _, e := range r.console {
		out.ConsoleLogs = append(out.ConsoleLogs, qa.ConsoleEntry{Level: e.Level, Text: e.Text, URL: e.URL, Line: e.Line, Time: e.Time})
	}
	if report.Status != qa.Passed {
		out.FailureReason = report.StatusReason
		if s := r.result.Failed; s != nil {
			out.FailureReason = s.Name() + ": " + r.result.Reason + nearby(s)
			if s.Origin != "" {
				out.FailureReason = s.Origin + ": " + out.FailureReason
			}
		}
	}
	return r.c.desk.maskedCase(out)
}

// maskedCase hides secrets in a test case, which goes to more places than its
// run's folder: standard output, a suite's documents, a webhook.
func (d *Desk) maskedCase(c qa.TestCase) qa.TestCase {
	for _, text := range []*string{&c.Name, &c.FailureReason} {
		*text = d.mask(*text)
	}
	for i := range c.ConsoleLogs {
		e := &c.ConsoleLogs[i]
		e.Text, e.URL = d.mask(e.Text), d.mask(e.URL)
	}
	return c
}
