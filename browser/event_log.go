package browser

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/redact"
)

// The event log's bounds. A page can log without end; what was dropped is
// counted, never hidden.
const (
	maxLogEntries   = 1000
	maxLogText      = 4 << 10 // bytes of one entry
	maxNetworkEvent = 2000
	maxNotes        = 200
	maxNote         = 200     // bytes of what a note quotes
	maxURL          = 4 << 10 // bytes of an address
)

// LogEntry holds one console message, or one uncaught exception of the page.
type LogEntry struct {
	Level  string    `json:"level" jsonschema:"debug, log, info, warning, error, or exception for an uncaught one"`
	Text   string    `json:"text"`
	URL    string    `json:"url,omitempty"`
	Line   int       `json:"line,omitempty"`
	Column int       `json:"column,omitempty"`
	Page   string    `json:"page,omitempty" jsonschema:"of an error: address of the page that it happened in"`
	Time   time.Time `json:"time"`
}

// IsError reports whether the entry is an error or an uncaught exception.
func (e LogEntry) IsError() bool { return e.Level == "error" || e.Level == "exception" }

// NetworkEvent describes one request and its outcome.
type NetworkEvent struct {
	RequestID  string    `json:"request_id"`
	Method     string    `json:"method"`
	URL        string    `json:"url"`
	Status     int       `json:"status,omitempty"`
	Type       string    `json:"type" jsonschema:"document, script, stylesheet, image, xhr, fetch and so on"`
	Start      time.Time `json:"start"`
	DurationMS int64     `json:"duration_ms,omitempty"`
	Size       int64     `json:"size,omitempty" jsonschema:"bytes, as the server announced them"`
	From       string    `json:"from,omitempty" jsonschema:"address of the frame that sent it"`
	Failure    string    `json:"failure,omitempty"`
	Blocked    string    `json:"blocked,omitempty" jsonschema:"the rule of ours that refused it"`
	Mocked     string    `json:"mocked,omitempty" jsonschema:"the network_intercept pattern that answered it"`
	Pending    bool      `json:"pending,omitempty"`
}

// EventLog keeps the console lines, requests, dialogs, popups and downloads of a
// session's pages, across navigations, within bounds. Its listeners run on
// Playwright's dispatch goroutine and only record, so that a later answer of the
// driver proves that all earlier events are in.
type EventLog struct {
	now  func() time.Time
	mask func(string) string    // before anything is cut or kept
	page func() playwright.Page // that the session shows now

	mu              sync.Mutex
	logs            ring[logLine] // ordinary lines
	errors          ring[logLine] // console errors
	thrown          ring[logLine] // uncaught exceptions
	lines           int           // lines so far, errors included
	exceptionsTaken int           // of thrown
	errorsTaken     int           // of errors
	network         ring[*exchange]
	lastAct         mark                             // where the last act began
	failed          ring[*exchange]                  // of network, longer
	byID            map[playwright.Request]*exchange // those in network, and those that are under way
	notes           ring[*string]                    // dialogs, popups, downloads, in order
	dialogs         ring[Dialog]
	sideEffects     ring[*sideEffect] // dialogs, popups and downloads, in order
	touched         bool              // an action has been done since the last address was opened
	documents       map[playwright.Page]*pageDocument
	numbered        int                      // documents so far
	opened          map[playwright.Page]bool // popups
	onDownload      func(playwright.Download)
	policy          DialogPolicy
	gate            gateNotes
	stopped         ring[*guardStop]              // what the guard stopped
	stopsReported   int                           // of stopped
	responses       int                           // how many came so far
	popups          int                           // open now
	moves           int                           // how often any frame went to another address
	actedAt         time.Time                     // when the newest act or load began
	actCount        int                           // how many there were
	requested       map[playwright.Page]*exchange // newest request for each page's next document
	answers         map[playwright.Page]*exchange // newest answer to each page's navigation, not yet shown
	shown           map[playwright.Page]*exchange // answer that brought each page's current document
}

// exchange holds a network event with Playwright's request behind it.
type exchange struct {
	NetworkEvent
	request  playwright.Request
	response playwright.Response // nil before the answer
	answered time.Time           // when the answer's headers came
	stream   bool                // an answer that never ends by design
	before   mark                // what the event log held when it was sent
	number   int                 // from 1, in the order of the session's requests
	of       playwright.Page     // the page whose frame sent it, nil for a service worker's
	page     playwright.Page     // the page this request navigates, nil for all others
	document pageDocument        // that it brings
	kept     bool                // among the failed ones
	cutOff   bool                // the browser that could tell more is gone
	worker   bool                // a service worker sent it for itself
	ready    bool                // of a document: it is parsed, and its deferred scripts have sent their requests
}

