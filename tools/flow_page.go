package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/assertion"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// flowPage is a session as the flow engine needs it.
type flowPage struct {
	run     *flowRun
	session *browser.Session
	losses  int // of the session when the attempt began
	newest  assertion.Result
}

// Do performs a step that acts.
func (p *flowPage) Do(ctx context.Context, s qa.FlowStep, timeout time.Duration) error {
	return p.asked(p.fault(p.run.c.orSignInExpired(ctx, p.session, p.act(ctx, s, timeout)), s.Action == "navigate"))
}

// fault is that of a call, or nil. A page that was lost since the attempt began
// is no longer the one that the flow is about, even where it has been loaded
// again and the call went well: what was typed is gone.
func (p *flowPage) fault(err error, loading bool) error {
	var f *flow.Fault
	if err != nil {
		f = flowFault(err, loading)
	}
	n, code := p.session.Losses()
	if n != p.losses && (f == nil || !f.Lost && f.Code != string(browser.Cancelled)) {
		f = flowFault(&browser.Error{Code: code, Retriable: true, Cause: err,
			Message: "the page's renderer or its browser died; session " + p.session.ID() + " was rebuilt and its page loaded again",
			Hint:    "form input is lost: look at the page before you go on"}, loading)
	}
	if f == nil {
		return nil
	}
	if f.Lost && p.run.session != nil && !engine.AsError("flow", f.Cause).Retriable {
		f.Transient = false // the caller's session can't be had again
	}
	return f
}

func (p *flowPage) act(ctx context.Context, s qa.FlowStep, timeout time.Duration) error {
	var acted browser.Acted
	var err error
	switch s.Action {
	case "navigate":
		nav, err := p.run.c.navigate(ctx, p.session, s.URL, "load", timeout)
		return cmp.Or(err, brokenPage(browser.PageState{URL: nav.URL, Status: nav.Status}))
	case "click":
		acted, err = p.session.Click(ctx, s.Selector, timeout)
	case "fill":
		acted, err = p.fill(ctx, s, timeout)
	case "select":
		acted, err = p.session.Select(ctx, s.Selector, s.Option, timeout)
	case "press":
		acted, err = p.session.Press(ctx, s.Selector, s.Key, timeout)
	case "hover":
		acted, err = p.session.Hover(ctx, s.Selector, timeout)
	case "wait":
		_, err = p.session.WaitFor(ctx, s.Selector, "visible", timeout)
	case "upload":
		acted, err = p.session.Upload(ctx, s.Selector, strings.Split(s.Value, "\n"), timeout)
	case "dialog":
		err = p.session.SetDialogPolicy(browser.DialogPolicy{Action: s.Value, Text: s.Option})
	default:
		err = engine.InvalidInput("use one of "+strings.Join(flow.Actions(), ", "), "action %q is unknown", s.Action)
	}
	p.run.c.noteSeen(acted.Target)
	if err == nil && acted.Page.URL != "" {
		err = brokenPage(acted.Page)
	}
	return err
}

// fill types, and verifies that the field took it.
func (p *flowPage) fill(ctx context.Context, s qa.FlowStep, timeout time.Duration) (browser.Acted, error) {
	value, secret, err := p.run.c.desk.reveal(ctx, s.Value)
	if err != nil {
		return browser.Acted{}, err
	}
	if secret {
		return p.session.FillSecret(ctx, s.Selector, value, timeout)
	}
	acted, masked, err := p.session.Fill(ctx, s.Selector, value, timeout)
	if err != nil {
		return acted, err
	}
	if masked {
		p.run.password(s)
		return acted, nil
	}
	if _, known := p.run.plain[s.Selector]; !known {
		p.run.plain[s.Selector] = true
	}
	if value != "" && acted.Value == "" && acted.URLFrom == "" {
		state, err := p.session.Look(ctx, s.Selector, browser.FactValue, "")
		if err == nil && state.Value != nil && *state.Value == "" {
			return acted, &flow.Fault{Code: string(browser.NotActionable), OfPage: true,
				Message: "fill " + s.Selector + ": the field is empty after typing: the page did not take the text", Hint: "look at what the field accepts"}
		}
	}
	return acted, nil
}

