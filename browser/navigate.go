package browser

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
)

// Navigation holds the outcome of loading an address.
type Navigation struct {
	URL        string        `json:"url" jsonschema:"address the page ended on"`
	Status     int           `json:"status" jsonschema:"HTTP status of the document; 0 when there was none"`
	Title      pagetext.Text `json:"title"`
	LoadTimeMS int64         `json:"load_time_ms"`
	Redirects  []Redirect    `json:"redirects"`
	Effects    Effects       `json:"-"`
}

// WaitStates returns the states a navigation can wait for.
func WaitStates() []string { return []string{"commit", "domcontentloaded", "load", "networkidle"} }

// CheckURL reports whether an address may be opened: absolute, http or https,
// or about:blank. Local schemes would give a page the machine's files.
func CheckURL(address string) error {
	const accepted = "give a full http:// or https:// address"
	address = strings.TrimSpace(address)
	if address == "about:blank" {
		return nil
	}
	shown := texts.Cut(redact.URL(address), 200)
	u, err := url.Parse(address)
	switch {
	case address == "":
		return explain.Invalid(accepted, "url is empty")
	case err != nil && hostPort.MatchString(address), err == nil && u.Host == "" && hostPort.MatchString(address):
		return explain.Invalid("did you mean http://"+shown+"?", "url %q has no scheme", shown)
	case err != nil:
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err // the rest repeats the address
		}
		return explain.Invalid(accepted, "url %q is no address: %v", shown, err)
	case u.Scheme == "":
		return explain.Invalid(accepted+", such as http://localhost:3000"+pathOf(u), "url %q is relative", shown)
	case u.Scheme != "http" && u.Scheme != "https":
		return explain.Invalid(accepted, "scheme %q is refused: a page under test has no business with local or script addresses", u.Scheme)
	case u.Hostname() == "":
		return explain.Invalid(accepted, "url %q names no host", shown)
	case strings.ContainsFunc(address, unicode.IsSpace):
		return explain.Invalid("write %20 for a space", "url %q contains white space", shown)
	case !validPort(u.Port()):
		return explain.Invalid(accepted, "url %q: port %s is out of range", shown, u.Port())
	}
	return nil
}

// hostPort matches an address that lacks only its scheme.
var hostPort = pattern.New(`^[A-Za-z0-9.-]+:[0-9]{1,5}(?:[/?#]|$)`)

func validPort(port string) bool {
	n, err := strconv.Atoi(port)
	return port == "" || err == nil && n > 0 && n < 1<<16
}

func pathOf(u *url.URL) string {
	if strings.HasPrefix(u.Path, "/") {
		return u.Path
	}
	return ""
}

// Navigate loads an address in the session's page and waits until the state
// waitUntil ("" means load). A timeout of 0 means the pool's. A page that an
// earlier call left stuck is replaced by a fresh one first.
func (s *actions) Navigate(ctx context.Context, address, waitUntil string, timeout time.Duration) (Navigation, error) {
	if err := CheckURL(address); err != nil {
		return Navigation{}, err
	}
	if waitUntil == "" {
		waitUntil = "load"
	}
	if !slices.Contains(WaitStates(), waitUntil) {
		return Navigation{}, explain.Invalid("use one of "+strings.Join(WaitStates(), ", "), "wait_until %q is unknown", waitUntil)
	}
	if timeout <= 0 {
		timeout = s.pool.Timeout
	}
	address = strings.TrimSpace(address)
	if err := s.egress.CheckHost(navigating(address), address); err != nil {
		return Navigation{}, err
	}
	if err := s.guard.refuseOpening(ctx, address); err != nil {
		return Navigation{}, err
	}
	s.guard.opened(address)
	var stuck *tab
	try := func(ctx context.Context, t *tab) (Navigation, error) {
		stuck = t
		if _, err := within(ctx, t, rest.LookLimit, func() (int, error) { return 0, s.guard.guardSecurePages(address) }); err != nil {
			return Navigation{}, err
		}
		return s.navigate(ctx, t, address, waitUntil, timeout)
	}
	nav, err := onHeld(ctx, s.livePage, "page_navigate", explain.Quoting(redact.URL(address)), s.holdAnew, try)
	if errors.Is(err, errStuck) {
		if err := s.replace(ctx, stuck); err != nil {
			return Navigation{}, classify(err, navigating(address))
		}
		return onHeld(ctx, s.livePage, "page_navigate", explain.Quoting(redact.URL(address)), s.holdAnew, try)
	}
	return nav, err
}

