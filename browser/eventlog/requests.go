package eventlog

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
)

// InvalidError reports an impossible request of a caller.
type InvalidError struct{ Message, Hint string }

func (e *InvalidError) Error() string { return e.Message }

// Logs selects lines of a session's console.
type Logs struct {
	Entries []LogEntry
	Matched int // entries that fit the filter and are kept
	Dropped int // older entries no longer kept; errors only, where only those are selected
}

// levels in rising order; a filter names the lowest one wanted.
var levels = []string{"debug", "log", "info", "warning", "error", "exception"}

// Console returns the newest limit entries (0 means all) at or above level (""
// means all) that came after since.
func (j *Log) Console(level string, since time.Time, limit int) (Logs, error) {
	lowest := 0
	if level != "" {
		if lowest = slices.Index(levels, level); lowest < 0 {
			return Logs{}, &InvalidError{Message: fmt.Sprintf("level %q is unknown", level), Hint: "use one of " + strings.Join(levels, ", ")}
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	rings := []*ring[logLine]{&j.logs, &j.errors, &j.thrown}
	switch level {
	case "error":
		rings = rings[1:]
	case "exception":
		rings = rings[2:]
	}
	out := Logs{Entries: []LogEntry{}}
	for _, r := range rings {
		out.Dropped += r.dropped()
	}
	for _, e := range linesAfter(0, rings...) {
		if slices.Index(levels, e.Level) >= lowest && e.Time.After(since) {
			out.Entries = append(out.Entries, e.LogEntry)
		}
	}
	out.Matched = len(out.Entries)
	out.Entries = newest(out.Entries, limit)
	return out, nil
}

// Requests selects network events of a session.
type Requests struct {
	Events  []NetworkEvent
	Matched int
	Dropped int
}

// Network returns the newest limit events (0 means all) whose URL fits accepts and
// whose status matches status: an exact number, 4 for 400–499, 5 for 500–599, 0 for all, -1 for failed ones.
func (j *Log) Network(fits func(url string) bool, status int, since time.Time, limit int) Requests {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := Requests{Events: []NetworkEvent{}, Dropped: j.droppedRequests()}
	for _, e := range j.gateEvents() {
		if fits(e.URL) && e.Start.After(since) && matchStatus(status, e) {
			out.Events = append(out.Events, e)
		}
	}
	out.Matched = len(out.Events)
	out.Events = newest(out.Events, limit)
	return out
}

// newest leaves the last limit items; none is left out when limit is 0.
func newest[T any](items []T, limit int) []T {
	if limit <= 0 {
		return items
	}
	return items[max(0, len(items)-limit):]
}

// documentOf returns the exchange that brought the document at address, or nil;
// j.mu is held.
func (j *Log) documentOf(page Page, address string) *exchange {
	if x := j.shown[page]; x != nil && Origin(x.request.URL()) == Origin(address) {
		return x
	}
	return nil
}

// SentAfter notes that a navigation which began at m brought the page's document.
// The gate reports at once, the browser only when it has time: a
// refusal within the document may be noted before the document's own request.
func (j *Log) SentAfter(page Page, m Mark) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.shown[page]; x != nil && x.before.net >= m.net {
		x.before.gate = min(x.before.gate, m.gate)
	}
}

func matchStatus(want int, e NetworkEvent) bool {
	switch {
	case want == 0:
		return true
	case want < 0:
		return e.Failed() || e.Blocked != ""
	case want < 10:
		return e.Status/100 == want
	default:
		return e.Status == want
	}
}

// Kept describes a request as the log holds it.
type Kept struct {
	NetworkEvent
	Request  Request
	Response Response // nil before the answer
	CutOff   bool     // the browser that would report more is gone
}

// Find returns the request with that id, as it stands now.
func (j *Log) Find(requestID string) (Kept, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range j.keptRequests() {
		if x.RequestID == requestID {
			return Kept{x.NetworkEvent, x.request, x.response, x.cutOff}, true
		}
	}
	return Kept{}, false
}

// IsJSON reports whether a request was answered with JSON, as far as its
// headers show.
func (j *Log) IsJSON(requestID string) bool {
	x, ok := j.Find(requestID)
	if !ok || x.Response == nil {
		return false
	}
	return strings.Contains(strings.ToLower(x.Response.Headers()["content-type"]), "json")
}

// Matching returns the newest limit events (0 means all) that fits accepts, by
// method and address.
func (j *Log) Matching(fits func(method, url string) bool, limit int) Requests {
	out := Requests{Events: []NetworkEvent{}}
	j.mu.Lock()
	defer j.mu.Unlock()
	out.Dropped = j.network.dropped()
	for _, x := range j.network.since(0) {
		if fits(x.Method, x.URL) {
			out.Events = append(out.Events, x.NetworkEvent)
		}
	}
	out.Matched = len(out.Events)
	out.Events = newest(out.Events, limit)
	return out
}

// Blocked records that a rule of network_intercept stopped a request.
func (j *Log) Blocked(r Request, pattern string) {
	j.change(r, func(x *exchange) { x.Blocked = InterceptRule + pattern })
}

// Mocked records that a rule of network_intercept answered a request.
func (j *Log) Mocked(r Request, pattern string) {
	j.change(r, func(x *exchange) { x.Mocked = pattern })
}

func (j *Log) change(r Request, change func(*exchange)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.byID[r]; x != nil {
		change(x)
	}
}

// Navigates reports whether the page requested another document since m.
func (j *Log) Navigates(page Page, m Mark) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range j.network.since(m.net) {
		if x.page == page {
			return true
		}
	}
	return false
}

