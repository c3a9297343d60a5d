package author_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/author/reset"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

// seeded is a site whose pages show what was left behind, until a request sets it back.
type seeded struct {
	*httptest.Server
	mu    sync.Mutex
	left  bool
	asked []string
	holds chan struct{} // pages wait for its end; nil: they don't
}

func newSeeded(t *testing.T, holds chan struct{}) *seeded {
	t.Helper()
	s := &seeded{left: true, holds: holds}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" {
			return
		}
		s.mu.Lock()
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		if r.Method == http.MethodPost {
			s.left = false
		}
		left := s.left
		s.mu.Unlock()
		if s.holds != nil && r.Method == http.MethodGet {
			select {
			case <-s.holds:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Shop</title><main><h1>Shop, left %v</h1><button id=add onclick=\"document.querySelector('p').textContent='One thing'\">Add</button><p></p><a href=/a>A</a> <a href=/b>B</a></main>", left)
	}))
	t.Cleanup(s.Close)
	return s
}

// resets returns how often the site was set back, and what it was asked first.
func (s *seeded) resets() (n int, first string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, asked := range s.asked {
		if asked == "POST /test/reset" {
			n++
		}
	}
	return n, strings.Join(s.asked[:min(len(s.asked), 1)], "")
}

// C1: each site is set back before its first page is loaded, the run says so, and an exploration that goes on does not
// do it again.
func TestSitesAreSetBackFirst(t *testing.T) {
	ws, one, other := desk(t), newSeeded(t, nil), newSeeded(t, nil)
	store, err := evidence.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ws.Store, ws.Views = store, report.Views
	var mu sync.Mutex
	var told []string
	o := options(t, false)
	o.URLs = []string{one.URL + "/", other.URL + "/"}
	o.Explore.Limits.Actions = 1
	o.Reset = reset.Way{Address: "/test/reset", Now: time.Now}
	o.SetBack = func(url, by string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, url+" "+by)
	}
	results := author.Explore(t.Context(), ws, o)
	slices.Sort(told)
	if want := []string{one.URL + "/ POST /test/reset", other.URL + "/ POST /test/reset"}; !slices.Equal(told, slices.Sorted(slices.Values(want))) {
		t.Errorf("told %q", told)
	}
	for i, s := range []*seeded{one, other} {
		if n, first := s.resets(); n != 1 || first != "POST /test/reset" || s.left {
			t.Errorf("set back %d times, first %q", n, first)
		}
		r := results[i]
		if r.Err != nil || len(r.Site.States) == 0 {
			t.Fatalf("%+v, %v", r.Site.Stop, r.Err)
		}
		requireRun(t, store, r, qa.Inconclusive)
		log, err := os.ReadFile(filepath.Join(filepath.Dir(r.Report), "events.jsonl"))
		if err != nil || !strings.Contains(string(log), "POST /test/reset") {
			t.Errorf("%v: the run does not say that the site was set back:\n%s", err, log)
		}
	}
	o.Resume, o.URLs, o.Out, o.Explore.Limits.Actions = true, o.URLs[:1], results[0].Dir, 2
	if r := author.Explore(t.Context(), ws, o)[0]; r.Err != nil || len(r.Site.Edges) < 2 {
		t.Errorf("%d actions, %v", len(r.Site.Edges), r.Err)
	}
	if n, _ := one.resets(); n != 1 {
		t.Errorf("the exploration that goes on has set the site back, too: %d", n)
	}
}

// A site that is not set back is not opened, and what an earlier exploration has left stays.
func TestASiteThatCanNotBeSetBack(t *testing.T) {
	ws, s := desk(t), newSeeded(t, nil)
	o := options(t, false)
	if err := os.WriteFile(filepath.Join(o.Out, "resume.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.URLs, o.Reset = []string{s.URL + "/"}, reset.Way{Address: "http://127.0.0.1:1/test/reset", Now: time.Now}
	if r := author.Explore(t.Context(), ws, o)[0]; r.Err == nil || !strings.Contains(r.Err.Error(), "another site") {
		t.Error(r.Err)
	}
	if _, first := s.resets(); first != "" {
		t.Errorf("asked %s", first)
	}
	if _, err := os.Stat(filepath.Join(o.Out, "resume.json")); err != nil {
		t.Error(err)
	}
}

// An exploration would set the site back under another one of the server.
func TestOneExplorationOfASiteThatIsSetBack(t *testing.T) {
	holds := make(chan struct{})
	ws, s := desk(t), newSeeded(t, holds)
	b := &author.Background{DataDir: t.TempDir(), Options: func(writes bool) (author.Options, error) {
		o := options(t, writes)
		o.Reset = reset.Way{Address: "/test/reset", Now: time.Now}
		return o, nil
	}}
	if _, err := b.Start(t.Context(), ws, workspace.ExploreRequest{URL: s.URL + "/", MaxActions: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Start(t.Context(), ws, workspace.ExploreRequest{URL: s.URL + "/a"}); err == nil || !strings.Contains(err.Error(), "explore.reset would set its site back") {
		t.Error(err)
	}
	close(holds)
	b.Close(t.Context())
}

// C4: tests are made on a site that was set back; those that go on find it as it was left.
func TestTestsAreMadeOnASiteThatWasSetBack(t *testing.T) {
	ws, s, dir := desk(t), newSeeded(t, nil), t.TempDir()
	const id = "20260102-030405"
	if err := disk.MakeDataFolder(dir); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := disk.Write(root, "explorations/"+id+"/"+author.PlanName, []byte(cartPlan)); err != nil {
		t.Fatal(err)
	}
	g := &author.Generating{DataDir: dir, Runner: func() (testrun.Runner, error) { return testrun.Runner{}, nil },
		Reset: func() (reset.Way, error) { return reset.Way{Address: "/test/reset", Now: time.Now}, nil }}
	request := workspace.GenerateRequest{ExplorationID: id, FromPlan: true, BaseURL: s.URL, Draft: true}
	for _, goesOn := range []bool{false, true} {
		request.Resume = goesOn
		if _, err := g.Start(t.Context(), ws, request); err != nil {
			t.Fatal(err)
		}
		if done, err := g.Status(t.Context(), id); err != nil || done.State != "finished" || !goesOn && done.Tests != 1 {
			t.Fatalf("%+v %v", done, err)
		}
		if n, first := s.resets(); n != 1 || first != "POST /test/reset" {
			t.Errorf("going on %v: set back %d times, first %q", goesOn, n, first)
		}
	}
	request.Resume, request.BaseURL = false, s.URL+":1"
	if _, err := g.Start(t.Context(), ws, request); err == nil {
		t.Error("an address that is none is taken")
	}
	g.Close(t.Context())
}
