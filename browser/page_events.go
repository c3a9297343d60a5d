package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/record"
	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
	texts "github.com/assay-qa/assay/internal/text"
)

// listen records the events of a context, its first page and future ones included.
// Listeners run on Playwright's dispatch goroutine and only record, so that a later
// answer of the driver proves that all earlier events are in the log.
func (s *Session) listen(l *browserContext, first playwright.Page) {
	log, context := s.log, l.pw
	context.OnConsole(func(m playwright.ConsoleMessage) {
		var at eventlog.Place
		if place := m.Location(); place.URL != "" {
			at = eventlog.Place{URL: place.URL, Line: place.LineNumber + 1, Column: place.ColumnNumber + 1}
		}
		log.Said(m.Type(), m.Text(), at, m.Page())
	})
	context.OnWebError(func(e playwright.WebError) { log.Add(thrownEntry(e.Error(), addressOf(e.Page())), e.Page()) })
	context.OnRequest(func(r playwright.Request) { log.RequestSent(r, senderOf(r)) })
	context.OnResponse(func(r playwright.Response) { log.ResponseCame(r.Request(), r) })
	context.OnRequestFinished(func(r playwright.Request) { log.RequestEnded(r, "") })
	context.OnRequestFailed(func(r playwright.Request) { log.RequestEnded(r, failureText(r)) })
	if s.opts.Record == nil {
		context.OnDialog(s.answerDialog)
	} else {
		context.OnDialog(func(playwright.Dialog) {}) // without a listener Playwright would dismiss it
	}
	context.On("serviceworker", func(w playwright.Worker) {
		for _, page := range context.Pages() {
			log.CallerWrote(page, "a service worker", w.URL())
		}
	})
	onPage := func(page playwright.Page) {
		t := s.tabOf(page, l)
		page.OnWebSocket(func(socket playwright.WebSocket) { t.sockets.Store(true); s.watchSocket(socket) })
		page.OnDownload(s.downloads.begin)
		if s.opts.Record == nil { // whoever listens keeps the chooser from opening
			page.OnFileChooser(func(c playwright.FileChooser) { s.noteChooser(page, c.IsMultiple()) })
		}
		page.OnPopup(func(popup playwright.Page) { notePopup(log, popup) })
		page.OnDOMContentLoaded(func(page playwright.Page) { log.DocumentParsed(page) })
		page.OnFrameNavigated(func(f playwright.Frame) { log.FrameNavigated(page, f.URL(), f.ParentFrame() == nil) })
		page.OnClose(func(playwright.Page) { log.PageClosed(page); s.dropTab(page) })
	}
	context.OnPage(func(page playwright.Page) {
		onPage(page)
		go s.recordPerson(l, page)
	})
	onPage(first)
	s.recordPerson(l, first)
}

// recordPerson begins to record what a person does on a page, where the session does that.
func (s *Session) recordPerson(l *browserContext, page playwright.Page) {
	r := s.opts.Record
	if r == nil {
		return
	}
	t := s.tabOf(page, l)
	unread := func(err error) {
		if err != nil && !page.IsClosed() {
			r.Tell(record.Act{Kind: record.Unread, Tab: t.id, URL: page.URL(), Why: reason(err)})
		}
	}
	page.OnDownload(func(d playwright.Download) {
		r.Tell(record.Act{Kind: record.Downloaded, Tab: t.id, Text: d.SuggestedFilename()})
	})
	page.OnCrash(func(playwright.Page) { r.Tell(record.Act{Kind: record.Crashed, Tab: t.id}) })
	page.OnClose(func(playwright.Page) { r.Tell(record.Act{Kind: record.Closed, Tab: t.id}) })
	page.OnFrameNavigated(func(f playwright.Frame) {
		if f.ParentFrame() != nil {
			go func() { unread(s.recordFrame(l, t, f)) }()
		}
	})
	devtools, err := l.pw.NewCDPSession(page)
	if err == nil {
		opener := 0
		if t.opener != nil {
			opener = t.opener.id
		}
		err = r.Open(t.id, opener, page.URL(), devtools)
	}
	unread(err)
	for _, frame := range inner(page) {
		unread(s.recordFrame(l, t, frame))
	}
}

// recordFrame begins to record in a frame that has a process of its own; others are their page's.
func (s *Session) recordFrame(l *browserContext, t *tab, frame playwright.Frame) error {
	r := s.opts.Record
	if !r.Claim(frame) {
		return nil
	}
	devtools, err := l.pw.NewCDPSession(frame)
	if err != nil {
		r.Release(frame)
		return nil //nolint:nilerr // it has no process of its own, or has gone
	}
	devtools.OnClose(func(playwright.CDPSession) { r.Release(frame) })
	return r.Enter(t.id, devtools)
}

// BrowserGone is closed when the browser has ended that the session has now.
func (s *Session) BrowserGone() <-chan struct{} { return s.current().context.gone }

// FollowTab makes the tab current in which a person works.
func (s *Session) FollowTab(ctx context.Context, id int) error {
	what := pagetext.Sentencef("follow tab %d", id)
	t, err := s.findOpen(ctx, what, id)
	if err != nil || t == s.current() {
		return err
	}
	return s.makeCurrent(ctx, s.current(), t, what)
}

