package eventlog

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/text"
)

func (x *exchange) isData() bool { return x.Type == "xhr" || x.Type == "fetch" }

// refused reports whether a data request was answered with an error status. A
// page that never reads such an answer's body keeps it under way for good, and
// its headers say all that matters.
func (x *exchange) refused() bool { return x.isData() && x.response != nil && x.Status >= 400 }

// maxRestRequests bounds how many of the newest requests are looked at: a page
// can send them without end.
const maxRestRequests = 300

// AwaitedNow returns the requests of the page's current document that must be
// answered before the page is at rest, and those that are open and need not.
// quiet is the time since the newest awaited one ended or was given up.
// preloads are addresses that the page has fetched ahead and does not use.
func (j *Log) AwaitedNow(page Page, preloads []string) (pending, unanswered []string, quiet time.Duration) {
	address, now := page.URL(), j.now()
	j.mu.Lock()
	defer j.mu.Unlock()
	all, sent := j.sinceDocument(page, address), []rest.Request{}
	for i, x := range all {
		sent = append(sent, j.asRequest(x, all[:i], preloads, now))
	}
	awaited := rest.Awaited(now, time.Time{}, j.actedAt, sent, rest.ToRest())
	var last time.Time
	for i, x := range all {
		line := x.Method + " " + text.Cut(x.URL, 120)
		switch r := sent[i]; {
		case x.Blocked != "" || x.refused():
		case slices.Contains(awaited, r):
			pending = append(pending, line)
		case x.Pending && !r.Done:
			unanswered = append(unanswered, line)
			if !r.Endless && !r.Repeats {
				last = later(last, r.Sent.Add(min(now.Sub(r.Sent), rest.LongPoll)))
			}
		case !x.Pending && !r.Endless && !r.Repeats && now.Sub(r.Ended) < rest.LongPast:
			last = later(last, r.Ended)
		}
	}
	quiet = rest.Unasked
	if !last.IsZero() {
		quiet = now.Sub(last)
	}
	return Listed(pending, len(pending)), Listed(unanswered, len(unanswered)), quiet
}

// Quiet reports whether the page's current document waits for no answer, however long it may
// wait, and none has come for so long.
func (j *Log) Quiet(page Page, d time.Duration) bool {
	pending, unanswered, quiet := j.AwaitedNow(page, nil)
	return len(pending)+len(unanswered) == 0 && quiet >= d && j.Loading(page) == ""
}

// asRequest describes an exchange to the policies of waits. earlier are those before it in its
// document; j.mu is held.
func (j *Log) asRequest(x *exchange, earlier []*exchange, preloads []string, now time.Time) rest.Request {
	r := x.plainly()
	r.Endless = !awaited(x) || x.worker || x.asksForEvents() || x.aheadOfTime(preloads)
	r.Repeats = j.repeated(x, earlier)
	if x.Pending {
		r.Done = x.refused() || x.isData() && x.bodiless() || x.Blocked != ""
		r.Waited = r.Data && slices.ContainsFunc(j.network.since(0), func(y *exchange) bool {
			before := y.plainly()
			return y != x && before.Like(r) && before.StayedOpen(now)
		})
	}
	return r
}

// plainly describes an exchange by itself.
func (x *exchange) plainly() rest.Request {
	r := rest.Request{Method: x.Method, URL: x.URL, Sent: x.Start, Answered: x.answered, Data: x.isData()}
	if !x.Pending || x.cutOff {
		r.Ended = x.Start.Add(time.Duration(x.DurationMS) * time.Millisecond)
	}
	return r
}

// asksForEvents reports whether a request asks for a stream of events, as scripts do that read
// one by a fetch.
func (x *exchange) asksForEvents() bool {
	return strings.Contains(x.request.Headers()["accept"], "text/event-stream")
}

// OwnRequests returns what the page's document, with its frames, has asked for that may
// change what it shows: data, and code of its own origin. acted is when the last act began.
func (j *Log) OwnRequests(page Page) (all []rest.Request, acted time.Time) {
	address, now := page.URL(), j.now()
	j.mu.Lock()
	defer j.mu.Unlock()
	sent := j.sinceDocument(page, address)
	for i, x := range sent {
		if x.of != page || x.Blocked != "" || x.cutOff || !x.isData() && (x.Type != "script" || Origin(x.URL) != Origin(address)) {
			continue
		}
		r := j.asRequest(x, sent[:i], nil, now)
		r.Data = true
		all = append(all, r)
	}
	return all, j.actedAt
}

// sinceDocument returns the newest requests since that of the page's document; j.mu is held.
func (j *Log) sinceDocument(page Page, address string) []*exchange {
	var since Mark
	if x := j.documentOf(page, address); x != nil {
		since = x.before
	}
	return newest(j.network.since(since.net), maxRestRequests)
}

// ActedAt returns when the last act or load began.
func (j *Log) ActedAt() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.actedAt
}

