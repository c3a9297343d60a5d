package e2e_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/demo"
)

// suiteState is what these tests read of a suite.
type suiteState struct {
	SuiteID                                     string `json:"suite_id"`
	State, Status, Index, Problem               string
	Total, Done, Passed, Failed, Error, Skipped int
	Cases                                       []struct {
		Name, State, Status, Reason string
		RunID                       string `json:"run_id"`
	}
}

func suiteOf(w *wire, a answer) (s suiteState) {
	w.t.Helper()
	decode(w.t, a.envelope.Data, &s)
	return s
}

// withFiles starts a server with all toolsets, in a folder with these files.
func withFiles(t *testing.T, files map[string]string, variables ...string) *wire {
	t.Helper()
	needsBinary(t)
	w := launchWith(t, november25, t.TempDir(), []string{"--tools-sets", "core,full", "--agent-replay", "prefer"}, variables...) // as on a person's machine, where CI is set, too
	w.greet()
	w.put(files)
	return w
}

// put writes files into the server's folder.
func (w *wire) put(files map[string]string) {
	w.t.Helper()
	for name, text := range files {
		path := filepath.Join(w.cmd.Dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
}

const (
	fineFlow  = "start_url = \"/login\"\nsuccess_condition = 'heading \"Sign in\"'\n"
	wrongFlow = "start_url = \"/login\"\n[[steps]]\naction = \"assert\"\nselector = 'heading \"Nothing\"'\nassertion = { type = \"visible\" }\ntimeout_ms = 300\n"
)

// A client starts a suite, works on meanwhile, follows it, and runs again what
// has not passed; no call lasts as long as the suite (design §5: 45 s). A suite that is
// cancelled ends, whatever it waits for, and says so.
func TestSuiteInTheBackground(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	site := startDemo(t, demo.Options{})
	w := withFiles(t, map[string]string{"flows/fine.flow.toml": fineFlow, "flows/wrong.flow.toml": wrongFlow})
	s := suiteOf(w, w.do("run_suite", map[string]any{"paths": []string{"flows"}, "base_url": site.URL()}))
	if s.State != "running" || s.Total != 2 {
		t.Errorf("a suite that began is %+v", s)
	}
	w.do("page_navigate", map[string]any{"url": site.URL() + "/login"}) // the client's own session is not in the way
	s = suiteOf(w, w.do("run_status", map[string]any{"suite_id": s.SuiteID, "wait_ms": 40000}))
	if s.State != "finished" || s.Status != "failed" || s.Passed != 1 || s.Failed != 1 || s.Done != 2 {
		t.Errorf("the suite ended as %+v", s)
	}
	for _, c := range s.Cases {
		if _, err := os.Stat(filepath.Join(w.data, "runs", c.RunID, "report.html")); err != nil || c.RunID == "" {
			t.Errorf("%s has no report: %v", c.Name, err)
		}
	}
	if _, err := os.Stat(s.Index); err != nil {
		t.Errorf("the index: %v", err)
	}
	if err := os.WriteFile(filepath.Join(w.cmd.Dir, "flows", "wrong.flow.toml"), []byte(fineFlow), 0o600); err != nil {
		t.Fatal(err)
	}
	again := suiteOf(w, w.do("run_suite", map[string]any{"resume": s.SuiteID}))
	again = suiteOf(w, w.do("run_status", map[string]any{"suite_id": again.SuiteID, "wait_ms": 40000}))
	if again.Status != "passed" || again.Passed != 2 {
		t.Errorf("fixed and run again: %+v", again)
	}
	t.Run("cancelled", func(t *testing.T) { w.in(t).cancelsASuite() })
}

func (w *wire) cancelsASuite() {
	w.t.Helper()
	arrived := make(chan struct{}, 10)
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(rw, "<!doctype html><title>slow</title>")
		arrived <- struct{}{}
	}))
	defer site.Close()
	slow := "start_url = \"/\"\nsuccess_condition = 'heading \"Never\"'\ntimeout_ms = 40000\n[[steps]]\naction = \"wait\"\nselector = 'heading \"Never\"'\ntimeout_ms = 40000\n"
	files := map[string]string{}
	for i := range 8 {
		files[fmt.Sprintf("slow/%d.flow.toml", i)] = slow
	}
	w.put(files)
	s := suiteOf(w, w.do("run_suite", map[string]any{"paths": []string{"slow"}, "base_url": site.URL}))
	<-arrived
	w.do("run_cancel", map[string]any{"suite_id": s.SuiteID})
	asked := time.Now()
	s = suiteOf(w, w.do("run_status", map[string]any{"suite_id": s.SuiteID, "wait_ms": 30000}))
	if s.State != "cancelled" || s.Status == "passed" || s.Skipped == 0 || s.Done != 8 || time.Since(asked) > patience {
		w.t.Errorf("a cancelled suite is %+v", s)
	}
}

// What can't be run is refused with what to do, before anything runs.
func TestSuiteRefused(t *testing.T) {
	t.Parallel()
	w := withFiles(t, map[string]string{"bad/bad.flow.toml": "start_url = \"/\"\nnonsense = 1\n", "empty/readme.txt": "", "spec/one.md": "## Steps\n\n1. Look.\n   - Expected: it is there\n"}, browserless(t)...)
	for what, in := range map[string]map[string]any{
		"a path outside":        {"paths": []string{"../elsewhere"}},
		"an absolute path":      {"paths": []string{"/etc"}},
		"no such path":          {"paths": []string{"missing"}},
		"a file that is wrong":  {"paths": []string{"bad"}, "base_url": "http://127.0.0.1:1"},
		"a folder without any":  {"paths": []string{"empty"}},
		"a base that is none":   {"paths": []string{"bad"}, "base_url": "ftp://x"},
		"a spec without model":  {"paths": []string{"spec"}, "base_url": "http://127.0.0.1:1"},
		"a suite that is not":   {"resume": "20000101T000000.000Z-aaaaaa"},
		"a shard out of bounds": {"paths": []string{"spec"}, "shard": "3/2", "base_url": "http://127.0.0.1:1"},
	} {
		a := w.call("run_suite", in)
		if w.fails(a, "INVALID_INPUT"); a.envelope.Error.Hint == "" {
			t.Errorf("%s: no hint: %s", what, a.text())
		}
	}
	w.fails(w.call("run_status", map[string]any{"suite_id": "20000101T000000.000Z-aaaaaa"}), "INVALID_INPUT")
	w.fails(w.call("run_cancel", map[string]any{"suite_id": "../../x"}), "INVALID_INPUT")
}

// The model that a client lends is gone: nothing runs, and what to take is said.
func TestLentModelIsGone(t *testing.T) {
	t.Parallel()
	w := launchWith(t, november25, t.TempDir(), []string{"--tools-sets", "core,full", "--agent-provider", "sampling", "--agent-replay", "off"}, browserless(t)...)
	w.greet()
	if err := os.WriteFile(filepath.Join(w.cmd.Dir, "one.md"), []byte("## Steps\n\n1. Open /login.\n   - Expected: it is shown\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.fails(w.call("run_suite", map[string]any{"paths": []string{"one.md"}, "base_url": "http://127.0.0.1:1"}), "INVALID_INPUT")
}