// Loading returns the address of the document that the page waits for, or "".
// Until its answer comes, Chromium answers nothing for the page.
func (j *Log) Loading(page Page) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.requested[page]; x != nil && x.Pending && x.response == nil && !j.stoppedByUs(x) {
		return texts.Cut(x.URL, MaxNote)
	}
	return ""
}

// PageState returns the page line; title was read from the page.
func (j *Log) PageState(page Page, title string) PageState {
	url := page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	state := PageState{URL: url, Title: pagetext.Text(title), Loading: pagetext.Of(j.underWay(page)...)}
	state.Acted, state.Unauthorized = j.touched, j.unauthorized(page, url)
	if d := j.documents[page]; d != nil {
		state.ConsoleErrors = d.errors
	}
	if x := j.documentOf(page, url); x != nil {
		state.Status = x.Status
	}
	return state
}

// Moves returns how often a frame went to another address so far.
func (j *Log) Moves() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.moves
}

// Now returns the newest position of the log.
func (j *Log) Now() Mark {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.position()
}

// Overtaken reports whether a navigation that was given up since m was so because
// the page, which may do so for ever, went to another address at the same time.
func (j *Log) Overtaken(page Page, m Mark, address string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	asked := j.network.since(m.net)
	for _, x := range slices.Backward(asked) {
		if x.page != page {
			continue
		}
		if sameDocument(x.request.URL(), address) { // what overtook it may be reported later
			return x.response == nil && x.NetworkEvent.Blocked == "" && len(j.unexplained(x.Method, x.request.URL())) == 0
		}
		return !x.redirected
	}
	return false
}

// Redirect describes one hop on the way to a document.
type Redirect struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// Redirects returns requests as hops.
func (j *Log) Redirects(requests []Request) []Redirect {
	hops := []Redirect{}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range requests {
		hop := Redirect{URL: j.Address(r.URL(), MaxURL)}
		if x := j.byID[r]; x != nil {
			hop.Status = x.Status
		}
		hops = append(hops, hop)
	}
	return hops
}

// Counts say whether anything was sent, answered or went to another address.
func (j *Log) Counts() [2]int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return [2]int{j.network.total + j.responses, j.moves}
}

// State describes what the log holds of the pages at a moment: two that are equal say that nothing
// happened between them.
type State struct{ logs, notes, net, moves int }

// State returns it as it is now.
func (j *Log) State() State {
	j.mu.Lock()
	defer j.mu.Unlock()
	at := j.position()
	return State{at.logs, at.notes, at.net, j.moves}
}

// Acts returns how many acts and loads of a caller the session has seen: where it is
// as it was, whatever has changed on the page was changed by the page itself.
func (j *Log) Acts() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.actCount
}

