package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// D1–D3, D5: a sign-in runs once, and those that depend on it start signed in;
// each row of data is a case.
func TestSpecs(t *testing.T) {
	t.Parallel()
	site, logins := greeter(t)
	r := specWork(t, site.URL, map[string]string{
		"AUTH_LOGIN.md": signInSpec,
		"README.md":     "# Not a spec",
		"greeting.md":   "---\ntags: [smoke]\n---\n# The greeting\n## Steps\n1. include: lib/home.md\n2. Look again\n   - Expected: \"Hello ada\" is shown\n",
		"lib/home.md":   "## Steps\n- Open /\n",
		"nobody.md":     "---\nauth: none\nviewport: {width: 500, height: 400}\n---\n# The stranger\nOpen /. Verify that \"Hello nobody\" is shown. Verify that \"500 px wide\" is shown.\n",
		"rows.md":       "# Search for {{WHAT}}\n## Steps\n1. Open /?q={{WHAT}}\n   - Expected: \"Found: {{WHAT}}\" is shown\n## Data\n| WHAT |\n|------|\n| nails |\n| screws |\n",
	}, map[string][]wiretest.Say{
		"The sign-in":       signing("${secret:PASSWORD}"),
		"The greeting":      inTurn(opens("/"), through(1), proves("E1"), through(2), ends("ok")),
		"The stranger":      inTurn(opens("/"), proves("E1"), proves("E2"), through(1), ends("ok")),
		"Search for nails":  inTurn(opens("/?q=nails"), proves("E1"), through(1), ends("ok")),
		"Search for screws": inTurn(opens("/?q=bolts"), proves("E1"), through(1), ends("ok")),
	})
	w := r.run(t.Context(), t, "--parallel", "3", "--replay", "prefer")
	got := map[string]qa.TestStatus{}
	for _, c := range w.result.TestCases {
		got[string(c.Name)] = c.Status
	}
	want := map[string]qa.TestStatus{"The sign-in": qa.TestPassed, "The greeting": qa.TestPassed, "The stranger": qa.TestPassed,
		"Search for nails [1]": qa.TestPassed, "Search for screws [2]": qa.TestFailed}
	if w.code != exitFailed || fmt.Sprint(got) != fmt.Sprint(want) || logins.Load() != 1 {
		t.Errorf("exit %d, %d sign-ins\ngot  %v\nwant %v\n%s", w.code, logins.Load(), got, want, w.stderr)
	}
	for _, q := range r.model.Requests() {
		if bytes.Contains(q.Body, []byte("of-ada")) {
			t.Error("the model was shown a cookie")
		}
	}
	index, err := os.ReadFile(filepath.Join(r.dir, "data", "suites", w.result.TestRunID, "index.html"))
	if err != nil || !bytes.Contains(index, []byte("Search for nails [1]")) || !bytes.Contains(index, []byte("smoke")) {
		t.Errorf("index of the suite: %v", err)
	}
	if s := r.book(t, w.result.TestRunID); s.Entries[0].Name != "The sign-in" || s.Entries[3].Row != 1 || !strings.HasSuffix(s.Entries[3].Result.Screenshot, "-end.png") {
		t.Errorf("%+v", s.Entries[3].Result.Screenshots)
	}

	// E10: nothing is written beside a spec that is under no version control.
	for _, e := range r.book(t, w.result.TestRunID).Entries {
		notes := string(pagetext.Join(e.Result.Notes, "; "))
		if told := strings.Contains(notes, "is not under version control") && strings.Contains(notes, "--record"); told != (e.Result.Status == qa.TestPassed) {
			t.Errorf("a recording that nobody asked for: %s: %q", e.Name, notes)
		}
	}
	if written, err := filepath.Glob(filepath.Join(r.dir, "specs", "*.flow.json")); err != nil || len(written) > 0 {
		t.Errorf("recordings that nobody asked for: %v, %v", written, err)
	}

	// What passed is kept; the sign-in is not, as others need it.
	again := r.run(t.Context(), t, "--resume", w.result.TestRunID)
	states := map[string]suite.State{}
	for _, e := range r.book(t, again.result.TestRunID).Entries {
		states[e.Name] = e.State
	}
	if again.code != exitFailed || logins.Load() != 2 || states["The sign-in"] != suite.Done || states["The greeting"] != suite.Kept || states["Search for nails [1]"] != suite.Kept || states["Search for screws [2]"] != suite.Done {
		t.Errorf("exit %d, %d sign-ins, %v", again.code, logins.Load(), states)
	}

	// 33 E: each round signs in for itself.
	if rounds := r.run(t.Context(), t, "--repeat", "2", "--parallel", "3", "--replay", "prefer", "--grep", "greeting"); rounds.code != exitPassed ||
		rounds.result.Summary.Passed != 4 || logins.Load() != 4 {
		t.Errorf("exit %d, %d sign-ins, %+v\n%s", rounds.code, logins.Load(), rounds.result.Summary, rounds.stderr)
	}
}

