package eventlog

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
)

// guardStop records what the guard stopped: a request, or an action, which has no
// address.
type guardStop struct {
	what                  pagetext.Text
	rule, method, address string

	explained bool // the log's entry of the request says so
}

// stopTexts describes stops in words.
func stopTexts(stops []*guardStop) []pagetext.Text {
	out := make([]pagetext.Text, len(stops))
	for i, x := range stops {
		out[i] = x.what
	}
	return out
}

// ActionStopped records an action that the guard stopped.
func (j *Log) ActionStopped(what pagetext.Text) { j.addStop(guardStop{what: what}) }

// ScriptClickStopped records a script's click, on an element of that name, that the
// guard stopped.
func (j *Log) ScriptClickStopped(name, rule string) {
	j.addStop(guardStop{what: pagetext.Sprintf("a script's click on %q (rule: %s)", text.Cut(name, MaxNote), rule), rule: rule})
}

// RequestStopped records a request that the guard stopped.
func (j *Log) RequestStopped(method, address, rule string) {
	j.addStop(guardStop{what: pagetext.Sprintf("%s %s (rule: %s)", method, j.Address(address, MaxNote), rule), rule: rule, method: method, address: text.Cut(address, MaxURL)})
}

func (j *Log) addStop(what guardStop) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stopped.add(&what)
}

// StoppedSince returns what the guard stopped since m.
func (j *Log) StoppedSince(m Mark) []pagetext.Text {
	j.mu.Lock()
	defer j.mu.Unlock()
	return stopTexts(j.stopped.since(m.stopped))
}

// TakeStopped returns what the guard has stopped since the last call of it: the
// tester was not permitted to go on, so what was seen then proves little.
func (j *Log) TakeStopped() []pagetext.Text {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := stopTexts(j.stopped.since(j.stopsReported))
	j.stopsReported = j.stopped.total
	return out
}

// StoppedDocument returns the rule by which the guard stopped the document at an
// address since m; "" when it did not.
func (j *Log) StoppedDocument(m Mark, address string) (rule string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range j.stopped.since(m.stopped) {
		if x.address == text.Cut(address, MaxURL) {
			return x.rule
		}
	}
	return ""
}