// Opening is how an address is opened: [Session.Navigate] or [Session.NavigateAnew].
type Opening func(ctx context.Context, address, waitUntil string, timeout time.Duration) (Navigation, error)

// NavigateAnew loads an address as [Session.Navigate] does, also where the page shows it already: one
// that differs by its fragment alone would load nothing, so that the page is left first.
func (s *actions) NavigateAnew(ctx context.Context, address, waitUntil string, timeout time.Duration) (Navigation, error) {
	if strings.Contains(address, "#") {
		if nav, err := s.Navigate(ctx, "about:blank", "load", timeout); err != nil {
			return nav, err
		}
	}
	return s.Navigate(ctx, address, waitUntil, timeout)
}

func (s *actions) navigate(ctx context.Context, t *tab, address, waitUntil string, timeout time.Duration) (Navigation, error) {
	deadline, bound := ctx.Deadline()
	cutShort := bound && time.Until(deadline) < timeout
	loaded := make(chan struct{})
	defer close(loaded)
	// A navigation whose caller has gone would hold the page until its time-out.
	defer context.AfterFunc(ctx, func() { s.stopLoading(t, loaded) })()
	m, moves := s.log.MarkAct(t.page), s.log.Moves()
	s.log.BeginAct()
	s.log.Touch(false)
	s.log.OpenedByCaller(address)
	start := s.pool.Now()
	response, err := s.load(ctx, t, m, address, waitUntil, timeout)
	took := s.pool.Now().Sub(start)
	if errors.Is(err, errStuck) {
		return Navigation{}, err
	}
	if err != nil {
		s.awaitErrorPage(ctx, err, moves)
		if rule := s.log.StoppedDocument(m, address); rule != "" {
			return Navigation{}, explain.OpeningRefused(navigating(address), rule)
		}
		s.downloads.await(ctx, m)
	}
	if err = s.gateCause(t.page, m, navigating(address), err); err != nil {
		err = s.explainNavigation(t, m, address, timeout, err)
		if e := (*explain.Error)(nil); cutShort && errors.As(err, &e) && e.Code == explain.TimedOut {
			e.CutShort(navigating(address), timeout, errCutShort)
		}
		return Navigation{}, err
	}
	nav := Navigation{LoadTimeMS: took.Milliseconds(), Redirects: []Redirect{}}
	if response != nil {
		nav.Status = response.Status()
		nav.Redirects = s.log.Redirects(redirectsOf(response.Request()))
	}
	s.log.SentAfter(t.page, m)
	if nav.Effects, err = s.outcome(ctx, t, m, nil); err != nil {
		return Navigation{}, err
	}
	nav.URL, nav.Title = nav.Effects.Page.URL, nav.Effects.Page.Title
	s.guard.landed(nav.URL)
	return nav, nil
}

// loadTries bounds how often an address is loaded while other navigations,
// which the page began or the browser's own error page of the last failure,
// come in between.
const loadTries = 20

func (s *actions) load(ctx context.Context, t *tab, m eventlog.Mark, address, waitUntil string, timeout time.Duration) (response playwright.Response, err error) {
	call := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for range loadTries {
		response, err = s.ask(ctx, t, func() (playwright.Response, error) {
			return t.page.Goto(address, playwright.PageGotoOptions{
				WaitUntil: (*playwright.WaitUntilState)(&waitUntil), Timeout: left(ctx, timeout),
			})
		})
		if err == nil || ctx.Err() != nil || !isInterrupted(err) && !s.overtaken(t, m, address, err) {
			break
		}
	}
	if isInterrupted(err) && ctx.Err() == nil { // another navigation of the page came first each time
		return nil, errStuck
	}
	if errors.Is(err, context.DeadlineExceeded) && call.Err() == nil {
		err = overtime{}
	}
	return response, err
}

// overtime says in the driver's words that a navigation has had its time-out. The driver
// itself may say so later, or never: see [livePage.ask].
type overtime struct{}

func (overtime) Error() string        { return "Timeout 0ms exceeded." }
func (overtime) Is(target error) bool { return target == playwright.ErrTimeout }

