package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// taskResult makes the result of a case from the report of its run. err says why there
// is no report.
func taskResult(name string, report qa.QAReport, dir string, err error) suite.Result {
	r := suite.Result{
		TestCase: qa.TestCase{Name: pagetext.Text(name), Status: report.Status.TestStatus(), // error, where there is none
			Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{}},
	}
	if report.RunID == "" {
		r.FailureReason = "there is no report"
		switch {
		case errors.Is(err, context.Canceled):
			r.FailureReason = "interrupted before it began"
		case err != nil:
			r.FailureReason += pagetext.Text(": " + err.Error())
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
	addReport(&r, report, dir)
	if report.Status != qa.Passed {
		r.FailureReason = report.StatusReason
	}
	if err != nil { // the report is made, and something could not be kept
		r.Status, r.FailureReason = qa.TestError, withError(r.FailureReason, err)
	}
	return r
}

// addReport fills in what the readers of a suite see of a run, as the run's own
// test-result.json has it. dir is the run's folder.
func addReport(r *suite.Result, report qa.QAReport, dir string) {
	r.Findings, r.Checks, r.ToolCalls, r.DurationMS = report.Findings, len(report.Checks), report.Costs.ToolCalls, report.Costs.DurationMS
	if report.Status == qa.Passed {
		r.Details = cmp.Or(pagetext.Text(report.Summary), report.StatusReason)
	}
	seal := report.Seal()
	r.Seal, r.Evidence = &seal, report.Evidence
	r.Notes = append(r.Notes, pagetext.Of(readingNotes(report)...)...)
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

// readingNotes list what a run took sentences for that are not understood, with
// the command that accepts it.
func readingNotes(r qa.QAReport) (notes []string) {
	for _, u := range r.Understanding() {
		for _, p := range u.Proposals {
			notes = append(notes, fmt.Sprintf("reading to accept: %s %q is read as: %s (check %s)", u.ID, u.Text, p.As, p.Check))
		}
	}
	if len(notes) > 0 {
		notes = append(notes, "it proves nothing until a person accepts it: "+cmp.Or(report.AcceptCommand(r), `assay accept FILE --name "YOUR NAME"`))
	}
	return notes
}

// withError returns why a case did not pass, with what its evidence lacks.
func withError(why pagetext.Text, err error) pagetext.Text {
	if why == "" {
		return pagetext.Text(err.Error())
	}
	return pagetext.Sprintf("%s; %v", why, err)
}
