package browser

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/act"
	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
)

// confirm puts a yes-or-no question to the person of one call.
type confirm func(question string) (accepted bool, err error)

// ErrNobodyToAsk says that the client has no way to ask a person;
// [Options.Confirm] returns it.
var ErrNobodyToAsk = errors.New("the client can't ask a person")

// Caution sets what the guard stops as destructive, and who may permit it.
type Caution struct {
	Guard   *guard.Guard
	Confirm func(ctx context.Context, question string) (accepted bool, err error) // as [Options.Confirm]
	Kind    guard.Kind                                                            // of the session's acts, where [Session.ActAs] says nothing else
}

// sessionGuard stops what is destructive, by what a session's guard says: actions
// on elements, and requests of all its pages.
type sessionGuard struct {
	*livePage
	covered    func(method, address string) bool        // a rule of network_intercept answers or blocks such a request
	production func(host string) bool                   // it is a production system's
	named      func(host string) (named, anyNamed bool) // it is under test, by the lists of hosts
	proxied    func() bool                              // requests that are not encrypted are judged by the egress proxy

	mu        sync.Mutex
	guards    map[playwright.Page]*guardStart // the request guards of the pages
	secured   chan struct{}                   // closed when its pages are watched because of https
	securing  sync.Mutex
	secure    bool // a page has sent a request by https
	permitted int  // actions under way that a person permitted

	written    bool            // what is done now stands in a file of a person
	on         guard.Kind      // what is done now is of this kind; 0: of the session's own
	record     string          // on which it is done, as addresses name it
	first      string          // the origin that was opened first
	site       []string        // the address that was opened last, and where that led
	ask        confirm         // of the call whose act goes on: requests are asked about in its name
	asked      map[string]bool // what a person answered, by method and path
	unanswered int             // questions without an answer
	settled    chan struct{}   // closed when none is left; nil while it is 0

	sockets sentMessages
}

// guardPolicy returns the session's own policy, or its pool's.
func (s *sessionGuard) guardPolicy() Caution {
	if own := s.opts.Caution; own != nil {
		return *own
	}
	return Caution{Guard: s.pool.Guard, Confirm: s.pool.Confirm}
}

// blocksRequest returns the rule by which a request is destructive, "" when it is
// not or is permitted. It logs the stop for the answer and the verdict.
func (s *sessionGuard) blocksRequest(r guard.Request) (rule string) {
	if s.guardPolicy().Guard == nil {
		return ""
	}
	method, address := r.Method, r.URL
	if rule = s.requestRule(r); rule == "" {
		return ""
	}
	s.mu.Lock()
	permitted := s.permitted > 0
	s.mu.Unlock()
	if permitted || s.permitsRequest(r, rule) {
		return ""
	}
	if r.Unread && rule == guard.ForeignRule { // its page goes on as if it had been sent
		s.log.Note(eventlog.KindGuard, pagetext.Sprintf("guard: not sent, because %s: %s %s", rule, method, s.log.Address(address, maxNote)))
		return rule
	}
	s.log.RequestStopped(method, address, rule)
	return rule
}

// requestRule returns the rule by which a request is destructive, "" when it is not.
func (s *sessionGuard) requestRule(r guard.Request) string {
	if s.guardPolicy().Guard == nil {
		return ""
	}
	r.Production = s.onProduction(r.URL)
	rule, _ := s.guardPolicy().Guard.RequestOf(r, guard.Cause{Kind: s.kind(), ByAct: s.log.Acted(), UnderTest: s.underTest(r.URL), Record: s.recordNow()})
	return rule
}

// onProduction reports whether an address is that of a production system.
func (s *sessionGuard) onProduction(text string) bool {
	u, err := url.Parse(address.HostPart(text))
	return err == nil && s.production(u.Hostname())
}

// ActAs says whether what is done from now on stands in a file of a person, which
// permits it. Without that it is of the session's own kind.
func (s *sessionGuard) ActAs(written bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written = written
}

