package browser

import (
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// Logs is a selection of a session's console.
type Logs struct {
	Entries []LogEntry
	Matched int // entries that fit the filter and are kept
	Dropped int // older entries no longer kept; errors only, where only those are asked for
}

// levels in rising order; a filter names the lowest one wanted.
var levels = []string{"debug", "log", "info", "warning", "error", "exception"}

// Console returns the newest limit entries (0 means all) at or above level (""
// means all) that came after since.
func (j *EventLog) Console(level string, since time.Time, limit int) (Logs, error) {
	lowest := 0
	if level != "" {
		if lowest = slices.Index(levels, level); lowest < 0 {
			return Logs{}, invalid("use one of "+strings.Join(levels, ", "), "level %q is unknown", level)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	rings := []*ring[logLine]{&j.logs, &j.errors, &j.thrown}
	switch level {
	case "error":
		rings = rings[1:]
	case "exception":
		rings = rings[2:]
	}
	out := Logs{Entries: []LogEntry{}}
	for _, r := range rings {
		out.Dropped += r.dropped()
	}
	for _, e := range linesAfter(0, rings...) {
		if slices.Index(levels, e.Level) >= lowest && e.Time.After(since) {
			out.Entries = append(out.Entries, e.LogEntry)
		}
	}
	out.Matched = len(out.Entries)
	out.Entries = newest(out.Entries, limit)
	return out, nil
}

// Requests is a selection of a session's network events.
type Requests struct {
	Events  []NetworkEvent
	Matched int
	Dropped int
}

// Network returns the newest limit events (0 means all) whose URL matches filter
// (see [CheckFilter], which tells whether it is one) and whose status matches status: an exact number, 4 for
// 400–499, 5 for 500–599, 0 for all, -1 for failed ones.
func (j *EventLog) Network(filter string, status int, since time.Time, limit int) Requests {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := Requests{Events: []NetworkEvent{}, Dropped: j.droppedRequests()}
	fits, err := searcher(filter)
	if err != nil {
		return out // what is no filter finds nothing
	}
	for _, e := range j.gateEvents() {
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

// documentOf returns the exchange that brought the document at address, or nil;
// j.mu is held.
func (j *EventLog) documentOf(page playwright.Page, address string) *exchange {
	if x := j.shown[page]; x != nil && origin(x.request.URL()) == origin(address) {
		return x
	}
	return nil
}

// sentAfter notes that a navigation which began at m brought the page's document.
// The gate's notes come at once, news of the browser when it has time: a
// refusal within the document may be noted before the document's own request.
func (j *EventLog) sentAfter(page playwright.Page, m mark) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.shown[page]; x != nil && x.before.net >= m.net {
		x.before.gate = min(x.before.gate, m.gate)
	}
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

// find returns a copy of the exchange with that id, as it stands now.
func (j *EventLog) find(requestID string) (exchange, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range j.keptRequests() {
		if x.RequestID == requestID {
			return *x, true
		}
	}
	return exchange{}, false
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

// Matching returns the newest limit events (0 means all) that fit any of the
// patterns.
func (j *EventLog) Matching(patterns []string, limit int) Requests {
	rules, err := newRules(patterns, Observe, nil)
	out := Requests{Events: []NetworkEvent{}}
	if err != nil {
		return out // patterns that are none fit nothing
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	out.Dropped = j.network.dropped()
	for _, x := range j.network.since(0) {
		if slices.ContainsFunc(rules, func(r *InterceptRule) bool { return r.matches(x.Method, x.URL) }) {
			out.Events = append(out.Events, x.NetworkEvent)
		}
	}
	out.Matched = len(out.Events)
	out.Events = newest(out.Events, limit)
	return out
}

// mark changes what the event log holds of a request.
func (j *EventLog) mark(r playwright.Request, change func(*exchange)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.byID[r]; x != nil {
		change(x)
	}
}
