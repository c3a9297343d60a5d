package eventlog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// The event log's bounds. A page can log without end; what was dropped is
// counted, never hidden.
const (
	MaxLines    = 1000
	MaxLogText  = 4 << 10 // bytes of one entry
	MaxRequests = 2000
	MaxNotes    = 200
	MaxNote     = 200     // bytes of what a note quotes
	MaxURL      = 4 << 10 // bytes of an address
)

// LogEntry holds one console message, or one uncaught exception of the page.
type LogEntry struct {
	Level  string        `json:"level" jsonschema:"debug, log, info, warning, error, or exception for an uncaught one"`
	Text   pagetext.Text `json:"text"`
	URL    string        `json:"url,omitempty"`
	Line   int           `json:"line,omitempty"`
	Column int           `json:"column,omitempty"`
	Page   string        `json:"page,omitempty" jsonschema:"of an error: address of the page that it happened in"`
	Time   time.Time     `json:"time"`

	// OfResource says that the browser tells of a resource that failed to load.
	OfResource bool `json:"-"`
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

// Log keeps the console lines, requests, dialogs, popups and downloads of a
// session's pages, across navigations, within bounds. What records runs on the
// driver's dispatch goroutine, and only records, so that a later answer of the
// driver proves that all earlier events are in.
type Log struct {
	now  func() time.Time
	mask func(string) string
	page func() Page // that the session shows now
	tab  func(Page) int

	mu              sync.Mutex
	logs            ring[logLine] // ordinary lines
	errors          ring[logLine] // console errors
	thrown          ring[logLine] // uncaught exceptions
	lines           int           // lines so far, errors included
	exceptionsTaken int           // of thrown
	errorsTaken     int           // of errors
	network         ring[*exchange]
	lastAct         Mark                  // where the last act began
	failed          ring[*exchange]       // of network, longer
	byID            map[Request]*exchange // those in network, and those that are under way
	notes           ring[*note]           // dialogs, popups, downloads, in order
	dialogs         ring[Dialog]
	sideEffects     ring[*sideEffect] // dialogs, popups and downloads, in order
	touched         bool              // an action has been done since the last address was opened
	documents       map[Page]*pageDocument
	numbered        int           // documents so far
	opened          map[Page]bool // popups
	selected        map[Page]bool // popups that a caller has gone on with
	armed           *armedAnswer  // for the next dialog; nil: none
	policy          DialogPolicy
	queued          []DialogPolicy // for the dialogs that come next, on any page, before policy
	gate            gateNotes
	stopped         ring[*guardStop]   // what the guard stopped
	stopsReported   int                // of stopped
	responses       int                // how many came so far
	popups          int                // open now
	moves           int                // how often any frame went to another address
	actedAt         time.Time          // when the newest act or load began
	actTimes        []time.Time        // of the newest ones, oldest first
	actCount        int                // how many there were
	requested       map[Page]*exchange // newest request for each page's next document
	answers         map[Page]*exchange // newest answer to each page's navigation, not yet shown
	shown           map[Page]*exchange // answer that brought each page's current document
	openedByCaller  string             // address
	keptByCaller    []string           // texts that scripts of the caller have stored or sent
	written         Written            // by scripts of the caller
	actsThroughPage int                // how often something was done through a page, as a person would
	stirred         chan struct{}      // closed at the next answer or end; nil: nobody waits
}

// exchange holds a network event with Playwright's request behind it.
type exchange struct {
	NetworkEvent
	request    Request
	response   Response     // nil before the answer
	answered   time.Time    // when the answer's headers came
	stream     bool         // an answer that never ends by design
	before     Mark         // what the event log held when it was sent
	number     int          // from 1, in the order of the session's requests
	act        int          // number of the act before it; 0: nothing was done since an address was opened
	of         Page         // the page whose frame sent it, nil for a service worker's
	page       Page         // the page this request navigates, nil for all others
	document   pageDocument // that it brings
	kept       bool         // among the failed ones
	cutOff     bool         // the page or the browser that would report more is gone
	redirected bool         // another request led to it
	worker     bool         // a service worker sent it for itself
	ready      bool         // of a document: it is parsed, and its deferred scripts have sent their requests
}

// Mark holds a position in the log, and the state of the page then. The zero value is the
// beginning.
type Mark struct {
	URL              string // of the page
	notes, net, logs int
	sideEffects      int
	gate             int
	stopped          int
}

// Options say what a log needs to know.
type Options struct {
	Now  func() time.Time
	Mask func(string) string // hides secrets, before anything is cut or kept
	Page func() Page         // that the session shows now
	Tab  func(Page) int      // number of a page's tab where there are several; 0: there is one
	// Lines and Requests are how many are kept; 0: MaxLines, MaxRequests.
	Lines, Requests int
}

// New returns an empty log.
func New(o Options) *Log {
	if o.Tab == nil {
		o.Tab = func(Page) int { return 0 }
	}
	lines, requests := cmp.Or(o.Lines, MaxLines), cmp.Or(o.Requests, MaxRequests)
	return &Log{now: o.Now, mask: o.Mask, page: o.Page, tab: o.Tab, selected: map[Page]bool{}, byID: map[Request]*exchange{},
		requested: map[Page]*exchange{}, answers: map[Page]*exchange{}, shown: map[Page]*exchange{},
		documents: map[Page]*pageDocument{}, opened: map[Page]bool{},
		logs: ring[logLine]{limit: lines}, errors: ring[logLine]{limit: MaxKept}, thrown: ring[logLine]{limit: MaxKept},
		network: ring[*exchange]{limit: requests}, failed: ring[*exchange]{limit: MaxKept},
		gate:  gateNotes{ring[*gateNote]{limit: maxUnreached}},
		notes: ring[*note]{limit: MaxNotes}, dialogs: ring[Dialog]{limit: MaxKept}, sideEffects: ring[*sideEffect]{limit: MaxKept}, stopped: ring[*guardStop]{limit: MaxNotes}}
}

// Page identifies a page of the session to the log.
type Page interface{ URL() string }

// Request describes a request as the driver reports it. The log compares requests by identity.
type Request interface {
	Method() string
	URL() string
	ResourceType() string
	Headers() map[string]string
	PostData() (string, error)
}

// Response describes the answer to a request.
type Response interface {
	Status() int
	StatusText() string
	Headers() map[string]string
}

// DocumentParsed records that the page's document is parsed, and that its deferred
// scripts have sent their requests.
func (j *Log) DocumentParsed(page Page) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.shown[page]; x != nil {
		x.ready = true
	}
	if x := j.answers[page]; x != nil {
		x.ready = true
	}
}

