package browser

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/egress"
)

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

// CheckHost answers HOST_BLOCKED for an address that the session may not open.
func (s *Session) CheckHost(what, address string) error {
	u, err := url.Parse(strings.TrimSpace(address))
	if s.policy == nil || err != nil || u.Host == "" {
		return nil //nolint:nilerr // what is no address is refused by who opens it
	}
	if rule := s.policy.CheckPage(u.Hostname()); rule != "" {
		return hostBlocked(what, u.Hostname(), rule)
	}
	return nil
}

// openHints say what opens a host that a rule refuses.
var openHints = map[egress.Rule]string{
	egress.NotAllowed:     "if it is meant to be tested, add it to network.allowed_hosts in mcp.toml",
	egress.NotHome:        "if it is meant to be tested, list it in network.allowed_hosts in mcp.toml, beside the hosts of the environment",
	egress.External:       "if it is meant to be tested, name it in network.allowed_hosts in mcp.toml",
	egress.Denied:         "network.deny_hosts in mcp.toml names it",
	egress.Production:     "production is not tested: use a test system, or name this very host in network.allowed_hosts in mcp.toml",
	egress.ProductionWord: "its name says production, which is not tested: use a test system, name this very host in network.allowed_hosts, or change guard.production_words in mcp.toml",
	egress.NotInScope:     "open a session that may reach it: browser_launch with options.allowed_hosts",
}

// hostBlocked returns the error of opening an address that a rule refuses.
func hostBlocked(what, host string, rule egress.Rule) *Error {
	if rule == egress.Malformed {
		return invalid("give a full http:// or https:// address", "%s: %q is no host", what, cut(host, maxNote))
	}
	hint := openHints[rule]
	if hint == "" {
		hint = "no setting opens it; use the address of a test system"
	}
	return &Error{Code: HostBlocked, Message: fmt.Sprintf("%s: the host %s is blocked by %s", what, cut(host, maxNote), rule), Hint: hint}
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