// BeginAct notes that something is done to the session's pages now; see [SinceAct].
func (j *Log) BeginAct() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lastAct = j.position()
}

// Window selects requests by when they were sent.
type Window int

const (
	// SincePage counts since the page's document was requested, or since the
	// act that led to it.
	SincePage Window = iota
	// SinceAct counts since the last act, a navigation included.
	SinceAct
)

// windowStart returns the number of requests before a window.
func (j *Log) windowStart(w Window) int {
	page := j.page()
	at := page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	first := j.lastAct.net
	if x := j.documentOf(page, at); x != nil && w == SincePage {
		first = min(first, x.before.net)
	}
	return first
}

// Asked describes what is known of the requests that fit a pattern, in a window.
type Asked struct {
	Came   int           // how many had the outcome that the pattern asks for
	Others []OtherAnswer // those with another outcome, newest first
	Before int           // how many came so before
	Lost   int           // requests of the window that are no longer kept
}

// OtherAnswer describes a request that had another outcome than the caller looked for.
type OtherAnswer struct {
	Method, URL, Outcome string
}

// maxOthers bounds how many of them are listed.
const maxOthers = 3

// Requested counts the requests that fit "[METHOD ]pattern[ outcome]" (see
// [address.ParseRequest]).
func (j *Log) Requested(wanted string, w Window) (Asked, error) {
	r, err := address.ParseRequest(wanted)
	if err != nil {
		return Asked{}, err
	}
	first := j.windowStart(w)
	j.mu.Lock()
	defer j.mu.Unlock()
	var out Asked
	out.Lost = max(0, j.network.dropped()-first)
	for i, x := range slices.Backward(j.network.since(0)) {
		if !r.Is(x.Method, x.asked()) {
			continue
		}
		sent, since := x.outcome(), j.network.dropped()+i >= first
		switch {
		case r.Came(sent) && since:
			out.Came++
		case r.Came(sent):
			out.Before++
		case since && len(out.Others) < maxOthers:
			out.Others = append(out.Others, OtherAnswer{x.Method, x.URL, sent.String()})
		}
	}
	return out, nil
}

// Answer holds the newest answer to a request that a pattern matches.
type Answer struct {
	Status  int    // 0: none in the window
	Outcome string // of a request that failed or was blocked after any answer
	Before  int    // status of the newest answer before the window
	Lost    int    // requests of the window that are no longer kept
}

// Answered returns the newest answer to "[METHOD ]pattern", or the answer that brought
// the page's document when wanted is empty.
func (j *Log) Answered(wanted string, w Window) (Answer, error) {
	if wanted == "" {
		return Answer{Status: j.documentStatus()}, nil
	}
	r, err := address.ParseRequest(wanted)
	if err != nil {
		return Answer{}, err
	}
	first := j.windowStart(w)
	j.mu.Lock()
	defer j.mu.Unlock()
	out := Answer{Lost: max(0, j.network.dropped()-first)}
	for i, x := range slices.Backward(j.network.since(0)) {
		sent := x.outcome()
		switch {
		case !r.Is(x.Method, x.asked()) || sent == address.Sent{}:
		case j.network.dropped()+i < first:
			out.Before = sent.Status
			return out, nil
		case sent.Blocked || sent.Failed:
			out.Outcome = sent.String()
			return out, nil
		default:
			out.Status = sent.Status
			return out, nil
		}
	}
	return out, nil
}

// documentStatus returns the status of the page's document, 0 where it has none.
func (j *Log) documentStatus() int {
	page := j.page()
	at := page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.documentOf(page, at); x != nil {
		return x.Status
	}
	return 0
}

// asked returns the address of a request as it was sent, not as it is shown.
func (x *exchange) asked() string {
	if x.request == nil {
		return x.URL
	}
	return x.request.URL()
}

// outcome returns what became of a request. One whose answer came has been answered, even
// if the page did not read it to its end.
func (x *exchange) outcome() address.Sent {
	answered := x.Status > 0 && x.Aborted()
	return address.Sent{Status: x.Status, Blocked: x.Blocked != "", Failed: x.Failure != "" && !answered}
}

