package browser

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
)

// aftermath settles after an action, which may have closed its own page. It
// returns an error where the guard stopped something of it. pressed: a button or a key
// was, which lets the page ask for files.
func (s *actions) aftermath(ctx context.Context, t *tab, m eventlog.Mark, what pagetext.Sentence, pressed bool) (Effects, error) {
	s.guard.awaitAnswers(ctx)
	e, err := s.settle(ctx, t, m, pressed)
	if err == nil {
		return e, s.guard.afterStop(m, what)
	}
	if !s.closedItself(t) {
		return e, err
	}
	e = s.log.Effects(t.page, m, "")
	e.Page.URL, e.URLFrom = "", m.URL
	if to := s.heir(t); to != nil {
		e.Notes = append(e.Notes, pagetext.Sprintf("page: it closed; %s", madeCurrent(t, to)))
		e.Page, e.URLFrom = PageState{}, ""
		return e, s.makeCurrent(ctx, t, to, what)
	}
	s.reportEnd(t)
	e.Notes = append(e.Notes, "page: it closed; a blank one takes its place")
	return e, nil
}

// settle waits for what the action since m caused: navigation to load, fetches
// to end, their handlers to run. It never waits for a fixed time: a round trip
// through the page proves that all its earlier events are in the event log, and
// only requests seen there are waited for. pressed: see aftermath.
func (s *actions) settle(ctx context.Context, t *tab, m eventlog.Mark, pressed bool) (Effects, error) {
	bound, cancel := context.WithTimeout(ctx, rest.SettleLimit)
	defer cancel()
	var title *string
	var said string // the address of the page that said it
	pageAnswers := true
	for painted := false; ; painted = true {
		// The page's handlers, of the action or of the last answer, may send the
		// next request. What an answer brought is also given time to be painted.
		said = t.page.URL()
		now, err := titleAfterTurn(bound, t, painted)
		if err != nil && !isNavigating(err) {
			pageAnswers = false
			break // outcome finds out what is true
		}
		if bound.Err() != nil || !s.underWay(t, m) {
			title = now
			break
		}
		if err := s.awaitQuiet(bound, t, m); err != nil {
			break
		}
	}
	chooser := make(chan struct{})
	go func() {
		defer close(chooser)
		if pressed && pageAnswers {
			awaitChooser(bound, t)
		}
	}()
	reported := s.awaitPopups(ctx, t, bound.Done())
	// Of a page that does not answer, outcome finds out what is true.
	_ = rest.Until(ctx, nil, rest.Policy{Events: []rest.Event{{Of: chooser}, {Of: bound.Done()}}})
	if t.page.URL() != said { // another document may have come meanwhile
		title = nil
	}
	e, err := s.outcome(ctx, t, m, title)
	if !reported && err == nil {
		e.Notes = append(e.Notes, "popup: one is being opened, and its site has not answered yet")
		e.Next = append(e.Next, `see whether it has come: page_tabs {"action": "list"}`)
	}
	return e, err
}

// awaitChooser waits until Playwright has reported a file chooser that was opened before the
// last turn. Playwright asks the page twice before it does: the turn has proved that the first answer is
// there, and one more trip proves the second.
func awaitChooser(ctx context.Context, t *tab) {
	_, _ = answerOf(ctx, func() (any, error) { return t.page.Evaluate("0") }, rest.Policy{Events: []rest.Event{{Of: t.crashed, Err: errUnusable}}})
}

// awaitPopups waits until Playwright has reported every page that the context has open,
// and returns false if limit was closed before. Chromium knows a popup as soon as the
// script that opened it goes on; Playwright reports it once its site has answered.
func (s *actions) awaitPopups(ctx context.Context, t *tab, limit <-chan struct{}) (reported bool) {
	return rest.Until(ctx, func() (bool, error) {
		open, err := openPages(ctx, t)
		if err != nil {
			return true, nil //nolint:nilerr // of a page that does not answer, outcome finds out what is true
		}
		return open <= len(t.context.pw.Pages()), nil
	}, rest.Policy{Every: rest.SettlePoll, Events: []rest.Event{{Of: limit, Err: rest.ErrLimit}}}) == nil
}

