package tools_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// pools holds the browsers of this test binary. A test has one for itself as long
// as it runs, and gives it back: as many are started as tests run side by side.
var pools struct {
	sync.Mutex
	temp string
	all  []*browser.Pool
	idle []*browser.Pool
}

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	temp, err := os.MkdirTemp("", "assay-tools-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	pools.temp = temp
	code := m.Run()
	for _, pool := range pools.all {
		pool.Close(3 * time.Second)
	}
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		fmt.Fprintf(os.Stderr, "left in the temp folder: %v %v\n", left, err)
		code = 1
	}
	if err := os.RemoveAll(temp); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return code
}

// newPool returns a pool in which nothing runs yet, with what this machine has
// installed.
func newPool(change func(*browser.Options)) *browser.Pool {
	options := browser.Options{
		Install: browsertest.Installation(),
		TempDir: pools.temp, StateRoots: []string{os.TempDir(), cmp.Or(os.Getenv("GOTMPDIR"), os.TempDir())}, SessionWait: 100 * time.Millisecond, Timeout: 10 * time.Second,
		Waits: wait.Standard().Part(4),
	}
	if change != nil {
		change(&options)
	}
	return browser.NewPool(options)
}

// sampled reports whether the i-th case of a large set belongs to the fixed sample
// of make test, one of n; make soak has all of them.
func sampled(i, n int) bool { return i%n == 0 || soak() }

// soak reports whether tests that repeat are to run whole.
func soak() bool { return os.Getenv("SOAK") != "" }

// pooled returns a pool for one test alone. Its sessions are closed when the test ends.
func pooled(t *testing.T) *browser.Pool {
	t.Helper()
	pools.Lock()
	defer pools.Unlock()
	var pool *browser.Pool
	if last := len(pools.idle) - 1; last >= 0 {
		pool, pools.idle = pools.idle[last], pools.idle[:last]
	} else {
		pool = newPool(nil)
		pools.all = append(pools.all, pool)
	}
	t.Cleanup(func() {
		for _, id := range pool.SessionIDs() {
			s, err := pool.Session(id)
			if err != nil {
				t.Error(err)
				continue
			}
			if err := s.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}
		pools.Lock()
		defer pools.Unlock()
		pools.idle = append(pools.idle, pool)
	})
	return pool
}

// desk is a desk of a test's own, on a browser that no other test uses meanwhile.
type desk struct {
	*workspace.Workspace
	t     *testing.T
	dir   string
	heard func(string) // is told the progress of calls; may be nil
}

// offers are the tools of desks, by what decides which tools there are: making a
// catalogue costs as much as a call.
var offers sync.Map

// offered returns the desk's tools.
func (d desk) offered() []tool.Tool {
	type maker struct {
		of                                        *workspace.Workspace
		sets                                      string
		evaluate, suites, explores, tests, drafts bool
	}
	key := maker{d.Workspace, strings.Join(d.Sets, " "), d.Evaluate, d.Suites != nil, d.Explorations != nil, d.TestRuns != nil, d.Draft != nil}
	made, ok := offers.Load(key)
	if !ok {
		made, _ = offers.LoadOrStore(key, tools.Catalogue(d.Workspace))
		d.t.Cleanup(func() { offers.Delete(key) })
	}
	return made.([]tool.Tool)
}

