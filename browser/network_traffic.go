package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/redact"
)

// Exchange is one request with its headers and the start of its body.
// Credentials in them are left out, as far as their names tell.
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

// Exchange returns one request of the session in detail.
func (s *Session) Exchange(ctx context.Context, requestID string) (Exchange, error) {
	what := "page_get_network_logs " + requestID
	if err := s.open(what); err != nil {
		return Exchange{}, err
	}
	if refused, ok := s.EventLog.refusal(requestID); ok {
		return refused, nil
	}
	x, ok := s.EventLog.find(requestID)
	if !ok {
		return Exchange{}, invalid("take a request_id from page_get_network_logs", "no request %q is in the log", requestID)
	}
	// Not a matter of the page: a stuck one has the more to tell.
	done, gone := make(chan outcome[Exchange], 1), s.current().context.gone
	go func() {
		v, err := guarded(func() (Exchange, error) { return x.detail(s.pool.Mask) })
		done <- outcome[Exchange]{v, err}
	}()
	select {
	case o := <-done:
		return o.value, classify(o.err, what)
	case <-ctx.Done():
		return Exchange{}, classify(ctx.Err(), what)
	case <-gone:
		return Exchange{}, browserCrashed(what, nil)
	case <-s.ended:
		return Exchange{}, sessionClosed(what, s.id)
	}
}

// detail asks the driver for headers and body. Of a request that is under way
// it only tells what is known: asking would wait for its end.
func (x exchange) detail(mask func(string) string) (Exchange, error) {
	out := Exchange{NetworkEvent: x.NetworkEvent, RequestHeaders: redact.Headers(x.request.Headers())}
	if body, err := x.request.PostData(); err != nil {
		out.RequestBody = "(not readable: " + err.Error() + ")"
	} else {
		out.RequestBody = redact.Text(cut(mask(strings.ToValidUTF8(body, "�")), maxBodyShown))
	}
	if x.response != nil {
		out.ResponseHeaders = redact.Headers(x.response.Headers())
	}
	switch {
	case x.cutOff:
		out.BodyNote = "the browser that had the rest died"
		return out, nil
	case x.Pending:
		out.BodyNote = "the request is still under way"
		return out, nil
	case x.response == nil:
		out.BodyNote = "there was no response"
		return out, nil
	}
	// What was really sent and received includes what the network stack added.
	if headers, err := x.request.AllHeaders(); err == nil {
		out.RequestHeaders = redact.Headers(headers)
	} else if isClosed(err) {
		return out, err
	}
	if headers, err := x.response.AllHeaders(); err == nil {
		out.ResponseHeaders = redact.Headers(headers)
	}
	err := out.fetchBody(x, mask)
	return out, err
}

func (out *Exchange) fetchBody(x exchange, mask func(string) string) error {
	sizes, err := x.request.Sizes()
	if err == nil {
		out.Size = max(out.Size, int64(sizes.ResponseBodySize))
	}
	if out.Size > maxBodyFetch {
		out.BodyNote = fmt.Sprintf("body of %d bytes not fetched (limit %d)", out.Size, maxBodyFetch)
		return nil
	}
	if out.Status/100 == 3 {
		out.BodyNote = "a redirect's body is not kept"
		return nil
	}
	body, err := x.response.Body()
	if isClosedError(err) {
		return err
	}
	if err != nil {
		out.BodyNote = "body not available: " + plain(err)
		return nil
	}
	out.Body = redact.Text(cut(mask(strings.ToValidUTF8(string(body), "�")), maxBodyShown))
	if len(body) > maxBodyShown {
		out.BodyNote = fmt.Sprintf("first %d of %d bytes", maxBodyShown, len(body))
	}
	return nil
}

func isClosedError(err error) bool { return err != nil && isClosed(err) }

func (x *exchange) isData() bool { return x.Type == "xhr" || x.Type == "fetch" }

// refused reports whether a data request was answered with an error status. A
// page that never reads such an answer's body keeps it under way for good, and
// its headers say all that matters.
func (x *exchange) refused() bool { return x.isData() && x.response != nil && x.Status >= 400 }

// maxDataBody bounds a body that is searched for a figure.
const maxDataBody = 2 << 20

// DataBody returns the body of an answered request, for looking into: it is not
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

