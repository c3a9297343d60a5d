package evidence

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// Bounds of what a report repeats of the run's files.
const (
	maxTimeline = 2000
	maxTraffic  = 200 // console messages, and requests
	maxDetail   = 160 // runes
)

// runTimeline collects a report's timeline, console messages and requests.
type runTimeline struct {
	timeline []qa.TimelineEntry
	console  []qa.ConsoleEntry
	network  []qa.NetworkEntry
	omitted  qa.Omitted
}

// addTraffic keeps the first entries of each list, by their time, and counts the others.
func (t *runTimeline) addTraffic(console []qa.ConsoleEntry, network []qa.NetworkEntry) {
	t.console = append(t.console, console...)
	sort.SliceStable(t.console, func(i, j int) bool { return t.console[i].Time.Before(t.console[j].Time) })
	t.console = keepFirst(t.console, maxTraffic, &t.omitted.Console)
	t.network = append(t.network, network...)
	sort.SliceStable(t.network, func(i, j int) bool { return t.network[i].Time.Before(t.network[j].Time) })
	t.network = keepFirst(t.network, maxTraffic, &t.omitted.Network)
}

func keepFirst[T any](list []T, limit int, omitted *int) []T {
	if len(list) > limit {
		*omitted += len(list) - limit
		list = slices.Clip(list[:limit])
	}
	return list
}

// event notes a tool's call or a step of a flow. Its detail comes from the
// event's input, which the caller has redacted; it is masked before it is cut,
// since a part of a secret would not be known for one.
func (t *runTimeline) event(e Event, s *Store) {
	if e.Name != ToolCalled && e.Name != FlowStepped {
		return
	}
	if len(t.timeline) == maxTimeline {
		t.omitted.Timeline++
		return
	}
	ended := e.Time
	if ended.IsZero() {
		ended = s.now()
	}
	entry := qa.TimelineEntry{Step: e.Step, Name: e.Tool, DurationMS: e.DurationMS, ErrorCode: e.ErrorCode, Screenshot: e.Screenshot,
		StartedAt: ended.UTC().Add(-time.Duration(e.DurationMS) * time.Millisecond)}
	var input map[string]any
	if len(e.Input) > 0 && json.Unmarshal(s.masked("application/json", e.Input), &input) != nil {
		input = nil // not an object: there is nothing to say in short
	}
	entry.Detail = detail(input)
	if e.Name == FlowStepped {
		entry.Name = flowStep(input)
		if entry.ErrorCode == "" && input["status"] != nil && input["status"] != string(qa.TestPassed) {
			entry.ErrorCode = asText(input["status"])
		}
	}
	t.timeline = append(t.timeline, entry)
}

// flowStep names a step of a flow, as the flow does.
func flowStep(input map[string]any) string {
	index, _ := input["index"].(float64)
	return "step " + strconv.Itoa(int(index)) + " " + cmp.Or(asText(input["action"]), "of a flow")
}

// detail says in short on what a call acted.
func detail(input map[string]any) string {
	var parts []string
	for _, key := range []string{"description", "name", "goal", "url", "start_url", "action", "selector", "root", "find", "key", "option"} {
		if key == "action" && input["index"] != nil {
			continue // it is the name of a flow's step
		}
		if w := asText(input[key]); w != "" {
			parts = append(parts, w)
		}
	}
	if a, ok := input["assertion"].(map[string]any); ok {
		kind := asText(a["type"])
		if a["not"] == true {
			kind = "not " + kind
		}
		parts = append(parts, kind)
		for _, key := range []string{"expected", "op", "value", "order", "as", "other"} {
			parts = append(parts, asText(a[key]))
		}
	}
	if options, ok := input["options"].(map[string]any); ok {
		parts = append(parts, asText(options["role"]), asText(options["device"]))
	}
	if ranges, ok := input["ranges"].([]any); ok {
		for _, r := range ranges {
			if r, ok := r.(map[string]any); ok {
				parts = append(parts, asText(r["name"]))
			}
		}
	}
	if len(parts) == 0 {
		parts = append(parts, asText(input["reason"]))
	}
	return text.Shorten(strings.Join(strings.Fields(strings.Join(parts, " ")), " "), maxDetail)
}

func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64, bool:
		doc, err := json.Marshal(v)
		if err != nil {
			return ""
		}
		return string(doc)
	default:
		return ""
	}
}

// lists returns what goes into a report, never nil. A call comes before the steps
// that were taken in it, although it ends after them.
func (t *runTimeline) lists(started time.Time) ([]qa.TimelineEntry, []qa.ConsoleEntry, []qa.NetworkEntry, *qa.Omitted) {
	timeline := append([]qa.TimelineEntry{}, t.timeline...)
	for i := range timeline {
		if timeline[i].StartedAt.Before(started) { // the call that started the run
			timeline[i].StartedAt = started
		}
	}
	inside := func(e qa.TimelineEntry) int {
		if strings.HasPrefix(e.Name, "step ") {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(timeline, func(a, b qa.TimelineEntry) int {
		return cmp.Or(a.Step-b.Step, inside(a)-inside(b))
	})
	var omitted *qa.Omitted
	if t.omitted != (qa.Omitted{}) {
		omitted = &t.omitted
	}
	return timeline, append([]qa.ConsoleEntry{}, t.console...), append([]qa.NetworkEntry{}, t.network...), omitted
}

// links lead from a report to the run's other documents, as far as there are
// any: names of artefacts are relative addresses here.
func links(artifacts []qa.Artifact, views bool) qa.Links {
	out := qa.Links{RawTranscriptURL: ledger.EventsFile} // every call is in it, in order
	if views {
		out.ReportURL = ledger.HTML
	}
	for _, a := range artifacts {
		switch {
		case a.Name == ledger.Trace:
			out.TraceURL = a.Name
		case a.Name == "transcript.jsonl":
			out.RawTranscriptURL = a.Name
		case a.Width > 0 && views:
			out.ScreenshotsGalleryURL = "report.html#pictures"
		}
	}
	return out
}