// ActOn says of which kind is what is done from now on, 0: of the session's own; and on
// which record, as addresses name it.
func (s *sessionGuard) ActOn(kind guard.Kind, record string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on, s.record = kind, record
}

// recordNow returns the record on which something is done now.
func (s *sessionGuard) recordNow() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.record
}

// kind returns who is behind the newest act.
func (s *sessionGuard) kind() guard.Kind {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.written {
		return guard.Written
	}
	if s.on != 0 {
		return s.on
	}
	if own := s.opts.Caution; own != nil {
		return own.Kind
	}
	return guard.Worked
}

// opened notes an address that a caller opens. The first one names the site under test
// where no setting does.
func (s *sessionGuard) opened(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sockets.forget()
	s.site = []string{address}
	if s.first == "" && strings.Contains(address, "://") {
		s.first = siteOrigin(address)
	}
}

// landed notes where an address led that a caller opened.
func (s *sessionGuard) landed(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.site = append(s.site, address)
}

// AddressFits reports whether an address fits a pattern; see [address.Pattern]. A path
// means the site that a caller opened last, or that this led to: elsewhere says that the
// address is of another one. Where none was opened any is meant.
func (s *sessionGuard) AddressFits(pattern, at string) (fits, elsewhere bool) {
	p, err := address.Parse(pattern)
	if err != nil {
		return false, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	own := len(s.site) == 0 || slices.ContainsFunc(s.site, func(opened string) bool { return address.SameSite(opened, at) })
	elsewhere = p.IsPath() && !own
	return p.Fits(at) && !elsewhere, elsewhere
}

// underTest reports whether an address is of an origin under test. What is explored
// stays on the origin at which it started.
func (s *sessionGuard) underTest(text string) bool {
	u, err := url.Parse(address.HostPart(text))
	if err != nil {
		return false
	}
	s.mu.Lock()
	first := s.first
	s.mu.Unlock()
	here := first != "" && siteOrigin(text) == first
	if s.kind() >= guard.Explored {
		return here
	}
	named, anyNamed := s.named(u.Hostname())
	return named || here && !anyNamed
}

// namedHost reports whether a host is under test by what names it, and whether anything
// is named at all.
func (s *Session) namedHost(host string) (named, anyNamed bool) {
	policy := s.policy
	if policy == nil {
		policy = &egress.Policy{}
	}
	return policy.Named(host)
}

// siteOrigin returns scheme, host and port of an address. A WebSocket is of its page's
// origin.
func siteOrigin(text string) string {
	u, err := url.Parse(address.HostPart(text))
	if err != nil {
		return ""
	}
	scheme := strings.Replace(u.Scheme, "ws", "http", 1)
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// refuseOpening returns the error of opening an address that is destructive by itself:
// what a caller opens is an act. A person may permit it.
func (s *sessionGuard) refuseOpening(ctx context.Context, address string) error {
	policy := s.guardPolicy()
	if policy.Guard == nil || !policy.Guard.HeedsActs() || s.kind() == guard.Written {
		return nil
	}
	rule, blocked := policy.Guard.Opening(address)
	if !blocked {
		return nil
	}
	defer s.actsFor(ctx)()
	if s.permitsRequest(guard.Request{Method: "GET", URL: address}, rule) {
		return nil
	}
	s.log.RequestStopped("GET", address, rule)
	return explain.OpeningRefused(navigating(address), rule)
}

// actsFor notes the call whose act goes on, in whose name a person can be asked about
// requests. It returns what ends that.
func (s *sessionGuard) actsFor(ctx context.Context) (end func()) {
	ask := s.guardPolicy().Confirm
	if ask == nil {
		return func() {}
	}
	set := func(c confirm) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ask = c
	}
	set(func(question string) (bool, error) { return ask(ctx, question) })
	return func() { set(nil) }
}

// permitsRequest asks a person whether a request that is stopped may be sent, once for
// each method and path. Where nobody can be asked it is not.
func (s *sessionGuard) permitsRequest(r guard.Request, rule string) bool {
	if !s.guardPolicy().Guard.HeedsActs() || rule == guard.ReadOnlyRule {
		return false
	}
	key := r.Method + " " + withoutQuery(r.URL)
	s.mu.Lock()
	ask := s.ask
	answer, known := s.asked[key]
	if known || ask == nil {
		s.mu.Unlock()
		return answer
	}
	if s.unanswered++; s.settled == nil {
		s.settled = make(chan struct{})
	}
	s.mu.Unlock()
	accepted, err := ask(fmt.Sprintf("Permit %s %s? It is destructive (rule: %s).", r.Method, s.log.Address(withoutQuery(r.URL), maxNote), rule))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unanswered--; s.unanswered == 0 {
		close(s.settled)
		s.settled = nil
	}
	if err != nil { // nobody answered: the next one is asked about again
		return false
	}
	if s.asked == nil {
		s.asked = map[string]bool{}
	}
	s.asked[key] = accepted
	return accepted
}

func withoutQuery(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	return address
}

// awaitAnswers waits until a person has answered what was asked about requests.
func (s *sessionGuard) awaitAnswers(ctx context.Context) {
	s.mu.Lock()
	settled := s.settled
	s.mu.Unlock()
	if settled == nil {
		return
	}
	_ = rest.Until(ctx, nil, rest.Policy{Events: []rest.Event{{Of: settled}}}) // the call's end is noticed by the call
}

// destructiveRule returns the rule by which activating an element is destructive, "" if it is not.
func (s *sessionGuard) destructiveRule(a act.Element) (rule string) {
	if s.guardPolicy().Guard == nil {
		return ""
	}
	element := guard.Element{Names: a.Names, Hints: a.Hints, Around: a.Around}
	for _, r := range a.Requests {
		header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		element.Requests = append(element.Requests, guard.Request{Method: r.Method, URL: r.Address, Header: header, Body: []byte(r.Body), Production: s.onProduction(r.Address)})
	}
	rule, _ = s.guardPolicy().Guard.ActOf(element, s.kind())
	return rule
}

// refuseAction logs a stop and returns the error of an action that was not done.
func (s *sessionGuard) refuseAction(what pagetext.Sentence, r explain.Refused) error {
	s.log.ActionStopped((what + ": " + r.Reason()).Text())
	return r.Explain(what)
}

// permitAction decides whether the element that at leads to may be activated. It
// returns a function that ends the permission which a person gave for this action.
func (s *sessionGuard) permitAction(ctx context.Context, t *tab, at playwright.Locator, what pagetext.Sentence) (end func(), err error) {
	end = func() {}
	if s.guardPolicy().Guard == nil {
		return end, nil
	}
	var a act.Element
	if err := askEngine(at, rest.LookLimit, &a); err != nil {
		return end, err
	}
	rule := s.destructiveRule(a)
	if rule == "" {
		return end, nil
	}
	refused := func(why explain.Refusal, cause error) error {
		return s.refuseAction(what, explain.Refused{Why: why, Rule: rule, Line: texts.Cut(a.Line, maxNote), Cause: cause})
	}
	if s.guardPolicy().Confirm == nil {
		return end, refused(explain.ByRule, nil)
	}
	act := what
	if line := texts.Cut(s.log.Mask(a.Line), maxNote); !what.Text().HasSuffix(pagetext.Text(line)) { // the selector is not the element's own line
		act += ", which is " + explain.Quoting(line) + ","
	}
	accepted, err := s.guardPolicy().Confirm(ctx, pagetext.Sentencef("Permit %s on %s? It is destructive (rule: %s).",
		act, explain.Quoting(s.log.Address(t.page.URL(), maxNote)), rule).Line())
	switch {
	case errors.Is(err, context.Canceled):
		return end, err
	case errors.Is(err, ErrNobodyToAsk) && s.guardPolicy().Guard.HeedsActs():
		return end, refused(explain.Unwritten, err)
	case errors.Is(err, ErrNobodyToAsk):
		return end, refused(explain.Unasked, err)
	case errors.Is(err, context.DeadlineExceeded):
		return end, refused(explain.Unheard, err)
	case err != nil:
		return end, refused(explain.AskFailed, err)
	case !accepted:
		return end, refused(explain.Declined, nil)
	}
	s.mu.Lock()
	s.permitted++
	s.mu.Unlock()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.permitted--
	}, nil
}

