package tool

import (
	"context"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
)

// PageCall adapts a call to what the page of a flow needs.
type PageCall struct {
	Call    *Call
	Session *browser.Session
}

// Navigate loads an address. It may sign the session in again.
func (p PageCall) Navigate(ctx context.Context, url string, timeout time.Duration) (browser.Navigation, error) {
	return p.Call.Navigate(ctx, p.Session, url, "load", timeout)
}

// Reveal replaces references to secrets.
func (p PageCall) Reveal(ctx context.Context, text string) (input.Typing, error) {
	return p.Call.Workspace.Reveal(ctx, text)
}

// Evaluate runs a script in the page, where page_evaluate is on offer.
func (p PageCall) Evaluate(ctx context.Context, script string) error {
	ws := p.Call.Workspace
	if !ws.Evaluate {
		return engine.InvalidInput("a person sets tools.evaluate = true", "scripts are off: tools.evaluate is false")
	}
	if p.Session.WritesAnew() {
		ws.NoteScript(p.Session.ID(), p.Session.Acts())
	}
	_, _, err := p.Session.Evaluate(ctx, script, nil)
	return err
}

// Start returns where the flow began in the session.
func (p PageCall) Start() browser.Position { return p.Call.StartIn(p.Session) }

// VoidReasons returns why what holds on the page proves nothing.
func (p PageCall) VoidReasons(a qa.Assertion, selector string) []string {
	out := append(p.Call.voidReasons(a), p.Call.echoReasons(a, selector)...)
	check := a.Check(selector)
	if why := p.Call.writtenReason(check); why != "" {
		out = append(out, why)
	}
	return out
}

// WatchTime returns how long a page is watched after the last step.
func (p PageCall) WatchTime(wanted *int) time.Duration { return p.Call.WatchTime(wanted) }

// checkerCall adapts a call to what assertions about the page of a session need.
type checkerCall struct {
	c       *Call
	session *browser.Session
}

// Now returns the time.
func (k checkerCall) Now() time.Time { return k.c.Workspace.Now() }

// SignedIn returns an error where the session's sign-in has ended.
func (k checkerCall) SignedIn(ctx context.Context) error { return k.c.StillSignedIn(ctx, k.session) }

// ConsoleErrors returns the errors that a clean console must not have.
func (k checkerCall) ConsoleErrors(address string) []pagetext.Text {
	return ErrorTexts(k.c.ConsoleErrors(k.session), address)
}

// NoteSeen records that a selector matched, or that a text was found.
func (k checkerCall) NoteSeen(what ...pagetext.Text) { k.c.NoteSeen(what...) }

// SeenBefore says whether an element or a text was seen before in the run.
func (k checkerCall) SeenBefore(whole, within string) (words string, never bool) {
	return k.c.seenBefore(whole, within)
}

// Words returns the words of the sentences that the call's checks are bound to.
func (k checkerCall) Words() []string {
	c := k.c
	if c.Run == nil {
		return nil
	}
	var out []string
	for _, e := range c.Run.Task().Expectations {
		if slices.Contains(c.About.Expects, e.ID) {
			out = append(out, e.Words()...)
		}
	}
	return out
}
