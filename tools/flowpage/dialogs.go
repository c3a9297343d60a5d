package flowpage

import (
	"slices"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/flow"
)

// DialogShown names the code of a step whose page showed an unexpected dialog.
const DialogShown = code.Dialog

// dialogHint says how a dialog is named.
const dialogHint = "if the dialog is meant to be, name it with a dialog step before it"

// Unasked returns the unexpected dialogs since then: no call had acted on the
// page since its address was opened, and no step named them.
func Unasked(s *browser.Session, since browser.Position) []pagetext.Text {
	shown, dropped := s.DialogsSince(since)
	return dialogWords(shown, dropped, func(d browser.Dialog) bool { return d.AtLoad && !d.Named })
}

// Unnamed returns the dialogs since then that an act may have caused, and no
// step named.
func Unnamed(s *browser.Session, since browser.Position) []pagetext.Text {
	shown, dropped := s.DialogsSince(since)
	return dialogWords(shown, dropped, func(d browser.Dialog) bool { return !d.AtLoad && !d.Named })
}

// dialogWords returns those dialogs that fit, each once. Dropped ones are
// counted at the end.
func dialogWords(shown []browser.Dialog, dropped int, fits func(browser.Dialog) bool) []pagetext.Text {
	var out []pagetext.Text
	for _, d := range shown {
		if text := pagetext.Sprintf("%s on %s", d.Text(), d.Page); fits(d) && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if dropped > 0 && len(out) > 0 {
		out = append(out, pagetext.Sprintf("%d older dialogs, which are counted only", dropped))
	}
	return out
}

// asked returns the fault of a step after which the page has shown an
// unexpected dialog, and otherwise err.
func (p *Page) asked(err error) error {
	if err != nil {
		return err
	}
	if texts := Unasked(p.Session, p.Call.Start()); len(texts) > 0 {
		why := UnaskedReason(texts)
		return &flow.Fault{Code: DialogShown, Message: why, Hint: dialogHint,
			Ended: qa.CauseOf(false, qa.Facts{Code: DialogShown, Why: why.Text()})}
	}
	return nil
}

// UnaskedReason returns those dialogs in words.
func UnaskedReason(texts []pagetext.Text) pagetext.Sentence {
	return "a dialog that nothing asked for: " + pagetext.Quoted(pagetext.OneLine(pagetext.Join(texts, "; ")))
}
