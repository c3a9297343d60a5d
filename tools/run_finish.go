package tools

import (
	"context"
	"path/filepath"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
)

type runFinishInput struct {
	Summary string `json:"summary,omitempty" jsonschema:"your words"`
	watches
}

func (d *Desk) runFinish() Tool {
	return define(d, spec{
		name: "run_finish", set: Core, unbudgeted: true, bounds: true, repeat: repeat{nothing: true}, secrets: anywhere(), closedWorld: true, publish: true,
		fields:      []string{"runId", "status", "statusReason", "findings", "checks", "kpiTable"},
		description: "Finish the run: report and verdict, computed from executed checks.",
	}, func(ctx context.Context, c *call, in runFinishInput) (qa.QAReport, error) {
		if err := in.valid(); err != nil {
			return qa.QAReport{}, err
		}
		if c.runErr == nil && d.awaitCalls(c.run) { // a call that is still under way holds its page
			c.watchAtEnd(ctx, in.WatchMS, func() { c.screenshotAtEnd(ctx) })
			c.fileAllExceptions()
			c.judgeRunEnd(ctx)
		}
		if c.runErr == nil && !c.inOwn {
			c.sayReproduction()
			c.log(nil) // afterwards the run takes no event any more
		}
		run, report, err := d.finish(ctx, in.Summary)
		if err != nil {
			return report, err
		}
		c.run = run
		c.say("%s: %s", report.Status, report.StatusReason)
		for _, f := range report.Findings {
			c.quote("%s %s: %s; expected %s, observed %s", f.ID, f.Severity, engine.OneLine(f.Assertion), engine.OneLine(f.Expected), engine.OneLine(f.Observed))
		}
		c.sayUnderstood(report.Understood)
		if e := report.Evidence; e != nil {
			c.say("evidence: entry %d of the log; %s", e.LogIndex, report.Seal().Line)
		} else {
			c.say("evidence: %s", report.Seal().Line)
		}
		c.say("report: %s (%s)", filepath.Join(run.Dir(), "report.html"), ReportURI(run.ID(), "html"))
		return report, nil
	})
}