// errStuck says that a page keeps the browser from leaving it.
var errStuck = errors.New("the page keeps the browser from leaving it")

// ask waits for a navigation, unless the page is so busy, with a script or dialogs
// without end, that the browser can't ask for the address, or not show its answer.
func (s *livePage) ask(ctx context.Context, t *tab, call func() (playwright.Response, error)) (playwright.Response, error) {
	watched, ended := context.WithCancelCause(ctx)
	defer ended(nil)
	go s.watchLeaving(watched, t, s.log.DocumentMark(t.page), ended)
	t.pending.begin()
	response, err := answerOf(watched, func() (playwright.Response, error) {
		defer t.pending.end()
		return call()
	}, rest.Policy{Events: t.ends(s)})
	if ctx.Err() == nil && errors.Is(context.Cause(watched), errStuck) {
		return nil, errStuck
	}
	return response, err
}

// watchLeaving ends a navigation that the page, which shows the old document, keeps from
// beginning, or its answer from being shown.
func (s *livePage) watchLeaving(ctx context.Context, t *tab, old eventlog.Mark, end context.CancelCauseFunc) {
	// While an answer is due, no page answers.
	leaving := func() bool { return s.log.DocumentMark(t.page) != old || s.log.Loading(t.page) != "" }
	for wait.For(ctx, rest.StuckAfter) == nil {
		if !leaving() && !answers(ctx, t) && !leaving() && ctx.Err() == nil {
			end(errStuck)
		}
	}
}

// awaitErrorPage waits, for a short while, for the page that the browser shows
// instead of one that failed: it would cancel the next navigation.
func (s *actions) awaitErrorPage(ctx context.Context, err error, moves int) {
	if netErrorOf(err) == "" || isAborted(err) {
		return
	}
	_ = rest.Until(ctx, func() (bool, error) { return s.log.Moves() != moves, nil }, rest.Policy{Every: rest.SettlePoll, Limit: rest.MoveLimit}) // it need not come
}

// stopLoading ends a navigation, which may not have begun yet: it goes on until
// loaded is closed.
func (s *actions) stopLoading(t *tab, loaded <-chan struct{}) {
	stop := func() error { _, err := t.page.Evaluate("window.stop()"); return err }
	if session, err := t.context.pw.NewCDPSession(t.page); err == nil { // Chromium only
		defer func() { _ = session.Detach() }() // it goes with the page at the latest
		stop = func() error { _, err := session.Send("Page.stopLoading", nil); return err }
	}
	_ = rest.Until(s.life, func() (bool, error) { return false, stop() }, rest.Policy{Every: rest.StopPoll, Events: append([]rest.Event{{Of: loaded}}, t.ends(s.livePage)...)}) // whichever it is
}

// overtaken reports whether a navigation was given up because the page, which
// may do so for ever, went to another address at the same time.
func (s *actions) overtaken(t *tab, m eventlog.Mark, address string, err error) bool {
	return isAborted(err) && s.log.Overtaken(t.page, m, address)
}

// IsDownload reports whether a navigation failed because its address is a file, which the
// browser saves, and no page.
func IsDownload(err error) bool {
	var e *explain.Error
	return errors.As(err, &e) && e.Download
}

// errCutShort says that a navigation had less time than its time-out, as the call that it
// is part of had.
var errCutShort = errors.New("the call had less time than the time-out")

// IsCutShort reports whether a navigation timed out before its own time-out: that says
// nothing about the site.
func IsCutShort(err error) bool { return errors.Is(err, errCutShort) }

// navigating says that an address is opened.
func navigating(address string) pagetext.Sentence {
	return explain.Doing("page_navigate", explain.Quoting(redact.URL(address)))
}

// explainNavigation adds the event log's entries to the error of a failed
// navigation.
func (s *actions) explainNavigation(t *tab, m eventlog.Mark, address string, timeout time.Duration, err error) error {
	if ended(t.closed) || ended(t.crashed) {
		return err
	}
	what := navigating(address)
	e := asError(err, what)
	switch {
	case e.Code == explain.TimedOut:
		answered, waits := s.log.DocumentAnswered(t.page, m)
		e.SlowAddress(timeout, answered, waits)
	case isFileToSave(err):
		e.SavesFile(what, texts.Cut(texts.Line(s.log.DocumentType(t.page, m)), 100), err)
	case isInterrupted(err):
		e.Overtaken(what)
	case isBadAddress(err):
		e.NoAddress()
	}
	if notes := s.log.NotesSince(m); len(notes) > 0 {
		e.Page = append(e.Page, notes[max(0, len(notes)-eventlog.MaxListed):]...)
		if s.log.Noted(m, func(kind string) bool { return kind == eventlog.KindStayed }) {
			e.AskedToStay()
		}
	}
	return e
}

