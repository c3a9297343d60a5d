package replay_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/replay"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/rules"
	"github.com/assay-qa/assay/tools/workspace"
)

// shared is the one browser of this test binary.
var shared *browser.Pool

func TestMain(m *testing.M) {
	os.Exit(browsertest.Main(m, browser.Options{}, func(pool *browser.Pool) { shared = pool }))
}

// rig is the real toolbox on a real browser, as assay run has it, with pages
// that a test can change.
type rig struct {
	t    *testing.T
	desk *workspace.Workspace
	base string
	page atomic.Pointer[string] // what / answers
	done []agent.Executed
	step int // of the spec, that the next calls belong to

	agent.Toolbox
}

func newRig(t *testing.T, page string) *rig {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	r := &rig{t: t}
	r.page.Store(&page)
	store, err := evidence.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	r.desk = &workspace.Workspace{Settings: workspace.Settings{Pool: shared, Store: store, Limit: 20 * time.Second, HardLimit: 30 * time.Second, MaxPixels: 40_000_000,
		Sets: []string{"core"}, Screenshot: browser.ShotOptions{Format: "png"}, Environment: qa.Environment{AssayVersion: "test"}, Identify: true,
		Views: report.Views, Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
	var offered []server.Tool
	for _, tool := range tools.Catalogue(r.desk) {
		offered = append(offered, server.Tool{Definition: tool.Definition, Handle: tool.Handle})
	}
	client, err := server.InProcess(t.Context(), server.New(server.Options{Version: "test", Tools: offered, Now: time.Now, Log: slog.New(slog.DiscardHandler)}))
	if err != nil {
		t.Fatal(err)
	}
	r.Toolbox = wired{client}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(*r.page.Load()))
	}))
	r.base = site.URL
	t.Cleanup(func() {
		for _, err := range []error{client.Close(), r.desk.CloseSessions(context.Background()), r.desk.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
		site.Close()
	})
	return r
}

// Call keeps what succeeded, as the loop does.
func (r *rig) Call(ctx context.Context, name string, arguments json.RawMessage) (agent.Result, error) {
	result, err := r.Toolbox.Call(ctx, name, arguments)
	if err == nil && !result.IsError && name != "run_start" && name != "run_finish" {
		r.done = append(r.done, agent.Executed{Step: r.step, Name: name, Arguments: arguments, Structured: result.Structured})
	}
	return result, err
}

// record has a scripted model work a task to a pass, and compiles what it did.
func (r *rig) record(task qa.TaskSpec, s replay.Source, turns ...agent.Reply) (flow.Flow, error) {
	r.t.Helper()
	r.done = nil
	out, err := agent.Run(r.t.Context(), agent.Options{Task: task, Model: &script{turns: append(turns, agent.Reply{Text: "done"})}, Tools: r, Record: r.desk.Recorder(),
		Limits: agent.Limits{MaxConsecutiveErrors: 5, MaxRetriesPerStep: 3}.WithDefaults(), Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil || out.Report.Status != qa.Passed {
		r.t.Fatalf("the run to record: %s: %s, %v", out.Report.Status, out.Report.StatusReason, err)
	}
	if err := r.desk.CloseSessions(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	s.Base, s.Run, s.Done, s.Rules = r.base, out.Report.RunID, r.done, rules.Flows()
	return replay.Compile(s)
}

// played is a replay with the report of its run.
type played struct {
	flows.Played
	report qa.QAReport
}

// play runs a recording, read back from its file, as assay run does. What the first
// play came to may be known from another one.
func (r *rig) play(f flow.Flow, task qa.TaskSpec, o replay.Options, known ...played) (played, replay.Healed) {
	r.t.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		r.t.Fatal(err)
	}
	read, problems := flow.Load("x.flow.json", func(string) ([]byte, error) { return text, nil }, rules.Flows())
	if problems == nil {
		read, problems = read.Below(r.base).Resolve(r.base)
	}
	if len(problems) > 0 {
		r.t.Fatalf("the recording is no flow: %v\n%s", problems, text)
	}
	out, healed, err := replay.Run(r.t.Context(), read, o, func(ctx context.Context, h replay.Healed) (played, *flow.Drift, error) {
		if len(known) > 0 && len(h.Heals) == 0 {
			return known[0], known[0].Drift, nil
		}
		p, err := flows.Replay(ctx, r.desk.Fork(), h.Flow, task, flows.Replaying{Heals: h.Heals, Input: h.Usage.Input, Cached: h.Usage.Cached, Output: h.Usage.Output}, func(string) {})
		if err != nil {
			return played{}, nil, err
		}
		rep, err := r.desk.Store.Report(p.RunID)
		return played{p, rep}, p.Drift, err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return out, healed
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
	return agent.Result{Structured: answer.Structured, IsError: answer.IsError, Parts: []agent.Part{{Text: answer.Text}}}, err
}

// script is a model that says what it was told to, and the last of it for ever.
type script struct {
	turns []agent.Reply
	at    int
	seen  []agent.Conversation
}

func (s *script) Next(_ context.Context, c agent.Conversation) (agent.Reply, error) {
	s.seen = append(s.seen, c)
	reply := s.turns[min(s.at, len(s.turns)-1)]
	s.at++
	return reply, nil
}

// calls are turns of one call each: a tool, and its arguments as JSON.
func calls(pairs ...string) []agent.Reply {
	var out []agent.Reply
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, agent.Reply{Calls: []agent.Call{{ID: strconv.Itoa(i), Name: pairs[i], Arguments: json.RawMessage(pairs[i+1])}}})
	}
	return out
}
