package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/demo"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/workspace"
)

// shared is the one browser of this test binary.
var shared *browser.Pool

func TestMain(m *testing.M) {
	guarded, err := guard.New(nil, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(browsertest.Main(m, browser.Options{Guard: guarded}, func(pool *browser.Pool) { shared = pool }))
}

// rig is the real toolbox: the catalogue on a real browser, through the
// protocol, as assay run has it.
type rig struct {
	t    *testing.T
	desk *workspace.Workspace
	dir  string
	site string // the sample dashboard

	agent.Options
}

func newRig(t *testing.T, model agent.Model, o demo.Options) *rig {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	dir := t.TempDir()
	store, err := evidence.Open(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	desk := &workspace.Workspace{Settings: workspace.Settings{Pool: shared, Store: store, Limit: 20 * time.Second, HardLimit: 30 * time.Second, MaxPixels: 40_000_000,
		Sets: []string{"core"}, Evaluate: true, Screenshot: browser.ShotOptions{Format: "png"}, Environment: qa.Environment{AssayVersion: "test"},
		Views: report.Views, Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
	var offered []server.Tool
	for _, tool := range tools.Catalogue(desk) {
		offered = append(offered, server.Tool{Definition: tool.Definition, Handle: tool.Handle})
	}
	client, err := server.InProcess(t.Context(), server.New(server.Options{Version: "test", Tools: offered, Now: time.Now, Log: slog.New(slog.DiscardHandler)}))
	if err != nil {
		t.Fatal(err)
	}
	site, err := demo.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, err := range []error{client.Close(), desk.CloseSessions(context.Background()), desk.Close(), site.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return &rig{t: t, desk: desk, dir: dir, site: site.URL(), Options: agent.Options{
		Task: qa.TaskSpec{Goal: "the sign-in page works"}, Model: model, Tools: wired{client}, Record: desk.Recorder(),
		Limits: agent.Limits{MaxConsecutiveErrors: 5, MaxRetriesPerStep: 3}.WithDefaults(), Fatal: []*regexp.Regexp{regexp.MustCompile(`\bChunkLoadError\b|(?i)\bout of memory\b|\bunhandled(?: promise)? rejection\b|Maximum call stack size exceeded`)},
		Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
}

// run works the task, and wants a report of it in the store.
func (r *rig) run() agent.Outcome {
	r.t.Helper()
	out, err := agent.Run(r.t.Context(), r.Options)
	if err != nil {
		r.t.Fatalf("no report: %v", err)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "runs", out.Report.RunID, "report.json")); err != nil {
		r.t.Errorf("the report is not stored: %v", err)
	}
	return out
}

// wants checks a report's verdict, and that the first finding or its reason
// names why.
func (r *rig) wants(out agent.Outcome, status qa.Status, why string) {
	r.t.Helper()
	if out.Report.Status != status {
		r.t.Errorf("%s (%s), want %s", out.Report.Status, out.Report.StatusReason, status)
	}
	if why != "" && !contains(out.Report, why) {
		r.t.Errorf("no finding says %q: %s; %+v", why, out.Report.StatusReason, out.Report.Findings)
	}
}

func contains(report qa.QAReport, why string) bool {
	for _, f := range report.Findings {
		if has(f.Assertion, why) || has(f.Observed, why) {
			return true
		}
	}
	return false
}

// wired is a toolbox over the protocol.
type wired struct{ client *server.Client }

func (w wired) Tools(ctx context.Context) ([]agent.Tool, error) {
	offers, err := w.client.Tools(ctx)
	var out []agent.Tool
	for _, o := range offers {
		out = append(out, agent.Tool{Name: o.Name, Description: o.Description, Schema: o.Schema})
	}
	return out, err
}

func (w wired) Call(ctx context.Context, name string, arguments json.RawMessage) (agent.Result, error) {
	answer, err := w.client.Call(ctx, name, arguments)
	r := agent.Result{Structured: answer.Structured, IsError: answer.IsError, Parts: []agent.Part{{Text: answer.Text}}}
	for _, p := range answer.Pictures {
		r.Parts = append(r.Parts, agent.Part{Image: &agent.Image{MIMEType: p.MIMEType, Data: p.Data}})
	}
	return r, err
}

// script is a model that says what it was told to, and the last of it for ever.
type script struct {
	turns  []agent.Reply
	at     int
	seen   agent.Conversation
	closed int
}

func (s *script) Next(_ context.Context, c agent.Conversation) (agent.Reply, error) {
	s.seen = c
	reply := s.turns[min(s.at, len(s.turns)-1)]
	s.at++
	return reply, nil
}

func (s *script) Close() error { s.closed++; return nil }

// calls is a turn of calls, each a tool and its arguments as JSON.
func calls(pairs ...string) agent.Reply {
	var r agent.Reply
	for i := 0; i+1 < len(pairs); i += 2 {
		r.Calls = append(r.Calls, agent.Call{ID: strconv.Itoa(i), Name: pairs[i], Arguments: json.RawMessage(pairs[i+1])})
	}
	return r
}

func says(text string) agent.Reply { return agent.Reply{Text: text} }
