package browser

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/address"
	"github.com/assay-qa/assay/browser/redact"
)

// Logs is a selection of a session's console.
type Logs struct {
	Entries []LogEntry
	Matched int // entries that fit the filter and are kept
	Dropped int // older entries no longer kept; errors only, where only those are asked for
}

// levels in rising order; a filter names the lowest one wanted.
var levels = []string{"debug", "log", "info", "warning", "error", "exception"}

// Console returns the newest limit entries (0 means all) at or above level (""
// means all) that came after since.
func (j *EventLog) Console(level string, since time.Time, limit int) (Logs, error) {
	lowest := 0
	if level != "" {
		if lowest = slices.Index(levels, level); lowest < 0 {
			return Logs{}, invalid("use one of "+strings.Join(levels, ", "), "level %q is unknown", level)
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

// Requests is a selection of a session's network events.
type Requests struct {
	Events  []NetworkEvent
	Matched int
	Dropped int
}

// Network returns the newest limit events (0 means all) whose URL matches filter
// (see [CheckFilter], which tells whether it is one) and whose status matches status: an exact number, 4 for
// 400–499, 5 for 500–599, 0 for all, -1 for failed ones.
func (j *EventLog) Network(filter string, status int, since time.Time, limit int) Requests {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := Requests{Events: []NetworkEvent{}, Dropped: j.droppedRequests()}
	fits, err := searcher(filter)
	if err != nil {
		return out // what is no filter finds nothing
	}
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
func (j *EventLog) documentOf(page playwright.Page, address string) *exchange {
	if x := j.shown[page]; x != nil && origin(x.request.URL()) == origin(address) {
		return x
	}
	return nil
}

// sentAfter notes that a navigation which began at m brought the page's document.
// The gate's notes come at once, news of the browser when it has time: a
// refusal within the document may be noted before the document's own request.
func (j *EventLog) sentAfter(page playwright.Page, m mark) {
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

// find returns a copy of the exchange with that id, as it stands now.
func (j *EventLog) find(requestID string) (exchange, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range j.keptRequests() {
		if x.RequestID == requestID {
			return *x, true
		}
	}
	return exchange{}, false
}

// IsJSON reports whether a request was answered with JSON, as far as its
// headers tell.
func (j *EventLog) IsJSON(requestID string) bool {
	x, ok := j.find(requestID)
	if !ok || x.response == nil {
		return false
	}
	return strings.Contains(strings.ToLower(x.response.Headers()["content-type"]), "json")
}

// Matching returns the newest limit events (0 means all) that fit any of the
// patterns.
func (j *EventLog) Matching(patterns []string, limit int) Requests {
	rules, err := newRules(patterns, Observe, nil)
	out := Requests{Events: []NetworkEvent{}}
	if err != nil {
		return out // patterns that are none fit nothing
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	out.Dropped = j.network.dropped()
	for _, x := range j.network.since(0) {
		if slices.ContainsFunc(rules, func(r *InterceptRule) bool { return r.matches(x.Method, x.URL) }) {
			out.Events = append(out.Events, x.NetworkEvent)
		}
	}
	out.Matched = len(out.Events)
	out.Events = newest(out.Events, limit)
	return out
}

// mark changes what the event log holds of a request.
func (j *EventLog) mark(r playwright.Request, change func(*exchange)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.byID[r]; x != nil {
		change(x)
	}
}

// navigates reports whether the page asked for another document since m.
func (j *EventLog) navigates(t *tab, m mark) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range j.network.since(m.net) {
		if x.page == t.page {
			return true
		}
	}
	return false
}

// loading returns the address of the document that the page waits for, or "". Until
// its answer comes, Chromium answers nothing that is asked of the page.
func (j *EventLog) loading(t *tab) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.requested[t.page]; x != nil && x.Pending && x.response == nil {
		return cut(x.URL, maxNote)
	}
	return ""
}

// pageState returns the page line; title was read from the page.
func (j *EventLog) pageState(t *tab, title string) PageState {
	url := t.page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	state := PageState{URL: url, Title: title, Loading: j.underWay(t.page)}
	if d := j.documents[t.page]; d != nil {
		state.ConsoleErrors = d.errors
	}
	if x := j.documentOf(t.page, url); x != nil {
		state.Status = x.Status
	}
	return state
}

// moveCount returns how often a frame went to another address so far.
func (j *EventLog) moveCount() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.moves
}

// newestPosition returns the newest position of the event log.
func (j *EventLog) newestPosition() mark {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.position()
}

// overtaken reports whether a navigation was given up because the page, which
// may do so for ever, went to another address at the same time.
func (j *EventLog) overtaken(t *tab, m mark, address string, err error) bool {
	if text := rawText(err); !strings.Contains(text, "ERR_ABORTED") || strings.Contains(text, "Download is starting") {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	asked := j.network.since(m.net)
	for _, x := range slices.Backward(asked) {
		if x.page != t.page {
			continue
		}
		if sameDocument(x.request.URL(), address) { // news of what overtook it may come later
			return x.response == nil && x.Blocked == "" && len(j.unexplained(x.Method, x.request.URL())) == 0
		}
		return x.request.RedirectedFrom() == nil
	}
	return false
}

// explainNavigation adds to a failed navigation what the event log knows.
func (j *EventLog) explainNavigation(t *tab, m mark, address string, err error) error {
	if ended(t.closed) || ended(t.crashed) {
		return err
	}
	text := rawText(err)
	e := asError(err, "page_navigate "+redact.URL(address))
	switch {
	case e.Code == TimedOut:
		e.Hint = "the server is slow or never answers; raise timeout_ms, or use wait_until commit or domcontentloaded"
	case strings.Contains(text, "Download is starting"):
		e.Code, e.Hint = NavigationFailed, "the address is a download, not a page"
	case strings.Contains(text, "interrupted by another navigation"):
		e.Message, e.Hint = "page_navigate "+redact.URL(address)+": the page went to another address before this one was loaded", "look where it is with page_snapshot; call again if that is not where it should be"
	case strings.Contains(text, "Cannot navigate to invalid URL"):
		e.Code, e.Hint, e.Retriable = InvalidInput, "fix the address", false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if notes := j.notesSince(m.notes); len(notes) > 0 {
		e.Page = append(e.Page, notes[max(0, len(notes)-maxListed):]...)
	}
	return e
}

// redirects lists the hops before the final request, oldest first.
func (j *EventLog) redirects(final playwright.Request) []Redirect {
	hops := []Redirect{}
	j.mu.Lock()
	defer j.mu.Unlock()
	for r := final.RedirectedFrom(); r != nil; r = r.RedirectedFrom() {
		hop := Redirect{URL: j.address(r.URL(), maxURL)}
		if x := j.byID[r]; x != nil {
			hop.Status = x.Status
		}
		hops = append(hops, hop)
	}
	slices.Reverse(hops)
	return hops
}

// counts tell whether anything was sent, answered or went to another address.
func (j *EventLog) counts() [2]int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return [2]int{j.network.total + j.responses, j.moves}
}

// watchedState returns the page as it is at w's last look.
func (j *EventLog) watchedState(w *waiting) watchedState {
	j.mu.Lock()
	defer j.mu.Unlock()
	at := j.position()
	return watchedState{w.last.ID, w.last.Count, at.logs, at.notes, at.net, j.moves, w.window}
}

// Acts returns how many acts and loads of a caller the session has seen: where it is
// as it was, whatever has changed on the page was changed by the page itself.
func (j *EventLog) Acts() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.actCount
}

// beginAct notes that something is done to the session's pages now; see [SinceAct].
func (j *EventLog) beginAct() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lastAct = j.position()
}

// Window is since when requests are asked about.
type Window int

const (
	// SincePage is since the page's document was asked for, or since the act that
	// led to it.
	SincePage Window = iota
	// SinceAct is since the last act, a navigation included.
	SinceAct
)

// windowStart returns the number of requests before a window.
func (j *EventLog) windowStart(w Window) int {
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

// OtherAnswer is a request that had another outcome than was asked for.
type OtherAnswer struct {
	Method, URL, Outcome string
}

// maxOthers bounds how many of them are listed.
const maxOthers = 3

// Requested counts the requests that fit "[METHOD ]pattern[ outcome]" (see
// [address.ParseRequest]).
func (j *EventLog) Requested(wanted string, w Window) (Asked, error) {
	r, err := address.ParseRequest(wanted)
	if err != nil {
		return Asked{}, asInvalid(err)
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

// Answer is the newest answer to what a pattern asks for.
type Answer struct {
	Status  int    // 0: none in the window
	Outcome string // of a request that failed or was blocked after any answer
	Before  int    // status of the newest answer before the window
	Lost    int    // requests of the window that are no longer kept
}

// Answered returns the newest answer to "[METHOD ]pattern", or the answer that brought
// the page's document when wanted is empty.
func (j *EventLog) Answered(wanted string, w Window) (Answer, error) {
	if wanted == "" {
		return Answer{Status: j.documentStatus()}, nil
	}
	r, err := address.ParseRequest(wanted)
	if err != nil {
		return Answer{}, asInvalid(err)
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
func (j *EventLog) documentStatus() int {
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
	answered := x.Status > 0 && strings.Contains(x.Failure, "ERR_ABORTED")
	return address.Sent{Status: x.Status, Blocked: x.Blocked != "", Failed: x.Failure != "" && !answered}
}

// Made tells it without asking the page. Requests count since the page's document
// was asked for, or since the act that led to it.
func (j *EventLog) Made() Made {
	page, first := j.page(), j.windowStart(SincePage)
	out := Made{URL: page.URL()}
	j.mu.Lock()
	defer j.mu.Unlock()
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
		if pattern, ours := strings.CutPrefix(x.Blocked, interceptRule); ours {
			out.Refused = pattern
		}
	}
	return out
}

// scripts notes that a script of the caller runs in a page's document.
func (j *EventLog) scripts(page playwright.Page) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.documents[page] == nil {
		j.documents[page] = &pageDocument{id: j.newDocument()}
	}
	j.documents[page].scripted = true
}

// DataRequests returns the fetches and XHRs that the session's pages began after a
// moment, oldest first, without those that go on by design. One that was
// refused is not pending: see [exchange.refused].
func (j *EventLog) DataRequests(since time.Time) []NetworkEvent {
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
func (j *EventLog) QuietSince() (last time.Time, ok bool) {
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

// DocumentSince returns when the current document was asked for; the zero time where
// the event log does not know.
func (j *EventLog) DocumentSince() time.Time {
	page := j.page()
	address := page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.documentOf(page, address); x != nil {
		return x.Start.Add(-time.Nanosecond)
	}
	return time.Time{}
}

// repeated reports whether a data request goes on with what the page asks for
// over and over. earlier are those before it. What an act causes is asked for
// again rightly: only what came after the last one counts. j.mu is held.
func (j *EventLog) repeated(x *exchange, earlier []*exchange) bool {
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

// MatchURL reports whether url fits pattern; see [address.Pattern]. A pattern
// that is none fits nothing.
func MatchURL(pattern, url string) bool {
	p, err := address.Parse(pattern)
	return err == nil && p.Fits(url)
}

// CheckFilter reports whether filter is a search of addresses, as [Session.Network]
// takes it: a part of the address, or, with a * or after re:, a pattern. A search
// is for looking around; a check takes patterns only.
func CheckFilter(filter string) error {
	_, err := searcher(filter)
	return err
}

func searcher(filter string) (func(url string) bool, error) {
	if !strings.Contains(filter, "*") && !strings.HasPrefix(filter, "re:") {
		return func(url string) bool { return strings.Contains(url, filter) }, nil
	}
	p, err := address.Parse(filter)
	return p.Fits, asInvalid(err)
}

// asInvalid returns what is wrong with a pattern as an error of ours.
func asInvalid(err error) error {
	var e *address.Error
	if errors.As(err, &e) {
		return invalid(e.Hint, "%s", e.Message)
	}
	return err
}

// markNow returns the position at which an act or a load begins.
func (j *EventLog) markNow(t *tab) mark {
	address := t.page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	m := j.position()
	m.url = address
	j.actedAt = j.now()
	j.actCount++
	return m
}

// paintRequests returns the requests under way whose answers may change what the
// page shows.
func (j *EventLog) paintRequests() []string {
	kinds := []string{"document", "stylesheet", "script", "image", "font", "xhr", "fetch"}
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []string
	now := j.now()
	for _, x := range j.network.since(0) {
		if x.Pending && !x.cutOff && awaited(x) && !x.refused() && slices.Contains(kinds, x.Type) && now.Sub(x.Start) < openRequest {
			out = append(out, x.Method+" "+cut(x.URL, maxNote))
		}
	}
	return out
}
