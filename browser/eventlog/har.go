package eventlog

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/redact"
)

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
// and cookies are left out; the archive's comment notes that, and what the
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
	sort.SliceStable(log.Entries, func(i, j int) bool { return log.Entries[i].Started < log.Entries[j].Started })
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

// commentOn reports what HAR has no field for.
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

// Traffic describes what a session's pages sent and logged since a moment, as far as the
// event log still holds it, without bodies and without credentials.
type Traffic struct {
	SessionID      string
	Browser        string
	Version        string
	Requests       []Sent
	Console        []LogEntry
	Dropped        int // older requests of the session that are no longer kept
	DroppedConsole int
}

// Sent describes one request with its headers.
type Sent struct {
	NetworkEvent
	RequestHeaders  map[string]string
	ResponseHeaders map[string]string // nil without an answer
	StatusText      string
	Main            bool  // it asks for a document of the page itself, and not of a frame in it
	WaitMS          int64 // until the answer's headers came; the whole time without an answer
}

// Traffic returns what is kept of the traffic since a moment, and of the console.
func (j *Log) Traffic(since time.Time) Traffic {
	j.mu.Lock()
	defer j.mu.Unlock()
	said := logsOf(linesAfter(0, &j.logs, &j.errors, &j.thrown), j.lines)
	out := Traffic{Console: said.Entries, Dropped: j.droppedRequests(), DroppedConsole: said.Dropped}
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