// D2: a sign-in that fails, or that leaves nothing to start with, says nothing
// against what depends on it. A claim without a check passes nothing (D1).
func TestSpecSignInFails(t *testing.T) {
	t.Parallel()
	site, _ := greeter(t)
	look := inTurn(opens("/"), proves("E1"), through(1), ends("ok"))
	r := specWork(t, site.URL, map[string]string{
		"AUTH_LOGIN.md": signInSpec, "a.md": "# First\nOpen /. Verify that the page says \"Hello\".\n", "b.md": "---\nauth: none\n---\n# Second\nOpen /. Verify that the page says \"Hello\".\n",
		"lies.md":           "---\nauth: none\n---\n# The lie\n## Steps\n1. Open /\n   - Expected: the total is 42\n",
		"pictures.md":       "---\nauth: none\nvisual: [{name: front}]\n---\n# The picture\nOpen /. Verify that \"Hello\" is shown.\n",
		"sub/AUTH_LOGIN.md": "# No cookie\nOpen /. Verify that the page says \"Hello\".\n", "sub/c.md": "# Third\nOpen /. Verify that the page says \"Hello\".\n",
	}, map[string][]wiretest.Say{"The sign-in": signing("wrong"), "First": look, "Second": look, "No cookie": look, "Third": look,
		"The lie":     inTurn(opens("/"), through(1), through(1), ends("all is well: the total is 42"), ends("it is")),
		"The picture": inTurn(opens("/"), proves("E1"), through(1), ends("and the picture is as ever"))})
	w := r.run(t.Context(), t)
	got := map[string]qa.TestCase{}
	for _, c := range w.result.TestCases {
		got[string(c.Name)] = c
	}
	for name, want := range map[string]struct {
		status qa.TestStatus
		why    string
	}{
		"The sign-in": {qa.TestFailed, "Hello ada"}, "First": {qa.TestError, "AUTH_LOGIN.md did not pass: 1 check of 1 failed"}, "Second": {qa.TestPassed, ""},
		"No cookie": {qa.TestPassed, ""}, "Third": {qa.TestError, "left no cookie"},
		"The lie": {qa.TestError, ""}, "The picture": {qa.TestError, ""},
	} {
		if c := got[name]; c.Status != want.status || !strings.Contains(string(c.FailureReason), want.why) {
			t.Errorf("%s: %s: %q, want %s: %q", name, c.Status, c.FailureReason, want.status, want.why)
		}
	}
	if w.code != exitFailed || len(got) != 7 {
		t.Errorf("exit %d, %d cases", w.code, len(got))
	}
}

