package browser

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// longPoll is how long a data request may be open before it is taken for one
// that stays open by design.
const longPoll = 2 * time.Second

// longPast is how long ago an answer came that no window of rest reaches back to.
const longPast = 10 * time.Second

// maxRestRequests is how many of the newest requests are looked at: a page can
// ask without end.
const maxRestRequests = 300

// awaitedNow are the requests of the page's current document that must be
// answered before the page is at rest, and those that are open and need not.
// quiet is the time since the newest awaited one ended or was given up.
// preloads are addresses that the page has fetched ahead and does not use.
func (s *Session) awaitedNow(t *tab, preloads []string) (pending, unanswered []string, quiet time.Duration) {
	address, now := t.page.URL(), s.pool.Now()
	s.EventLog.mu.Lock()
	defer s.EventLog.mu.Unlock()
	var since mark
	if x := s.EventLog.documentOf(t.page, address); x != nil {
		since = x.before
	}
	all := newest(s.EventLog.network.since(since.net), maxRestRequests)
	var last time.Time
	for i, x := range all {
		if x.Blocked != "" || x.refused() {
			continue
		}
		switch {
		case !x.Pending:
			if end := x.Start.Add(time.Duration(x.DurationMS) * time.Millisecond); now.Sub(end) < longPast && awaited(x) && !x.worker && !x.aheadOfTime(preloads) && !s.EventLog.repeated(x, all[:i]) {
				last = later(last, end)
			}
		case !awaited(x) || x.worker || x.aheadOfTime(preloads) || s.EventLog.repeated(x, all[:i]):
			unanswered = append(unanswered, x.Method+" "+cut(x.URL, 120))
		case x.isData() && now.Sub(x.Start) > longPoll:
			unanswered = append(unanswered, x.Method+" "+cut(x.URL, 120))
			last = later(last, x.Start.Add(longPoll))
		default:
			pending = append(pending, x.Method+" "+cut(x.URL, 120))
		}
	}
	quiet = time.Hour
	if !last.IsZero() {
		quiet = now.Sub(last)
	}
	return listed(pending, len(pending)), listed(unanswered, len(unanswered)), quiet
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// aheadOfTime reports whether a request only fetches what may be used later.
func (x *exchange) aheadOfTime(preloads []string) bool {
	if x.Type == "prefetch" || slices.Contains(preloads, x.URL) {
		return true
	}
	headers := x.request.Headers()
	return strings.Contains(headers["purpose"]+headers["sec-purpose"], "prefetch")
}

// How often a page must have asked before, since the last act, for a further
// request to be one of a row that does not end: of the same content, or of
// another one at the same path.
const (
	repeatsAlike = 1
	repeatsPath  = 3
)

func pathOnly(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

// body is what a request sends, as far as the driver has told.
func body(x *exchange) string {
	if x.Method == http.MethodGet || x.Method == http.MethodHead {
		return ""
	}
	text, err := x.request.PostData()
	if err != nil {
		return x.RequestID // it equals no other
	}
	return text
}
