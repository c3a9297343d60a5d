package tools

import (
	"context"
	"path/filepath"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/pagehealth"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type runFinishInput struct {
	Summary string `json:"summary,omitempty" jsonschema:"your words"`
	tool.Watches
}

func runFinish(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "run_finish", Set: tool.Core, Unbudgeted: true, Bounds: true, Repeat: workspace.Repeat{Nothing: true}, Secrets: workspace.Anywhere(), ClosedWorld: true, Publish: true,
		Description: "Finish the run: report and verdict, computed from executed checks.",
	}, func(ctx context.Context, c *tool.Call, in runFinishInput) (qa.QAReport, error) {
		if err := in.Valid(); err != nil {
			return qa.QAReport{}, err
		}
		if c.RunErr == nil && ws.AwaitCalls(ctx, c.Run) { // a call that is still under way holds its page
			c.WatchAtEnd(ctx, in.WatchMS, func() { c.ScreenshotAtEnd(ctx) })
			c.FileAllExceptions()
			pagehealth.JudgeRunEnd(ctx, c)
		}
		var again []string
		if c.RunErr == nil && !c.InOwn {
			again = c.FileReproduction()
			c.Log(nil) // afterwards the run takes no event any more
		}
		run, report, err := ws.Finish(ctx, in.Summary)
		if err != nil {
			return report, err
		}
		c.Run = run
		sayVerdict(c, report)
		for _, f := range report.Findings {
			c.Quote("%s %s: %s; expected %s, observed %s", f.ID, f.Severity, engine.OneLine(f.Assertion), engine.OneLine(f.Expected), engine.OneLine(f.Observed))
		}
		sayUnderstood(c, report.Understood)
		if e := report.Evidence; e != nil {
			c.Say("evidence: entry %d of the log; %s", e.LogIndex, report.Seal().Line)
		} else {
			c.Say("evidence: %s", report.Seal().Line)
		}
		for _, line := range again {
			c.Say("%s", line)
		}
		c.Say("report: %s (%s)", filepath.Join(run.Dir(), "report.html"), tool.ReportURI(run.ID(), "html"))
		return report, nil
	})
}

// sayVerdict says the verdict in words of ours; why it is so quotes the page.
func sayVerdict(c *tool.Call, r qa.QAReport) {
	c.Say("%s: %s; findings: %d", r.Status, qa.TallyOf(r.Checks).Line(), len(r.Findings))
	if r.Status != qa.Passed {
		c.Quote("why: %s", engine.OneLine(r.StatusReason))
	}
}

// sayUnderstood adds to the answer what each expectation was taken to ask for.
func sayUnderstood(c *tool.Call, all []qa.Understanding) {
	for _, u := range all {
		c.Quote("%s %s", u.ID, engine.OneLine(u.As))
	}
}
