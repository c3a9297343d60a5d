package browser

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/redact"
)

// guardStop records what the guard stopped: a request, or an action, which has no
// address.
type guardStop struct {
	what, rule, method, address string

	explained bool // the log's entry of the request says so
}

// stopTexts describes stops in words.
func stopTexts(stops []*guardStop) []string {
	out := make([]string, len(stops))
	for i, x := range stops {
		out[i] = x.what
	}
	return out
}

func (j *EventLog) addStop(what guardStop) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stopped.add(&what)
}

// TakeStopped returns what the guard has stopped since the last call of it: the
// tester was not permitted to go on, so what was seen then proves little.
func (j *EventLog) TakeStopped() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := stopTexts(j.stopped.since(j.stopsReported))
	j.stopsReported = j.stopped.total
	return out
}

// refuseAction logs a stop and returns the error of an action that was not done.
func (j *EventLog) refuseAction(code Code, what, why, hint string, a actionElement, cause error) error {
	j.addStop(guardStop{what: what + ": " + why})
	return &Error{Code: code, Message: what + " was not done: " + why, Hint: hint + "; the element:", Page: []string{cut(a.Line, maxNote)}, Cause: cause}
}

// stoppedDocument returns the error of a navigation whose own document the guard
// stopped; nil when it did not.
func (j *EventLog) stoppedDocument(m mark, address string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range j.stopped.since(m.stopped) {
		if x.address == cut(address, maxURL) {
			return &Error{Code: ActionBlocked, Message: "page_navigate " + redact.URL(address) + " was not done: the guard takes it for destructive (rule: " + x.rule + ")", Hint: guardHint}
		}
	}
	return nil
}

// explainStop sets the rule by which a request that has ended was stopped, where
// the browser reports only that it was; j.mu is held. A stop explains one request:
// what becomes of the next one to the same address is the site's.
func (j *EventLog) explainStop(x *exchange) {
	if x.Failure == "" || x.Blocked != "" && !strings.HasPrefix(x.Blocked, guardRule) {
		return
	}
	found := j.unexplained(x.Method, x.request.URL())
	if len(found) == 0 {
		return
	}
	if x.Blocked == "" {
		x.Blocked = guardRule + found[0].rule
	}
	again := slices.ContainsFunc(j.network.since(0), func(o *exchange) bool {
		return o != x && o.Pending && o.Method == x.Method && o.request.URL() == x.request.URL()
	})
	if again {
		found = found[:1]
	}
	for _, stop := range found { // a browser may have tried the same request more than once
		stop.explained = true
	}
}

// unexplained returns the stops of such a request that no entry of the log
// explains yet, oldest first; j.mu is held.
func (j *EventLog) unexplained(method, address string) []*guardStop {
	return slices.DeleteFunc(j.stopped.since(0), func(x *guardStop) bool {
		return x.explained || x.address == "" || x.method != method || x.address != cut(address, maxURL)
	})
}

// refusedByUs reports whether a request to an address was stopped by a rule of
// ours; the browser's message about it may come before the request's end.
func (j *EventLog) refusedByUs(address string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.ContainsFunc(j.stopped.since(0), func(x *guardStop) bool {
		return x.address != "" && x.address == cut(address, maxURL)
	}) || slices.ContainsFunc(j.network.since(0), func(x *exchange) bool {
		return x.Blocked != "" && x.request.URL() == address
	})
}

// requests returns how many there were so far.
func (j *EventLog) requests() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.network.total
}

// unanswered returns those of the session's first n requests that went to a host
// and port and have no answer yet.
func (j *EventLog) unanswered(target string, n int) []guard.Request {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []guard.Request
	for i, x := range j.network.since(0) {
		if j.network.dropped()+i < n && x.Pending && x.Status == 0 && hostPortOf(x.request.URL()) == target {
			out = append(out, routedRequest(x.request))
		}
	}
	return out
}

// maxUnreached bounds the gate's notes of a session.
const maxUnreached = 500

// gateNote is a request that the gate did not let out, or could not.
type gateNote struct {
	egress.Unreached
	id   string
	told bool     // Playwright reported the request too
	said []string // kinds of the browser's complaints about it, where it is the guard's
}

// isGuards reports whether the guard refused it: that request, and no other one
// to the same address or host.
func (n *gateNote) isGuards() bool { return strings.HasPrefix(string(n.Rule), guardRule) }

// gateNotes are the gate's part of the event log, guarded by its lock. Some
// requests (WebSockets, preconnections, some of workers) are known to it alone.
type gateNotes struct{ ring[*gateNote] }

// onUnreached takes a note. The gate calls it before the browser learns of the
// failure, so that all that the browser reports finds it here.
func (j *EventLog) onUnreached(u egress.Unreached) {
	j.mu.Lock()
	defer j.mu.Unlock()
	note := &gateNote{Unreached: u}
	j.gate.add(note)
	note.id = fmt.Sprintf("b%d", j.gate.total)
}

