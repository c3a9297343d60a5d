package browser

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/trace"
)

func asItIs(_ string, data []byte) []byte { return data }

// grouped does something under a name, as a tool's call.
func grouped(s *Session, title string, do func()) {
	from := time.Now()
	do()
	s.TraceGroup(trace.Group{Title: title, From: from, To: time.Now()})
}

// packed ends the session's trace and returns the zips of its parts.
func packed(tb testing.TB, s *Session) (zips [][]byte, notes []string) {
	tb.Helper()
	trace, err := s.StopTrace(within30s(tb))
	if err != nil {
		tb.Fatal(err)
	}
	for _, part := range trace.Parts {
		var out bytes.Buffer
		if err := part.Pack(&out, asItIs); err != nil {
			tb.Fatal(err)
		}
		if err := part.Discard(); err != nil {
			tb.Error(err)
		}
		zips = append(zips, out.Bytes())
	}
	return zips, trace.Notes
}

// zipEntry returns one inflated entry of a zip.
func zipEntry(tb testing.TB, data []byte, name string) string {
	tb.Helper()
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		tb.Fatal(err)
	}
	file, err := in.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(file); err != nil {
		tb.Fatal(err)
	}
	return out.String()
}

// TestTraceOpensInTheViewer: Playwright's own trace viewer shows the tools'
// calls as a list, the page beside them, and no error (A2).
func TestTraceOpensInTheViewer(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>h1 { color: red }</style><h1>Sales</h1><label>Name <input></label><button onclick="document.querySelector('h1').textContent = 'Saved'">Save</button>`)
	ctx := within30s(t)
	if err := s.StartTrace(ctx); err != nil {
		t.Fatal(err)
	}
	grouped(s, `page_fill textbox "Name"`, func() {
		if _, _, err := s.Fill(ctx, `textbox "Name"`, "Ada", 0); err != nil {
			t.Fatal(err)
		}
	})
	grouped(s, `page_click button "Save"`, func() {
		if _, err := s.Click(ctx, `button "Save"`, 0); err != nil {
			t.Fatal(err)
		}
	})
	grouped(s, `verify_assertion visible`, func() { s.MarkTrace(ctx) })
	zips, notes := packed(t, s)
	if len(zips) != 1 || len(notes) > 0 {
		t.Fatalf("%d parts, notes %v", len(zips), notes)
	}

	options := testOptions(t, "")
	inst, err := driver.Locate(ctx, options.Install)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/viewer/", http.StripPrefix("/viewer/", http.FileServer(http.Dir(filepath.Join(inst.Driver.Dir, "package", "lib", "vite", "traceViewer")))))
	mux.HandleFunc("/trace.zip", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "trace.zip", time.Time{}, bytes.NewReader(zips[0]))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	viewer := launch(t, poolOf(t), LaunchOptions{})
	visit(t, viewer, server.URL+"/viewer/index.html?trace="+server.URL+"/trace.zip")
	becomes(t, "the viewer lists the calls", func() error {
		outline, _, err := viewer.Snapshot(ctx, OutlineOptions{MaxChars: 64 << 10})
		if err != nil {
			return err
		}
		for _, title := range []string{`page_fill textbox \"Name\"`, `page_click button \"Save\"`, "verify_assertion visible", `heading "Saved"`} { // the last one from the DOM snapshot
			if !strings.Contains(outline.Text, title) {
				return fmt.Errorf("no %s in:\n%s", title, outline.Text)
			}
		}
		return nil
	})
	if _, err := viewer.Click(ctx, "css=[role=treeitem] >> nth=1", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := viewer.Press(ctx, "", "ArrowRight", 0); err != nil { // opens the group
		t.Fatal(err)
	}
	becomes(t, "a call holds the browser's action, with a locator that a reader knows", func() error {
		outline, _, err := viewer.Snapshot(ctx, OutlineOptions{MaxChars: 64 << 10})
		if err == nil && !strings.Contains(outline.Text, `getByRole('button', { name: 'Save'`) {
			err = fmt.Errorf("no click by role in:\n%s", outline.Text)
		}
		return err
	})
}

