package anthropic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/workspace"
)

// shared is the one browser of this test binary.
var shared *browser.Pool

func TestMain(m *testing.M) {
	os.Exit(browsertest.Main(m, browser.Options{}, func(pool *browser.Pool) { shared = pool }))
}

// catalogue is the real one, on a real browser, through the protocol.
func catalogue(t *testing.T) (*server.Client, *workspace.Workspace) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser; -short leaves it out")
	}
	store, err := evidence.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	desk := &workspace.Workspace{Settings: workspace.Settings{Pool: shared, Store: store, Limit: 20 * time.Second, HardLimit: 40 * time.Second, MaxPixels: 40_000_000,
		Sets: []string{"core"}, Screenshot: browser.ShotOptions{Format: "png"}, Environment: qa.Environment{AssayVersion: "test"}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
	var offered []server.Tool
	for _, tool := range tools.Catalogue(desk) {
		offered = append(offered, server.Tool{Definition: tool.Definition, Handle: tool.Handle})
	}
	client, err := server.InProcess(t.Context(), server.New(server.Options{Version: "test", Tools: offered, Now: time.Now, Log: slog.New(slog.DiscardHandler)}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, err := range []error{client.Close(), desk.CloseSessions(context.Background()), desk.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return client, desk
}

// wired is the loop's toolbox over the protocol.
type wired struct{ *server.Client }

func (w wired) Tools(ctx context.Context) ([]agent.Tool, error) {
	offers, err := w.Client.Tools(ctx)
	var out []agent.Tool
	for _, o := range offers {
		out = append(out, agent.Tool{Name: o.Name, Description: o.Description, Schema: o.Schema})
	}
	return out, err
}

func (w wired) Call(ctx context.Context, name string, arguments json.RawMessage) (agent.Result, error) {
	answer, err := w.Client.Call(ctx, name, arguments)
	r := agent.Result{Structured: answer.Structured, IsError: answer.IsError, Parts: []agent.Part{{Text: answer.Text}}}
	for _, p := range answer.Pictures {
		r.Parts = append(r.Parts, agent.Part{Image: &agent.Image{MIMEType: p.MIMEType, Data: p.Data}})
	}
	return r, err
}

// A12, D2: the provider's computer tool works a real page in the real loop; what
// it did is judged by a check, and each picture reaches the model.
func TestComputerWorksAPage(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<title>before</title><button style="position:fixed;left:0;top:0;width:300px;height:200px" onclick="document.title='after'">Go</button>`))
	}))
	t.Cleanup(site.Close)
	client, desk := catalogue(t)
	for _, c := range []struct {
		model string
		x     int
		want  qa.Status
	}{{newest, 150, qa.Passed}, {"claude-haiku-4-5", 700, qa.Failed}} {
		var seen []wiretest.Seen
		script := wiretest.Fixed(
			wiretest.Say{Calls: []wiretest.Call{{Name: "page_navigate", Args: map[string]any{"url": site.URL}}}},
			wiretest.Say{Think: "there", Computer: []wiretest.Action{{Kind: "click", X: c.x, Y: 100}, {Kind: "screenshot"}, {Kind: "key", Text: "Tab"}}},
			wiretest.Say{Calls: []wiretest.Call{{Name: "verify_assertion", Args: map[string]any{"assertion": map[string]any{"type": "title_equals", "expected": "after"}, "timeout_ms": 300}}}},
			wiretest.Say{Final: json.RawMessage(`{"summary":"it works","status":"passed","findings":[]}`)})
		s := scripted(t, func(n wiretest.Seen) wiretest.Say { seen = append(seen, n); return script(n) })
		out, err := agent.Run(t.Context(), agent.Options{Task: qa.TaskSpec{Goal: "the button works"}, Model: asking(t, s, c.model), Tools: wired{client}, Record: desk.Recorder(),
			Limits: agent.Limits{MaxConsecutiveErrors: 5, MaxRetriesPerStep: 3}.WithDefaults(), Screen: agent.Screen{Width: 1366, Height: 768}, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		if err != nil || out.Report.Status != c.want {
			t.Errorf("%s: a click at %d: %v %s (%s), want %s", c.model, c.x, err, out.Report.Status, out.Report.StatusReason, c.want)
		}
		if len(seen) < 3 || len(seen[2].Answers) != 3 || seen[2].Answers[1].Images != 1 || seen[2].Answers[2].Images != 1 {
			t.Errorf("%s: the pictures: %+v", c.model, seen)
		}
	}
}

// D2: every tool of the catalogue goes through as it is, and computer_action
// takes, or refuses by name, what the provider's members become.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	client, _ := catalogue(t)
	offers, err := client.Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := conversation()
	c.Tools = nil
	for _, o := range offers {
		c.Tools = append(c.Tools, agent.Tool{Name: o.Name, Description: o.Description, Schema: o.Schema})
	}
	p := serve(t, says("end_turn", `[{"type":"text","text":"{}"}]`))
	next(t, p.model(), c)
	for i, o := range offers {
		tool := at(p.last().body, "tools", i)
		schema, err := json.Marshal(at(tool, "input_schema"))
		if err != nil || at(tool, "name") != o.Name || at(tool, "description") != o.Description || !sameJSON(t, string(schema), string(o.Schema)) {
			t.Errorf("%s: %v", o.Name, tool)
		}
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<title>t</title><textarea style="width:300px;height:100px"></textarea><p style="height:3000px">long</p>`))
	}))
	t.Cleanup(site.Close)
	if _, err := client.Call(t.Context(), "page_navigate", json.RawMessage(fmt.Sprintf(`{"url":%q}`, site.URL))); err != nil {
		t.Fatal(err)
	}
	for _, m := range members() {
		r := next(t, serve(t, says("tool_use", uses(m))).model(operating), conversation())
		answer, err := client.Call(t.Context(), "computer_action", r.Calls[0].Arguments)
		if err != nil || answer.IsError != m.refused {
			t.Errorf("%s: %v; refused is %v: %s", r.Calls[0].Arguments, err, answer.IsError, answer.Text)
		}
	}
}