// The types below are those parts of HAR 1.2 that we fill, by
// http://www.softwareishard.com/blog/har-12-spec/. What the specification
// requires and we don't know has the value that it gives for that: -1, or "".
type (
	harLog struct {
		Version string     `json:"version"`
		Creator harAgent   `json:"creator"`
		Browser *harAgent  `json:"browser,omitempty"`
		Entries []harEntry `json:"entries"`
		Comment string     `json:"comment,omitempty"`
	}
	harAgent struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	harEntry struct {
		Started  string      `json:"startedDateTime"` // ISO 8601
		TimeMS   int64       `json:"time"`
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  harTimings  `json:"timings"`
		Comment  string      `json:"comment,omitempty"`
	}
	harRequest struct {
		Method      string     `json:"method"`
		URL         string     `json:"url"`
		HTTPVersion string     `json:"httpVersion"`
		Cookies     []harField `json:"cookies"`
		Headers     []harField `json:"headers"`
		QueryString []harField `json:"queryString"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int        `json:"bodySize"`
	}
	harResponse struct {
		Status      int        `json:"status"`
		StatusText  string     `json:"statusText"`
		HTTPVersion string     `json:"httpVersion"`
		Cookies     []harField `json:"cookies"`
		Headers     []harField `json:"headers"`
		Content     harContent `json:"content"`
		RedirectURL string     `json:"redirectURL"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int64      `json:"bodySize"`
	}
	harContent struct {
		Size     int64  `json:"size"`
		MIMEType string `json:"mimeType"`
	}
	harField struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	harTimings struct {
		SendMS    int64 `json:"send"`
		WaitMS    int64 `json:"wait"`
		ReceiveMS int64 `json:"receive"`
	}
)

// HAR writes the traffic of sessions as one HTTP archive, version 1.2. Bodies
// and cookies are left out, and the archive says so, as it says what the
// sessions no longer held.
func HAR(sessions []Traffic, creatorVersion string) ([]byte, error) {
	log := harLog{Version: "1.2", Creator: harAgent{"assay", creatorVersion}, Entries: []harEntry{}}
	dropped := 0
	for _, t := range sessions {
		dropped += t.Dropped
		log.Browser = &harAgent{t.Browser, t.Version}
		for _, r := range t.Requests {
			log.Entries = append(log.Entries, entryOf(t.SessionID, r))
		}
	}
	slices.SortStableFunc(log.Entries, func(a, b harEntry) int { return strings.Compare(a.Started, b.Started) })
	log.Comment = fmt.Sprintf("bodies and cookies are left out, credentials are not shown; %d older requests were no longer kept", dropped)
	return json.MarshalIndent(map[string]harLog{"log": log}, "", " ")
}

func entryOf(session string, r Sent) harEntry {
	return harEntry{
		// A fixed width and zone, so that texts sort as the moments do.
		Started: r.Start.UTC().Format("2006-01-02T15:04:05.000000Z07:00"),
		TimeMS:  max(r.DurationMS, r.WaitMS),
		Request: harRequest{Method: r.Method, URL: r.URL, Cookies: []harField{}, Headers: fieldsOf(r.RequestHeaders),
			QueryString: queryOf(r.URL), HeadersSize: -1, BodySize: -1},
		Response: harResponse{Status: r.Status, StatusText: r.StatusText, Cookies: []harField{}, Headers: fieldsOf(r.ResponseHeaders),
			Content:     harContent{Size: r.Size, MIMEType: r.ResponseHeaders["content-type"]},
			RedirectURL: r.ResponseHeaders["location"], HeadersSize: -1, BodySize: -1},
		Timings: harTimings{WaitMS: r.WaitMS, ReceiveMS: max(0, r.DurationMS-r.WaitMS)},
		Comment: commentOn(session, r),
	}
}

// commentOn says what HAR has no field for.
func commentOn(session string, r Sent) string {
	said := []string{"session " + session, r.RequestID, r.Type}
	for label, text := range map[string]string{"failed": r.Failure, "blocked by": r.Blocked, "mocked by": r.Mocked} {
		if text != "" {
			said = append(said, label+" "+text)
		}
	}
	slices.Sort(said[3:])
	if r.Pending {
		said = append(said, "under way")
	}
	return strings.Join(said, "; ")
}

func fieldsOf(headers map[string]string) []harField {
	out := []harField{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		out = append(out, harField{name, headers[name]})
	}
	return out
}

// queryOf lists the parameters of an address in their order.
func queryOf(address string) []harField {
	out := []harField{}
	_, query, _ := strings.Cut(address, "?")
	query, _, _ = strings.Cut(query, "#")
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		out = append(out, harField{unescaped(name), unescaped(value)})
	}
	return out
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// TrafficLines writes the requests and the console of sessions as JSON, a line
// each, with the session's id.
func TrafficLines(sessions []Traffic) (network, console []byte, err error) {
	type sent struct {
		SessionID string `json:"session_id"`
		NetworkEvent
	}
	type said struct {
		SessionID string `json:"session_id"`
		LogEntry
	}
	add := func(to []byte, v any) []byte {
		line, e := json.Marshal(v)
		if e != nil {
			err = e
		}
		return append(append(to, line...), '\n')
	}
	for _, t := range sessions {
		for _, r := range t.Requests {
			network = add(network, sent{t.SessionID, r.NetworkEvent})
		}
		for _, e := range t.Console {
			console = add(console, said{t.SessionID, e})
		}
	}
	return network, console, err
}

// Traffic describes what a session's pages sent and said since a moment, as far as its
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
