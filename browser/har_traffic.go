package browser

import (
	"slices"
	"time"

	"github.com/assay-qa/assay/browser/redact"
)

// Traffic is what a session's pages sent and said since a moment, as far as its
// journal still holds it, without bodies and without credentials.
type Traffic struct {
	SessionID      string
	Browser        string
	Version        string
	Requests       []Sent
	Console        []LogEntry
	Dropped        int // older requests of the session that are no longer kept
	DroppedConsole int
}

// Sent is one request with its headers.
type Sent struct {
	NetworkEvent
	RequestHeaders  map[string]string
	ResponseHeaders map[string]string // nil without an answer
	StatusText      string
	Main            bool  // it asks for a document of the page itself, and not of a frame in it
	WaitMS          int64 // until the answer's headers came; the whole time without an answer
}

// Traffic returns what the session's pages sent and said since then. It asks
// neither page nor driver, so it can't hang and works after their end.
func (s *Session) Traffic(since time.Time) Traffic {
	info, j := s.Info(), s.EventLog
	j.mu.Lock()
	defer j.mu.Unlock()
	said := logsOf(linesAfter(0, &j.logs, &j.errors, &j.thrown), j.lines)
	out := Traffic{SessionID: s.id, Browser: info.Browser, Version: info.Version, Console: said.Entries,
		Dropped: j.droppedRequests(), DroppedConsole: said.Dropped}
	for _, x := range j.keptRequests() {
		out.Requests = append(out.Requests, x.sent())
	}
	return out.Since(since)
}

// Since leaves out what was sent and said before a moment.
func (t Traffic) Since(moment time.Time) Traffic {
	t.Requests = slices.DeleteFunc(slices.Clone(t.Requests), func(r Sent) bool { return r.Start.Before(moment) })
	t.Console = slices.DeleteFunc(slices.Clone(t.Console), func(e LogEntry) bool { return e.Time.Before(moment) })
	return t
}

// sent copies what is known of an exchange here.
func (x *exchange) sent() Sent {
	out := Sent{NetworkEvent: x.NetworkEvent, Main: x.page != nil, RequestHeaders: redact.Headers(x.request.Headers()), WaitMS: x.DurationMS}
	if x.response != nil {
		out.ResponseHeaders, out.StatusText = redact.Headers(x.response.Headers()), x.response.StatusText()
		out.WaitMS = max(0, x.answered.Sub(x.Start).Milliseconds())
	}
	return out
}