// maxActTimes sets of how many acts and loads it is kept when they began.
const maxActTimes = 30

// ActTimes returns when the newest acts and loads began, oldest first.
func (j *Log) ActTimes() []time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.actTimes)
}

// Answers returns how many answers have come so far.
func (j *Log) Answers() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.responses
}

// bodiless reports whether a request was answered by an answer that has no body.
func (x *exchange) bodiless() bool {
	return x.response != nil && (x.Method == http.MethodHead || x.Status == http.StatusNoContent || x.Status == http.StatusResetContent)
}

// Stirred returns what is closed when the next answer comes, or a request ends.
func (j *Log) Stirred() <-chan struct{} {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stirred == nil {
		j.stirred = make(chan struct{})
	}
	return j.stirred
}

// stir tells who waits for an answer that something has come; j.mu is held.
func (j *Log) stir() {
	if j.stirred != nil {
		close(j.stirred)
		j.stirred = nil
	}
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

func pathOnly(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

// body returns what a request sends, as far as the driver has reported it.
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

// SentTwice returns the writes since a moment that a page sent twice within one act: the
// second before the first was answered, or though it was answered as done. One that is
// sent again because it failed is a retry.
func (j *Log) SentTwice(since time.Time) []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []string
	all := j.keptRequests()
	for i, x := range all {
		if !x.changes() || x.Start.Before(since) {
			continue
		}
		for _, y := range all[:i] {
			failed := y.Failure != "" || y.Status >= 400
			if y.act == x.act && y.Method == x.Method && y.URL == x.URL && y.changes() && !failed && y.redirected == x.redirected && body(y) == body(x) {
				out = append(out, x.Method+" "+text.Cut(x.URL, MaxNote))
				break
			}
		}
	}
	return out
}

// changes reports whether a request of a page changes something after an act. A query that is sent by
// POST, as GraphQL does, reads.
func (x *exchange) changes() bool {
	if x.act == 0 || x.Blocked != "" || x.worker || !x.isData() && x.page == nil {
		return false
	}
	switch x.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
	default:
		return false
	}
	var asked struct {
		Query string `json:"query"`
	}
	return json.Unmarshal([]byte(body(x)), &asked) != nil || asked.Query == "" || strings.HasPrefix(strings.TrimSpace(asked.Query), "mutation")
}

// These set how often a page must have sent a request before, since the last
// act, for a further one to belong to a row that does not end: one of the same
// content, or another one at the same path.
const (
	repeatsAlike = 1
	repeatsPath  = 3
)

// DocumentMark returns where the log stood when the page's document was
// requested, with the page's address; the beginning where that is not logged.
func (j *Log) DocumentMark(page Page) Mark {
	address := page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	var m Mark
	if x := j.documentOf(page, address); x != nil {
		m = x.before
	}
	m.URL = address
	return m
}

// DocumentMethod returns the method by which the page's document was
// requested, "" where that is not logged.
func (j *Log) DocumentMethod(page Page) string {
	address := page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.documentOf(page, address); x != nil {
		return x.Method
	}
	return ""
}

// Unauthorized describes a data request of the page's own site whose newest answer may say
// that nobody is signed in.
type Unauthorized struct {
	Request string // method and address, without the query
	LedTo   string // where it was redirected to, which may be a login page; empty: its status is 401
	Number  int    // of the request in the session, from 1
	Granted int    // number of the newest one alike that was answered well, 0: none
}

// unauthorized returns those that the page has sent since its document was requested, newest
// first. What was answered well later is none of them: a token was renewed. j.mu is held.
func (j *Log) unauthorized(page Page, at string) (out []Unauthorized) {
	first := 0
	if x := j.documentOf(page, at); x != nil {
		first = x.before.net
	}
	known := map[string]bool{}
	asked := j.network.since(first)
	for i := len(asked) - 1; i >= 0; i-- {
		x := asked[i]
		if x.of != page || !x.isData() || x.response == nil {
			continue
		}
		u := Unauthorized{Request: named(x), Number: x.number}
		if known[u.Request] {
			continue
		}
		known[u.Request] = true
		if x.redirected {
			u.LedTo = x.asked()
		}
		if (x.redirected || x.Status == http.StatusUnauthorized) && address.SameSite(at, x.asked()) {
			u.Granted = j.granted(u.Request)
			out = append(out, u)
		}
	}
	return out
}

func named(x *exchange) string { return x.Method + " " + pathOnly(x.URL) }

// granted returns the number of the newest data request of a name that was answered well, whatever
// document sent it; j.mu is held.
func (j *Log) granted(request string) int {
	all := j.network.since(0)
	for i := len(all) - 1; i >= 0; i-- {
		if x := all[i]; x.isData() && !x.redirected && x.Status/100 == 2 && named(x) == request {
			return x.number
		}
	}
	return 0
}