// TestTraceOfACrash: a session whose browser dies goes on with its trace in
// another part; what was written before is kept, and it is said that the end of
// it may be missing.
func TestTraceOfACrash(t *testing.T) {
	t.Parallel()
	p := poolToBreak(t, nil)
	web := newSite(t, map[string]string{"/{$}": `<title>Test</title><button>One</button><button>Two</button>`})
	s := launch(t, p, LaunchOptions{})
	ctx := within30s(t)
	if err := s.StartTrace(ctx); err != nil {
		t.Fatal(err)
	}
	visit(t, s, web.URL+"/")
	if _, err := s.Click(ctx, `button "One"`, 0); err != nil {
		t.Fatal(err)
	}
	endProcess(t, browserPID(t, p))
	_, err := s.Click(ctx, `button "Two"`, 0)
	wantCode(t, err, explain.BrowserCrashed)
	becomes(t, "the session is rebuilt", func() error {
		_, err := s.Click(context.WithoutCancel(ctx), `button "Two"`, 0)
		return err
	})
	zips, notes := packed(t, s)
	if len(zips) != 2 {
		t.Fatalf("%d parts, want 2; notes %v", len(zips), notes)
	}
	if first := zipEntry(t, zips[0], "trace.trace"); !strings.Contains(first, `button \"One\"`) {
		t.Error("what was done before the crash is lost")
	}
	if second := zipEntry(t, zips[1], "trace.trace"); !strings.Contains(second, `button \"Two\"`) {
		t.Error("what was done after the crash is not traced")
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "died") {
		t.Errorf("notes %q", notes)
	}
}

// TestTracesLeaveNothing: what traces have in common stays while a context or a
// part needs it, and goes with the last (A10).
func TestTracesLeaveNothing(t *testing.T) {
	t.Parallel()
	p := newPool(t, nil)
	web := newSite(t, map[string]string{"/{$}": `<title>Test</title><p>Hello`})
	ctx := within30s(t)
	stored := func(s *Session) int {
		files, err := filepath.Glob(filepath.Join(s.current().context.traces.Dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		inside, err := filepath.Glob(filepath.Join(s.current().context.traces.Dir, "resources", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files) + len(inside)
	}
	one, other := launch(t, p, LaunchOptions{}), launch(t, p, LaunchOptions{})
	for _, s := range []*Session{one, other} {
		if err := s.StartTrace(ctx); err != nil {
			t.Fatal(err)
		}
		visit(t, s, web.URL+"/")
	}
	trace, err := one.StopTrace(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Close(ctx); err != nil {
		t.Fatal(err)
	}
	packed(t, other)
	if err := other.Close(ctx); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := trace.Parts[0].Pack(&out, asItIs); err != nil { // after both sessions are closed
		t.Fatal(err)
	}
	if !strings.Contains(zipEntry(t, out.Bytes(), "trace.network"), web.URL) {
		t.Error("the first session's requests are missing")
	}
	if err := trace.Parts[0].Discard(); err != nil {
		t.Fatal(err)
	}
	becomes(t, "no file of a trace is left", func() error {
		if n := stored(one); n > 0 {
			return fmt.Errorf("%d files", n)
		}
		return nil
	})
}

// What nobody asks for goes with the session, and keeps nothing that others
// share.
func TestATraceThatNobodyWantsGoes(t *testing.T) {
	t.Parallel()
	s, site := launch(t, newPool(t, nil), LaunchOptions{}), vaultSite(t)
	if err := s.StartTrace(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Navigate(t.Context(), site, "", 0); err != nil {
		t.Fatal(err)
	}
	folder := s.current().context.traces.Dir
	written, err := filepath.Glob(filepath.Join(folder, s.ID()+"-*"))
	if err != nil || len(written) == 0 {
		t.Fatalf("no trace is written: %v", err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}
