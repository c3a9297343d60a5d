package browser

import (
	"context"
	"fmt"
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

// Console returns the newest limit entries at or above level ("" means all)
// that came after since.
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
		if rank := slices.Index(levels, e.Level); rank >= 0 && rank < lowest || rank < 0 && lowest > 1 {
			continue // unranked kinds (table, dir, trace…) count as log
		}
		if e.Time.After(since) {
			out.Entries = append(out.Entries, e)
		}
	}
	out.Matched = len(out.Entries)
	out.Entries = out.Entries[max(0, out.Matched-limit):]
	return out, nil
}

// ConsoleMark is a position in the console, to ask later what came after.
func (s *Session) ConsoleMark() int {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	return s.journal.logs.total
}

// ConsoleSince returns the entries after mark.
func (s *Session) ConsoleSince(mark int) []LogEntry {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	return s.journal.logs.since(mark)
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

// Network returns the newest limit events whose URL matches filter (a glob, or
// any part of the URL) and whose status matches status: an exact number, 4 for
// 400–499, 5 for 500–599, 0 for all, -1 for failed ones.
func (s *Session) Network(filter string, status int, since time.Time, limit int) Requests {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	out := Requests{Events: []NetworkEvent{}, Dropped: s.journal.network.dropped()}
	for _, x := range s.journal.network.since(0) {
		if !MatchURL(filter, x.URL) || !x.Start.After(since) || !matchStatus(status, x.NetworkEvent) {
			continue
		}
		out.Events = append(out.Events, x.NetworkEvent)
	}
	out.Matched = len(out.Events)
	out.Events = out.Events[max(0, out.Matched-limit):]
	return out
}

// NetworkMark is a position in the network log, to ask later what came after.
func (s *Session) NetworkMark() int {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	return s.journal.network.total
}

// NetworkSince returns the events after mark.
func (s *Session) NetworkSince(mark int) []NetworkEvent {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	var out []NetworkEvent
	for _, x := range s.journal.network.since(mark) {
		out = append(out, x.NetworkEvent)
	}
	return out
}

// DocumentErrors lists the console errors and exceptions since the current
// document was asked for.
func (s *Session) DocumentErrors() []string {
	since, _ := s.documentStart()
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	var out []string
	for _, e := range s.journal.logs.since(0) {
		if e.IsError() && !e.Time.Before(since) {
			out = append(out, e.Text)
		}
	}
	return out
}

// CountRequests counts the session's requests that match "[METHOD ]pattern";
// see [MatchURL].
func (s *Session) CountRequests(wanted string) int {
	method, pattern, found := strings.Cut(wanted, " ")
	if !found || strings.ToUpper(method) != method {
		method, pattern = "", wanted
	}
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	n := 0
	for _, x := range s.journal.network.since(0) {
		if (method == "" || x.Method == method) && MatchURL(pattern, x.URL) {
			n++
		}
	}
	return n
}

// LastStatus is the status of the newest answered request that matches
// pattern, or of the page's document when pattern is empty; 0 without one.
func (s *Session) LastStatus(pattern string) int {
	if pattern == "" {
		_, status := s.documentStart()
		return status
	}
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	status := 0
	for _, x := range s.journal.network.since(0) {
		if x.Status != 0 && MatchURL(pattern, x.URL) {
			status = x.Status
		}
	}
	return status
}

// documentStart is when the current document was asked for, and its status.
func (s *Session) documentStart() (time.Time, int) {
	s.mu.Lock()
	t := s.active
	s.mu.Unlock()
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	if d := s.journal.document[t.page]; d != nil {
		return d.Start, d.Status
	}
	return time.Time{}, 0
}

func matchStatus(want int, e NetworkEvent) bool {
	switch {
	case want == 0:
		return true
	case want < 0:
		return e.Failed()
	case want < 10:
		return e.Status/100 == want
	default:
		return e.Status == want
	}
}

// Exchange is one request with its headers and the start of its body.
type Exchange struct {
	NetworkEvent
	RequestHeaders  map[string]string `json:"request_headers"`
	RequestBody     string            `json:"request_body,omitempty"`
	ResponseHeaders map[string]string `json:"response_headers,omitempty"`
	Body            string            `json:"body,omitempty"`
	BodyNote        string            `json:"body_note,omitempty" jsonschema:"why the body is cut or absent"`
}

// Bounds on what Exchange carries.
const (
	maxBodyFetch = 5 << 20  // larger bodies are not fetched from the browser
	maxBodyShown = 16 << 10 // bytes of a body in an answer
)

// secretHeaders are never shown: they are credentials.
var secretHeaders = []string{"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"}

// Exchange returns one request of the session in detail.
func (s *Session) Exchange(ctx context.Context, requestID string) (Exchange, error) {
	s.journal.mu.Lock()
	var found *exchange
	for _, x := range s.journal.network.since(0) {
		if x.RequestID == requestID {
			found = x
		}
	}
	var event NetworkEvent
	if found != nil {
		event = found.NetworkEvent
	}
	s.journal.mu.Unlock()
	if found == nil {
		return Exchange{}, invalid("take a request_id from page_get_network_logs", "no request %q is in the log", requestID)
	}
	return on(ctx, s, "page_get_network_logs", requestID, func(ctx context.Context, _ *tab) (Exchange, error) {
		return detail(event, found.request)
	})
}

func detail(event NetworkEvent, r playwright.Request) (Exchange, error) {
	out := Exchange{NetworkEvent: event}
	headers, err := r.AllHeaders()
	if err != nil {
		return out, err
	}
	out.RequestHeaders = redactHeaders(headers)
	if body, err := r.PostData(); err == nil {
		out.RequestBody = cut(body, maxBodyShown)
	}
	response, err := r.Response()
	if err != nil || response == nil {
		out.BodyNote = "no response"
		return out, err
	}
	if headers, err = response.AllHeaders(); err != nil {
		return out, err
	}
	out.ResponseHeaders = redactHeaders(headers)
	sizes, err := r.Sizes()
	if err == nil {
		out.Size = int64(sizes.ResponseBodySize)
	}
	if out.Size > maxBodyFetch {
		out.BodyNote = fmt.Sprintf("body of %d bytes not fetched (limit %d)", out.Size, maxBodyFetch)
		return out, nil
	}
	body, err := response.Body()
	if err != nil {
		out.BodyNote = "body not available: " + plain(err)
		return out, nil
	}
	out.Body = cut(strings.ToValidUTF8(string(body), "�"), maxBodyShown)
	if len(body) > maxBodyShown {
		out.BodyNote = fmt.Sprintf("first %d of %d bytes", maxBodyShown, len(body))
	}
	return out, nil
}

func redactHeaders(headers map[string]string) map[string]string {
	for _, name := range secretHeaders {
		if _, ok := headers[name]; ok {
			headers[name] = "(not shown)"
		}
	}
	return headers
}
