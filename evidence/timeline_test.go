package evidence_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

func event(t *testing.T, r *evidence.Run, e evidence.Event) {
	t.Helper()
	if err := r.Event(e); err != nil {
		t.Fatal(err)
	}
}

// TestTimeline: the report tells each call and each step of a flow, on what,
// how long, and what went wrong (A14).
func TestTimeline(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	shot := must[qa.Artifact](t)(r.SaveScreenshot("a", []byte(png), 2, 2, 2))
	ended := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)
	event(t, r, evidence.Event{Step: 1, Tool: "page_navigate", DurationMS: 500, Time: ended, Input: json.RawMessage(`{"url":"http://shop.test/","timeout_ms":10}`)})
	event(t, r, evidence.Event{Name: evidence.FlowStepped, Step: 2, DurationMS: 20, Time: ended, Input: json.RawMessage(`{"index":1,"action":"click","selector":"button \"Go\"","status":"passed"}`)})
	event(t, r, evidence.Event{Name: evidence.FlowRetried, Step: 2, ErrorCode: "TIMEOUT"})
	event(t, r, evidence.Event{Name: evidence.FlowStepped, Step: 2, DurationMS: 30, Time: ended, Input: json.RawMessage(`{"index":2,"action":"assert","description":"the total","status":"failed"}`), Screenshot: shot.Name})
	event(t, r, evidence.Event{Step: 2, Tool: "verify_user_flow", DurationMS: 100, Time: ended, Input: json.RawMessage(`{"name":"buy","steps":[{"action":"click"}]}`), ErrorCode: "TIMEOUT"})
	event(t, r, evidence.Event{Step: 3, Tool: "verify_assertion", Time: ended, Input: json.RawMessage(`{"selector":"#a","assertion":{"type":"text_equals","expected":"42"}}`)})
	event(t, r, evidence.Event{Step: 4, Tool: "odd", Time: ended, Input: json.RawMessage(`"(not shown)"`)})
	event(t, r, evidence.Event{Step: 5, Tool: "browser_launch", Time: ended, Input: json.RawMessage(`{"options":{"role":"analyst","viewport":{"width":1}}}`)})
	event(t, r, evidence.Event{Step: 6, Tool: "check_kpis", Time: ended, Input: json.RawMessage(`{"ranges":[{"name":"today"},{"name":"7d","steps":[]}]}`)})
	report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, views))
	at := func(ms int) time.Time { return ended.Add(-time.Duration(ms) * time.Millisecond) }
	want := []qa.TimelineEntry{
		{Step: 1, Name: "page_navigate", Detail: "http://shop.test/", StartedAt: at(500), DurationMS: 500},
		{Step: 2, Name: "verify_user_flow", Detail: "buy", StartedAt: at(100), DurationMS: 100, ErrorCode: "TIMEOUT"},
		{Step: 2, Name: "step 1 click", Detail: `button "Go"`, StartedAt: at(20), DurationMS: 20},
		{Step: 2, Name: "step 2 assert", Detail: "the total", StartedAt: at(30), DurationMS: 30, ErrorCode: "failed", Screenshot: shot.Name},
		{Step: 3, Name: "verify_assertion", Detail: "#a text_equals 42", StartedAt: at(0)},
		{Step: 4, Name: "odd", StartedAt: at(0)},
		{Step: 5, Name: "browser_launch", Detail: "analyst", StartedAt: at(0)},
		{Step: 6, Name: "check_kpis", Detail: "today 7d", StartedAt: at(0)},
	}
	if diff := cmp.Diff(want, report.Timeline); diff != "" {
		t.Errorf("timeline (-want +got):\n%s", diff)
	}
	if got := report.Links; got != (qa.Links{ReportURL: "report.html", ScreenshotsGalleryURL: "report.html#pictures", RawTranscriptURL: "events.jsonl"}) {
		t.Errorf("links = %+v", got)
	}
	stored := must[qa.QAReport](t)(s.Report(r.ID()))
	if diff := cmp.Diff(report, stored); diff != "" {
		t.Errorf("read back (-report +stored):\n%s", diff)
	}
}