// target returns host:port of what was asked for, as an address of the browser's
// own has it.
func (n *gateNote) target() string { return net.JoinHostPort(strings.ToLower(n.Host), n.Port) }

// event returns a note as an entry of the network log.
func (j *EventLog) event(n *gateNote) NetworkEvent {
	e := NetworkEvent{RequestID: n.id, Method: n.Method, URL: n.URL, Type: "other", Start: n.Time, Failure: blockedBy(n.Rule), Blocked: string(n.Rule)}
	if e.URL == "" {
		e.URL = n.target() // what goes through a tunnel is between browser and site
	}
	e.URL = j.address(e.URL, maxURL)
	return e
}

func blockedBy(rule egress.Rule) string { return "blocked by " + string(rule) }

// alone returns the refusals after the first n that only the gate knows of; j.mu is
// held.
func (g *gateNotes) alone(n int) []*gateNote {
	return slices.DeleteFunc(slices.Clone(g.since(n)), func(note *gateNote) bool { return note.told || note.Rule == "" })
}

// answered looks whether an answer is the gate's own refusal; j.mu is held.
func (j *EventLog) answered(x *exchange, headers map[string]string) {
	id := headers[strings.ToLower(egress.IDHeader)]
	if id == "" {
		return
	}
	for _, note := range j.gate.since(0) {
		if note.ID == id && note.Rule != "" {
			note.told = true
			// It is over, whether or not the page reads the rest.
			x.Pending, x.Status, x.Size, x.Blocked, x.Failure = false, 0, 0, string(note.Rule), blockedBy(note.Rule)
			j.explainStop(x)
		}
	}
}

// blame puts the gate's reason into a request that failed at the gate, where
// the browser knows only that its proxy did not get through; j.mu is held.
func (j *EventLog) blame(x *exchange) {
	if x.Blocked != "" {
		x.Failure = blockedBy(egress.Rule(x.Blocked))
		return
	}
	if x.Failure == "" {
		return
	}
	address := x.request.URL()
	var found *gateNote
	for _, note := range j.gate.since(0) {
		// Cross-origin fetches only tell that they failed, so a refusal fits any failure.
		fits := note.isOf(address) && (note.Rule != "" || atGate(x.Failure)) && (!note.isGuards() || note.meant(x))
		if fits && (found == nil || found.told || !note.told) {
			found = note // the newest, and rather one that nobody has asked for
		}
	}
	if found == nil {
		return
	}
	found.told = true
	if found.Rule != "" {
		x.Blocked, x.Failure = string(found.Rule), blockedBy(found.Rule)
		return
	}
	x.Failure = "net::" + found.Reason
}

// meant reports whether a request can be the one that the guard refused; a
// tunnel may have been for several, all sent before.
func (n *gateNote) meant(x *exchange) bool {
	if n.URL == "" {
		return !x.Start.After(n.Time)
	}
	return !n.told && n.Method == x.Method
}

// atGate reports whether a network error may come from the way to the site
// rather than from the site.
func atGate(failure string) bool {
	return strings.Contains(failure, "ERR_TUNNEL_CONNECTION_FAILED") || strings.Contains(failure, "ERR_EMPTY_RESPONSE")
}

// isOf reports whether the note is of a request for that address.
func (n *gateNote) isOf(address string) bool {
	if n.URL != "" {
		address, _, _ = strings.Cut(address, "#")
		return n.URL == withoutUser(address)
	}
	return strings.HasPrefix(address, "https:") && n.target() == hostPortOf(address) // http goes without a tunnel
}

// withoutUser returns an address as a browser asks a proxy for it.
func withoutUser(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address
	}
	u.User = nil
	return u.String()
}