// Made returns the requests without a call to the page. They count since the
// page's document was requested, or since the act that led to it.
func (j *Log) Made() Made {
	page, first := j.page(), j.windowStart(SincePage)
	out := Made{URL: page.URL()}
	j.mu.Lock()
	defer j.mu.Unlock()
	out.Opened, out.Kept = j.openedByCaller, slices.Clone(j.keptByCaller)
	if j.written.on(out.URL) {
		out.Written = j.written
	}
	if d := j.documents[page]; d != nil {
		out.Script = d.scripted
	}
	for i, x := range j.network.since(0) {
		if j.network.dropped()+i < first || x.of != nil && x.of != page {
			continue
		}
		if x.Mocked != "" {
			out.Mocked = x.Mocked
		}
		if pattern, ours := strings.CutPrefix(x.Blocked, InterceptRule); ours {
			out.Refused = pattern
		}
	}
	return out
}

// OpenedByCaller notes the address that a caller opens.
func (j *Log) OpenedByCaller(address string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.openedByCaller = address
}

// maxKeptByCaller bounds how many texts are known of what scripts of a caller have stored or sent.
const maxKeptByCaller = 200

// KeptByCaller notes texts that a script of the caller has stored, and those of the writes
// that were sent since a mark.
func (j *Log) KeptByCaller(since Mark, stored []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	all := slices.Clone(stored)
	for _, x := range j.network.since(since.net) {
		if x.isData() && x.Method != http.MethodGet && x.Method != http.MethodHead {
			all = append(all, plainQuery(x.URL), plainQuery(body(x)))
		}
	}
	for _, text := range all {
		if text != "" && len(j.keptByCaller) < maxKeptByCaller {
			j.keptByCaller = append(j.keptByCaller, texts.Cut(text, MaxLogText))
		}
	}
}

// CallerWrote notes that something of the site at an address is written while a document of the
// page is shown. It counts where a script of the caller ran in that document, and nothing was
// done through the page since.
func (j *Log) CallerWrote(page Page, what, at string) {
	own := page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	if address.Site(own) == address.Site(at) {
		j.wroteWhileScripted(page, what, at)
	}
}

// wroteWhileScripted does it for a site that need not be the page's; j.mu is held.
func (j *Log) wroteWhileScripted(page Page, what, at string) {
	if d := j.documents[page]; d != nil && d.scripted && d.actsBefore == j.actsThroughPage {
		j.written.note(what, at)
	}
}

// CallerKept notes that a script of the caller has written something of the site at an address,
// whatever document is shown now.
func (j *Log) CallerKept(what, at string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.written.note(what, at)
}

// WritesAnew reports whether what a script of the caller writes next is the first since
// something was done through the page.
func (j *Log) WritesAnew() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.written.anew()
}

// plainQuery returns a text as it was before it became a part of an address or a form.
func plainQuery(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// ScriptRan notes that a script of the caller runs in a page's document.
func (j *Log) ScriptRan(page Page) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.documents[page] == nil {
		j.documents[page] = &pageDocument{id: j.newDocument()}
	}
	j.documents[page].scripted, j.documents[page].actsBefore = true, j.actsThroughPage
}

// DataRequests returns the fetches and XHRs that the session's pages began after a
// moment, oldest first, without those that go on by design. One that was
// refused is not pending: see [exchange.refused].
func (j *Log) DataRequests(since time.Time) []NetworkEvent {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []NetworkEvent
	for _, x := range j.network.since(0) {
		if !x.isData() || !x.Start.After(since) || !awaited(x) {
			continue
		}
		e := x.NetworkEvent
		if e.Pending && x.refused() {
			e.Pending, e.DurationMS = false, x.answered.Sub(x.Start).Milliseconds()
		}
		out = append(out, e)
	}
	return out
}

// QuietSince returns when the last request of the session's pages came to its end,
// the zero time where there was none. ok is false while one is under way, or a
// stream is open, which may bring more at any time. WebSockets and what a
// beacon or a player loads are not counted.
func (j *Log) QuietSince() (last time.Time, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range j.network.since(0) {
		if x.Type == "ping" || x.Type == "media" {
			continue
		}
		end := x.Start.Add(time.Duration(x.DurationMS) * time.Millisecond)
		if x.Pending {
			if !x.refused() {
				return time.Time{}, false
			}
			end = x.answered
		}
		if end.After(last) {
			last = end
		}
	}
	return last, true
}

