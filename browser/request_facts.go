package browser

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/address"
)

// beginAct notes that something is done to the session's pages now; see [SinceAct].
func (j *EventLog) beginAct() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lastAct = j.position()
}

// Window is since when requests are asked about.
type Window int

const (
	// SincePage is since the page's document was asked for, or since the act that
	// led to it.
	SincePage Window = iota
	// SinceAct is since the last act, a navigation included.
	SinceAct
)

// windowStart returns the number of requests before a window.
func (j *EventLog) windowStart(w Window) int {
	page := j.page()
	at := page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	first := j.lastAct.net
	if x := j.documentOf(page, at); x != nil && w == SincePage {
		first = min(first, x.before.net)
	}
	return first
}

// Asked describes what is known of the requests that fit a pattern, in a window.
type Asked struct {
	Came   int           // how many had the outcome that the pattern asks for
	Others []OtherAnswer // those with another outcome, newest first
	Before int           // how many came so before
	Lost   int           // requests of the window that are no longer kept
}

// OtherAnswer is a request that had another outcome than was asked for.
type OtherAnswer struct {
	Method, URL, Outcome string
}

// maxOthers bounds how many of them are listed.
const maxOthers = 3

// Requested counts the requests that fit "[METHOD ]pattern[ outcome]" (see
// [address.ParseRequest]).
func (j *EventLog) Requested(wanted string, w Window) (Asked, error) {
	r, err := address.ParseRequest(wanted)
	if err != nil {
		return Asked{}, asInvalid(err)
	}
	first := j.windowStart(w)
	j.mu.Lock()
	defer j.mu.Unlock()
	var out Asked
	out.Lost = max(0, j.network.dropped()-first)
	for i, x := range slices.Backward(j.network.since(0)) {
		if !r.Is(x.Method, x.asked()) {
			continue
		}
		sent, since := x.outcome(), j.network.dropped()+i >= first
		switch {
		case r.Came(sent) && since:
			out.Came++
		case r.Came(sent):
			out.Before++
		case since && len(out.Others) < maxOthers:
			out.Others = append(out.Others, OtherAnswer{x.Method, x.URL, sent.String()})
		}
	}
	return out, nil
}

// Answer is the newest answer to what a pattern asks for.
type Answer struct {
	Status  int    // 0: none in the window
	Outcome string // of a request that failed or was blocked after any answer
	Before  int    // status of the newest answer before the window
	Lost    int    // requests of the window that are no longer kept
}

// Answered returns the newest answer to "[METHOD ]pattern", or the answer that brought
// the page's document when wanted is empty.
func (j *EventLog) Answered(wanted string, w Window) (Answer, error) {
	if wanted == "" {
		return Answer{Status: j.documentStatus()}, nil
	}
	r, err := address.ParseRequest(wanted)
	if err != nil {
		return Answer{}, asInvalid(err)
	}
	first := j.windowStart(w)
	j.mu.Lock()
	defer j.mu.Unlock()
	out := Answer{Lost: max(0, j.network.dropped()-first)}
	for i, x := range slices.Backward(j.network.since(0)) {
		sent := x.outcome()
		switch {
		case !r.Is(x.Method, x.asked()) || sent == address.Sent{}:
		case j.network.dropped()+i < first:
			out.Before = sent.Status
			return out, nil
		case sent.Blocked || sent.Failed:
			out.Outcome = sent.String()
			return out, nil
		default:
			out.Status = sent.Status
			return out, nil
		}
	}
	return out, nil
}

// documentStatus returns the status of the page's document, 0 where it has none.
func (j *EventLog) documentStatus() int {
	page := j.page()
	at := page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.documentOf(page, at); x != nil {
		return x.Status
	}
	return 0
}

// asked returns the address of a request as it was sent, not as it is shown.
func (x *exchange) asked() string {
	if x.request == nil {
		return x.URL
	}
	return x.request.URL()
}

// outcome returns what became of a request. One whose answer came has been answered, even
// if the page did not read it to its end.
func (x *exchange) outcome() address.Sent {
	answered := x.Status > 0 && strings.Contains(x.Failure, "ERR_ABORTED")
	return address.Sent{Status: x.Status, Blocked: x.Blocked != "", Failed: x.Failure != "" && !answered}
}

// Made tells it without asking the page. Requests count since the page's document
// was asked for, or since the act that led to it.
func (j *EventLog) Made() Made {
	page, first := j.page(), j.windowStart(SincePage)
	out := Made{URL: page.URL()}
	j.mu.Lock()
	defer j.mu.Unlock()
	if d := j.documents[page]; d != nil {
		out.Script = d.scripted
	}
	for i, x := range j.network.since(0) {
		if j.network.dropped()+i < first || x.of != nil && x.of != page {
			continue
		}
		if x.Mocked != "" {
			out.Mocked = x.Mocked
		}
		if pattern, ours := strings.CutPrefix(x.Blocked, interceptRule); ours {
			out.Refused = pattern
		}
	}
	return out
}

// scripts notes that a script of the caller runs in a page's document.
func (j *EventLog) scripts(page playwright.Page) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.documents[page] == nil {
		j.documents[page] = &pageDocument{id: j.newDocument()}
	}
	j.documents[page].scripted = true
}

// DataRequests returns the fetches and XHRs that the session's pages began after a
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

// QuietSince returns when the last request of the session's pages came to its end,
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

// DocumentSince returns when the current document was asked for; the zero time where
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

// repeated reports whether a data request goes on with what the page asks for
// over and over. earlier are those before it. What an act causes is asked for
// again rightly: only what came after the last one counts. j.mu is held.
func (j *EventLog) repeated(x *exchange, earlier []*exchange) bool {
	if !x.isData() {
		return false
	}
	alike, path := 0, 0
	for _, y := range earlier {
		if y.Pending || !y.isData() || y.Method != x.Method || y.Start.Before(j.actedAt) || pathOnly(y.URL) != pathOnly(x.URL) {
			continue
		}
		path++
		if y.URL == x.URL && body(y) == body(x) {
			alike++
		}
	}
	return alike >= repeatsAlike || path >= repeatsPath
}

// MatchURL reports whether url fits pattern; see [address.Pattern]. A pattern
// that is none fits nothing.
func MatchURL(pattern, url string) bool {
	p, err := address.Parse(pattern)
	return err == nil && p.Fits(url)
}

// CheckFilter reports whether filter is a search of addresses, as [Session.Network]
// takes it: a part of the address, or, with a * or after re:, a pattern. A search
// is for looking around; a check takes patterns only.
func CheckFilter(filter string) error {
	_, err := searcher(filter)
	return err
}

func searcher(filter string) (func(url string) bool, error) {
	if !strings.Contains(filter, "*") && !strings.HasPrefix(filter, "re:") {
		return func(url string) bool { return strings.Contains(url, filter) }, nil
	}
	p, err := address.Parse(filter)
	return p.Fits, asInvalid(err)
}

// asInvalid returns what is wrong with a pattern as an error of ours.
func asInvalid(err error) error {
	var e *address.Error
	if errors.As(err, &e) {
		return invalid(e.Hint, "%s", e.Message)
	}
	return err
}
