package flowpage

import (
	"context"
	"errors"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
)

// Fault says whose fault an error of a step is, and whether it may be gone
// the next time, as its cause has it. loading tells that the step was to load an address.
func Fault(err error, loading bool) *flow.Fault {
	var known *flow.Fault
	if errors.As(err, &known) {
		return known
	}
	e := engine.AsError("flow", err)
	ended := qa.CauseOf(false, engine.FactsOf("flow", err))
	return &flow.Fault{Code: e.Code, Message: e.Message, Hint: e.Hint, Near: e.Page, Cause: err, Ended: ended, Transient: ended.Transient(loading), Lost: ended.Lost(),
		TimedOut: e.Code == code.Timeout || errors.Is(err, context.DeadlineExceeded)}
}

// NotCompared returns the fault of a look that was to compare what the page shows with
// something: that its time was over says nothing about the page.
func NotCompared(fault error) error {
	f, ok := errors.AsType[*flow.Fault](fault)
	if !ok || !f.TimedOut {
		return fault
	}
	out := *f
	out.Ended.OutOfTime = true
	out.Ended = qa.CauseOf(false, out.Ended.Facts)
	return &out
}

// brokenPage returns the fault of a document that the server could not make.
func brokenPage(p browser.PageState) error {
	if p.Status < 500 {
		return nil
	}
	message := pagetext.Sentencef("%s answers status %d", pagetext.Text(p.URL), p.Status)
	return &flow.Fault{Code: code.NavigationFailed, Message: message, Hint: "look at the server's log",
		Ended: qa.CauseOf(false, qa.Facts{Code: code.NavigationFailed, Status: p.Status, Why: message.Text()})}
}