// DocumentSince returns when the current document was requested; the zero time
// where that is not logged.
func (j *Log) DocumentSince() time.Time {
	page := j.page()
	address := page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.documentOf(page, address); x != nil {
		return x.Start.Add(-time.Nanosecond)
	}
	return time.Time{}
}

// repeated reports whether a data request belongs to a row that the page sends
// over and over. earlier are those before it. An act may rightly cause a
// request again: only those after the last act count. j.mu is held.
func (j *Log) repeated(x *exchange, earlier []*exchange) bool {
	if !x.isData() {
		return false
	}
	alike, path := 0, 0
	for _, y := range earlier {
		if y.Pending || !y.isData() || y.Method != x.Method || y.Start.Before(j.actedAt) || pathOnly(y.URL) != pathOnly(x.URL) {
			continue
		}
		path++
		if y.URL == x.URL && body(y) == body(x) {
			alike++
		}
	}
	return alike >= repeatsAlike || path >= repeatsPath
}

// MarkAct returns the position at which an act or a load begins.
func (j *Log) MarkAct(page Page) Mark {
	address := page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	m := j.position()
	m.URL = address
	j.actedAt = j.now()
	j.actTimes = newest(append(j.actTimes, j.actedAt), maxActTimes)
	j.actCount++
	return m
}

// PaintRequests returns the requests under way whose answers may change what the
// page shows.
func (j *Log) PaintRequests() []string {
	kinds := []string{"document", "stylesheet", "script", "image", "font", "xhr", "fetch"}
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []string
	now := j.now()
	for _, x := range j.network.since(0) {
		if j.underWayNow(x) && slices.Contains(kinds, x.Type) && now.Sub(x.Start) < rest.OpenRequest {
			out = append(out, x.Method+" "+texts.Cut(x.URL, MaxNote))
		}
	}
	return out
}

// Made describes what a caller has made of the page that the session shows.
type Made struct {
	URL     string // of the page
	Script  bool   // a script of the caller ran in this document, and it is not sure that it only read
	Mocked  string // the network_intercept pattern that answered a request of the page
	Refused string // the one that refused a request of it

	Opened string   // the address that the caller opened last
	Kept   []string // texts that scripts of the caller have stored or sent in the session

	Written Written // what they have written where the page may have it from
}

// Asked returns the values in the query of the address that the caller opened, as far as
// the page that is shown has them in its own.
func (m Made) Asked() []string {
	opened, errOpened := url.Parse(m.Opened)
	shown, errShown := url.Parse(m.URL)
	if errOpened != nil || errShown != nil || opened.Host != shown.Host {
		return nil
	}
	var out []string
	for name, values := range opened.Query() {
		for _, value := range values {
			if value != "" && slices.Contains(shown.Query()[name], value) {
				out = append(out, value)
			}
		}
	}
	return out
}

// Says reports whether the words that an assertion looks for, or by which it names its
// element, are among some texts.
func (m Made) Says(all []string, expected, selector string) bool {
	fold := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	expected, selector = fold(expected), fold(selector)
	return slices.ContainsFunc(all, func(text string) bool {
		text = fold(text)
		if expected != "" {
			return texts.WordsWithin(text, expected)
		}
		return strings.Contains(selector, `"`+text+`"`) || selector == "text="+text
	})
}

// sameDocument compares addresses as far as a server sees them.
func sameDocument(a, b string) bool {
	ua, errA := url.Parse(a)
	ub, errB := url.Parse(b)
	if errA != nil || errB != nil {
		return a == b
	}
	return ua.Host == ub.Host && strings.TrimSuffix(ua.Path, "/") == strings.TrimSuffix(ub.Path, "/") && ua.RawQuery == ub.RawQuery
}

// Origin returns scheme, host and port of an address, "" when it has none.
func Origin(text string) string {
	u, err := url.Parse(address.HostPart(text))
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
