package browser

import (
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"
)

// Logs is a selection of a session's console.
type Logs struct {
	Entries []LogEntry
	Matched int // entries that fit the filter and are kept
	Dropped int // older entries no longer kept
}

// levels in rising order; a filter names the lowest one wanted.
var levels = []string{"debug", "log", "info", "warning", "error", "exception"}

// Console returns the newest limit entries (0 means all) at or above level (""
// means all) that came after since.
func (s *Session) Console(level string, since time.Time, limit int) (Logs, error) {
	lowest := 0
	if level != "" {
		if lowest = slices.Index(levels, level); lowest < 0 {
			return Logs{}, invalid("use one of "+strings.Join(levels, ", "), "level %q is unknown", level)
		}
	}
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	out := Logs{Entries: []LogEntry{}, Dropped: s.journal.logs.dropped()}
	for _, e := range s.journal.logs.since(0) {
		if slices.Index(levels, e.Level) >= lowest && e.Time.After(since) {
			out.Entries = append(out.Entries, e)
		}
	}
	out.Matched = len(out.Entries)
	out.Entries = newest(out.Entries, limit)
	return out, nil
}

// TakeExceptions returns the uncaught exceptions since the last call of it.
func (s *Session) TakeExceptions() []LogEntry {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	out := s.journal.thrown.since(0)
	s.journal.thrown = ring[LogEntry]{limit: maxNotes}
	return out
}

// Requests is a selection of a session's network events.
type Requests struct {
	Events  []NetworkEvent
	Matched int
	Dropped int
}

// Network returns the newest limit events (0 means all) whose URL matches filter
// (see [CheckURLPattern], which tells whether it is one) and whose status matches status: an exact number, 4 for
// 400–499, 5 for 500–599, 0 for all, -1 for failed ones.
func (s *Session) Network(filter string, status int, since time.Time, limit int) Requests {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	out := Requests{Events: []NetworkEvent{}, Dropped: s.journal.network.dropped()}
	fits := urlMatcher(filter)
	for _, e := range s.journal.events() {
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

// DocumentErrors lists the console errors and exceptions since the current
// document was asked for.
func (s *Session) DocumentErrors() []string {
	t := s.current()
	address := t.page.URL()
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	var since mark
	if x := s.journal.documentOf(t.page, address); x != nil {
		since = x.before
	}
	var out []string
	for _, e := range s.journal.logs.since(since.logs) {
		if e.IsError() {
			out = append(out, e.Text)
		}
	}
	return out
}

// documentOf is the exchange that brought the document at address, or nil;
// j.mu is held.
func (j *journal) documentOf(page playwright.Page, address string) *exchange {
	if x := j.shown[page]; x != nil && origin(x.request.URL()) == origin(address) {
		return x
	}
	return nil
}

// sentAfter notes that a navigation which began at m brought the page's document.
// The gate's notes come at once, news of the browser when it has time: a
// refusal within the document may be noted before the document's own request.
func (j *journal) sentAfter(page playwright.Page, m mark) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.shown[page]; x != nil && x.before.net >= m.net {
		x.before.gate = min(x.before.gate, m.gate)
	}
}

// RequestPattern splits "[METHOD ]pattern"; method is empty when any will do.
func RequestPattern(wanted string) (method, pattern string) {
	method, pattern, found := strings.Cut(wanted, " ")
	if !found || strings.ToUpper(method) != method {
		return "", wanted
	}
	return method, pattern
}

// CountRequests counts the session's requests that match "[METHOD ]pattern";
// see [MatchURL].
func (s *Session) CountRequests(wanted string) int {
	method, pattern := RequestPattern(wanted)
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	n, fits := 0, urlMatcher(pattern)
	for _, x := range s.journal.network.since(0) {
		if (method == "" || x.Method == method) && fits(x.URL) {
			n++
		}
	}
	return n
}

// LastStatus is the status of the newest answered request that matches
// pattern, or of the page's document when pattern is empty; 0 without one.
func (s *Session) LastStatus(pattern string) int {
	t := s.current()
	address := t.page.URL()
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	if pattern == "" {
		if x := s.journal.documentOf(t.page, address); x != nil {
			return x.Status
		}
		return 0
	}
	status, fits := 0, urlMatcher(pattern)
	for _, x := range s.journal.network.since(0) {
		if x.Status != 0 && fits(x.URL) {
			status = x.Status
		}
	}
	return status
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