// Check looks until the assertion holds.
func (p *flowPage) Check(ctx context.Context, a qa.Assertion, selector string, timeout time.Duration) (qa.Outcome, error) {
	r, err := p.run.c.checker(p.session).Retry(ctx, a, selector, timeout)
	p.newest = r
	return r.Outcome, p.asked(p.fault(err, false))
}

// Confirm looks a second time at what Check saw last.
func (p *flowPage) Confirm(ctx context.Context, a qa.Assertion, selector string, timeout time.Duration) (qa.Outcome, error) {
	r, err := p.run.c.checker(p.session).Confirm(ctx, a, selector, p.newest, timeout)
	if err == nil && r.Passed {
		r.Void = append(r.Void, p.run.c.voidReasons(a)...)
	}
	return r.Outcome, p.asked(p.fault(err, false))
}

// Again looks once.
func (p *flowPage) Again(ctx context.Context, a qa.Assertion, selector string) (qa.Outcome, error) {
	r, err := p.run.c.checker(p.session).Once(ctx, a, selector)
	if err == nil {
		err = r.Undecided(a, selector)
	}
	if err == nil && !r.Passed {
		err = p.run.c.checker(p.session).RefuseIfExpired(ctx, a, false)
	}
	return r.Outcome, p.fault(err, false)
}

// Watch follows the page after the last step. What its pages throw fails the
// flow's run by itself, whenever it was thrown.
func (p *flowPage) Watch(ctx context.Context, watchMS *int) (string, *qa.Outcome, error) {
	w, err := p.session.Watch(ctx, p.run.c.watchTime(watchMS))
	if err != nil {
		return "", nil, p.fault(err, false)
	}
	return watched(w), cmp.Or(wentWrong(w), thrown(p.session, p.run.began)), p.asked(p.fault(nil, false))
}

// thrown is the outcome of pages that threw since then; nil where they did not.
func thrown(s *browser.Session, since time.Time) *qa.Outcome {
	logs, err := s.Console("exception", since, 0)
	if err != nil || len(logs.Entries) == 0 {
		return nil
	}
	return &qa.Outcome{Expected: "no uncaught exception", Observed: fmt.Sprintf("%d; first: %s", len(logs.Entries), engine.OneLine(logs.Entries[0].Text))}
}

// Shoot takes a picture; measuring, hashing and storing it is done behind the
// flow's back.
func (p *flowPage) Shoot(ctx context.Context, name, selector string) (int, error) {
	if err := p.run.c.spendPicture(name); err != nil {
		return 0, p.fault(err, false)
	}
	shot, err := p.session.Screenshot(ctx, browser.ShotOptions{Selector: selector})
	if err := p.fault(err, false); err != nil {
		p.run.c.run.ReturnPicture()
		return 0, err
	}
	return p.run.files.picture(name, shot.Data), nil
}

// maxSceneErrors is how many visible errors a scene tells.
const maxSceneErrors = 5

// Scene reads address, title and visible errors, as far as the page answers.
func (p *flowPage) Scene(ctx context.Context) flow.Scene {
	outline, state, err := p.session.Snapshot(ctx, browser.OutlineOptions{MaxChars: 64 << 10})
	if err != nil {
		return flow.Scene{}
	}
	scene := flow.Scene{URL: state.URL, Title: state.Title}
	lines := strings.Split(outline.Text, "\n")
	for i, line := range lines {
		text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- "))
		alert := strings.HasPrefix(text, "alert ") || strings.HasPrefix(text, "alert:") || text == "alert" || strings.HasPrefix(text, "alertdialog")
		if !alert && !strings.Contains(text, "[invalid") {
			continue
		}
		if alert && i+1 < len(lines) && indent(lines[i+1]) > indent(line) { // its words stand below it
			text += " " + strings.TrimSpace(lines[i+1])
		}
		if scene.Errors = append(scene.Errors, engine.OneLine(text)); len(scene.Errors) == maxSceneErrors {
			break
		}
	}
	return scene
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
