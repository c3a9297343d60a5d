package trace

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
)

// Group names what was done in a span of time, such as a tool's call. In
// the trace viewer the browser's actions of that time stand below it.
type Group struct {
	Title    string
	From, To time.Time     // of the clock of the machine that traced
	Error    pagetext.Text // why it failed; empty when it did not
}

// layout arranges the browser's actions below the groups that name what a
// caller did.
type layout struct {
	clock struct {
		WallTime      float64 // milliseconds since 1970
		MonotonicTime float64 // of the same moment, as events have it
	}
	groups    []Group
	snapshots []domSnapshot
	placed    []placedGroup
}

// placedGroup places a group in the trace's own time.
type placedGroup struct {
	Group
	id       string
	parent   string
	from, to float64
}

// driverCall describes the beginning of a call as the driver notes it.
type driverCall struct {
	CallID    string `json:"callId"`
	StartTime float64
	Class     string
	Method    string
	Params    struct {
		Selector string
	}
}

// domSnapshot describes a DOM snapshot.
type domSnapshot struct {
	SnapshotName string
	PageID       string `json:"pageId"`
	IsMainFrame  bool
	Timestamp    float64
	HTML         json.RawMessage
}

// ownQuestion lists calls by which our tools look at a page, or keep house.
var ownQuestion = pattern.New(`^(BrowserContext|Browser|CDPSession|JSHandle|ElementHandle|LocalUtils|Tracing|Route|Request|Response|Artifact)\.|` +
	`^Frame\.(title|query|eval|textContent|isHidden|content)|^Page\.screenshot$`)

// ours reports whether the call is a question of ours, which would only hide
// the actions from a reader, and may hold a secret: its selector asks our engine.
func (c driverCall) ours(engine string) bool {
	return ownQuestion.MatchString(c.Class+"."+c.Method) || strings.Contains(c.Params.Selector, engine+"={")
}

// arrange places the groups in the trace's time, the outer before the inner.
func (l *layout) arrange() {
	slices.SortStableFunc(l.groups, func(a, b Group) int {
		if c := a.From.Compare(b.From); c != 0 {
			return c
		}
		return b.To.Compare(a.To)
	})
	for i, g := range l.groups {
		p := placedGroup{Group: g, id: "assay@" + strconv.Itoa(i+1), from: l.at(g.From) - clockGrain, to: l.at(g.To)}
		for _, outer := range slices.Backward(l.placed) {
			if outer.from <= p.from && p.to <= outer.to {
				p.parent = outer.id
				break
			}
		}
		l.placed = append(l.placed, p)
	}
	for i := range l.snapshots {
		l.snapshots[i].HTML = nil // only their times are needed from here on
	}
}

// clockGrain bounds by how much the driver's clock of the day is rounded down, in
// milliseconds.
const clockGrain = 1

// at returns a moment in the trace's time.
func (l *layout) at(t time.Time) float64 {
	return float64(t.UnixMicro())/1000 - l.clock.WallTime + l.clock.MonotonicTime
}

// place puts a call below the innermost group of its time.
func (l *layout) place(kind string, e map[string]any) {
	if kind != "before" {
		return
	}
	start, ok := e["startTime"].(json.Number)
	if !ok {
		return
	}
	at, err := start.Float64()
	if err != nil {
		return
	}
	for _, g := range slices.Backward(l.placed) {
		if g.from <= at && at <= g.to {
			e["parentId"] = g.id
			return
		}
	}
}

var lineOfRole = pattern.New(`^([a-z]+) ("(?:[^"\\]|\\.)*")$`)

// nameByRole spells a snapshot line as Playwright's own selector, which the
// viewer shows as getByRole and finds in its DOM snapshots: it lacks our engine,
// whose name is engine.
func nameByRole(e map[string]any, engine string) {
	params, _ := e["params"].(map[string]any)
	selector, _ := params["selector"].(string)
	line, ours := strings.CutPrefix(selector, engine+"=")
	if m := lineOfRole.FindStringSubmatch(line); ours && m != nil {
		params["selector"] = "internal:role=" + m[1] + "[name=" + m[2] + "s]"
	}
}

// events returns the groups in the viewer's form, each with the page as it was
// when it began and when it ended.
func (l *layout) events() []map[string]any {
	var out []map[string]any
	for _, g := range l.placed {
		before := map[string]any{"type": "before", "callId": g.id, "startTime": g.from, "title": g.Title,
			"class": "Tracing", "method": "tracingGroup", "params": map[string]any{}, "stack": []any{}}
		after := map[string]any{"type": "after", "callId": g.id, "endTime": g.to}
		if g.parent != "" {
			before["parentId"] = g.parent
		}
		if g.Error != "" {
			after["error"] = map[string]any{"name": "Error", "message": g.Error}
		}
		if s := cmp.Or(l.snapshotAt(g.from), l.firstSnapshot(g)); s != nil {
			before["beforeSnapshot"], before["pageId"] = s.SnapshotName, s.PageID
		}
		if s := l.snapshotAt(g.to); s != nil {
			after["afterSnapshot"], before["pageId"] = s.SnapshotName, s.PageID
		}
		out = append(out, before, after)
	}
	return out
}

// firstSnapshot returns the oldest one of a group, or nil.
func (l *layout) firstSnapshot(g placedGroup) *domSnapshot {
	for i := range l.snapshots {
		if s := &l.snapshots[i]; s.IsMainFrame && s.Timestamp >= g.from && s.Timestamp <= g.to {
			return s
		}
	}
	return nil
}

// snapshotAt returns the newest DOM snapshot at a moment, or nil.
func (l *layout) snapshotAt(at float64) *domSnapshot {
	for i := range slices.Backward(l.snapshots) {
		if s := &l.snapshots[i]; s.IsMainFrame && s.Timestamp <= at {
			return s
		}
	}
	return nil
}
