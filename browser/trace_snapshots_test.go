package browser

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/rest"
)

// TestTraceSnapshotsWhatActs: a DOM snapshot of every question to a page would
// double the time of each call. What spares them (driver_shim.js) reaches into
// the driver, and a driver that is built otherwise must not go unnoticed.
func TestTraceSnapshotsWhatActs(t *testing.T) {
	t.Parallel()
	const first = `<script>document.title = performance.now()</script>`
	s, _ := show(t, first+`<iframe src="data:text/html,`+strings.ReplaceAll(first, `"`, `'`)+`"></iframe><h1>Sales</h1><label>Name <input value=Ada></label><button>Save</button>`)
	ctx := within30s(t)
	snapshots := func(do func()) int {
		if err := s.StartTrace(ctx); err != nil {
			t.Fatal(err)
		}
		do()
		trace, err := s.StopTrace(ctx)
		if err != nil || len(trace.Parts) != 1 {
			t.Fatalf("%d parts, %v", len(trace.Parts), err)
		}
		names, err := filepath.Glob(filepath.Join(s.current().context.traces.Dir, s.ID()+"-*.trace"))
		if err != nil || len(names) != 1 {
			t.Fatalf("files %q, %v", names, err)
		}
		written, err := os.ReadFile(names[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := trace.Parts[0].Discard(); err != nil {
			t.Error(err)
		}
		return bytes.Count(written, []byte(`"frame-snapshot"`))
	}
	for _, frame := range s.current().page.Frames() { // what else reaches into the driver: our observer is there before the page's first script
		var ours struct{ From float64 }
		if err := askEngine(frame.Locator(engineAsk{Op: "due"}.query()), rest.LookLimit, &ours); err != nil {
			t.Fatal(err)
		}
		title, err := frame.Title()
		if began, bad := strconv.ParseFloat(title, 64); err != nil || bad != nil || ours.From < 0 || ours.From > began {
			t.Errorf("%s: observed from %v, its first script ran at %s: %v", frame.URL(), ours.From, title, err)
		}
	}
	looks := snapshots(func() {
		for _, fact := range []Fact{FactCount, FactValue, FactEnabled} {
			if _, err := s.Look(ctx, "css=input", fact, ""); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := s.Snapshot(ctx, OutlineOptions{}); err != nil {
			t.Fatal(err)
		}
	})
	if looks != 0 {
		t.Errorf("%d snapshots of questions to the page", looks)
	}
	if n := snapshots(func() { s.MarkTrace(ctx) }); n == 0 {
		t.Error("no snapshot where one is wanted")
	}
	acts := snapshots(func() {
		if _, err := s.Click(ctx, `button "Save"`, 0); err != nil {
			t.Fatal(err)
		}
	})
	if acts == 0 {
		t.Error("no snapshot of a click")
	}
}