// C9, D2: the pages of a spec reach the host of its base address, those that it
// names, and no other.
func TestSpecHosts(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	var reached sync.Map
	elsewhere := &httptest.Server{Listener: listener, Config: &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		reached.Store(r.URL.Path, true)
	})}}
	elsewhere.Start()
	t.Cleanup(elsewhere.Close)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<!doctype html><title>Hosts</title><link rel="icon" href="data:,"><h1>Hosts</h1><img alt="" src="%s%s">`, elsewhere.URL, r.URL.Path)
	}))
	t.Cleanup(site.Close)
	r := specWork(t, site.URL, map[string]string{
		"alone.md": "# Alone\nOpen /alone. Verify that \"Hosts\" is shown.\n", "named.md": "---\nallowHosts: [127.0.0.2]\n---\n# Named\nOpen /named. Verify that \"Hosts\" is shown.\n",
	}, map[string][]wiretest.Say{
		"Alone": inTurn(opens("/alone"), proves("E1"), through(1), ends("ok")), "Named": inTurn(opens("/named"), proves("E1"), through(1), ends("ok")),
	})
	w := r.run(t.Context(), t)
	_, alone := reached.Load("/alone")
	_, named := reached.Load("/named")
	if len(w.result.TestCases) != 2 || alone || !named {
		t.Errorf("exit %d, %+v; the other host was reached by the spec that does not name it: %v, by the one that does: %v", w.code, w.result.TestCases, alone, named)
	}
}

// D3, D5: a pass that was not the first attempt is flaky, and every attempt's run
// is kept.
func TestSpecRetries(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		text := "not yet"
		if asked.Add(1) > 1 {
			text = "ready"
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<!doctype html><title>Late</title><link rel="icon" href="data:,"><h1>%s</h1>`, text)
	}))
	t.Cleanup(site.Close)
	r := specWork(t, site.URL, map[string]string{
		"late.md":  "---\nretries: 2\n---\n# Late\nOpen /. Verify that \"ready\" is shown.\n",
		"never.md": "---\nretries: 1\n---\n# Never\nOpen /. Verify that \"done\" is shown.\n",
	}, map[string][]wiretest.Say{
		"Late":  inTurn(opens("/"), proves("E1"), through(1), ends("ok")),
		"Never": inTurn(opens("/"), proves("E1"), through(1), ends("ok")),
	})
	w := r.run(t.Context(), t, "--parallel", "1")
	c := w.result.TestCases
	if len(c) != 2 || c[0].Status != qa.TestPassed || !c[0].Flaky || c[0].Attempts != 2 || c[1].Status != qa.TestFailed || c[1].Flaky || c[1].Attempts != 2 {
		t.Fatalf("exit %d, %+v\n%s", w.code, c, w.stderr)
	}
	s := r.book(t, w.result.TestRunID)
	index, err := os.ReadFile(filepath.Join(r.dir, "data", "suites", s.ID, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range s.Entries {
		if b := e.Result.Before; len(b) != 1 || b[0].RunID == e.Result.RunID || b[0].Status != qa.TestFailed {
			t.Errorf("case %d: %+v", i, b)
			continue
		}
		if !bytes.Contains(index, []byte(e.Result.Before[0].RunID+"/report.html")) {
			t.Errorf("the index does not lead to the attempt before the last of case %d", i)
		}
		if _, err := os.Stat(e.Result.Before[0].Report); err != nil {
			t.Error(err)
		}
	}
}

// D2: a spec names the secrets that it uses; no other is typed for it.
func TestSpecSecrets(t *testing.T) {
	t.Parallel()
	site, logins := greeter(t)
	r := specWork(t, site.URL, map[string]string{"a.md": "# First\nSign in. Verify that the page says \"Hello ada\".\n"}, map[string][]wiretest.Say{"First": signing("${secret:PASSWORD}")})
	if w := r.run(t.Context(), t); w.code != exitFailed || logins.Load() != 0 {
		t.Errorf("exit %d, %d sign-ins with a secret that the spec does not declare", w.code, logins.Load())
	}
}

// D2: a spec can be stricter than the configuration.
func TestSpecDestructive(t *testing.T) {
	t.Parallel()
	var deleted atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rows := "All rows"
		if r.Method == http.MethodPost {
			deleted.Add(1)
			rows = "No rows"
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Rows</title><link rel="icon" href="data:,"><p>` + rows + `</p><form method="post" action="/rows/delete"><button>Delete all</button></form>`))
	}))
	t.Cleanup(site.Close)
	work := inTurn(opens("/"), wiretest.Call{Name: "page_click", Args: map[string]any{"selector": `button "Delete all"`}}, proves("E1"), through(1), ends("ok"))
	stopped := work[:2:2] // what the guard stopped leaves nothing to check
	r := specWork(t, site.URL, map[string]string{
		"allowed.md": "# Allowed\nDelete all. Verify that \"No rows\" is shown.\n",
		"denied.md":  "---\ndestructive: deny\n---\n# Denied\nDelete all. Verify that \"No rows\" is shown.\n",
	}, map[string][]wiretest.Say{"Allowed": work, "Denied": stopped})
	w := r.run(t.Context(), t, "--guard-destructive", "allow")
	c := w.result.TestCases
	if len(c) != 2 || c[0].Status != qa.TestPassed || c[1].Status != qa.TestError || deleted.Load() != 1 {
		t.Errorf("exit %d, deleted %d times, %+v\n%s", w.code, deleted.Load(), c, w.stderr)
	}
}

// A14: a page may show a secret before anybody has typed it: what the spec
// declares is hidden from the first turn on (the rig's provider looks for it).
func TestSpecSecretShownBeforeItsUse(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `<!doctype html><html lang="en"><title>In</title><p>Try correct-horse-battery</p><label>Password <input oninput="said.textContent = 'Long enough'"></label><p id="said"></p>`)
	}))
	t.Cleanup(site.Close)
	r := specWork(t, site.URL, map[string]string{"in.md": "---\nsecrets: [PASSWORD]\n---\n# The hint\n## Steps\n1. Open / and type {{secret:PASSWORD}}\n   - Expected: \"Long enough\" is shown\n"},
		map[string][]wiretest.Say{"The hint": inTurn(opens("/"), wiretest.Call{Name: "page_snapshot", Args: map[string]any{}},
			act("page_fill", `textbox "Password"`, "value", "${secret:PASSWORD}"), proves("E1"), through(1), ends("in"))})
	if w := r.run(t.Context(), t); w.code != exitPassed || len(r.model.Requests()) < 6 {
		t.Errorf("exit %d after %d requests\n%s", w.code, len(r.model.Requests()), w.stderr)
	}
}

// Specs whose sentences are all read run by rules, without a model: the sign-in with its
// secret, what is broken fails, and one that is not read is refused with its sentences (29.9).
func TestSpecsByRules(t *testing.T) {
	t.Parallel()
	site, logins := greeter(t)
	r := specWork(t, site.URL, map[string]string{
		"AUTH_LOGIN.md": "---\ntitle: The sign-in\nsecrets: [PASSWORD]\n---\n## Steps\n1. Open /login\n2. Fill \"Name\" with \"ada\" and \"Password\" with {{secret:PASSWORD}}, then click \"Sign in\"\n   - Expected: the heading \"Hello ada\" is visible\n",
		"greeting.md":   "# The greeting\n## Steps\n1. Gehe auf /?q=nails\n   - Expected: the page shows \"Found: nails\"\n## Expected\n- The heading \"Hello ada\" is visible\n",
		"broken.md":     "---\ntitle: Paying\nauth: none\n---\n## Steps\n1. Open /\n2. Click the button \"Pay\"\n   - Expected: \"Thank you\" is shown\n",
	}, nil)
	config := "schema_version = 1\n[agent]\nprovider = \"rules\"\n[secrets]\nPASSWORD = \"env:SHOP_PW\"\n"
	if err := os.WriteFile(filepath.Join(r.dir, "mcp.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	first := r.run(t.Context(), t)
	want := map[string]qa.TestStatus{"The sign-in": qa.TestPassed, "The greeting": qa.TestPassed, "Paying": qa.TestFailed}
	for _, c := range first.result.TestCases {
		if c.Status != want[string(c.Name)] {
			t.Errorf("%s: %s, want %s: %s", c.Name, c.Status, want[string(c.Name)], c.FailureReason)
		}
		delete(want, string(c.Name))
	}
	if first.code != exitFailed || len(want) > 0 || logins.Load() != 1 {
		t.Errorf("exit %d, not run %v, %d sign-ins", first.code, want, logins.Load())
	}
	if err := os.WriteFile(filepath.Join(r.dir, "specs", "more.md"), []byte("---\nauth: none\n---\n# More\n## Steps\n1. Be nice\n   - Expected: \"Hello ada\" is shown\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	a := here(bytes.NewReader(nil), &stdout, &stderr, os.Getenv)
	if code := a.run(t.Context(), []string{"run", "--replay", "prefer", "--config", filepath.Join(r.dir, "mcp.toml"), "--base-url", site.URL, filepath.Join(r.dir, "specs", "more.md")}); code != exitUsage || !strings.Contains(stderr.String(), `no form reads "Be nice"`) {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
}