// hostPortOf returns the host and port of an address; "" for one that has none.
func hostPortOf(address string) string {
	u, err := url.Parse(hostPart(address))
	if err != nil || u.Host == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443"}[u.Scheme]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// hostPart returns an address up to its host. The rest may be what browsers take and
// url.Parse refuses, such as a lone percent sign.
func hostPart(address string) string {
	if scheme, rest, found := strings.Cut(address, "://"); found {
		if end := strings.IndexAny(rest, `/?#\`); end >= 0 {
			return scheme + "://" + rest[:end]
		}
	}
	return address
}

// explainConsole says in the browser's own complaint about a request why it
// did not get out. What a rule of ours refused is no error of the page.
func (j *EventLog) explainConsole(e LogEntry, location *playwright.ConsoleMessageLocation) LogEntry {
	const failed, cors, socket = "Failed to load resource:", "Access to ", "WebSocket connection to "
	address := location.URL
	switch {
	case e.Level != "error":
		return e
	case strings.HasPrefix(e.Text, failed):
	case strings.HasPrefix(e.Text, cors), strings.HasPrefix(e.Text, socket):
		_, address, _ = strings.Cut(e.Text, "'")
		address, _, _ = strings.Cut(address, "'")
	default:
		return e
	}
	target := hostPortOf(address)
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, note := range slices.Backward(j.gate.since(0)) {
		switch {
		case target == "" || note.Host == "" || note.target() != target:
		case note.isGuards() && !note.explains(e, address):
		case note.Rule != "":
			e.Level, e.Text = "warning", e.Text+" ("+blockedBy(note.Rule)+")"
			return e
		case atGate(e.Text):
			e.Text = netError.ReplaceAllLiteralString(e.Text, "net::"+note.Reason)
			return e
		}
	}
	return e
}

// explains reports whether the browser complains of what the guard refused: it
// does so once of the request, and once more where the page may not read the
// answer.
func (n *gateNote) explains(e LogEntry, address string) bool {
	if n.URL == "" {
		return atGate(e.Text)
	}
	kind, _, _ := strings.Cut(e.Text, " ")
	if !n.isOf(address) || slices.Contains(n.said, kind) || kind == "Failed" && !strings.Contains(e.Text, "403") && !strings.Contains(e.Text, "ERR_FAILED") {
		return false
	}
	n.said = append(n.said, kind)
	return true
}

// blockedSince lists what rules of ours refused since m; j.mu is held.
func (j *EventLog) blockedSince(m mark) []Blocked {
	var events []NetworkEvent
	for _, x := range j.network.since(m.net) {
		if x.Blocked != "" {
			events = append(events, x.NetworkEvent)
		}
	}
	for _, note := range j.gate.alone(m.gate) {
		events = append(events, j.event(note))
	}
	var out []Blocked
	for _, e := range events {
		i := slices.IndexFunc(out, func(b Blocked) bool { return b.Rule == e.Blocked })
		if i < 0 {
			i = len(out)
			out = append(out, Blocked{Rule: e.Blocked})
		}
		out[i].Count++
		if len(out[i].URLs) < maxBlockedURLs {
			out[i].URLs = append(out[i].URLs, e.Method+" "+cut(e.URL, 120))
		}
	}
	return out
}

// Blocked are the requests that one rule of ours refused.
type Blocked struct {
	Rule  string   `json:"rule"`
	Count int      `json:"count"`
	URLs  []string `json:"urls" jsonschema:"the first of them"`
}

// maxBlockedURLs is how many refused requests an answer names; the others are
// in the network log.
const maxBlockedURLs = 3

// gateEvents returns the network log's entries in the order of time, with the refusals
// that only the gate knows of; j.mu is held.
func (j *EventLog) gateEvents() []NetworkEvent {
	var out []NetworkEvent
	for _, x := range j.keptRequests() {
		out = append(out, x.NetworkEvent)
	}
	alone := j.gate.alone(0)
	if len(alone) == 0 {
		return out
	}
	for _, note := range alone {
		out = append(out, j.event(note))
	}
	slices.SortStableFunc(out, func(a, b NetworkEvent) int { return a.Start.Compare(b.Start) })
	return out
}

// refusal returns the refusal with that id which only the gate knows of.
func (j *EventLog) refusal(requestID string) (Exchange, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, note := range j.gate.alone(0) {
		if note.id == requestID {
			return Exchange{NetworkEvent: j.event(note), RequestHeaders: map[string]string{}, BodyNote: "the request was refused before it left"}, true
		}
	}
	return Exchange{}, false
}

// refusedHost reports whether a rule of ours refused a request for that address.
func (j *EventLog) refusedHost(address string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.ContainsFunc(j.gate.since(0), func(n *gateNote) bool { return n.Rule != "" && n.isOf(address) })
}

// gateCause returns why a navigation of the page failed, if it was at the gate:
// HOST_BLOCKED, or the network error that the browser could not know.
func (j *EventLog) gateCause(page playwright.Page, m mark, what string, err error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	x := j.requested[page]
	switch {
	case x == nil || !slices.Contains(j.network.since(m.net), x):
		return err
	case strings.HasPrefix(x.Blocked, guardRule):
		return &Error{Code: ActionBlocked, Message: what + ": the request is destructive, " + x.Blocked, Hint: guardHint}
	case strings.HasPrefix(x.Blocked, interceptRule):
		return &Error{Code: ActionBlocked, Message: what + ": blocked by " + x.Blocked, Hint: "take the rule away with network_intercept, mode observe and the same pattern"}
	case x.Blocked != "":
		host := hostPortOf(x.request.URL())
		if h, _, splitErr := net.SplitHostPort(host); splitErr == nil {
			host = h
		}
		return hostBlocked(what, host, egress.Rule(x.Blocked))
	case err != nil && atGate(rawText(err)) && !atGate(x.Failure) && strings.HasPrefix(x.Failure, "net::"):
		return navigationFailed(what, x.Failure, err)
	}
	return err
}