// gateCause returns why a navigation of the page failed, if it was at the gate:
// HOST_BLOCKED, or the network error that the browser could not know.
func (s *livePage) gateCause(page playwright.Page, m eventlog.Mark, what pagetext.Sentence, err error) error {
	switch r := s.log.RefusedDocument(page, m); {
	case strings.HasPrefix(r.Blocked, eventlog.GuardRule):
		return explain.RequestRefused(what, r.Blocked)
	case strings.HasPrefix(r.Blocked, eventlog.InterceptRule):
		return explain.Intercepted(what, r.Blocked)
	case r.Blocked != "":
		return hostBlocked(what, r.Host, egress.Rule(r.Blocked))
	case err != nil && eventlog.AtGate(strings.TrimPrefix(netErrorOf(err), "net::")) && r.Gate != "":
		return explain.Unreachable(what, r.Gate, err)
	}
	return err
}

// Back goes to the page before the current one in the tab's history, as the browser's own button
// does, and waits until it has loaded. A timeout of 0 means the pool's. Where the tab has shown no
// page before, the error is INVALID_INPUT.
func (s *actions) Back(ctx context.Context, timeout time.Duration) (Navigation, error) {
	const what = pagetext.Sentence("page_navigate back")
	if timeout <= 0 {
		timeout = s.pool.Timeout
	}
	return on(ctx, s.livePage, "page_navigate", "back", func(ctx context.Context, t *tab) (Navigation, error) {
		if t.context.opts.Type == "chromium" {
			if before, err := pagesBefore(ctx, t); err != nil || before == 0 {
				return Navigation{}, orNoPageBefore(err)
			}
		}
		m := s.log.MarkAct(t.page)
		defer s.guard.actsFor(ctx)()
		s.log.BeginAct()
		s.log.Touch(false)
		start := s.pool.Now()
		response, err := s.ask(ctx, t, func() (playwright.Response, error) {
			return t.page.GoBack(playwright.PageGoBackOptions{Timeout: left(ctx, timeout)})
		})
		if err = s.gateCause(t.page, m, what, err); err != nil {
			return Navigation{}, classify(err, what)
		}
		if response == nil && t.page.URL() == m.URL && t.context.opts.Type != "chromium" {
			return Navigation{}, orNoPageBefore(nil)
		}
		nav := Navigation{LoadTimeMS: s.pool.Now().Sub(start).Milliseconds(), Redirects: []Redirect{}}
		if response != nil {
			nav.Status = response.Status()
			nav.Redirects = s.log.Redirects(redirectsOf(response.Request()))
		}
		if nav.Effects, err = s.aftermath(ctx, t, m, what, false); err != nil {
			return Navigation{}, err
		}
		nav.URL, nav.Title = nav.Effects.Page.URL, nav.Effects.Page.Title
		if nav.Status == 0 {
			nav.Status = nav.Effects.Page.Status
		}
		s.guard.landed(nav.URL)
		return nav, nil
	})
}

// pagesBefore counts the pages that a tab has shown before its current one, but for the blank one
// that it began with. See Page.getNavigationHistory in Chromium's protocol.
func pagesBefore(ctx context.Context, t *tab) (int, error) {
	return within(ctx, t, rest.LookLimit, func() (int, error) {
		devtools, err := t.tools()
		if err != nil {
			return 0, err
		}
		var history struct {
			CurrentIndex int
			Entries      []struct{ URL string }
		}
		if err := sendTo(devtools, "Page.getNavigationHistory", &history); err != nil {
			return 0, err
		}
		before := history.CurrentIndex
		if before > 0 && len(history.Entries) > 0 && history.Entries[0].URL == "about:blank" {
			before--
		}
		return before, nil
	})
}

func orNoPageBefore(err error) error {
	if err != nil {
		return classify(err, "page_navigate back")
	}
	return explain.Invalid("give url", "page_navigate back: this tab has shown no page before this one")
}
