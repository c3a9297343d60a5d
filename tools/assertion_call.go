package tools

import (
	"context"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine/assertion"
)

// checkerCall adapts a call to what assertions about the page of a session need.
type checkerCall struct {
	c       *call
	session *browser.Session
}

// checker returns what makes assertions about the page of a session in this call.
func (c *call) checker(s *browser.Session) assertion.Checker {
	return assertion.Checker{Call: checkerCall{c, s}, Session: s, Window: c.window, Watch: c.watchTime(nil)}
}

// Now returns the time.
func (k checkerCall) Now() time.Time { return k.c.desk.Now() }

// SignedIn returns an error where the session's sign-in has ended.
func (k checkerCall) SignedIn(ctx context.Context) error { return k.c.checkSignedIn(ctx, k.session) }

// ConsoleErrors returns the errors that a clean console must not have.
func (k checkerCall) ConsoleErrors(address string) []string {
	return errorTexts(k.c.consoleErrors(k.session), address)
}

// NoteSeen remembers that a selector matched, or that a text was found.
func (k checkerCall) NoteSeen(what ...string) { k.c.noteSeen(what...) }

// SeenBefore says whether an element or a text was seen before in the run.
func (k checkerCall) SeenBefore(whole, within string) string { return k.c.seenBefore(whole, within) }

// Words returns the words of the sentences that the call's checks are bound to.
func (k checkerCall) Words() []string {
	c := k.c
	if c.run == nil {
		return nil
	}
	var out []string
	for _, e := range c.run.Task().Expectations {
		if slices.Contains(c.about.Expects, e.ID) {
			out = append(out, e.Words()...)
		}
	}
	return out
}
