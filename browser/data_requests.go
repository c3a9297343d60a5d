package browser

import (
	"context"
	"strings"
	"time"
)

// DataRequests are the fetches and XHRs that the session's pages began after a
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

func (x *exchange) isData() bool { return x.Type == "xhr" || x.Type == "fetch" }

// refused reports whether a data request was answered with an error status. A
// page that never reads such an answer's body keeps it under way for good, and
// its headers say all that matters.
func (x *exchange) refused() bool { return x.isData() && x.response != nil && x.Status >= 400 }

// QuietSince is when the last request of the session's pages came to its end,
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

// DocumentSince is when the current document was asked for; the zero time where
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

// maxDataBody bounds a body that is searched for a figure.
const maxDataBody = 2 << 20

// DataBody is the body of an answered request, for looking into: it is not
// masked and must not be shown. It is an error when there is none, or when it
// is larger than 2 MiB.
func (s *Session) DataBody(ctx context.Context, requestID string) ([]byte, error) {
	what := "read the answer of " + requestID
	x, ok := s.EventLog.find(requestID)
	if !ok || x.response == nil || x.Pending || x.cutOff {
		return nil, invalid("take a request that was answered", "%s: there is no answer to read", what)
	}
	if x.Size > maxDataBody {
		return nil, invalid("", "%s: it has %d bytes", what, x.Size)
	}
	done, gone := make(chan outcome[[]byte], 1), s.current().context.gone
	go func() {
		v, err := guarded(x.response.Body)
		done <- outcome[[]byte]{v, err}
	}()
	select {
	case o := <-done:
		if o.err == nil && len(o.value) > maxDataBody {
			return nil, invalid("", "%s: it has %d bytes", what, len(o.value))
		}
		return o.value, classify(o.err, what)
	case <-ctx.Done():
		return nil, classify(ctx.Err(), what)
	case <-gone:
		return nil, browserCrashed(what, nil)
	case <-s.ended:
		return nil, sessionClosed(what, s.id)
	}
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