// mark holds a position in the event log, and what the page was then.
type mark struct {
	url              string
	notes, net, logs int
	sideEffects      int
	gate             int
	stopped          int
}

func newEventLog(o Options) *EventLog {
	return &EventLog{now: o.Now, mask: o.Mask, byID: map[playwright.Request]*exchange{},
		requested: map[playwright.Page]*exchange{}, answers: map[playwright.Page]*exchange{}, shown: map[playwright.Page]*exchange{},
		documents: map[playwright.Page]*pageDocument{}, opened: map[playwright.Page]bool{},
		logs: ring[logLine]{limit: maxLogEntries}, errors: ring[logLine]{limit: maxKept}, thrown: ring[logLine]{limit: maxKept},
		network: ring[*exchange]{limit: maxNetworkEvent}, failed: ring[*exchange]{limit: maxKept},
		gate:  gateNotes{ring[*gateNote]{limit: maxUnreached}},
		notes: ring[*string]{limit: maxNotes}, dialogs: ring[Dialog]{limit: maxKept}, sideEffects: ring[*sideEffect]{limit: maxKept}, stopped: ring[*guardStop]{limit: maxNotes}}
}

// listen subscribes to the events of a context, its first page and future ones
// included.
func (j *EventLog) listen(context playwright.BrowserContext, first playwright.Page) {
	context.OnConsole(j.onConsole)
	context.OnWebError(j.onError)
	context.OnRequest(j.onRequest)
	context.OnResponse(j.onResponse)
	context.OnRequestFinished(func(r playwright.Request) { j.onDone(r, "") })
	context.OnRequestFailed(func(r playwright.Request) { j.onDone(r, failureText(r)) })
	context.OnDialog(j.onDialog)
	onPage := func(page playwright.Page) {
		page.OnDownload(j.onDownload)
		page.OnPopup(j.onPopup)
		page.OnDOMContentLoaded(func(page playwright.Page) {
			j.mu.Lock()
			defer j.mu.Unlock()
			if x := j.shown[page]; x != nil {
				x.ready = true
			}
			if x := j.answers[page]; x != nil {
				x.ready = true
			}
		})
		page.OnFrameNavigated(func(f playwright.Frame) { j.onNavigated(page, f) })
		page.OnClose(func(playwright.Page) { j.forget(page) })
	}
	context.OnPage(onPage)
	onPage(first)
}

// onNavigated records that a frame shows another address now, by a new document
// or by a script that only changed the address.
func (j *EventLog) onNavigated(page playwright.Page, f playwright.Frame) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.moves++
	if f.ParentFrame() != nil {
		return
	}
	address, _, _ := strings.Cut(f.URL(), "#")
	switch x := j.answers[page]; {
	case x != nil && x.request.URL() == address:
		j.shown[page], j.documents[page] = x, &x.document
		delete(j.answers, page)
	case j.shown[page] != nil && origin(j.shown[page].request.URL()) != origin(address):
		delete(j.shown, page) // about:blank, or the browser's own error page
		j.documents[page] = &pageDocument{id: j.newDocument()}
	}
}

func (j *EventLog) forget(page playwright.Page) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.requested, page)
	delete(j.answers, page)
	delete(j.shown, page)
	delete(j.documents, page)
	delete(j.opened, page)
}

// cutOff records that the browser of all pages so far is gone, so that their
// requests have no end. That is not the site's failure.
func (j *EventLog) cutOff() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.popups = 0 // their ends may go untold
	clear(j.requested)
	clear(j.answers)
	clear(j.shown)
	clear(j.documents)
	clear(j.opened)
	for _, x := range j.network.since(0) {
		x.cutOff = true
		if x.Pending {
			x.Pending, x.Failure = false, "ERR_ABORTED: the browser died"
		}
	}
}

func failureText(r playwright.Request) string {
	if err := r.Failure(); err != nil {
		return err.Error()
	}
	return "failed"
}

func (j *EventLog) onConsole(m playwright.ConsoleMessage) {
	e := LogEntry{Level: m.Type(), Text: m.Text()}
	switch {
	case e.Level == "assert":
		e.Level, e.Text = "error", "assertion failed: "+e.Text
	case !slices.Contains(levels, e.Level): // table, dir, trace, count and so on
		e.Level = "log"
	}
	if at := m.Location(); at.URL != "" {
		e.URL, e.Line, e.Column = j.address(at.URL, maxURL), at.LineNumber+1, at.ColumnNumber+1
	}
	if e.IsError() && strings.Contains(e.Text, "ERR_BLOCKED_BY_CLIENT") && j.refusedByUs(m.Location().URL) {
		e.Level, e.Text = "warning", e.Text+" (by a rule of this tester, not by a fault of the page)"
	}
	j.log(j.explainConsole(e, m.Location()), m.Page())
}

