package tools

import (
	"context"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine/flowpage"
	"github.com/assay-qa/assay/qa"
)

// flowPage holds the page of a flow's attempt, with its pictures.
type flowPage struct {
	*flowpage.Page
	run *flowRun
}

// page returns the page of an attempt that begins now.
func (r *flowRun) page(s *browser.Session) *flowPage {
	p := flowpage.New(pageCall{c: r.c, session: s}, r.c.checker(s), r.plain)
	p.Given, p.Began = r.session != nil, r.began
	return &flowPage{p, r}
}

// pageCall adapts a call to what the page of a flow needs.
type pageCall struct {
	c       *call
	session *browser.Session
}

// Navigate loads an address. It may sign the session in again.
func (p pageCall) Navigate(ctx context.Context, url string, timeout time.Duration) (browser.Navigation, error) {
	return p.c.navigate(ctx, p.session, url, "load", timeout)
}

// Reveal replaces references to secrets.
func (p pageCall) Reveal(ctx context.Context, text string) (out string, secret bool, err error) {
	return p.c.desk.reveal(ctx, text)
}

// Start returns where the flow began in the session.
func (p pageCall) Start() browser.Position { return p.c.startIn(p.session) }

// VoidReasons returns why what holds on the page proves nothing.
func (p pageCall) VoidReasons(a qa.Assertion) []string { return p.c.voidReasons(a) }

// WatchTime returns how long a page is watched after the last step.
func (p pageCall) WatchTime(wanted *int) time.Duration { return p.c.watchTime(wanted) }
