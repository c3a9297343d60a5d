package flowpage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/assertion"
	"github.com/assay-qa/assay/tools/engine"
)

// Call names what a page of a flow needs of the call that runs the flow.
type Call interface {
	// Navigate loads an address. It may sign the session in again.
	Navigate(ctx context.Context, url string, timeout time.Duration) (browser.Navigation, error)
	// Reveal replaces references to secrets, and says what holds for a text that had one.
	Reveal(ctx context.Context, text string) (input.Typing, error)
	// Evaluate runs a script in the page, where that is allowed.
	Evaluate(ctx context.Context, script string) error
	// Start returns where the flow began in the session.
	Start() browser.Position
	// VoidReasons returns why what holds on the page proves nothing: the caller made
	// it so.
	VoidReasons(a qa.Assertion, selector string) []string
	// WatchTime returns how long a page is watched after the last step.
	WatchTime(wanted *int) time.Duration
}

// Page does the steps of a flow on a session, as flow.Run needs it, but for its pictures.
type Page struct {
	Call    Call
	Checker assertion.Checker
	Session *browser.Session
	Given   bool            // the session is the caller's, and can't be had again
	Began   time.Time       // the attempt
	Plain   map[string]bool // fields that were filled, by selector: true when they hold no password

	losses int                // of the session when the attempt began
	opened int                // how many tabs there had been before the newest step that acted
	note   pagetext.Sentence  // what is to be told of the newest step that acted
	held   *assertion.Holding // what First or Check found to hold last
	proved proved
	watch  browser.Watched // the newest
}

// proved says what holds by a second look, and is followed by no act.
type proved struct {
	acts int            // of the session by then
	of   []flow.Looked  // in their order
	from browser.Moment // before the oldest of these looks
}

// New returns the page of an attempt that begins now.
func New(call Call, checker assertion.Checker, plain map[string]bool) *Page {
	losses, _ := checker.Session.Losses()
	return &Page{Call: call, Checker: checker, Session: checker.Session, Plain: plain, losses: losses}
}

// Do performs a step that acts.
func (p *Page) Do(ctx context.Context, s qa.FlowStep, timeout time.Duration) error {
	p.note = ""
	if s.Action != "popup" && s.Action != "wait" {
		p.opened = p.Session.TabNumbers().Opened
	}
	err := UnlessLapsed(ctx, p.Checker.SignedIn, s.Action == "wait", func() error { return p.act(ctx, s, timeout) })
	return p.asked(p.Fault(err, s.Action == "navigate"))
}

// Note returns what is to be told of the step that Do has done, beside that it is done.
func (p *Page) Note() pagetext.Sentence { return p.note }

// Fault returns the fault of a call, or nil. A page that was lost since the attempt began
// is no longer the one that the flow is about, even where it has been loaded
// again and the call went well: what was typed is gone.
func (p *Page) Fault(err error, loading bool) error {
	var f *flow.Fault
	if err != nil {
		f = Fault(err, loading)
		_, known := errors.AsType[*flow.Fault](err)
		if be, ok := errors.AsType[*explain.Error](err); ok && !known && !loading { // the address stays
			f.Message = be.Why() // the step says by its own name what was done on what
		}
	}
	n, lost := p.Session.Losses()
	if n != p.losses && (f == nil || !f.Lost && f.Code != code.Cancelled) {
		f = Fault(&explain.Error{Code: lost, Retriable: true, Cause: err,
			Message: pagetext.Sentencef("the page's renderer or its browser died; session %s was rebuilt and its page loaded again", p.Session.ID()),
			Hint:    "form input is lost: look at the page before you go on"}, loading)
	}
	if f == nil {
		return nil
	}
	if f.Lost && p.Given && !engine.AsError("flow", f.Cause).Retriable {
		f.Transient = false // the caller's session can't be had again
	}
	return f
}

