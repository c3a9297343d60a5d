package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
)

// egressProxy runs a session's forward proxy on loopback: all requests of its
// browser, and our own for it, pass through its gate.
type egressProxy struct {
	*livePage
	guard     *sessionGuard
	gate      *egress.Gate   // nil only in tests that look for what it stops
	policy    *egress.Policy // of the gate
	counting  sync.Once      // of unwatched
	unwatched int            // requests of the event log that were sent before the pages were watched, some of those after them included
}

// openGate starts the session's gate, which outlives its browser and ends with
// the session.
func (s *egressProxy) openGate() error {
	if s.pool.ungated {
		return nil
	}
	lists := s.pool.Network
	lists.Scopes = append(slices.Clone(lists.Scopes), s.opts.AllowedHosts, s.opts.bounds)
	policy, err := egress.NewPolicy(lists)
	if err != nil {
		return explain.Invalid("write host names, *.domain or IP addresses, without scheme, port and path", "%v", err)
	}
	s.gate, err = egress.Start(egress.Options{Policy: policy, Resolve: s.pool.resolve, Ports: s.pool.gates,
		Now: s.pool.Now, Judge: s.judge, JudgeTunnel: s.judgeTunnel, JudgeMessage: s.judgeMessage, OnUnreached: s.log.Unreached})
	if err != nil {
		return explain.NoGate(err)
	}
	s.policy = policy
	go func() {
		_ = rest.Until(s.life, nil, rest.Policy{Events: []rest.Event{{Of: s.lost}}}) // whichever it is
		s.closeGate()
	}()
	return nil
}

// closeGate ends the session's gate, if it has one.
func (s *egressProxy) closeGate() {
	if s.gate != nil {
		s.gate.Close()
	}
}

// proxy makes the gate the only way out of a context; nil without one.
func (s *egressProxy) proxy() *playwright.Proxy {
	if s.gate == nil {
		return nil
	}
	// Loopback goes through the gate too, whatever the environment says.
	p := &playwright.Proxy{Server: s.gate.Server(), Bypass: playwright.String("<-loopback>")}
	if s.opts.Type != "chromium" {
		user, password := s.gate.Credentials()
		p.Username, p.Password = &user, &password
	}
	return p
}

// prime shows the gate's credentials to Chromium once. It keeps them for the
// whole context: pages, popups, workers, WebSockets. Given to Playwright they
// would switch on interception of every request, switch off the cache, and be
// offered to every site that asks for a password.
func (s *egressProxy) prime(ctx context.Context, made playwright.BrowserContext, page playwright.Page) (err error) {
	if s.gate == nil || s.opts.Type != "chromium" {
		return nil
	}
	cdp, err := made.NewCDPSession(page)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cdp.Detach()) }() // which ends the interception too
	user, password := s.gate.Credentials()
	p := &priming{cdp: cdp, user: user, password: password}
	// Playwright's events only take notes: answering is a call.
	cdp.On("Fetch.requestPaused", p.note(&p.paused))
	cdp.On("Fetch.authRequired", p.note(&p.asked))
	address := s.gate.PrimingURL()
	if _, err := cdp.Send("Fetch.enable", map[string]any{"handleAuthRequests": true, "patterns": []any{map[string]any{"urlPattern": address + "*"}}}); err != nil {
		return fmt.Errorf("prime the egress gate: %w", err)
	}
	go func() {
		_, err := guarded(func() (any, error) { return cdp.Send("Page.navigate", map[string]any{"url": address}) })
		p.loaded(err)
	}()
	bound, cancel := context.WithTimeout(ctx, rest.PrimeLimit)
	defer cancel()
	for primed := false; !primed; {
		if err = p.wake.Await(bound, rest.Policy{}); err == nil {
			primed, err = p.step()
		}
		switch {
		case err != nil && ctx.Err() == nil && bound.Err() != nil:
			return errors.New("prime the egress gate: the browser does not answer")
		case err != nil:
			return fmt.Errorf("prime the egress gate: %w", err)
		}
	}
	return nil
}

