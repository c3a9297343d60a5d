package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/suite"
)

// specRun is a folder of specs, with a scripted provider to work them.
type specRun struct {
	dir, site string
	model     *wiretest.Server
	vars      map[string]string
}

// specWork writes specs, and starts a provider that plays a script of its own for
// each: the one whose name the task holds.
func specWork(t *testing.T, site string, files map[string]string, scripts map[string][]wiretest.Say) *specRun {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	r := &specRun{dir: t.TempDir(), site: site, vars: map[string]string{"SHOP_PW": "correct-horse-battery"}}
	var err error
	r.model, err = wiretest.New(wiretest.Chat, func(s wiretest.Seen) wiretest.Say {
		for name, says := range scripts {
			if strings.Contains(s.Task, name) && s.Request <= len(says) {
				return says[s.Request-1]
			}
		}
		return wiretest.Say{Calls: []wiretest.Call{ends("the script has ended")}}
	}, wiretest.Options{Secrets: []string{"correct-horse-battery"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, p := range r.model.Problems() {
			t.Error("the wire: ", p)
		}
		if err := r.model.Close(); err != nil {
			t.Error(err)
		}
	})
	for name, text := range files {
		path := filepath.Join(r.dir, "specs", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := fmt.Sprintf("schema_version = 1\n[agent]\nprovider = \"chat\"\nmodel = \"m\"\nbase_url = %q\nreplay = \"off\"\n[secrets]\nPASSWORD = \"env:SHOP_PW\"\n", r.model.URL())
	if err := os.WriteFile(filepath.Join(r.dir, "mcp.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

// run runs them all.
func (r *specRun) run(ctx context.Context, t *testing.T, args ...string) worked {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := here(bytes.NewReader(nil), &stdout, &stderr, func(name string) string {
		if value, ok := r.vars[name]; ok {
			return value
		}
		return os.Getenv(name)
	})
	line := append([]string{"run", "--json", "--config", filepath.Join(r.dir, "mcp.toml"), "--data-dir", filepath.Join(r.dir, "data"), "--base-url", r.site}, args...)
	if !slices.Contains(args, "--resume") {
		line = append(line, filepath.Join(r.dir, "specs"))
	}
	trusting(t, a, "--config", filepath.Join(r.dir, "mcp.toml"))
	w := worked{code: a.run(ctx, line), stderr: stderr.String()}
	if err := json.Unmarshal(stdout.Bytes(), &w.result); err != nil {
		t.Fatalf("exit %d, stdout %q, stderr %s: %v", w.code, stdout.String(), stderr.String(), err)
	}
	return w
}

// book is the suite as it was kept.
func (r *specRun) book(t *testing.T, id string) suite.Suite {
	t.Helper()
	s, err := suite.Store{Dir: filepath.Join(r.dir, "data", "suites")}.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func inTurn(calls ...wiretest.Call) (out []wiretest.Say) {
	for _, c := range calls {
		out = append(out, wiretest.Say{Calls: []wiretest.Call{c}})
	}
	return out
}

func opens(url string) wiretest.Call {
	return wiretest.Call{Name: "page_navigate", Args: map[string]any{"url": url}}
}

// proves makes the checks that the expectation demands.
func proves(id string) wiretest.Call {
	return wiretest.Call{Name: "verify_assertion", Args: map[string]any{"expects": []string{id}, "timeout_ms": 1000}}
}

func through(n int) wiretest.Call {
	return wiretest.Call{Name: "step_done", Args: map[string]any{"step": n}}
}

func ends(summary string) wiretest.Call {
	return wiretest.Call{Name: "run_finish", Args: map[string]any{"summary": summary, "status": "passed", "findings": []any{}}}
}

// greeter greets whoever has its cookie, and counts what it is asked.
func greeter(t *testing.T) (*httptest.Server, *atomic.Int32) {
	t.Helper()
	var logins atomic.Int32
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, format string, args ...any) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><main>`+format+`<p id="wide"></p></main><script>wide.textContent = innerWidth + " px wide"</script>`, args...)
	}
	mux.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) {
		page(w, `<form method="post"><label>Name <input name="user"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form>`)
	})
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("password") != "correct-horse-battery" {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		logins.Add(1)
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "of-ada-0123456789abcdef", Path: "/", HttpOnly: true})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		name := "nobody"
		if c, err := r.Cookie("session"); err == nil && c.Value == "of-ada-0123456789abcdef" {
			name = "ada"
		}
		page(w, `<h1>Hello %s</h1><p>Found: %s</p>`, name, r.URL.Query().Get("q"))
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site, &logins
}

func signing(password string) []wiretest.Say {
	return inTurn(opens("/login"),
		wiretest.Call{Name: "page_fill", Args: map[string]any{"selector": `textbox "Name"`, "value": "ada"}},
		wiretest.Call{Name: "page_fill", Args: map[string]any{"selector": `textbox "Password"`, "value": password}},
		wiretest.Call{Name: "page_click", Args: map[string]any{"selector": `button "Sign in"`}},
		proves("E1"), through(1), ends("signed in"))
}

const signInSpec = "---\nsecrets: [PASSWORD]\n---\n# The sign-in\n## Steps\n1. Sign in as ada with {{secret:PASSWORD}} at /login\n   - Expected: \"Hello ada\" is shown\n"
