package tools

import (
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/flowpage"
	"github.com/assay-qa/assay/qa"
)

// noDialog returns the outcome of a check that nothing asked for a dialog.
func noDialog(s *browser.Session) qa.Outcome {
	return none("dialog that nothing asked for", flowpage.Unasked(s, browser.Position{}))
}

// fileDialogs files the dialogs that no step of the flow names as minor
// findings: what the flow does may have asked for them, but nobody looks.
func (r *flowRun) fileDialogs(s *browser.Session) {
	for i, text := range flowpage.Unnamed(s, r.c.startIn(s)) {
		if i == maxDialogs {
			return
		}
		if _, err := r.c.run.AddFinding(qa.Finding{Severity: qa.Minor, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
			Assertion: "every dialog is named by a step", Expected: "a dialog step before it", Observed: engine.OneLine(text), Evidence: []qa.EvidenceRef{}}); err != nil {
			r.c.desk.Log.Warn("file a dialog", "run", r.c.run.ID(), "err", err)
			return
		}
	}
}

// maxDialogs sets how many different dialogs of a flow are filed.
const maxDialogs = 20