// priming holds what a browser has asked for since its context is being primed.
type priming struct {
	cdp            playwright.CDPSession
	user, password string
	wake           rest.Signal // there is something to answer

	mu            sync.Mutex
	paused, asked any // ids of requests that wait for our answer; nil: none
	shown         bool
	over          bool
	failed        error
}

// note returns a handler that takes down the id of a request.
func (p *priming) note(id *any) func(map[string]any) {
	return func(params map[string]any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		*id = params["requestId"]
		p.wake.Set()
	}
}

// loaded notes that the priming request has ended.
func (p *priming) loaded(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over, p.failed = true, err
	p.wake.Set()
}

// step answers what the browser asked for, and reports whether it knows the credentials.
func (p *priming) step() (bool, error) {
	p.mu.Lock()
	paused, asked, shown, over, failed := p.paused, p.asked, p.shown, p.over, p.failed
	p.paused, p.asked, p.shown = nil, nil, shown || asked != nil
	p.mu.Unlock()
	if paused != nil {
		if _, err := p.cdp.Send("Fetch.continueRequest", map[string]any{"requestId": paused}); err != nil {
			return false, err
		}
	}
	switch {
	case asked != nil && shown:
		return false, errors.New("it refuses its own credentials")
	case asked != nil:
		_, err := p.cdp.Send("Fetch.continueWithAuth", map[string]any{"requestId": asked,
			"authChallengeResponse": map[string]any{"response": "ProvideCredentials", "username": p.user, "password": p.password}})
		return false, err
	case over && failed == nil && !shown:
		return false, errors.New("the browser was never asked for its credentials")
	}
	return over, failed
}

// gateArgs keep Chromium from going around the gate: WebRTC's UDP, which no
// HTTP proxy carries, and name look-ups of its own.
func gateArgs() []string {
	return []string{
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--dns-prefetch-disable", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
	}
}

// judge applies the guard to a request that the gate can read.
func (s *egressProxy) judge(r *http.Request, address string, body []byte) egress.Rule {
	return s.judgeRequest(guard.Request{Method: r.Method, URL: address, Header: r.Header, Body: body})
}

func (s *egressProxy) judgeRequest(r guard.Request) egress.Rule {
	if rule := s.guard.blocksRequest(r); rule != "" {
		return eventlog.GuardRule + egress.Rule(rule)
	}
	return ""
}

// judgeTunnel applies the guard to a tunnel, in which the gate can read
// nothing. The first ones wait until the session's pages are watched; what they
// sent before is known by then, and judged here, however late its tunnel comes.
func (s *egressProxy) judgeTunnel(host, port string) egress.Rule {
	if s.guard.guardPolicy().Guard == nil || s.opts.Type != "chromium" {
		return ""
	}
	target := net.JoinHostPort(host, port)
	_, err := answerOf(s.life, func() (struct{}, error) { return struct{}{}, s.guard.guardSecurePages("https://" + target) }, rest.Policy{Limit: rest.TunnelLimit})
	switch {
	case errors.Is(err, rest.ErrLimit):
		return eventlog.GuardRule + "the page does not answer, so that its requests can't be watched"
	case err != nil && !ended(s.ended):
		s.log.Note(eventlog.KindGuard, "guard: a page's requests can't be watched: "+plain(err))
		return eventlog.GuardRule + "a page's requests can't be watched"
	}
	s.counting.Do(func() {
		s.contextAlive(s.current().context) // its answer comes after the events of all requests sent before
		s.unwatched = s.log.RequestCount()
	})
	for _, r := range s.log.Unanswered(target, s.unwatched) {
		if rule := s.judgeRequest(guardRequest(r)); rule != "" {
			return rule
		}
	}
	return ""
}