func offline(t *testing.T) desk {
	t.Helper()
	dir := t.TempDir()
	store, err := evidence.Open(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	baselines, err := baseline.Open(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	pool := newPool(nil)
	t.Cleanup(func() { pool.Close(3 * time.Second) }) // a call may have begun to start it
	return desk{t: t, dir: dir, Workspace: &workspace.Workspace{Settings: workspace.Settings{
		Pool: pool, Store: store, Baselines: baselines, Visual: workspace.VisualDefaults{Threshold: 0.01, IgnoreAntialiasing: true, AutoCapture: true}, Limit: 20 * time.Second, HardLimit: 30 * time.Second, MaxPixels: 40_000_000,
		Sets: []string{"core"}, Evaluate: true, Screenshot: browser.ShotOptions{Format: "png"},
		Environment: qa.Environment{AssayVersion: "test"}, Views: report.Views, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}}}
}

// online is a desk for tests that need the browser.
func online(t *testing.T) desk {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	d := offline(t)
	d.Pool = pooled(t)
	return d
}

// patient is online with a browser whose pages are waited for as long as by the program:
// for tests of how a wait and a page's own times are to each other.
func patient(t *testing.T) desk {
	t.Helper()
	return onlineWith(t, func(o *browser.Options) { o.Waits = wait.Standard() })
}

// onlineWith is online with a pool that has other options for its sessions, and no browser of
// its own.
func onlineWith(t *testing.T, change func(*browser.Options)) desk {
	t.Helper()
	d := online(t)
	browsers := d.Pool
	d.Pool = newPool(func(o *browser.Options) {
		o.Browsers = browsers
		change(o)
	})
	pool := d.Pool
	t.Cleanup(func() { pool.Close(5 * time.Second) })
	return d
}

// untimed has flows on the desk run as if they took no time: of an attempt that took more
// than what is left of a flow's time none follows, and on a busy machine any may take that
// long. Its clock stands still, and its calls have as long as any may.
func (d desk) untimed() {
	began := time.Now()
	d.Now = func() time.Time { return began }
	d.Limit, d.HardLimit = 10*time.Minute, 10*time.Minute
}

// eventually waits until look has nothing to say any more.
func eventually(t *testing.T, limit time.Duration, what string, look func() string) {
	t.Helper()
	over := time.After(limit)
	for {
		said := look()
		if said == "" {
			return
		}
		select {
		case <-over:
			t.Errorf("not within %s: %s: %s", limit, what, said)
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// answer is a tool's answer, decoded.
type answer struct {
	OK    bool
	Data  map[string]any
	Error struct {
		Code, Message, Hint string
	}
	Screenshot *tool.ScreenshotRef
	Tab        int
	text       string
	took       time.Duration
	result     *mcp.CallToolResult
}

// call calls a tool. args is JSON, a format for values.
func (d desk) call(name, args string, values ...any) answer {
	d.t.Helper()
	return d.raw(name, fmt.Sprintf(args, values...))
}

// raw calls a tool with arguments as they stand.
func (d desk) raw(name, args string) answer {
	d.t.Helper()
	for _, tool := range d.offered() {
		if tool.Definition.Name != name {
			continue
		}
		var request mcp.CallToolRequest
		request.Params.Name = name
		request.Params.Arguments = json.RawMessage(args)
		progress := d.heard
		if progress == nil {
			progress = func(string) {}
		}
		began := time.Now()
		result := tool.Handle(context.Background(), request, progress)
		a := answer{result: result, took: time.Since(began)}
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil {
			d.t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &a); err != nil {
			d.t.Fatalf("%s answered %s: %v", name, raw, err)
		}
		a.text = result.Content[0].(mcp.TextContent).Text
		if a.OK == result.IsError {
			d.t.Errorf("%s: ok is %v and isError is %v", name, a.OK, result.IsError)
		}
		return a
	}
	d.t.Fatalf("no tool %s", name)
	return answer{}
}

// ok is call for calls that must succeed.
func (d desk) ok(name, args string, values ...any) answer {
	d.t.Helper()
	a := d.call(name, args, values...)
	if !a.OK {
		d.t.Fatalf("%s %s: %s", name, fmt.Sprintf(args, values...), a.text)
	}
	return a
}

// session returns the id of the open session, and opens one where there is none: what
// brings a context of its own costs twice as much as what works on one that is there.
func (d desk) session() string {
	d.t.Helper()
	if open := d.SessionIDs(); len(open) > 0 {
		return open[0]
	}
	return d.ok("browser_launch", `{}`).Data["session_id"].(string)
}

// turns returns how to show one page after another, each at a path of its own of one site: what
// is kept of a session is read of each origin that it ever showed, in a page that is opened for it.
func turns(t *testing.T) (next func(page string) (url string)) {
	t.Helper()
	var pages sync.Map
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages.Load(r.URL.Path)
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page.(string)))
	}))
	t.Cleanup(server.Close)
	n := 0
	return func(page string) string {
		n++
		path := fmt.Sprintf("/%d/", n)
		pages.Store(path, page)
		return server.URL + path
	}
}

// site serves pages by path.
func site(t *testing.T, pages map[string]string) string {
	t.Helper()
	mux := http.NewServeMux()
	for path, body := range pages {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != path {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", cmp.Or(map[string]string{".css": "text/css", ".js": "text/javascript"}[filepath.Ext(path)], "text/html; charset=utf-8"))
			content := body
			// "500|text" answers with that status.
			if status, rest, ok := strings.Cut(body, "|"); ok && len(status) == 3 {
				code, err := strconv.Atoi(status)
				if err != nil {
					t.Errorf("page %s: status %q", path, status)
				}
				w.WriteHeader(code)
				content = rest
			}
			_, _ = w.Write([]byte(content))
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// files is the content of everything that was stored.
func (d desk) files() string {
	d.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(d.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return all.String()
}

// B6: a server that works for days does not keep all that it ever did: the
// connection's own run is finished after a hundred calls, and another one begun.
func TestOwnRunEndsAfterManyCalls(t *testing.T) {
	t.Parallel()
	d := offline(t)
	const note = `{"severity":"minor","category":"functional","assertion":"a","expected":"b","observed":"c","confidence":1}`
	for range 250 {
		d.ok("assert", note)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	runs, err := d.Store.Runs()
	if err != nil {
		t.Fatal(err)
	}
	findings := 0
	for _, r := range runs {
		report, err := d.Store.Report(r.ID)
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		findings += len(report.Findings)
	}
	if len(runs) != 3 || findings != 250 {
		t.Errorf("%d runs with %d findings, want 3 with 250", len(runs), findings)
	}
}
