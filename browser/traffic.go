package browser

import "time"

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
	WaitMS          int64 // until the answer's headers came; the whole time without an answer
}

// Traffic returns what the session's pages sent and said since then. It asks
// neither page nor driver, so it can't hang and works after their end.
func (s *Session) Traffic(since time.Time) Traffic {
	info := s.Info()
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	out := Traffic{SessionID: s.id, Browser: info.Browser, Version: info.Version,
		Dropped: s.journal.network.dropped(), DroppedConsole: s.journal.logs.dropped()}
	for _, x := range s.journal.network.since(0) {
		if !x.Start.Before(since) {
			out.Requests = append(out.Requests, x.sent())
		}
	}
	for _, e := range s.journal.logs.since(0) {
		if !e.Time.Before(since) {
			out.Console = append(out.Console, e)
		}
	}
	return out
}

// sent copies what is known of an exchange here.
func (x *exchange) sent() Sent {
	out := Sent{NetworkEvent: x.NetworkEvent, RequestHeaders: redactHeaders(x.request.Headers()), WaitMS: x.DurationMS}
	if x.response != nil {
		out.ResponseHeaders, out.StatusText = redactHeaders(x.response.Headers()), x.response.StatusText()
		out.WaitMS = max(0, x.answered.Sub(x.Start).Milliseconds())
	}
	return out
}
