package browser

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"
)

// The journal's bounds. A page can log without end; what was dropped is
// counted, never hidden.
const (
	maxLogEntries   = 1000
	maxLogText      = 4 << 10 // bytes of one entry
	maxNetworkEvent = 2000
	maxNotes        = 200
)

// LogEntry is one console message, or one uncaught exception of the page.
type LogEntry struct {
	Level  string    `json:"level" jsonschema:"debug, log, info, warning, error, or exception for an uncaught one"`
	Text   string    `json:"text"`
	URL    string    `json:"url,omitempty"`
	Line   int       `json:"line,omitempty"`
	Column int       `json:"column,omitempty"`
	Time   time.Time `json:"time"`
}

// IsError reports whether the entry is an error or an uncaught exception.
func (e LogEntry) IsError() bool { return e.Level == "error" || e.Level == "exception" }

// NetworkEvent is one request and what became of it.
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
	Pending    bool      `json:"pending,omitempty"`
}

// Failed reports whether the request got no answer or an error status.
func (e NetworkEvent) Failed() bool { return e.Failure != "" || e.Status >= 400 }

// journal keeps what the pages of a session said and sent, across
// navigations, within bounds. Its listeners run on Playwright's dispatch
// goroutine: they only take notes, so that a later answer of the driver proves
// that all earlier events are in.
type journal struct {
	now func() time.Time

	mu       sync.Mutex
	logs     ring[LogEntry]
	network  ring[*exchange]
	byID     map[playwright.Request]*exchange
	seq      int
	notes    ring[string] // dialogs, popups, downloads, in order
	errors   int          // console errors and exceptions since the session began
	thrown   ring[LogEntry]
	document map[playwright.Page]*exchange // answer that brought each page's current document
}

// exchange is a network event with the live request behind it.
type exchange struct {
	NetworkEvent
	request playwright.Request
	started time.Time
	page    playwright.Page // the page this request navigates, nil for all others
}

func newJournal(now func() time.Time) *journal {
	return &journal{now: now, byID: map[playwright.Request]*exchange{}, document: map[playwright.Page]*exchange{},
		logs: ring[LogEntry]{limit: maxLogEntries}, network: ring[*exchange]{limit: maxNetworkEvent},
		notes: ring[string]{limit: maxNotes}, thrown: ring[LogEntry]{limit: maxNotes}}
}

// listen subscribes to everything of a context, future popups included.
func (j *journal) listen(context playwright.BrowserContext) {
	context.OnConsole(j.onConsole)
	context.OnWebError(j.onError)
	context.OnRequest(j.onRequest)
	context.OnResponse(j.onResponse)
	context.OnRequestFinished(func(r playwright.Request) { j.onDone(r, "") })
	context.OnRequestFailed(func(r playwright.Request) { j.onDone(r, failureText(r)) })
	context.OnDialog(j.onDialog)
	context.OnPage(func(page playwright.Page) {
		page.OnDownload(func(d playwright.Download) { j.note("download: " + d.SuggestedFilename() + " from " + d.URL()) })
		page.OnPopup(func(popup playwright.Page) { j.note("popup: " + popup.URL()) })
	})
}

func failureText(r playwright.Request) string {
	if err := r.Failure(); err != nil {
		return err.Error()
	}
	return "failed"
}

func (j *journal) onConsole(m playwright.ConsoleMessage) {
	e := LogEntry{Level: m.Type(), Text: m.Text()}
	if at := m.Location(); at.URL != "" {
		e.URL, e.Line, e.Column = at.URL, at.LineNumber+1, at.ColumnNumber+1
	}
	j.log(e)
}

func (j *journal) onError(e playwright.WebError) {
	j.log(LogEntry{Level: "exception", Text: plain(e.Error())})
}

func (j *journal) log(e LogEntry) {
	if len(e.Text) > maxLogText {
		e.Text = fmt.Sprintf("%s… (%d bytes more)", strings.ToValidUTF8(e.Text[:maxLogText], ""), len(e.Text)-maxLogText)
	}
	e.Time = j.now()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.logs.add(e)
	if e.IsError() {
		j.errors++
	}
	if e.Level == "exception" {
		j.thrown.add(e)
	}
}

func (j *journal) onRequest(r playwright.Request) {
	x := &exchange{request: r, started: j.now()}
	x.Method, x.URL, x.Type, x.Start, x.Pending = r.Method(), r.URL(), r.ResourceType(), x.started, true
	if frame := r.Frame(); frame != nil {
		x.From = frame.URL()
		if r.IsNavigationRequest() && frame.ParentFrame() == nil {
			x.page = frame.Page()
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seq++
	x.RequestID = fmt.Sprintf("r%d", j.seq)
	if old, dropped := j.network.add(x); dropped {
		delete(j.byID, old.request)
	}
	j.byID[r] = x
}

func (j *journal) onResponse(r playwright.Response) {
	j.mu.Lock()
	defer j.mu.Unlock()
	x := j.byID[r.Request()]
	if x == nil {
		return // dropped from the ring, or sent before we listened
	}
	x.Status = r.Status()
	if length, ok := r.Headers()["content-length"]; ok {
		_, _ = fmt.Sscan(length, &x.Size) // a header that is no number tells no size
	}
	if x.page != nil {
		j.document[x.page] = x
	}
}

func (j *journal) onDone(r playwright.Request, failure string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.byID[r]; x != nil {
		x.Pending, x.Failure = false, failure
		x.DurationMS = j.now().Sub(x.started).Milliseconds()
	}
}

// onDialog answers every dialog at once, so that none blocks the page: alerts
// and leave-page questions are accepted, the others dismissed. Playwright
// calls it on a goroutine of its own.
func (j *journal) onDialog(d playwright.Dialog) {
	answer, act := "dismissed", d.Dismiss
	if d.Type() == "alert" || d.Type() == "beforeunload" {
		answer, act = "accepted", func() error { return d.Accept() }
	}
	j.note(fmt.Sprintf("dialog: %s %q %s", d.Type(), cut(d.Message(), 200), answer))
	if err := act(); err != nil && !isClosed(err) {
		j.note("dialog: could not be answered: " + plain(err))
	}
}

func (j *journal) note(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.notes.add(text)
}

// cut shortens s to at most n bytes, at a character's edge.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
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

// dropped is how many items are no longer kept.
func (r *ring[T]) dropped() int { return r.total - len(r.items) }
