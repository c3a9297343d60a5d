package eventlog

import (
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
)

// MaxKept bounds what is kept of each kind that a verdict may rest on: console
// errors, uncaught exceptions, failed requests, dialogs. Each kind has a place
// of its own, so that no number of ordinary lines pushes it out. What is beyond
// the bound is counted.
const MaxKept = 1000

// logLine holds a line of the console, with what identifies its page.
type logLine struct {
	LogEntry
	at       int  // its place among all that the session's pages said
	document int  // that said it; 0: none is known, as of a service worker
	popup    Page // that said it, and that another page had opened; nil: none
}

// pageDocument describes what a page shows, as far as the console and scripts of the
// caller are concerned.
type pageDocument struct {
	id         int
	errors     int  // console errors and exceptions
	scripted   bool // a script of the caller may have changed it
	actsBefore int  // what was done through pages before that script
}

// Position marks a moment in the console and the requests of a session's
// pages. The zero value is the session's beginning.
type Position struct{ errors, said, dialogs int }

// Position returns the moment that the session is at now.
func (j *Log) Position() Position {
	j.mu.Lock()
	defer j.mu.Unlock()
	return Position{errors: j.errors.total + j.thrown.total, said: j.lines, dialogs: j.dialogs.total}
}

// resizeNotice matches what browsers, polyfills and handlers of errors report when a
// ResizeObserver's changes take more than one frame. Nothing is broken then.
var resizeNotice = pattern.New(`(?s)^(?:Uncaught |Error:? )*ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)\.?(?:\s+at .*)?$`)

// validUTF8 shows what is no character as one.
func validUTF8(s string) string { return strings.ToValidUTF8(s, "�") }

// Add keeps what a page said; page is nil where none is known.
func (j *Log) Add(e LogEntry, page Page) {
	e.Text, e.URL = e.Text.Map(j.mask), j.mask(e.URL)
	if n := len(e.Text); n > MaxLogText {
		e.Text = pagetext.Sprintf("%s (%d bytes more)", e.Text.CutBytes(MaxLogText), n-MaxLogText)
	}
	e.Text = e.Text.Map(validUTF8)
	e.Time = j.now()
	if e.IsError() && e.Text.Matches(resizeNotice) {
		e.Level = "warning"
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines++
	h := logLine{LogEntry: e, at: j.lines}
	if page != nil {
		of, address := j.speaker(page, e)
		h.document = of.id
		if j.opened[page] {
			h.popup = page
		}
		if e.IsError() {
			of.errors++
			h.Page = j.Address(address, MaxURL)
		}
	}
	switch e.Level {
	case "exception":
		j.thrown.add(h)
	case "error":
		j.errors.add(h)
	default:
		j.logs.add(h)
	}
}

// speaker returns the document of a page that said e, and its address. The browser
// complains of a document that could not be had before it shows it; all else is
// the shown one's. j.mu is held.
func (j *Log) speaker(page Page, e LogEntry) (*pageDocument, string) {
	if x := j.requested[page]; x != nil && x != j.shown[page] && e.Level == "error" && e.URL != "" && e.URL == x.URL && e.OfResource {
		return &x.document, x.URL
	}
	if j.documents[page] == nil {
		j.documents[page] = &pageDocument{id: j.newDocument()}
	}
	return j.documents[page], page.URL()
}

// newDocument returns the number of another document; j.mu is held.
func (j *Log) newDocument() int {
	j.numbered++
	return j.numbered
}

// linesAfter lists what is kept of rings after the first n lines of all, in order;
// j.mu is held.
func linesAfter(n int, rings ...*ring[logLine]) []logLine {
	var out []logLine
	for _, r := range rings {
		for _, h := range r.since(0) {
			if h.at > n {
				out = append(out, h)
			}
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].at < out[j].at })
	return out
}

// errorsAfter returns the console errors and exceptions after the first n lines;
// j.mu is held.
func (j *Log) errorsAfter(n int) []logLine { return linesAfter(n, &j.errors, &j.thrown) }

// ErrorsSince returns the console errors and exceptions of all the session's pages
// since then, whatever they showed meanwhile. Dropped are those of them that
// are counted only.
func (j *Log) ErrorsSince(p Position) Logs {
	j.mu.Lock()
	defer j.mu.Unlock()
	return logsOf(j.errorsAfter(p.said), j.errors.total+j.thrown.total-p.errors)
}