// explainStop sets the rule by which a request that has ended was stopped, where
// the browser reports only that it was; j.mu is held. A stop explains one request:
// what becomes of the next one to the same address is the site's.
func (j *Log) explainStop(x *exchange) {
	if x.Failure == "" || x.Blocked != "" && !strings.HasPrefix(x.Blocked, GuardRule) {
		return
	}
	found := j.unexplained(x.Method, x.request.URL())
	if len(found) == 0 {
		return
	}
	if x.Blocked == "" {
		x.Blocked = GuardRule + found[0].rule
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
func (j *Log) unexplained(method, address string) []*guardStop {
	return slices.DeleteFunc(j.stopped.since(0), func(x *guardStop) bool {
		return x.explained || x.address == "" || x.method != method || x.address != text.Cut(address, MaxURL)
	})
}

// refusedByUs reports whether a request to an address was stopped by a rule of
// ours; the browser's message about it may come before the request's end.
func (j *Log) refusedByUs(address string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.ContainsFunc(j.stopped.since(0), func(x *guardStop) bool {
		return x.address != "" && x.address == text.Cut(address, MaxURL)
	}) || slices.ContainsFunc(j.network.since(0), func(x *exchange) bool {
		return x.Blocked != "" && x.request.URL() == address
	})
}

// RequestCount returns how many there were so far.
func (j *Log) RequestCount() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.network.total
}

// Unanswered returns those of the session's first n requests that went to a host
// and port and have no answer yet.
func (j *Log) Unanswered(target string, n int) []Request {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []Request
	for i, x := range j.network.since(0) {
		if j.network.dropped()+i < n && x.Pending && x.Status == 0 && HostPort(x.request.URL()) == target {
			out = append(out, x.request)
		}
	}
	return out
}

// maxUnreached bounds the gate's notes of a session.
const maxUnreached = 500

// gateNote records a request that the egress proxy refused, or whose host it could not reach.
type gateNote struct {
	egress.Unreached
	id       string
	reported bool     // Playwright reported the request too
	said     []string // kinds of the browser's complaints about it, where it is the guard's
}

// isGuards reports whether the guard refused it: that request, and no other one
// to the same address or host.
func (n *gateNote) isGuards() bool { return strings.HasPrefix(string(n.Rule), GuardRule) }

// gateNotes holds the egress proxy's part of the event log, guarded by the log's lock. Only the
// proxy sees some requests (WebSockets, preconnections, some of workers).
type gateNotes struct{ ring[*gateNote] }

// Unreached takes a note. The gate calls it before the browser learns of the
// failure, so that all that the browser reports finds it here.
func (j *Log) Unreached(u egress.Unreached) {
	j.mu.Lock()
	defer j.mu.Unlock()
	note := &gateNote{Unreached: u}
	j.gate.add(note)
	note.id = fmt.Sprintf("b%d", j.gate.total)
}

// target returns host:port of the request, as an address of the browser's own
// has it.
func (n *gateNote) target() string { return net.JoinHostPort(strings.ToLower(n.Host), n.Port) }

// event returns a note as an entry of the network log.
func (j *Log) event(n *gateNote) NetworkEvent {
	e := NetworkEvent{RequestID: n.id, Method: n.Method, URL: n.URL, Type: "other", Start: n.Time, Failure: blockedBy(n.Rule), Blocked: string(n.Rule)}
	if e.URL == "" {
		e.URL = n.target() // what goes through a tunnel is between browser and site
	}
	e.URL = j.Address(e.URL, MaxURL)
	return e
}

func blockedBy(rule egress.Rule) string { return "blocked by " + string(rule) }

// unreported returns the refusals after the first n that only the gate has seen; j.mu is
// held.
func (g *gateNotes) unreported(n int) []*gateNote {
	return slices.DeleteFunc(slices.Clone(g.since(n)), func(note *gateNote) bool { return note.reported || note.Rule == "" })
}

// noteRefusalAnswer marks a request whose answer is the gate's own refusal; j.mu is held.
func (j *Log) noteRefusalAnswer(x *exchange, headers map[string]string) {
	id := headers[strings.ToLower(egress.IDHeader)]
	if id == "" {
		return
	}
	for _, note := range j.gate.since(0) {
		if note.ID == id && note.Rule != "" {
			note.reported = true
			// It is over, whether or not the page reads the rest.
			x.Pending, x.Status, x.Size, x.Blocked, x.Failure = false, 0, 0, string(note.Rule), blockedBy(note.Rule)
			j.explainStop(x)
		}
	}
}

// explainAtGate copies the gate's reason to a request that failed at the gate, where
// the browser reports only that its proxy did not get through; j.mu is held.
func (j *Log) explainAtGate(x *exchange) {
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
		// Cross-origin fetches only say that they failed, so a refusal fits any failure.
		fits := note.isOf(address) && (note.Rule != "" || AtGate(netOf(x.Failure))) && (!note.isGuards() || note.meant(x))
		if fits && (found == nil || found.reported || !note.reported) {
			found = note // the newest; preferably one that is not reported yet
		}
	}
	if found == nil {
		return
	}
	found.reported = true
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
	return !n.reported && n.Method == x.Method
}

// AtGate reports whether a network error may come from the way to the site
// rather than from the site.
func AtGate(name string) bool {
	return name == "ERR_TUNNEL_CONNECTION_FAILED" || name == "ERR_EMPTY_RESPONSE"
}

