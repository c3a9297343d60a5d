package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// dialogShown is the code of a step whose page showed a dialog that nothing
// asked for.
const dialogShown = "DIALOG"

// dialogHint says how a dialog is named.
const dialogHint = "if the dialog is meant to be, name it with a dialog step before it"

// unasked are the dialogs since then that nothing asked for: nothing had been
// done on the page since its address was opened, and no step named them.
func unasked(s *browser.Session, since browser.Position) []string {
	shown, dropped := s.DialogsSince(since)
	return dialogWords(shown, dropped, func(d browser.Dialog) bool { return d.AtLoad && !d.Named })
}

// unnamed are the dialogs since then that an act may have asked for, and no step
// named.
func unnamed(s *browser.Session, since browser.Position) []string {
	shown, dropped := s.DialogsSince(since)
	return dialogWords(shown, dropped, func(d browser.Dialog) bool { return !d.AtLoad && !d.Named })
}

// dialogWords are those dialogs that fit, each once. What is only counted is
// told with the others.
func dialogWords(shown []browser.Dialog, dropped int, fits func(browser.Dialog) bool) []string {
	var out []string
	for _, d := range shown {
		if text := d.String() + " on " + d.Page; fits(d) && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if dropped > 0 && len(out) > 0 {
		out = append(out, fmt.Sprintf("%d older dialogs, which are counted only", dropped))
	}
	return out
}

// noDialog is the outcome of a check that nothing asked for a dialog.
func noDialog(s *browser.Session) qa.Outcome {
	return none("dialog that nothing asked for", unasked(s, browser.Position{}))
}

// asked is the fault of a step after which the page has shown a dialog that
// nothing asked for, and otherwise err.
func (p *flowPage) asked(err error) error {
	if err != nil {
		return err
	}
	if texts := unasked(p.session, p.run.c.startIn(p.session)); len(texts) > 0 {
		return &flow.Fault{Code: dialogShown, OfPage: true, Message: unaskedReason(texts), Hint: dialogHint}
	}
	return nil
}

func unaskedReason(texts []string) string {
	return "a dialog that nothing asked for: " + engine.OneLine(strings.Join(texts, "; "))
}

// fileDialogs files the dialogs that no step of the flow names as minor
// findings: what the flow does may have asked for them, but nobody looks.
func (r *flowRun) fileDialogs(s *browser.Session) {
	for i, text := range unnamed(s, r.c.startIn(s)) {
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

// maxDialogs is how many different dialogs of a flow are filed.
const maxDialogs = 20
