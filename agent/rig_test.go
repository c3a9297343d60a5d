package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/workspace"
)

// shared is the one browser of this test binary, and sharedDir holds what its
// toolboxes write.
var (
	shared    *browser.Pool
	sharedDir string
)

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	guarded, err := guard.New(nil, nil)
	if err == nil {
		sharedDir, err = os.MkdirTemp("", "assay-agent-test-")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := browsertest.Main(m, browser.Options{Guard: guarded}, func(pool *browser.Pool) { shared = pool })
	var errs []error
	for _, b := range idle.boxes { // their sessions have ended with the browser
		b.site.Close()
		errs = append(errs, b.client.Close(), b.desk.Close())
	}
	if err := errors.Join(append(errs, os.RemoveAll(sharedDir))...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// toolbox is the real one: the catalogue on a real browser, through the protocol,
// as assay run has it.
type toolbox struct {
	desk   *workspace.Workspace
	client *server.Client
	dir    string
	site   *httptest.Server // a sign-in page
}

// idle are toolboxes that no test uses at the moment. A session costs as much as
// all that a task does on its page, so one test after the other works in it.
var idle struct {
	mu    sync.Mutex
	boxes []*toolbox
}

func openToolbox(dir string) (*toolbox, error) {
	store, err := evidence.Open(dir, time.Now)
	if err != nil {
		return nil, err
	}
	desk := &workspace.Workspace{Settings: workspace.Settings{Pool: shared, Store: store, Limit: 20 * time.Second, HardLimit: 30 * time.Second, MaxPixels: 40_000_000,
		Sets: []string{"core"}, Evaluate: true, Screenshot: browser.ShotOptions{Format: "png"}, Environment: qa.Environment{AssayVersion: "test"},
		Views: report.Views, Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
	var offered []server.Tool
	for _, tool := range tools.Catalogue(desk) {
		offered = append(offered, server.Tool{Definition: tool.Definition, Handle: tool.Handle})
	}
	client, err := server.InProcess(context.Background(), server.New(server.Options{Version: "test", Tools: offered, Now: time.Now, Log: slog.New(slog.DiscardHandler)}))
	if err != nil {
		return nil, err
	}
	site := httptest.NewServer(page(`<!doctype html><title>Sign in – Assay Demo</title><link rel="icon" href="data:,"><h1>Sign in</h1><label>Email <input></label> <button>Sign in</button>`))
	return &toolbox{desk: desk, client: client, dir: dir, site: site}, nil
}

func (b *toolbox) close() error {
	b.site.Close()
	return errors.Join(b.client.Close(), b.desk.CloseSessions(context.Background()), b.desk.Close())
}

// rig is a task that a model works with a toolbox.
type rig struct {
	t    *testing.T
	desk *workspace.Workspace
	dir  string
	site string // a sign-in page

	agent.Options
}

// newRig takes a toolbox that others have used, perhaps with a page open. Who leaves
// a session in another state than its page, or needs a fresh one, takes ownRig.
func newRig(t *testing.T, model agent.Model) *rig {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	idle.mu.Lock()
	var b *toolbox
	if n := len(idle.boxes); n > 0 {
		b, idle.boxes = idle.boxes[n-1], idle.boxes[:n-1]
	}
	idle.mu.Unlock()
	if b == nil {
		dir, err := os.MkdirTemp(sharedDir, "toolbox-") //nolint:usetesting // other tests go on with it
		if err == nil {
			b, err = openToolbox(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		idle.mu.Lock()
		defer idle.mu.Unlock()
		idle.boxes = append(idle.boxes, b)
	})
	return rigOf(t, b, model)
}

// ownRig opens a toolbox that ends with the test.
func ownRig(t *testing.T, model agent.Model) *rig {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	b, err := openToolbox(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.close(); err != nil {
			t.Error(err)
		}
	})
	return rigOf(t, b, model)
}

func rigOf(t *testing.T, b *toolbox, model agent.Model) *rig {
	return &rig{t: t, desk: b.desk, dir: b.dir, site: b.site.URL, Options: agent.Options{
		Task: qa.TaskSpec{Goal: "the sign-in page works"}, Model: model, Tools: wired{b.client}, Record: b.desk.Recorder(),
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
		if has(string(f.Assertion), why) || has(string(f.Observed), why) {
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

// soak reports whether what repeats is to run whole.
func soak() bool { return os.Getenv("SOAK") != "" }