func (p *Page) act(ctx context.Context, s qa.FlowStep, timeout time.Duration) error {
	var acted browser.Acted
	var err error
	switch s.Action {
	case "navigate":
		nav, err := p.Call.Navigate(ctx, s.URL, timeout)
		return cmp.Or(err, brokenPage(browser.PageState{URL: nav.URL, Status: nav.Status}))
	case "back":
		nav, err := p.Session.Back(ctx, timeout)
		return cmp.Or(err, brokenPage(browser.PageState{URL: nav.URL, Status: nav.Status}))
	case "tab":
		return p.tab(ctx, s.Value, timeout)
	case "popup":
		return p.Session.SelectPopup(ctx, p.opened, timeout)
	case "color_scheme":
		return p.Session.SetColorScheme(ctx, s.Value)
	case "evaluate":
		return p.Call.Evaluate(ctx, s.Value)
	case "click":
		acted, err = p.Session.Click(ctx, s.Selector, timeout)
	case "double_click":
		acted, err = p.Session.DoubleClick(ctx, s.Selector, timeout)
	case "fill":
		acted, err = p.fill(ctx, s, timeout)
	case "select":
		acted, err = p.Session.Select(ctx, s.Selector, s.Option, timeout)
	case "press":
		acted, err = p.Session.Press(ctx, s.Selector, s.Key, timeout)
	case "hover":
		acted, err = p.Session.Hover(ctx, s.Selector, timeout)
	case "drag":
		acted, err = p.Session.Drag(ctx, s.Selector, s.To, timeout)
	case "wait":
		_, err = p.Session.WaitFor(ctx, s.Selector, "visible", timeout)
	case "upload":
		acted, err = p.Session.Upload(ctx, s.Selector, strings.Split(s.Value, "\n"), timeout)
	case "drop":
		acted, err = p.Session.Drop(ctx, s.Selector, strings.Split(s.Value, "\n"), timeout)
	case "dialog":
		err = p.Session.QueueDialogAnswer(browser.DialogPolicy{Action: s.Value, Text: s.Option})
	default:
		err = engine.InvalidInput("use one of "+strings.Join(flow.Actions(), ", "), "action %q is unknown", s.Action)
	}
	p.Checker.NoteSeen(acted.Target)
	if err == nil && acted.Page.URL != "" {
		err = brokenPage(acted.Page)
	}
	return err
}

// tab makes a tab current, or closes the one that is.
func (p *Page) tab(ctx context.Context, value string, timeout time.Duration) error {
	if value == flow.CloseTab {
		_, _, err := p.Session.CloseTab(ctx, 0)
		return err
	}
	id, err := strconv.Atoi(value)
	if err != nil {
		return engine.InvalidInput("give the number of a tab, or "+flow.CloseTab, "tab: value %q is no number", value)
	}
	return p.Session.AwaitTab(ctx, id, timeout)
}

// fill types, and verifies that the field took it.
func (p *Page) fill(ctx context.Context, s qa.FlowStep, timeout time.Duration) (browser.Acted, error) {
	typed, err := p.Call.Reveal(ctx, s.Value)
	if err != nil {
		return browser.Acted{}, err
	}
	typed.Delay = time.Duration(s.DelayMS) * time.Millisecond
	acted, masked, err := p.Session.Type(ctx, s.Selector, typed, timeout)
	if err != nil {
		return acted, err
	}
	if _, known := p.Plain[s.Selector]; !typed.Secret && (masked || !known) {
		p.Plain[s.Selector] = !masked
	}
	why, note, err := NotTaken(ctx, p.Session, s.Selector, typed, acted, s.Exact)
	p.note = note
	if err == nil && why != "" {
		err = &flow.Fault{Code: code.NotActionable, Message: pagetext.Sentencef("fill %s: %s", pagetext.Text(s.Selector), pagetext.Text(why)), Hint: "look at what the field accepts",
			Ended: qa.CauseOf(false, qa.Facts{Code: code.NotActionable, Why: pagetext.Text(why)})}
	}
	return acted, err
}

// Check looks until the assertion holds.
func (p *Page) Check(ctx context.Context, a qa.Assertion, selector string, timeout time.Duration) (qa.Outcome, error) {
	r, err := p.Checker.Retry(ctx, a, selector, timeout)
	p.held = p.Checker.Held(r)
	return r.Outcome, p.asked(p.Fault(err, false))
}

// First looks once at assertions that follow one another, and returns the outcomes of the
// leading ones that hold. What went wrong is for Check to tell.
func (p *Page) First(ctx context.Context, all []qa.Asked) (out []qa.Outcome) {
	p.held = p.Checker.First(ctx, all)
	if p.asked(p.Fault(nil, false)) != nil {
		return nil
	}
	for _, r := range p.held.First() {
		out = append(out, r.Outcome)
	}
	return out
}

