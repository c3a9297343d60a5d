package gemini_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/workspace"
)

// toolbox is the real catalogue on a real browser, through the protocol.
func toolbox(t *testing.T) *server.Client {
	t.Helper()
	pool := browsertest.Pool(t)
	store, err := evidence.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	desk := &workspace.Workspace{Settings: workspace.Settings{Pool: pool, Store: store, Limit: 20 * time.Second, HardLimit: 30 * time.Second, MaxPixels: 40_000_000, Sets: []string{"core"},
		Screenshot: browser.ShotOptions{Format: "png"}, Environment: qa.Environment{AssayVersion: "test"}, Views: report.Views, Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
	var offered []server.Tool
	for _, tool := range tools.Catalogue(desk) {
		offered = append(offered, server.Tool{Definition: tool.Definition, Handle: tool.Handle})
	}
	client, err := server.InProcess(t.Context(), server.New(server.Options{Version: "test", Tools: offered, Now: time.Now, Log: slog.New(slog.DiscardHandler)}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, err := range []error{client.Close(), desk.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return client
}

// The actions that gestures become are those that the tool takes, and what is
// typed at a place stands there, in place of what stood there before (A12).
func TestGesturesInABrowser(t *testing.T) {
	t.Parallel()
	client := toolbox(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<!doctype html><title>form</title><style>body{margin:0}input{position:absolute;left:546px;top:307px;width:273px;height:154px}</style>
			<input aria-label="Name" value="before"><div style="height:4000px">`)
	}))
	t.Cleanup(site.Close)
	call := func(name string, arguments json.RawMessage) server.Answer {
		t.Helper()
		a, err := client.Call(t.Context(), name, arguments)
		if err != nil || a.IsError {
			t.Fatalf("%s %s: %v %s", name, arguments, err, a.Text)
		}
		return a
	}
	call("browser_launch", json.RawMessage(`{"options":{"viewport":{"width":1366,"height":768}}}`))
	open := asked(t, "navigate", `{"url":"`+site.URL+`/"}`)
	call(open.Name, open.Arguments)
	typed := asked(t, "type_text_at", `{"x":500,"y":500,"text":"after","press_enter":false}`)
	if a := call(typed.Name, typed.Arguments); len(a.Pictures) != 1 || !strings.Contains(a.Text, "\npage: "+site.URL+"/ ") {
		t.Errorf("the answer has %d pictures and says %s", len(a.Pictures), a.Text)
	}
	if a := call("verify_assertion", json.RawMessage(`{"selector":"label=Name","assertion":{"type":"value_equals","expected":"after"}}`)); !strings.Contains(string(a.Structured), `"observed":"after"`) || !strings.Contains(string(a.Structured), `"void":["the caller typed`) {
		t.Errorf("the field: %s %s", a.Text, a.Structured)
	}

	var all []json.RawMessage
	for _, steps := range gestures() {
		var list []json.RawMessage
		if err := json.Unmarshal([]byte("["+steps+"]"), &list); err != nil {
			t.Fatal(err)
		}
		all = append(all, slices.DeleteFunc(list, func(s json.RawMessage) bool { // the others of this form wait as well
			return strings.Contains(string(s), `"5000"`) || strings.Contains(string(s), `"30000"`)
		})...)
	}
	for batch := range slices.Chunk(all, 20) { // each is checked whole before its first action
		arguments, err := json.Marshal(map[string]any{"actions": batch, "include_image": true})
		if err != nil {
			t.Fatal(err)
		}
		call("computer_action", arguments)
	}
}