// isOf reports whether the note is of a request for that address.
func (n *gateNote) isOf(address string) bool {
	if n.URL != "" {
		address, _, _ = strings.Cut(address, "#")
		return n.URL == withoutUser(address)
	}
	return strings.HasPrefix(address, "https:") && n.target() == HostPort(address) // http goes without a tunnel
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

// HostPort returns the host and port of an address, in lower case; "" for one that has none.
func HostPort(text string) string {
	u, err := url.Parse(address.HostPart(text))
	if err != nil || u.Host == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443"}[u.Scheme]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// explainConsole adds to the browser's own complaint about a request why it
// did not get out. What a rule of ours refused is no error of the page.
func (j *Log) explainConsole(e LogEntry, c complaint) LogEntry {
	if c.kind == "" {
		return e
	}
	target := HostPort(c.address)
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, note := range slices.Backward(j.gate.since(0)) {
		switch {
		case target == "" || note.Host == "" || note.target() != target:
		case note.isGuards() && !note.explains(c):
		case note.Rule != "":
			e.Level, e.Text = "warning", pagetext.Sprintf("%s (%s)", e.Text, blockedBy(note.Rule))
			return e
		case AtGate(c.net):
			e.Text = pagetext.Text(c.lead + netError.ReplaceAllLiteralString(c.tail, "net::"+note.Reason))
			return e
		}
	}
	return e
}

// explains reports whether the browser complains of what the guard refused: it
// does so once of the request, and once more where the page may not read the
// answer.
func (n *gateNote) explains(c complaint) bool {
	if n.URL == "" {
		return AtGate(c.net)
	}
	if !n.isOf(c.address) || slices.Contains(n.said, c.kind) || c.kind == resourceFailed && !c.forbidden && c.net != "ERR_FAILED" {
		return false
	}
	n.said = append(n.said, c.kind)
	return true
}

// The kinds of the browser's complaints of a request, by how they begin.
const (
	resourceFailed = "Failed to load resource"
	corsRefused    = "Access to "
	socketFailed   = "WebSocket connection to "
)

// complaint is what the browser tells of a request, which it does in words alone. They are
// read here once, and only beside the address, which a page chooses.
type complaint struct {
	kind       string // "": it is none
	address    string
	lead, tail string // the words up to the address, and those behind it
	net        string // the network error, such as ERR_EMPTY_RESPONSE
	forbidden  bool   // it was answered with status 403
}

// complaintOf reads what the browser said at a place.
func complaintOf(said string, at Place) complaint {
	c := complaint{address: at.URL}
	for _, kind := range []string{resourceFailed, corsRefused, socketFailed} {
		if strings.HasPrefix(said, kind) {
			c.kind = kind
		}
	}
	switch c.kind {
	case "":
		return complaint{}
	case resourceFailed:
		c.lead, c.tail = resourceFailed, strings.TrimPrefix(said, resourceFailed)
		c.forbidden = strings.Contains(c.tail, " 403 ")
	default:
		before, rest, _ := strings.Cut(said, "'")
		c.address, c.tail, _ = strings.Cut(rest, "'")
		c.lead = before + "'" + c.address + "'"
	}
	if c.kind != corsRefused { // which names the origin behind the address
		c.net = strings.TrimPrefix(netError.FindString(c.tail), "net::")
	}
	return c
}

// netOf returns the network error that what is kept of a failure begins with, such as
// ERR_ABORTED, or "".
func netOf(said string) string {
	name := strings.TrimPrefix(said, "net::")
	if end := strings.IndexFunc(name, func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') && (r < '0' || r > '9') }); end >= 0 {
		name = name[:end]
	}
	if !strings.HasPrefix(name, "ERR_") && !strings.HasPrefix(name, "NS_ERROR_") {
		return ""
	}
	return name
}

// blockedSince lists what rules of ours refused since m; j.mu is held.
func (j *Log) blockedSince(m Mark) []Blocked {
	var events []NetworkEvent
	for _, x := range j.network.since(m.net) {
		if x.Blocked != "" {
			events = append(events, x.NetworkEvent)
		}
	}
	for _, note := range j.gate.unreported(m.gate) {
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
			out[i].URLs = append(out[i].URLs, e.Method+" "+text.Cut(e.URL, 120))
		}
	}
	return out
}

// Blocked counts the requests that one rule of ours refused.
type Blocked struct {
	Rule  string   `json:"rule"`
	Count int      `json:"count"`
	URLs  []string `json:"urls" jsonschema:"the first of them"`
}

// maxBlockedURLs bounds how many refused requests an answer names; the others are in the network
// log.
const maxBlockedURLs = 3

// gateEvents returns the network log's entries in the order of time, with the refusals
// that only the gate has seen; j.mu is held.
func (j *Log) gateEvents() []NetworkEvent {
	var out []NetworkEvent
	for _, x := range j.keptRequests() {
		out = append(out, x.NetworkEvent)
	}
	alone := j.gate.unreported(0)
	if len(alone) == 0 {
		return out
	}
	for _, note := range alone {
		out = append(out, j.event(note))
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Start.Before(out[j].Start) })
	return out
}