// FrameNavigated records that a frame of a page shows another address now, by a new
// document or by a script that only changed the address. main: the page's own.
func (j *Log) FrameNavigated(page Page, url string, main bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.moves++
	if !main {
		return
	}
	before := j.documents[page]
	defer func() { j.armedMoved(page, before) }()
	address, _, _ := strings.Cut(url, "#")
	switch x := j.answers[page]; {
	case x != nil && x.request.URL() == address:
		j.shown[page], j.documents[page] = x, &x.document
		delete(j.answers, page)
	case j.shown[page] != nil && Origin(j.shown[page].request.URL()) != Origin(address):
		delete(j.shown, page) // about:blank, or the browser's own error page
		j.documents[page] = &pageDocument{id: j.newDocument()}
	}
}

// PageClosed drops a page.
func (j *Log) PageClosed(page Page) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.requested, page)
	delete(j.answers, page)
	delete(j.shown, page)
	delete(j.documents, page)
	delete(j.opened, page)
	j.disarm(page, "the page was closed")
	for _, x := range j.network.since(0) {
		x.cutOff = x.cutOff || x.Pending && x.of == page
	}
	j.stir()
}

// CutOff records that the browser of all pages so far is gone, so that their
// requests have no end. That is not the site's failure.
func (j *Log) CutOff() {
	j.mu.Lock()
	defer j.mu.Unlock()
	defer j.stir()
	j.popups = 0 // their ends may not be reported
	clear(j.requested)
	clear(j.answers)
	clear(j.shown)
	clear(j.documents)
	clear(j.opened)
	clear(j.selected)
	if j.armed != nil {
		j.disarm(j.armed.page, "the browser died")
	}
	for _, x := range j.network.since(0) {
		x.cutOff = true
		if x.Pending {
			x.Pending, x.Failure = false, "ERR_ABORTED: the browser died"
		}
	}
}

// Said records a line of the console that stands at a place of a script.
func (j *Log) Said(level, text string, at Place, page Page) {
	e := LogEntry{Level: level, Text: pagetext.Text(text)}
	switch {
	case e.Level == "assert":
		e.Level, e.Text = "error", "assertion failed: "+e.Text
	case !slices.Contains(levels, e.Level): // table, dir, trace, count and so on
		e.Level = "log"
	}
	if at.URL != "" {
		e.URL, e.Line, e.Column = j.Address(at.URL, MaxURL), at.Line, at.Column
	}
	if e.Level == "error" && at.OfBrowser() {
		c := complaintOf(text, at)
		e.OfResource = c.kind == resourceFailed
		if c.net == "ERR_BLOCKED_BY_CLIENT" && j.refusedByUs(at.URL) {
			e.Level, e.Text = "warning", e.Text+" (by a rule of this tester, not by a fault of the page)"
		}
		e = j.explainConsole(e, c)
	}
	j.Add(e, page)
}

// Place names where in a script something happened.
type Place struct {
	URL          string
	Line, Column int // from 1
}