// judgeMessage applies the guard to what a WebSocket sends. In TLS a handshake and a pong
// look like a message: there the browser's own word counts, for which it waits.
func (s *egressProxy) judgeMessage(m egress.Sending) egress.Rule {
	target, scheme := net.JoinHostPort(m.Host, m.Port), "ws"
	if m.Sealed {
		scheme = "wss"
	}
	message := guard.Request{Method: guard.MessageMethod, URL: scheme + "://" + target, Message: true}
	if s.guard.requestRule(message) == "" {
		return ""
	}
	if m.Sealed && !s.guard.sockets.has(target) && s.pagesAnswer() && !s.guard.sockets.has(target) {
		return ""
	}
	return s.judgeRequest(message)
}

// pagesAnswer asks each frame and worker of the session's pages for an answer, which comes
// after the events of what it has sent before. It reports whether all have answered.
func (s *egressProxy) pagesAnswer() bool {
	_, err := answerOf(s.life, func() (struct{}, error) {
		for _, page := range s.current().context.pw.Pages() {
			for _, frame := range append(page.Frames(), page.MainFrame()) { // the binding may have lost it from its list
				_, _ = frame.Evaluate("0") // one that has gone sends nothing
			}
			for _, worker := range page.Workers() {
				_, _ = worker.Evaluate("0") // as above
			}
		}
		return struct{}{}, nil
	}, rest.Policy{Limit: rest.MessageLimit})
	return err == nil
}

// sentMessages holds the hosts, with their ports, to which WebSockets have sent what the
// guard stops, by the word of the browser, since an address was opened.
type sentMessages struct {
	mu sync.Mutex
	to map[string]bool
}

func (m *sentMessages) add(target string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.to == nil {
		m.to = map[string]bool{}
	}
	m.to[target] = true
}

func (m *sentMessages) has(target string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.to[strings.ToLower(target)]
}

// forget begins anew, as an address is opened.
func (m *sentMessages) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.to = nil
}

// watchSocket notes what a WebSocket of a page or its workers sends that the guard stops.
// It only takes notes, as it runs on Playwright's dispatcher.
func (s *sessionGuard) watchSocket(socket playwright.WebSocket) {
	message := guard.Request{Method: guard.MessageMethod, URL: socket.URL(), Message: true}
	socket.OnFrameSent(func([]byte) {
		if s.requestRule(message) != "" {
			s.sockets.add(eventlog.HostPort(message.URL))
		}
	})
}

// openHints say what opens a host that a rule refuses.
var openHints = map[egress.Rule]string{
	egress.NotHome:        "if it is meant to be tested, list it in network.allowed_hosts in mcp.toml, beside the hosts of the environment",
	egress.ProductionWord: "its name says production, which is not tested: use a test system, name this very host in network.allowed_hosts, or change guard.production_words in mcp.toml",
	egress.NotAllowed:     "if it is meant to be tested, add it to network.allowed_hosts in mcp.toml",
	egress.External:       "if it is meant to be tested, name it in network.allowed_hosts in mcp.toml",
	egress.Denied:         "network.deny_hosts in mcp.toml names it",
	egress.Production:     "production is not tested: use a test system, or name this very host in network.allowed_hosts in mcp.toml",
	egress.NotInScope:     "open a session that may reach it: browser_launch with options.allowed_hosts",
}

// hostBlocked returns the error of opening an address that a rule refuses.
func hostBlocked(what pagetext.Sentence, host string, rule egress.Rule) *explain.Error {
	if rule == egress.Malformed {
		return explain.Invalid("give a full http:// or https:// address", "%s: %q is no host", what, texts.Cut(host, maxNote))
	}
	return explain.HostRefused(what, texts.Cut(host, maxNote), string(rule), openHints[rule])
}

// CheckHost answers HOST_BLOCKED for an address that the session may not open.
func (s *egressProxy) CheckHost(what pagetext.Sentence, address string) error {
	u, err := url.Parse(strings.TrimSpace(address))
	if s.policy == nil || err != nil || u.Host == "" {
		return nil //nolint:nilerr // what is no address is refused by who opens it
	}
	if rule := s.policy.CheckPage(u.Hostname()); rule != "" {
		return hostBlocked(what, u.Hostname(), rule)
	}
	return nil
}