// Refusal returns the refusal with that id which only the gate has seen.
func (j *Log) Refusal(requestID string) (NetworkEvent, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, note := range j.gate.unreported(0) {
		if note.id == requestID {
			return j.event(note), true
		}
	}
	return NetworkEvent{}, false
}

// RefusedHost reports whether a rule of ours refused a request for that address.
func (j *Log) RefusedHost(address string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.ContainsFunc(j.gate.since(0), func(n *gateNote) bool { return n.Rule != "" && n.isOf(address) })
}

// Refused explains why the newest request for a page's document did not get out.
type Refused struct {
	Blocked string // the rule of ours
	Host    string // that was asked for
	Gate    string // the network error that the browser could not know
}

// RefusedDocument explains it for the request that a page made since m; the zero value
// where it made none, or nothing stopped it.
func (j *Log) RefusedDocument(page Page, m Mark) Refused {
	j.mu.Lock()
	defer j.mu.Unlock()
	x := j.requested[page]
	if x == nil || !slices.Contains(j.network.since(m.net), x) {
		return Refused{}
	}
	out := Refused{Blocked: x.Blocked, Host: HostPort(x.request.URL())}
	if host, _, err := net.SplitHostPort(out.Host); err == nil {
		out.Host = host
	}
	if name := netOf(x.Failure); !AtGate(name) && strings.HasPrefix(name, "ERR_") {
		out.Gate = x.Failure
	}
	return out
}

// DocumentAnswered reports whether the newest navigation of the page since m was answered,
// and what the page still waits for.
func (j *Log) DocumentAnswered(page Page, m Mark) (bool, []pagetext.Text) {
	j.mu.Lock()
	defer j.mu.Unlock()
	x := j.requested[page]
	if x == nil || x.response == nil || !slices.Contains(j.network.since(m.net), x) {
		return false, nil
	}
	return true, j.underWay(page)
}

// DocumentType returns the media type of the newest answer to a navigation of the page
// since m, or "".
func (j *Log) DocumentType(page Page, m Mark) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	x := j.requested[page]
	if x == nil || x.response == nil || !slices.Contains(j.network.since(m.net), x) {
		return ""
	}
	kind, _, _ := strings.Cut(x.response.Headers()["content-type"], ";")
	return strings.TrimSpace(kind)
}

// What begins the rules by which a request was blocked: those of the guard, and those
// of network_intercept.
const (
	GuardRule     = "guard: "
	InterceptRule = "network_intercept: "
)

var netError = pattern.New(`net::(ERR_[A-Z0-9_]+)|(NS_ERROR_[A-Z0-9_]+)`)

// Refusals returns the kept requests that the gate did not let out, or could not.
func (j *Log) Refusals() []egress.Unreached {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []egress.Unreached
	for _, note := range j.gate.since(0) {
		out = append(out, note.Unreached)
	}
	return out
}
