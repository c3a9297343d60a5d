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
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa"
)

const providerKey = "key-of-the-scripted-provider"

// scripted is a scripted provider that speaks Chat Completions.
func scripted(t *testing.T, script wiretest.Script) *wiretest.Server {
	t.Helper()
	return speaking(t, wiretest.Chat, script)
}

// speaking is a scripted provider that speaks a wire.
func speaking(t *testing.T, w wiretest.Wire, script wiretest.Script) *wiretest.Server {
	t.Helper()
	s, err := wiretest.New(w, script, wiretest.Options{Key: providerKey, Model: "scripted"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		for _, problem := range s.Problems() {
			t.Errorf("the provider was asked wrongly: %s", problem)
		}
	})
	return s
}

// asked is an assay run whose tasks are worked by a provider's model.
type asked struct {
	t        *testing.T
	dir      string // of the configuration, the tasks and the data
	settings string // more of mcp.toml
	vars     map[string]string
	provider string
	model    string
	base     string // of the provider
}

func ask(t *testing.T, s *wiretest.Server) *asked {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	return &asked{t: t, dir: t.TempDir(), base: s.URL(), provider: "chat", model: "scripted", vars: map[string]string{"MY_KEY": providerKey}}
}

func (a *asked) write(name, text string) {
	a.t.Helper()
	path := filepath.Join(a.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		a.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// run runs the tasks with these further arguments.
func (a *asked) run(ctx context.Context, args ...string) worked {
	a.t.Helper()
	a.write("mcp.toml", fmt.Sprintf("schema_version = 1\ndata_dir = %q\n[agent]\nprovider = %q\nmodel = %q\nbase_url = %q\napi_key = \"env:MY_KEY\"\n%s", filepath.Join(a.dir, "data"), a.provider, a.model, a.base, a.settings))
	var stdout, stderr bytes.Buffer
	app := here(bytes.NewReader(nil), &stdout, &stderr, func(name string) string {
		if value, ok := a.vars[name]; ok {
			return value
		}
		return os.Getenv(name)
	})
	trusting(a.t, app, "--config", filepath.Join(a.dir, "mcp.toml"))
	w := worked{code: app.run(ctx, append([]string{"run", "--json", "--config", filepath.Join(a.dir, "mcp.toml")}, args...)), stderr: stderr.String()}
	if strings.Contains(stdout.String()+w.stderr, providerKey) { // E6
		a.t.Errorf("the key is shown: %s%s", stdout.String(), w.stderr)
	}
	if w.code != exitUsage {
		if err := json.Unmarshal(stdout.Bytes(), &w.result); err != nil {
			a.t.Fatalf("exit %d, stdout %q, stderr %s: %v", w.code, stdout.String(), w.stderr, err)
		}
	}
	return w
}

// report is that of a case's run.
func (a *asked) report(c qa.TestCase) (r qa.QAReport) {
	a.t.Helper()
	data, err := os.ReadFile(filepath.Join(a.dir, "data", "runs", c.RunID, "report.json"))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	return r
}

// shop is a page with a heading and a button that deletes.
func shop(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Shop</title><link rel="icon" href="data:,"><h1>Orders of anna@shop.test</h1><button>Delete account</button>`))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

const orders = "goal = \"the orders are shown\"\nroute = \"/\"\nexpectations = [{ text = 'the page shows \"Orders\"' }]\n"

// looks is how the scripted model works that task.
func looks(site string, more ...wiretest.Say) []wiretest.Say {
	said := []wiretest.Say{
		{Calls: []wiretest.Call{{Name: "page_navigate", Args: map[string]any{"url": site}}}, Input: 1000, Output: 10},
		{Calls: []wiretest.Call{{Name: "verify_assertion", Args: map[string]any{"expects": []string{"E1"}}}}, Input: 2000, Output: 20},
	}
	return append(append(said, more...), wiretest.Say{Calls: []wiretest.Call{{Name: "run_finish", Args: map[string]any{"summary": "looked", "status": "passed", "findings": []any{}}}}, Input: 3000, Output: 30})
}

// A9, C2: a provider's model works a task; the report tells what that cost.
func TestTaskByAModel(t *testing.T) {
	t.Parallel()
	site := shop(t)
	s := scripted(t, wiretest.Fixed(looks(site)...))
	a := ask(t, s)
	a.settings = "redact = [\"[a-z]+@[a-z.]+\"]\n[prices.scripted]\nas_of = \"2026-11-22\"\ninput = 100\noutput = 1000\n"
	a.write("orders.task.toml", orders)
	w := a.run(t.Context(), "--base-url", site, a.dir)
	if w.code != exitPassed {
		t.Fatalf("exit %d, %+v\n%s", w.code, w.result.TestCases, w.stderr)
	}
	if c := a.report(w.result.TestCases[0]).Costs; c.TokensInput != 6000 || c.TokensOutput != 60 || c.USD < 0.6599 || c.USD > 0.6601 {
		t.Errorf("costs %+v; want 6000 tokens in, 60 out, 0.66 USD", c)
	}
	for _, r := range s.Requests() {
		if bytes.Contains(r.Body, []byte("anna@shop.test")) {
			t.Errorf("personal data went to the provider: %s", r.Body)
		}
		if strings.Contains(r.Path, "completions") && !bytes.Contains(r.Body, []byte("orders.task.toml")) { // D3
			t.Error("the orders do not name the task's file")
		}
	}
	transcript, err := os.ReadFile(filepath.Join(a.dir, "data", "runs", w.result.TestCases[0].RunID, "transcript.jsonl"))
	if err != nil || bytes.Contains(transcript, []byte("anna@shop.test")) || !bytes.Contains(transcript, []byte(`"provider":"chat","model":"scripted"`)) || !bytes.Contains(transcript, []byte("[redacted]")) || !bytes.Contains(transcript, []byte(`"orders":"You test a web application`)) {
		t.Errorf("the transcript reads %s, %v", transcript, err)
	}
}

// D2: what can't work is told before a browser starts, with what to do.
func TestProviderIsAskedFirst(t *testing.T) {
	t.Parallel()
	s := scripted(t, wiretest.Fixed())
	for name, c := range map[string]struct {
		change func(*asked)
		wants  []string
	}{
		"a wrong key":       {func(a *asked) { a.vars["MY_KEY"] = "some-other-key" }, []string{"check the key", "agent.api_key"}},
		"an unknown model":  {func(a *asked) { a.model = "else" }, []string{`agent.model "else"`}},
		"nobody there":      {func(a *asked) { a.base = "http://127.0.0.1:1/v1" }, []string{"check the connection to http://127.0.0.1:1/v1"}},
		"an unknown tool":   {func(a *asked) { a.settings = "tools = [\"page_clik\"]\n" }, []string{`agent.tools: there is no tool "page_clik"`, "page_click"}},
		"a key that is not": {func(a *asked) { a.vars["MY_KEY"] = "" }, []string{"MY_KEY is not set"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := ask(t, s)
			a.write("orders.task.toml", orders)
			c.change(a)
			w := a.run(t.Context(), "--base-url", "http://127.0.0.1:1", a.dir)
			if w.code != exitUsage {
				t.Fatalf("exit %d\n%s", w.code, w.stderr)
			}
			for _, part := range c.wants {
				if !strings.Contains(w.stderr, part) {
					t.Errorf("stderr does not say %q: %s", part, w.stderr)
				}
			}
			if strings.Contains(w.stderr, "some-other-key") {
				t.Errorf("the key is shown: %s", w.stderr)
			}
			if _, err := os.Stat(filepath.Join(a.dir, "data", "suites")); err == nil {
				t.Error("a suite was begun")
			}
		})
	}
}

// D2: on every wire, a wrong key and an unknown model are told with their remedy.
func TestEveryProviderIsAskedFirst(t *testing.T) {
	t.Parallel()
	for _, w := range wiretest.Wires() {
		s := speaking(t, w, wiretest.Fixed())
		for name, c := range map[string]struct {
			change func(*asked)
			want   string
		}{
			"key":   {func(a *asked) { a.vars["MY_KEY"] = "some-other-key" }, "check the key in"},
			"model": {func(a *asked) { a.model = "else" }, `check that agent.model "else" is a model of ` + string(w)},
		} {
			t.Run(string(w)+" "+name, func(t *testing.T) {
				a := ask(t, s)
				a.provider = string(w)
				a.write("orders.task.toml", orders)
				c.change(a)
				if got := a.run(t.Context(), "--base-url", "http://127.0.0.1:1", a.dir); got.code != exitUsage || !strings.Contains(got.stderr, c.want) || strings.Contains(got.stderr, "some-other-key") {
					t.Errorf("exit %d, want %q in %s", got.code, c.want, got.stderr)
				}
			})
		}
	}
}

// E4: what goes wrong on the wire is asked again, told in the log, and changes
// nothing about the verdict.
func TestFaultsOnTheWire(t *testing.T) {
	t.Parallel()
	site := shop(t)
	said := looks(site)
	said[0].Fault, said[1].Fault, said[2].Fault = wiretest.RateLimit, wiretest.Cut, wiretest.Malformed
	a := ask(t, speaking(t, wiretest.OpenAI, wiretest.Fixed(said...)))
	a.provider = "openai"
	a.write("orders.task.toml", orders)
	w := a.run(t.Context(), "--log", "json", "--base-url", site, a.dir)
	if w.code != exitPassed {
		t.Fatalf("exit %d, %+v\n%s", w.code, w.result.TestCases, w.stderr)
	}
	for _, fault := range []string{"rate-limited", "unavailable", "bad-answer"} {
		if !strings.Contains(w.stderr, `"fault":"`+fault+`"`) {
			t.Errorf("no line of the log tells %s: %s", fault, w.stderr)
		}
	}
}

// D6, E4: an outage is no fault of the thing under test. One task waits for it;
// the others ask once. What it kept from being worked, --resume works again.
func TestOutageAndResume(t *testing.T) {
	t.Parallel()
	site := shop(t)
	s := scripted(t, wiretest.Fixed(looks(site)...))
	var back atomic.Bool
	var turns, checks atomic.Int32 // that were asked for while the provider was gone
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		counted := &checks
		if r.Method == http.MethodPost {
			counted = &turns
		}
		if !back.Load() && (counted.Add(1) > 1 || r.Method == http.MethodPost) { // the check before the suite is answered
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		forward(w, r, strings.TrimSuffix(s.URL(), "/v1"))
	}))
	t.Cleanup(front.Close)
	a := ask(t, s)
	a.base, a.settings = front.URL+"/v1", "max_retries_per_step = 1\n"
	a.write("1.task.toml", orders)
	a.write("2.task.toml", strings.Replace(orders, "the orders", "all orders", 1))
	w := a.run(t.Context(), "--base-url", site, "--parallel", "1", a.dir)
	if w.code != exitFailed || len(w.result.TestCases) != 2 {
		t.Fatalf("exit %d, %+v\n%s", w.code, w.result.TestCases, w.stderr)
	}
	for _, c := range w.result.TestCases {
		if r := a.report(c); r.Status != qa.Inconclusive || !strings.Contains(string(r.StatusReason), "model: the model") {
			t.Errorf("%s (%s)", r.Status, r.StatusReason)
		}
	}
	if turns.Load() != 2 || checks.Load() != 2 {
		t.Errorf("%d turns and %d checks were asked for; want 2 of the first task, and 1 check before the suite and for the second task each", turns.Load(), checks.Load())
	}
	back.Store(true)
	w = a.run(t.Context(), "--resume", w.result.TestCases[0].RunID, "--parallel", "1")
	if w.code != exitPassed || w.result.Summary.Passed != 2 {
		t.Errorf("after the outage: exit %d, %+v\n%s", w.code, w.result.TestCases, w.stderr)
	}
}