// TestTraceIsLinked: the link to the trace is there when the trace is.
func TestTraceIsLinked(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	must[qa.Artifact](t)(r.SaveFile("trace.zip", "application/zip", []byte("PK"), 1))
	if report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, views)); report.Links.TraceURL != "trace.zip" || report.Links.ScreenshotsGalleryURL != "" {
		t.Errorf("links = %+v", report.Links)
	}
}

// TestTimelineIsMaskedBeforeItIsCut: half a secret would not be known for one (E6).
func TestTimelineIsMaskedBeforeItIsCut(t *testing.T) {
	s, _ := openStore(t)
	s.Mask = func(_ string, data []byte) []byte {
		return bytes.ReplaceAll(data, []byte("hunter2hunter2"), []byte("••"))
	}
	r := startRun(t, s)
	event(t, r, evidence.Event{Step: 1, Tool: "page_navigate", Input: json.RawMessage(`{"url":"` + strings.Repeat("a", 153) + `hunter2hunter2"}`)})
	report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, nil))
	if got := report.Timeline[0].Detail; strings.Contains(got, "hunter") || !strings.HasSuffix(got, "a••") {
		t.Errorf("detail = %q", got)
	}
}

// TestTrafficIsBounded: the first 200 by time, the rest is counted, and lists
// are never null.
func TestTrafficIsBounded(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	var console []qa.ConsoleEntry
	var network []qa.NetworkEntry
	for i := range 150 {
		at := time.Date(2026, 1, 1, 0, 0, 150-i, 0, time.UTC)
		console, network = append(console, qa.ConsoleEntry{Text: pagetext.Text(fmt.Sprint(i)), Time: at}), append(network, qa.NetworkEntry{URL: fmt.Sprint(i), Time: at})
	}
	for range 2 {
		if err := r.AddTraffic(console, network[:120]); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2001 {
		event(t, r, evidence.Event{Step: i, Tool: "t"})
	}
	report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, nil))
	if len(report.Console) != 200 || len(report.Network) != 200 || report.Console[0].Text != "149" || len(report.Timeline) != 2000 {
		t.Errorf("%d messages from %q, %d requests, %d calls", len(report.Console), report.Console[0].Text, len(report.Network), len(report.Timeline))
	}
	if report.Omitted == nil || *report.Omitted != (qa.Omitted{Console: 100, Network: 40, Timeline: 1}) {
		t.Errorf("omitted = %+v", report.Omitted)
	}
	if err := r.AddTraffic(nil, nil); !errors.Is(err, evidence.ErrFinished) {
		t.Errorf("after the end: %v", err)
	}
	empty := must[qa.QAReport](t)(startRun(t, s).Finish("", qa.Environment{}, nil))
	doc, err := json.Marshal(empty)
	if err != nil || !bytes.Contains(doc, []byte(`"timeline":[],"console":[],"network":[],"artifacts":[]`)) {
		t.Errorf("%v: %s", err, doc)
	}
}

// TestWriteSuite: whole or not at all, masked, and nowhere else (D4, E6).
func TestWriteSuite(t *testing.T) {
	s, _ := openStore(t)
	s.Mask = func(mime string, data []byte) []byte {
		if mime == "" {
			return data
		}
		return bytes.ReplaceAll(data, []byte("hunter2"), []byte("••"))
	}
	dir := filepath.Join(t.TempDir(), "a", "reports")
	files := map[string][]byte{"index.html": []byte("<p>hunter2"), "summary.md": []byte("# hunter2"), "junit.xml": []byte("<a>hunter2</a>"), "suite.json": []byte(`"hunter2"`), "a summary – für alle": []byte("hunter2")}
	for range 2 { // it is written again and again while the suite runs
		if err := s.WriteSuite(dir, files); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(files) {
		t.Fatalf("%v, %v: want the documents and no other file", entries, err)
	}
	for name := range files {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || bytes.Contains(data, []byte("hunter2")) || !bytes.Contains(data, []byte("••")) {
			t.Errorf("%s: %v, %q", name, err, data)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../out.html", "a/b.html", "", "..", ".", `a\b`, "C:x", "/x"} {
		if err := s.WriteSuite(dir, map[string][]byte{name: nil}); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
	file := filepath.Join(dir, "index.html")
	if err := s.WriteSuite(file, files); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a file for a folder: %v", err)
	}
}