// Confirm looks a second time at what First or Check found to hold last.
func (p *Page) Confirm(ctx context.Context, all []qa.Asked) []flow.Looked {
	if acts := p.Session.Acts(); acts != p.proved.acts || len(p.proved.of) == 0 {
		p.proved = proved{acts: acts, from: p.Session.Moment()}
	}
	results := p.held.Confirm(ctx, all)
	out := make([]flow.Looked, len(results))
	for i, r := range results {
		if r.Err == nil && r.Passed {
			r.Void = append(r.Void, p.Call.VoidReasons(all[i].A, all[i].Selector)...)
		}
		out[i] = flow.Looked{Outcome: r.Outcome, Err: p.asked(p.Fault(r.Err, false))}
	}
	p.proved.of = append(p.proved.of, out...)
	return out
}

// Again looks once at each.
func (p *Page) Again(ctx context.Context, all []qa.Asked) []flow.Looked {
	return p.looked(ctx, all, p.Checker.OnceAll(ctx, all))
}

// Last looks once at each, when the answers that the page waits for have come. What was proved
// since the last act is not looked at again where the watch has seen that the page stands as it
// did then.
func (p *Page) Last(ctx context.Context, all []qa.Asked) []flow.Looked {
	if known := p.proved; len(known.of) == len(all) && known.acts == p.Session.Acts() && p.watch.Stood(known.from) && known.hold() {
		return known.of
	}
	return p.looked(ctx, all, p.Checker.LastAll(ctx, all))
}

// hold reports whether all that was looked at holds.
func (p proved) hold() bool {
	return !slices.ContainsFunc(p.of, func(one flow.Looked) bool { return one.Err != nil || !one.Passed })
}

// looked returns the outcomes of one look at each.
func (p *Page) looked(ctx context.Context, all []qa.Asked, results []assertion.Looked) []flow.Looked {
	out := make([]flow.Looked, len(results))
	for i, r := range results {
		err := r.Err
		if err == nil && !r.Lacks {
			err = r.Undecided(all[i].A, all[i].Selector)
		}
		if err == nil && !r.Passed && !r.Lacks {
			err = p.Checker.RefuseIfExpired(ctx, all[i].A, false)
		}
		out[i] = flow.Looked{Outcome: r.Outcome, Err: p.Fault(err, false)}
	}
	return out
}

// Watch follows the page after the last step. What its pages throw fails the
// flow's run by itself, whenever it was thrown.
func (p *Page) Watch(ctx context.Context, watchMS *int) (string, *qa.Outcome, error) {
	w, err := p.Session.Watch(ctx, p.Call.WatchTime(watchMS))
	p.watch = w
	if err != nil {
		return "", nil, p.Fault(err, false)
	}
	return Watched(w), cmp.Or(WentWrong(w), Thrown(p.Session, p.Began)), p.asked(p.Fault(nil, false))
}

// maxSceneErrors sets how many visible errors a scene tells.
const maxSceneErrors = 5

// Scene reads address, title and visible errors, as far as the page answers.
func (p *Page) Scene(ctx context.Context) flow.Scene {
	outline, state, err := p.Session.Snapshot(ctx, browser.OutlineOptions{MaxChars: 64 << 10})
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
		if scene.Errors = append(scene.Errors, pagetext.Text(engine.OneLine(text))); len(scene.Errors) == maxSceneErrors {
			break
		}
	}
	return scene
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// UnlessLapsed does an act, such as a click, or waits. Where that fails as the page seems to be at
// fault, it asks signedIn, which returns an error where the sign-in has ended: that is the fault
// then. Where signedIn has loaded the page again and nothing was done yet, it is done once more.
func UnlessLapsed(ctx context.Context, signedIn func(context.Context) error, waits bool, act func() error) error {
	failed := act()
	if failed == nil || !Fault(failed, false).OfPage() {
		return failed
	}
	lapsed := signedIn(ctx)
	switch {
	case !isExpired(lapsed): // a page that does not answer is what failed tells
		return failed
	case errors.Is(lapsed, assertion.ErrLoadedAgain) && (waits || missing(failed)):
		return act()
	}
	return lapsed
}

// isExpired reports whether an error says that a sign-in has ended, and not that
// this could not be found out.
func isExpired(err error) bool {
	var e *engine.Error
	return errors.As(err, &e)
}