// dialogRule returns the rule by which accepting a dialog with that message is
// destructive; "" where it is not, or a person permits the act that goes on.
func (s *sessionGuard) dialogRule(message string) string {
	policy := s.guardPolicy().Guard
	if policy == nil {
		return ""
	}
	s.mu.Lock()
	permitted := s.permitted > 0
	s.mu.Unlock()
	if permitted {
		return ""
	}
	rule, _ := policy.ActOf(guard.Element{Names: []string{"OK"}, Around: []string{message}}, s.kind())
	return rule
}

// afterStop returns the error of an action that was done and caused requests which
// the guard stopped; nil when it stopped none since m.
func (s *sessionGuard) afterStop(m eventlog.Mark, what pagetext.Sentence) error {
	stopped := s.log.StoppedSince(m)
	if len(stopped) == 0 {
		return nil
	}
	return explain.StoppedRequests{Count: len(stopped), Listed: eventlog.Listed(stopped, len(stopped)),
		CanPermit: s.guardPolicy().Confirm != nil && !s.guardPolicy().Guard.HeedsActs()}.Explain(what)
}

// requestGuard stops destructive requests of one page: those of its documents,
// frames, workers and service workers. It has a session of its own with the
// browser (Chrome DevTools Protocol), because Playwright's routes stop every
// request on its way, pictures included, and switch the cache off.
//
// A popup is watched from the moment the driver tells of it, which its very
// first request may precede; a shared worker is not watched at all.
type requestGuard struct {
	guard *sessionGuard
	cdp   playwright.CDPSession

	mu  sync.Mutex
	ids int // of messages to the targets below the page
}