// OfBrowser reports whether the browser itself said what was said there: it names no column,
// and a call of a page's script begins in none that is the first.
func (p Place) OfBrowser() bool { return p.URL != "" && p.Column <= 1 }

// Sender names the frame that sent a request.
type Sender struct {
	URL        string // of the frame
	Page       Page
	Navigates  bool // it is for the page's next document
	Redirected bool // another request led to it
	Worker     bool // a service worker sent it for itself; it has no frame
}

// RequestSent records a request.
func (j *Log) RequestSent(r Request, by Sender) {
	x := &exchange{request: r, worker: by.Worker, redirected: by.Redirected}
	x.Method, x.URL, x.Type, x.Start, x.Pending = r.Method(), j.Address(r.URL(), MaxURL), r.ResourceType(), j.now(), true
	if !by.Worker {
		x.From, x.of = j.Address(by.URL, MaxURL), by.Page
		if by.Navigates {
			x.page = by.Page
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	x.before = j.position()
	if j.touched {
		x.act = j.actCount
	}
	old, dropped := j.network.add(x)
	if dropped && (!old.Pending || len(j.byID) >= j.network.limit+MaxKept) {
		delete(j.byID, old.request)
	}
	x.number = j.network.total
	x.RequestID = fmt.Sprintf("r%d", x.number)
	j.byID[r] = x
	if x.page != nil {
		x.document.id = j.newDocument()
		j.requested[x.page] = x
	}
	if x.of != nil && x.writes() {
		j.wroteWhileScripted(x.of, "what it sent to a server", r.URL())
		j.wroteWhileScripted(x.of, "what it sent to a server", by.URL)
	}
}

// position returns where the event log stands; j.mu is held.
func (j *Log) position() Mark {
	return Mark{notes: j.notes.total, net: j.network.total, logs: j.lines, sideEffects: j.sideEffects.total, gate: j.gate.total, stopped: j.stopped.total}
}

// ResponseCame records the answer to a request.
func (j *Log) ResponseCame(to Request, r Response) {
	j.mu.Lock()
	defer j.mu.Unlock()
	x := j.byID[to]
	if x == nil {
		return // dropped from the ring, or sent before we listened
	}
	defer j.stir()
	headers := r.Headers()
	j.responses++
	x.answered = j.now()
	x.response, x.Status, x.stream = r, r.Status(), isStream(headers["content-type"])
	if n, err := strconv.ParseInt(headers["content-length"], 10, 64); err == nil && n > 0 {
		x.Size = n // an absent or odd header gives no size
	}
	j.noteRefusalAnswer(x, headers)
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

// RequestEnded records that a request is over, with the reason where it failed.
func (j *Log) RequestEnded(r Request, failure string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	defer j.stir()
	if x := j.byID[r]; x != nil {
		x.Pending, x.Failure = false, failure
		j.explainAtGate(x)
		x.DurationMS = j.now().Sub(x.Start).Milliseconds()
		j.explainStop(x)
		j.keepFailed(x)
		if x.number <= j.network.dropped() { // it is no longer kept
			delete(j.byID, r)
		}
	}
}

// Address returns a page's address as it is kept: without credentials, and at most
// limit bytes of it.
func (j *Log) Address(url string, limit int) string { return text.Cut(j.mask(redact.URL(url)), limit) }

// Mask hides secrets in a text.
func (j *Log) Mask(text string) string { return j.mask(text) }

// note holds what happened beside the page: of which kind, and in words for readers.
type note struct {
	kind string
	text pagetext.Text
}

// Note records something of a kind that happened beside the page.
func (j *Log) Note(kind string, text pagetext.Text) { j.note(kind, text) }

func (j *Log) note(kind string, text pagetext.Text) *note {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := &note{kind, text}
	j.notes.add(n)
	return n
}

// Noted reports whether something since m is of a kind that fits.
func (j *Log) Noted(m Mark, fits func(kind string) bool) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.ContainsFunc(j.notes.since(m.notes), func(n *note) bool { return fits(n.kind) })
}

// NotesSince returns the notes since m.
func (j *Log) NotesSince(m Mark) []pagetext.Text {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.notesSince(m.notes)
}

// notesSince returns the notes after the first n; j.mu is held.
func (j *Log) notesSince(n int) []pagetext.Text {
	var out []pagetext.Text
	for _, one := range j.notes.since(n) {
		out = append(out, one.text)
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

// Held counts how much the log holds in memory beside its entries.
type Held struct {
	Requests int // kept, or under way
	Pages    int // entries about pages: the document asked for, answered, shown
	Popups   int // open now
}

// Held returns it: however long pages go on, it stays within bounds.
func (j *Log) Held() Held {
	j.mu.Lock()
	defer j.mu.Unlock()
	return Held{len(j.byID), len(j.requested) + len(j.answers) + len(j.shown), j.popups}
}