func senderOf(r playwright.Request) eventlog.Sender {
	out := eventlog.Sender{Redirected: r.RedirectedFrom() != nil}
	frame := r.Frame()
	if frame == nil { // a service worker's request has none
		out.Worker = true
		return out
	}
	out.URL, out.Page, out.Navigates = frame.URL(), frame.Page(), r.IsNavigationRequest() && frame.ParentFrame() == nil
	return out
}

func failureText(r playwright.Request) string {
	if err := r.Failure(); err != nil {
		return err.Error()
	}
	return "failed"
}

// redirectsOf lists the requests that led to the final one, oldest first.
func redirectsOf(final playwright.Request) []eventlog.Request {
	var out []eventlog.Request
	for r := final.RedirectedFrom(); r != nil; r = r.RedirectedFrom() {
		out = append(out, r)
	}
	slices.Reverse(out)
	return out
}

// stackFrame matches where an error came from: "at f (http://host/x.js:10:5)"
// in Chromium, "f@http://host/x.js:10:5" elsewhere.
var stackFrame = pattern.New(`(?m)(?:^\s*at .*?\(?|@)(https?://[^\s()]+):(\d+):(\d+)\)?$`)

// addressOf returns the address of a page; empty: it is not known.
func addressOf(p playwright.Page) string {
	if p == nil {
		return ""
	}
	return p.URL()
}

// thrownEntry returns the log's entry for an uncaught exception or an unhandled
// rejection. Its text is the page's own: nothing is taken off it. Its place is the
// innermost one in a script of the page's own site, else the innermost.
func thrownEntry(err error, page string) LogEntry {
	e := LogEntry{Level: "exception", Text: pagetext.Text(err.Error())}
	var pe *playwright.Error
	if !errors.As(err, &pe) {
		return e
	}
	e.Text = pagetext.Text(pe.Message)
	if pe.Name != "" && !strings.HasPrefix(pe.Message, pe.Name) {
		e.Text = pagetext.Text(pe.Name + ": " + pe.Message)
	}
	frames := stackFrame.FindAllStringSubmatch(texts.Cut(pe.Stack, eventlog.MaxLogText), -1)
	own := slices.IndexFunc(frames, func(m []string) bool { return address.SameSite(m[1], page) })
	if len(frames) > 0 {
		m := frames[max(0, own)]
		e.URL = texts.Cut(redact.URL(m[1]), maxURL)
		e.Line, _ = strconv.Atoi(m[2]) // digits, as the pattern wants
		e.Column, _ = strconv.Atoi(m[3])
	}
	return e
}

// answerDialog answers every dialog at once, so that none blocks the page. What the
// guard takes for destructive is not accepted, unless a person permits the act that
// shows it. Playwright calls it on a goroutine of its own.
func (s *Session) answerDialog(d playwright.Dialog) {
	log := s.log
	policy := log.DialogShown(d.Type(), d.Message(), d.Page())
	answer, act := "dismissed", d.Dismiss
	rule := ""
	if policy.Accepts(d.Type()) && (d.Type() == "confirm" || d.Type() == "prompt") {
		rule = s.dialogRule(d.Message())
	}
	switch {
	case rule != "":
		answer += ": the guard takes it for destructive (rule: " + rule + ")"
		log.ActionStopped(pagetext.Sprintf("accepting the %s %q (rule: %s)", d.Type(), texts.Cut(log.Mask(d.Message()), maxNote), rule))
	case policy.Accepts(d.Type()):
		answer, act = "accepted", func() error { return d.Accept() }
		if d.Type() == "prompt" && policy.Text != "" {
			answer, act = fmt.Sprintf("accepted with %q", texts.Cut(log.Mask(policy.Text), maxNote)), func() error { return d.Accept(policy.Text) }
		}
	}
	kind := eventlog.KindDialog
	if d.Type() == "beforeunload" && !policy.Accepts(d.Type()) {
		kind = eventlog.KindStayed
	}
	log.Note(kind, pagetext.Sprintf("dialog: %s %q %s", d.Type(), texts.Cut(log.Mask(d.Message()), maxNote), answer))
	if err := act(); err != nil && !isClosed(err) {
		log.Note(eventlog.KindDialog, "dialog: could not be answered: "+plain(err))
	}
}

// noteChooser notes that a page asks for files, unless an upload caused that.
func (s *Session) noteChooser(page playwright.Page, several bool) {
	if !s.actions.files.Under(page) {
		s.log.ChooserOpened(several)
	}
}

// maxPopups bounds how many popups of a session are open at once.
const maxPopups = 10

// notePopup notes a new page, and closes it when there are too many. It has no
// address yet; the note tells it as soon as there is one.
func notePopup(log *eventlog.Log, popup playwright.Page) {
	open := log.PopupOpened(popup)
	popup.OnClose(func(playwright.Page) { log.PopupClosed() })
	if open > maxPopups {
		log.Note(eventlog.KindPopup, "popup: "+pagetext.Text(log.Address(popup.URL(), maxNote))+" closed: more than the 10 that may be open at once")
		go func() { _ = popup.Close() }() // it may close itself meanwhile
		return
	}
	again := log.PopupNote(popup)
	popup.OnFrameNavigated(func(f playwright.Frame) {
		if f.ParentFrame() == nil {
			again(false)
		}
	})
	popup.OnClose(func(playwright.Page) { again(true) })
}