// guardStart makes a page's request guard start only once.
type guardStart struct {
	once sync.Once
	err  error
}

// startRequestGuard installs interception of a page's destructive requests, once,
// before the page loads anything. It blocks, so it is never called on Playwright's
// dispatcher.
func (s *sessionGuard) startRequestGuard(page playwright.Page) error {
	if s.guardPolicy().Guard == nil || s.opts.Type != "chromium" { // the others are watched by a route
		return nil
	}
	s.mu.Lock()
	if s.proxied() && !s.secure {
		s.mu.Unlock()
		return nil
	}
	if s.guards == nil {
		s.guards = map[playwright.Page]*guardStart{}
	}
	p := s.guards[page]
	if p == nil {
		p = &guardStart{}
		s.guards[page] = p
	}
	s.mu.Unlock()
	p.once.Do(func() { p.err = s.installRequestGuard(page) })
	if p.err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.guards[page] == p {
			delete(s.guards, page) // the next one to ask tries again
		}
	}
	return p.err
}

// guardPopups installs request guards on the pages that the site opens. A page on
// which that fails is closed.
func (s *sessionGuard) guardPopups(context playwright.BrowserContext) {
	if s.guardPolicy().Guard == nil {
		return
	}
	context.OnPage(func(page playwright.Page) {
		page.OnClose(func(playwright.Page) {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.guards, page)
		})
		go func() {
			if err := s.startRequestGuard(page); err != nil && !isClosed(err) && !page.IsClosed() {
				s.log.Note(eventlog.KindPopup, "popup: closed, because its requests can't be guarded: "+plain(err))
				_ = page.Close() // it may be closed meanwhile, which is what we want
			}
		}()
	})
}

// isSecure reports whether a proxy can't see what is sent to an address.
func isSecure(address string) bool {
	return strings.HasPrefix(address, "https:") || strings.HasPrefix(address, "wss:")
}