// openPages counts the pages of the tab's context by Chromium's own list. Other browsers
// have none: for them it is 0.
func openPages(ctx context.Context, t *tab) (int, error) {
	if t.context.opts.Type != "chromium" {
		return 0, nil
	}
	return within(ctx, t, rest.LookLimit, func() (int, error) {
		devtools, err := t.tools()
		if err != nil {
			return 0, err
		}
		if t.contextID == "" {
			var own struct{ TargetInfo targetInfo }
			if err := sendTo(devtools, "Target.getTargetInfo", &own); err != nil {
				return 0, err
			}
			t.contextID = own.TargetInfo.BrowserContextID
		}
		var all struct{ TargetInfos []targetInfo }
		err = sendTo(devtools, "Target.getTargets", &all)
		n := 0
		for _, target := range all.TargetInfos {
			if target.Type == "page" && target.Subtype == "" && target.BrowserContextID == t.contextID {
				n++
			}
		}
		return n, err
	})
}

// targetInfo describes a page or a worker; see Target.TargetInfo in Chromium's protocol.
type targetInfo struct {
	Type             string
	Subtype          string // "prerender": a page that nobody sees yet
	BrowserContextID string
}

// sendTo sends a command that takes nothing, and decodes its answer.
func sendTo(devtools playwright.CDPSession, method string, answer any) error {
	raw, err := devtools.Send(method, map[string]any{})
	if err != nil {
		return err
	}
	text, err := json.Marshal(raw)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

// outcome returns what happened since m, with the page's title, or with a note that
// says why it could not be read: what was done is done all the same. known is the title
// that the page has said at the end of its turn; nil: none.
func (s *actions) outcome(ctx context.Context, t *tab, m eventlog.Mark, known *string) (Effects, error) {
	defer s.noteSettled()
	var title, note string
	var err error
	next := s.log.Loading(t.page)
	switch {
	case next == "" && known != nil:
		title = *known
	case next == "":
		title, err = titleOf(ctx, t)
		next = s.log.Loading(t.page)
	}
	switch {
	case next != "":
		note = "page: still loading " + next
	case err == nil:
	case isNavigating(err):
		note = "page: it keeps going to other addresses; its title could not be read"
	case errors.Is(err, errNoAnswer):
		note = "page: it does not answer; a script of it may run without end, or this machine is overloaded"
	default:
		return Effects{}, err
	}
	e := s.log.Effects(t.page, m, title)
	if e.Page.TitleUnread = note != ""; e.Page.TitleUnread {
		e.Notes = append(e.Notes, pagetext.Text(note))
	}
	return e, nil
}

// underWay reports whether downloads or requests that the action caused go on.
func (s *actions) underWay(t *tab, m eventlog.Mark) bool {
	return s.downloads.runningSince(m) || s.log.UnderWay(t.page, m)
}

// awaitQuiet waits until no request since m is under way, or ctx ends. A page that has closed asks for nothing more.
func (s *actions) awaitQuiet(ctx context.Context, t *tab, m eventlog.Mark) error {
	return rest.Until(ctx, func() (bool, error) { return !s.underWay(t, m), nil },
		rest.Policy{Every: rest.SettlePoll, Events: []rest.Event{{Of: t.closed, Err: errUnusable}, {Of: t.context.gone, Err: errGone}}})
}

// turnScript resolves after the page has been parsed and has run what is
// queued, and what that queued; with paint, also painted once. A page that
// paints no frames (it is in the background) has no next one to wait for.
// With ms, the timers that are due within so many have run before.
//
// It brings the document's title by the getter: a picture named "title" hides the property.
const turnScript = `([paint, ms]) => new Promise(over => {
	const done = () => over(Object.getOwnPropertyDescriptor(Document.prototype, 'title').get.call(document));
	const say = name => EventTarget.prototype.dispatchEvent.call(window, new Event(name));
	const ours = set => { say('assay:ours'); try { return set() } finally { say('assay:theirs') } };
	const after = (then, ms) => ours(() => setTimeout(then, ms));
	const turn = () => after(() => after(done));
	const frame = () => { const late = after(done, 200); ours(() => requestAnimationFrame(() => { clearTimeout(late); after(done) })) };
	const last = paint ? frame : turn, next = ms ? () => after(last, ms) : last;
	if (typeof matchMedia === 'function' && matchMedia('(scripting: none)').matches) return done(); // it runs no callback
	document.readyState === 'loading' ? document.addEventListener('DOMContentLoaded', next, { once: true }) : next();
})`

// nextTurn waits until the page has had its turn, and was painted. It is the page's own clock
// that it asks, so a hostile page decides how long that takes, up to the end of
// ctx.
func nextTurn(ctx context.Context, t *tab) error { return turnAfter(ctx, t, 0, true) }

// turnAfter waits until the timers that are due within ms have run, and then as nextTurn does.
func turnAfter(ctx context.Context, t *tab, ms int, paint bool) error {
	_, err := turnOf(ctx, t, ms, paint)
	return err
}

func turnOf(ctx context.Context, t *tab, ms int, paint bool) (any, error) {
	return answerOf(ctx, func() (any, error) { return t.page.Evaluate(turnScript, []any{paint, ms}) }, rest.Policy{Events: []rest.Event{{Of: t.crashed, Err: errUnusable}}})
}

// titleAfterTurn waits as nextTurn does, and returns the title that the page has then; nil
// where it does not say one.
func titleAfterTurn(ctx context.Context, t *tab, paint bool) (*string, error) {
	said, err := turnOf(ctx, t, 0, paint)
	if title, ok := said.(string); ok && err == nil {
		return &title, nil
	}
	return nil, err
}

// turnIn waits as LetChange does, in a frame: one of another site has a turn of its own.
func turnIn(ctx context.Context, t *tab, frame playwright.Frame) error {
	_, err := answerOf(ctx, func() (any, error) {
		return frame.Evaluate(turnScript, []any{true, int(rest.ChangeTime.Milliseconds())})
	}, rest.Policy{Events: []rest.Event{{Of: t.crashed, Err: errUnusable}}})
	return err
}

// titleTries bounds how often the title is read while the page navigates
// meanwhile.
const titleTries = 5

// titleOf makes a round trip through the page and brings its title.
func titleOf(ctx context.Context, t *tab) (title string, err error) {
	for range titleTries {
		title, err = within(ctx, t, rest.SettleLimit, func() (string, error) { return readTitle(t.page) })
		if err == nil || !isNavigating(err) {
			break
		}
	}
	return title, err
}

// titleScript takes the title by the getter: a picture named "title" hides the
// property.
const titleScript = `() => Object.getOwnPropertyDescriptor(Document.prototype, 'title').get.call(document)`

// readTitle reads the document's title, for as long as that takes.
// Playwright's own Title doesn't wait: while a page is being replaced or a
// dialog is open, it returns a text of its own, which proves neither that the
// page answers nor that what moved is in the event log. Where a page has
// replaced what a script needs, the selector engine reads the title: it takes
// longer, and starts over in each document.
func readTitle(p playwright.Page) (string, error) {
	title, err := p.Evaluate(titleScript)
	if text, ok := title.(string); ok || err != nil && (isNavigating(err) || isClosed(err)) {
		return text, err
	}
	var answer struct {
		Title string `json:"title"`
	}
	err = askEngine(p.Locator(engineAsk{Op: "title"}.query()), 0, &answer)
	return answer.Title, err
}
