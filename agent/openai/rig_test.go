package openai_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/openai"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// shared is the one browser of this test binary.
var shared *browser.Pool

func TestMain(m *testing.M) {
	os.Exit(browsertest.Main(m, browser.Options{}, func(pool *browser.Pool) { shared = pool }))
}

const (
	key   = "sk-test-4f8a91c2e7"
	model = "gpt-5.4"
)

// wire is a scripted provider and the adapter that talks to it.
type wire struct {
	t      *testing.T
	server *wiretest.Server
	agent.Connection
	agent.Model
}

func both() []wiretest.Wire { return []wiretest.Wire{wiretest.OpenAI, wiretest.Azure} }

// connect starts a scripted provider, which must have nothing to object to by
// the end of the test.
func connect(t *testing.T, w wiretest.Wire, change func(*agent.Connection), says ...wiretest.Say) *wire {
	t.Helper()
	return start(t, w, wiretest.Options{Key: key, Model: model}, change, says)
}

func start(t *testing.T, w wiretest.Wire, o wiretest.Options, change func(*agent.Connection), says []wiretest.Say) *wire {
	t.Helper()
	server, err := wiretest.New(w, wiretest.Fixed(says...), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, p := range server.Problems() {
			t.Errorf("the provider objects: %s", p)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	c := agent.Connection{BaseURL: server.URL(), Model: model, Key: key}
	if change != nil {
		change(&c)
	}
	return &wire{t: t, server: server, Connection: c, Model: open(t, w, c)}
}

func open(t *testing.T, w wiretest.Wire, c agent.Connection) agent.Model {
	t.Helper()
	create := openai.New
	if w == wiretest.Azure {
		create = openai.NewAzure
	}
	m, err := create(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// next takes a turn that must come.
func (w *wire) next(c agent.Conversation) agent.Reply {
	w.t.Helper()
	r, err := w.Next(w.t.Context(), c)
	if err != nil {
		w.t.Fatalf("turn %d: %v", len(c.Turns)+1, err)
	}
	return r
}

// sent are the bodies of the requests so far.
func (w *wire) sent() []map[string]json.RawMessage {
	w.t.Helper()
	var out []map[string]json.RawMessage
	for _, r := range w.server.Requests() {
		var body map[string]json.RawMessage
		if err := json.Unmarshal(r.Body, &body); err != nil {
			w.t.Fatal(err)
		}
		out = append(out, body)
	}
	return out
}

// desk is the real catalogue on the shared browser.
func desk(t *testing.T) *workspace.Workspace {
	t.Helper()
	store, err := evidence.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	d := &workspace.Workspace{Settings: workspace.Settings{Pool: shared, Store: store, Limit: 20 * time.Second, HardLimit: 30 * time.Second, MaxPixels: 40_000_000,
		Sets: []string{"core", "full", "author"}, Evaluate: true, Screenshot: browser.ShotOptions{Format: "png"}, Environment: qa.Environment{AssayVersion: "test"},
		Views: report.Views, Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
	t.Cleanup(func() {
		for _, err := range []error{d.CloseSessions(context.Background()), d.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return d
}

// catalogue are the desk's tools as a model is offered them.
func catalogue(t *testing.T, d *workspace.Workspace) []agent.Tool {
	t.Helper()
	var out []agent.Tool
	for _, tool := range tools.Catalogue(d) {
		out = append(out, agent.Tool{Name: tool.Definition.Name, Description: tool.Definition.Description, Schema: tool.Definition.RawInputSchema})
	}
	if len(out) < 25 {
		t.Fatalf("only %d tools: the test would pass on nothing", len(out))
	}
	return out
}

// do makes a call of the model with the real tool.
func do(ctx context.Context, t *testing.T, d *workspace.Workspace, c agent.Call) agent.Result {
	t.Helper()
	return doOf(ctx, t, tools.Catalogue(d), c)
}

// doOf makes a call with one of these tools: to make all of them anew for each call
// takes longer than the call.
func doOf(ctx context.Context, t *testing.T, all []tool.Tool, c agent.Call) agent.Result {
	t.Helper()
	for _, tool := range all {
		if tool.Definition.Name != c.Name {
			continue
		}
		var request mcp.CallToolRequest
		request.Params.Name, request.Params.Arguments = c.Name, c.Arguments
		answer := tool.Handle(ctx, request, func(string) {})
		r := agent.Result{ID: c.ID, Name: c.Name, IsError: answer.IsError}
		for _, content := range answer.Content {
			switch part := content.(type) {
			case mcp.TextContent:
				r.Parts = append(r.Parts, agent.Part{Text: part.Text})
			case mcp.ImageContent:
				r.Parts = append(r.Parts, agent.Part{Image: &agent.Image{MIMEType: part.MIMEType, Data: part.Data}})
			}
		}
		return r
	}
	t.Fatalf("there is no tool %s", c.Name)
	return agent.Result{}
}