func (j *EventLog) onError(e playwright.WebError) {
	j.log(thrownEntry(e.Error()), e.Page())
}

func (j *EventLog) onRequest(r playwright.Request) {
	x := &exchange{request: r}
	x.Method, x.URL, x.Type, x.Start, x.Pending = r.Method(), j.address(r.URL(), maxURL), r.ResourceType(), j.now(), true
	if frame := r.Frame(); frame != nil { // a service worker's request has none
		x.From, x.of = j.address(frame.URL(), maxURL), frame.Page()
		if r.IsNavigationRequest() && frame.ParentFrame() == nil {
			x.page = frame.Page()
		}
	} else {
		x.worker = true
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	x.before = j.position()
	old, dropped := j.network.add(x)
	if dropped && (!old.Pending || len(j.byID) >= maxNetworkEvent+maxKept) {
		delete(j.byID, old.request)
	}
	x.number = j.network.total
	x.RequestID = fmt.Sprintf("r%d", x.number)
	j.byID[r] = x
	if x.page != nil {
		x.document.id = j.newDocument()
		j.requested[x.page] = x
	}
}

// position returns where the event log stands; j.mu is held.
func (j *EventLog) position() mark {
	return mark{notes: j.notes.total, net: j.network.total, logs: j.lines, sideEffects: j.sideEffects.total, gate: j.gate.total, stopped: j.stopped.total}
}

func (j *EventLog) onResponse(r playwright.Response) {
	j.mu.Lock()
	defer j.mu.Unlock()
	x := j.byID[r.Request()]
	if x == nil {
		return // dropped from the ring, or sent before we listened
	}
	headers := r.Headers()
	j.responses++
	x.answered = j.now()
	x.response, x.Status, x.stream = r, r.Status(), isStream(headers["content-type"])
	if n, err := strconv.ParseInt(headers["content-length"], 10, 64); err == nil && n > 0 {
		x.Size = n // an absent or odd header tells no size
	}
	j.answered(x, headers)
	j.keepFailed(x)
	if x.page != nil {
		j.answers[x.page] = x
	}
}

// isStream reports whether answers of that type go on for as long as the page
// wants.
func isStream(contentType string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	switch strings.TrimSpace(kind) {
	case "text/event-stream", "multipart/x-mixed-replace", "application/x-ndjson", "application/stream+json", "application/grpc-web":
		return true
	}
	return false
}

func (j *EventLog) onDone(r playwright.Request, failure string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.byID[r]; x != nil {
		x.Pending, x.Failure = false, failure
		j.blame(x)
		x.DurationMS = j.now().Sub(x.Start).Milliseconds()
		j.explainStop(x)
		j.keepFailed(x)
		if x.number <= j.network.dropped() { // nobody asks for it any more
			delete(j.byID, r)
		}
	}
}

// address returns a page's address as it is kept: without credentials, and at most
// limit bytes of it.
func (j *EventLog) address(url string, limit int) string { return cut(j.mask(redact.URL(url)), limit) }

func (j *EventLog) note(text string) *string {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.notes.add(&text)
	return &text
}

// notesSince returns the notes after the first n; j.mu is held.
func (j *EventLog) notesSince(n int) []string {
	var out []string
	for _, note := range j.notes.since(n) {
		out = append(out, *note)
	}
	return out
}

// ring keeps the last limit items added and counts all.
type ring[T any] struct {
	limit int
	items []T
	total int
}

// add appends v. When that pushes an item out, it is returned with true.
func (r *ring[T]) add(v T) (old T, dropped bool) {
	r.total++
	if len(r.items) < r.limit {
		r.items = append(r.items, v)
		return old, false
	}
	i := (r.total - 1) % r.limit
	old, r.items[i] = r.items[i], v
	return old, true
}

// since returns the kept items added after the first n, oldest first.
func (r *ring[T]) since(n int) []T {
	first := max(n, r.total-len(r.items))
	out := make([]T, 0, max(0, r.total-first))
	for i := first; i < r.total; i++ {
		out = append(out, r.items[i%r.limit])
	}
	return out
}

// dropped returns how many items are no longer kept.
func (r *ring[T]) dropped() int { return r.total - len(r.items) }