// guardSecurePages installs request guards on all pages once one of them is about
// to send by https, which no proxy can judge, and returns when they are installed.
// The next call after a failure tries again.
func (s *sessionGuard) guardSecurePages(address string) error {
	if s.guardPolicy().Guard == nil || !s.proxied() || !isSecure(address) {
		return nil
	}
	s.securing.Lock()
	defer s.securing.Unlock()
	if ended(s.secured) {
		return nil
	}
	s.mu.Lock()
	s.secure = true
	s.mu.Unlock()
	for _, page := range s.current().context.pw.Pages() {
		if err := s.startRequestGuard(page); err != nil && !isClosed(err) && !page.IsClosed() {
			return err
		}
	}
	close(s.secured)
	return nil
}

// installRequestGuard opens a DevTools session with a page and intercepts in it.
func (s *sessionGuard) installRequestGuard(page playwright.Page) error {
	cdp, err := page.Context().NewCDPSession(page)
	if err != nil {
		return fmt.Errorf("watch the page's requests: %w", err)
	}
	w := &requestGuard{guard: s, cdp: cdp}
	for _, event := range []string{"Fetch.requestPaused", "Target.attachedToTarget", "Target.receivedMessageFromTarget"} {
		cdp.On(event, func(params map[string]any) { w.onEvent(w.toPage, event, params) })
	}
	if err := w.intercept(w.toPage); err != nil {
		_ = cdp.Detach() // requests that it pauses would never continue
		return fmt.Errorf("watch the page's requests: %w", err)
	}
	return nil
}

// sendCommand sends one command to a target.
type sendCommand func(method string, params map[string]any) error

func (w *requestGuard) toPage(method string, params map[string]any) error {
	_, err := w.cdp.Send(method, params)
	return err
}

// toChild returns what sends to a target below another one, through it.
func (w *requestGuard) toChild(parent sendCommand, id string) sendCommand {
	return func(method string, params map[string]any) error {
		w.mu.Lock()
		w.ids++
		n := w.ids
		w.mu.Unlock()
		message, err := json.Marshal(map[string]any{"id": n, "method": method, "params": params})
		if err != nil {
			return err
		}
		return parent("Target.sendMessageToTarget", map[string]any{"sessionId": id, "message": string(message)})
	}
}

// intercept makes a target pause the requests that can be destructive, and its
// children until they are intercepted too.
func (w *requestGuard) intercept(send sendCommand) error {
	if err := send("Fetch.enable", map[string]any{"patterns": w.patterns()}); err != nil {
		return err
	}
	return send("Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": false})
}

// patterns returns what Fetch intercepts. It leaves out what no built-in rule
// covers: pictures, scripts, styles and fonts are always requested with GET.
func (w *requestGuard) patterns() []map[string]any {
	if w.guard.guardPolicy().Guard.JudgesAnyRequest() {
		return []map[string]any{{"urlPattern": "*"}}
	}
	var out []map[string]any
	for _, kind := range []string{"Document", "XHR", "Fetch", "Ping", "Other"} {
		out = append(out, map[string]any{"urlPattern": "*", "resourceType": kind})
	}
	return out
}

// onEvent handles an event of the browser. It runs on Playwright's dispatcher, so it
// answers from a goroutine.
func (w *requestGuard) onEvent(from sendCommand, event string, params map[string]any) {
	switch event {
	case "Fetch.requestPaused":
		go w.judge(from, params)
	case "Target.attachedToTarget":
		id, _ := params["sessionId"].(string)
		go func() {
			child := w.toChild(from, id)
			_ = w.intercept(child) // a dedicated worker's requests are the page's; it refuses to be watched itself
			_ = child("Runtime.runIfWaitingForDebugger", nil)
		}()
	case "Target.receivedMessageFromTarget":
		id, _ := params["sessionId"].(string)
		text, _ := params["message"].(string)
		var m struct {
			Method string         `json:"method"`
			Params map[string]any `json:"params"`
		}
		if err := json.Unmarshal([]byte(text), &m); err == nil && m.Method != "" {
			w.onEvent(w.toChild(from, id), m.Method, m.Params)
		}
	}
}