// forward hands a request to another server, and its answer back.
func forward(w http.ResponseWriter, r *http.Request, to string) {
	out, err := http.NewRequestWithContext(r.Context(), r.Method, to+r.URL.RequestURI(), r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	out.Header = r.Header.Clone()
	answer, err := http.DefaultTransport.RoundTrip(out)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.StatusCode)
	var body bytes.Buffer
	_, _ = body.ReadFrom(answer.Body)
	_, _ = w.Write(body.Bytes())
}

// Nobody is there to be asked: what the guard wants a person to permit is not
// done, and the run has not passed.
func TestNobodyToAsk(t *testing.T) {
	t.Parallel()
	site := shop(t)
	s := scripted(t, wiretest.Fixed(looks(site, wiretest.Say{Calls: []wiretest.Call{{Name: "page_click", Args: map[string]any{"selector": `button "Delete account"`}}}})...))
	a := ask(t, s)
	a.settings = "[guard]\ndestructive = \"ask\"\n"
	a.write("orders.task.toml", orders)
	w := a.run(t.Context(), "--base-url", site, a.dir)
	if w.code != exitFailed {
		t.Fatalf("exit %d, %+v\n%s", w.code, w.result.TestCases, w.stderr)
	}
	if r := a.report(w.result.TestCases[0]); r.Status != qa.Inconclusive || !strings.Contains(string(r.StatusReason), "needs-human") {
		t.Errorf("%s (%s)", r.Status, r.StatusReason)
	}
}
