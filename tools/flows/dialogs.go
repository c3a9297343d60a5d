package flows

import (
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
)

// fileDialogs files the dialogs that no step of the flow names as minor
// findings: the flow may have caused them, but no assertion covers them.
func (r *Run) fileDialogs(s *browser.Session) {
	for i, text := range flowpage.Unnamed(s, r.Call.StartIn(s)) {
		if i == maxDialogs {
			return
		}
		if _, err := r.Call.Run.AddFinding(qa.Finding{Severity: qa.Minor, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
			Title: "A dialog that no step names: " + engine.OneLine(text), Assertion: "every dialog is named by a step",
			Expected: "a dialog step before it", Observed: engine.OneLine(text), Evidence: []qa.EvidenceRef{}}); err != nil {
			r.Call.Workspace.Log.Warn("file a dialog", "run", r.Call.Run.ID(), "err", err)
			return
		}
	}
}

// maxDialogs sets how many different dialogs of a flow are filed.
const maxDialogs = 20

// noteUnused adds to the answer that the answers of dialog steps waited in vain, and
// drops them.
func (r *Run) noteUnused(s *browser.Session) {
	for i, p := range s.UnusedDialogAnswers() {
		if i == maxDialogs {
			break
		}
		r.Notes = append(r.Notes, pagetext.Sprintf("dialog %s: no dialog was shown, so the answer was not used", p.Action))
	}
	if err := s.SetDialogPolicy(browser.DialogPolicy{}); err != nil { // the zero value is always good
		r.Call.Workspace.Log.Warn("drop the answers of dialog steps", "err", err)
	}
}
