package flows

import (
	"path/filepath"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/workspace"
)

// NotPlayed makes the run of a task that was not even begun, and says why: it is
// inconclusive, and has a report like any other.
func NotPlayed(ws *workspace.Workspace, task qa.TaskSpec, subject, why string) (qa.TestCase, error) {
	run, err := ws.Store.Start(task)
	if err != nil {
		return qa.TestCase{}, err
	}
	run.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: subject, Detail: pagetext.Text(why)})
	report, err := run.Finish("", ws.ReportEnvironment(), ws.Views)
	if err != nil {
		return qa.TestCase{}, err
	}
	return maskedCase(ws, qa.TestCase{Name: pagetext.Text(task.ID), Status: report.Status.TestStatus(), DurationMS: report.Costs.DurationMS, FailureReason: pagetext.Text(why),
		Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{}, RunID: run.ID(), Report: filepath.Join(run.Dir(), "report.html")}), nil
}