// pausedRequest returns a paused request as the guard judges it. The browser
// leaves bodies out that are very large, or come from files.
func pausedRequest(request map[string]any) guard.Request {
	out := guard.Request{Header: http.Header{}}
	out.Method, _ = request["method"].(string)
	out.URL, _ = request["url"].(string)
	headers, _ := request["headers"].(map[string]any)
	for name, value := range headers {
		if text, ok := value.(string); ok {
			out.Header.Set(name, text)
		}
	}
	entries, _ := request["postDataEntries"].([]any)
	for _, entry := range entries {
		e, _ := entry.(map[string]any)
		coded, _ := e["bytes"].(string)
		piece, err := base64.StdEncoding.DecodeString(coded)
		if err != nil || len(out.Body) > guard.MaxBody {
			break
		}
		out.Body = append(out.Body, piece...)
	}
	if text, ok := request["postData"].(string); ok && len(out.Body) == 0 {
		out.Body = []byte(text)
	}
	return out
}

// judge lets a paused request go on, or stops it. What became of the target
// meanwhile is its own end; a request of it is then stopped by that.
func (w *requestGuard) judge(send sendCommand, params map[string]any) {
	request, _ := params["request"].(map[string]any)
	method, _ := request["method"].(string)
	address, _ := request["url"].(string)
	answer, more := "Fetch.continueRequest", map[string]any{"requestId": params["requestId"]}
	paused := pausedRequest(request)
	paused.Unread = params["resourceType"] == "Ping"
	if !w.guard.covered(method, address) && w.guard.blocksRequest(paused) != "" {
		answer, more["errorReason"] = "Fetch.failRequest", "BlockedByClient"
		if params["resourceType"] == "Document" {
			more["errorReason"] = "Aborted" // the page stays, where the other would bring the browser's error page
		}
	}
	_ = send(answer, more)
}

// scriptGuard keeps a caller's script from clicking what the caller may not
// click: the elements of a page that are destructive when the script begins.
// What the script itself puts into the page, and what it sends, is for the
// request guard.
type scriptGuard struct {
	session *sessionGuard
	watched []playwright.Frame
}

// guardScript judges the elements of a page before a script runs in it, and
// returns what ends the watch.
func (s *sessionGuard) guardScript(ctx context.Context, t *tab) (*scriptGuard, error) {
	g := &scriptGuard{session: s}
	if s.guardPolicy().Guard == nil {
		return g, nil
	}
	_, err := within(ctx, t, 2*rest.LookLimit, func() (struct{}, error) {
		for _, frame := range t.page.Frames() {
			var actors []act.Element
			if err := askEngine(frame.Locator(engineAsk{Op: "actors"}.query()), rest.LookLimit, &actors); err != nil {
				if frame == t.page.MainFrame() {
					return struct{}{}, err
				}
				continue // a frame that goes away, or of another site, which no script of this page reaches
			}
			var stop []int
			for i, a := range actors {
				if s.destructiveRule(a) != "" {
					stop = append(stop, i)
				}
			}
			if len(stop) == 0 {
				continue
			}
			var n int
			if err := askEngine(frame.Locator(engineAsk{Op: "watchScript", Items: stop}.query()), rest.LookLimit, &n); err != nil {
				return struct{}{}, err
			}
			g.watched = append(g.watched, frame)
		}
		return struct{}{}, nil
	})
	return g, err
}

// report logs the clicks that the watch stopped since the last report; last
// removes the watch.
func (g *scriptGuard) report(t *tab, last bool) {
	if len(g.watched) == 0 {
		return
	}
	after, cancel := g.session.cleanUp(2 * rest.LookLimit)
	defer cancel()
	_, _ = within(after, t, 2*rest.LookLimit, func() (struct{}, error) { // a document that has gone took its watch along
		for _, frame := range g.watched {
			var names []string
			if err := askEngine(frame.Locator(engineAsk{Op: "scriptClicks", Last: last}.query()), rest.LookLimit, &names); err != nil {
				continue
			}
			for _, name := range names {
				rule, _ := g.session.guardPolicy().Guard.Act(guard.Element{Names: []string{name}})
				if rule == "" {
					rule = "what it does"
				}
				g.session.log.ScriptClickStopped(name, rule)
			}
		}
		return struct{}{}, nil
	})
}