// SiteErrors returns the console errors and exceptions that the site which the
// session's page shows has caused since the session began, in any of the
// documents that the page has shown: not those of other sites, and not those of
// popups that no caller has selected. Errors that are only counted belong to no known page, so they
// are all Dropped.
func (j *Log) SiteErrors() Logs {
	site := Origin(j.page().URL())
	j.mu.Lock()
	defer j.mu.Unlock()
	all := j.errorsAfter(0)
	dropped := j.errors.total + j.thrown.total - len(all)
	all = slices.DeleteFunc(all, func(h logLine) bool {
		if h.document == 0 {
			return Origin(h.URL) != site
		}
		return h.popup != nil && !j.selected[h.popup] || Origin(h.Page) != site
	})
	return logsOf(all, len(all)+dropped)
}

func logsOf(kept []logLine, total int) Logs {
	out := Logs{Entries: []LogEntry{}, Matched: len(kept), Dropped: total - len(kept)}
	for _, h := range kept {
		out.Entries = append(out.Entries, h.LogEntry)
	}
	return out
}

// TakeExceptions returns the uncaught exceptions since the last call of it;
// more says how many of them are counted only.
func (j *Log) TakeExceptions() (thrown []LogEntry, more int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	fresh := j.thrown.since(j.exceptionsTaken)
	more = j.thrown.total - j.exceptionsTaken - len(fresh)
	j.exceptionsTaken = j.thrown.total
	return logsOf(fresh, len(fresh)).Entries, more
}

// HasThrown reports whether TakeExceptions would return any.
func (j *Log) HasThrown() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.thrown.total > j.exceptionsTaken
}

// TakeErrors returns the console's errors since its last call, without
// uncaught exceptions.
func (j *Log) TakeErrors() []LogEntry {
	j.mu.Lock()
	defer j.mu.Unlock()
	fresh := j.errors.since(j.errorsTaken)
	j.errorsTaken = j.errors.total
	return logsOf(fresh, len(fresh)).Entries
}

// Failed reports whether the request got no answer or an error status. What
// the page gave up itself (it navigated away, it aborted a fetch) is no
// failure, unless its answer was an error before: Chromium aborts scripts and
// style sheets that were answered 404. Nor is what a rule of ours refused.
// Failure and Blocked say so.
func (e NetworkEvent) Failed() bool {
	return e.Blocked == "" && e.failed()
}

func (e NetworkEvent) failed() bool {
	return e.Status >= 400 || e.Failure != "" && !e.Aborted()
}

// Aborted reports whether the page gave the request up.
func (e NetworkEvent) Aborted() bool { return netOf(e.Failure) == "ERR_ABORTED" }

// Fault describes in words why a request failed.
func (e NetworkEvent) Fault() string {
	if e.Failure == "" || e.Status >= 400 && e.Aborted() {
		return "status " + statusText(e.Status)
	}
	return e.Failure
}

// keepFailed records a failed request separately from the others; j.mu is held.
func (j *Log) keepFailed(x *exchange) {
	if !x.kept && x.Failed() {
		x.kept = true
		j.failed.add(x)
	}
}

// keptRequests returns the requests that are kept, oldest first: the newest of all, and the
// failed ones before them; j.mu is held.
func (j *Log) keptRequests() []*exchange {
	newest := j.network.since(0)
	oldest := j.network.dropped() // the number of the last one that is not among them
	var out []*exchange
	for _, x := range j.failed.since(0) {
		if x.number <= oldest {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b *exchange) int { return a.number - b.number })
	return append(out, newest...)
}

// droppedRequests returns how many are not kept; j.mu is held.
func (j *Log) droppedRequests() int { return j.network.total - len(j.keptRequests()) }

// underWay returns the requests of a page's frames that are under way and whose answers
// it may need; j.mu is held.
func (j *Log) underWay(page Page) []pagetext.Text {
	var out []string
	for _, x := range j.network.since(0) {
		if x.of == page && j.underWayNow(x) {
			out = append(out, x.Method+" "+text.Cut(x.URL, 120))
		}
	}
	return Listed(pagetext.Of(out...), len(out))
}

func statusText(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}
