package tools_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/flows"
)

// cautious is a desk whose browser has a guard.
func cautious(t *testing.T, confirm func(context.Context, string) (bool, error)) desk {
	t.Helper()
	g, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return onlineWith(t, func(o *browser.Options) { o.Guard, o.Confirm = g, confirm })
}

func deletable(t *testing.T) (url string, deleted *atomic.Int64) {
	t.Helper()
	deleted = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			deleted.Add(1)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Users</title><h1>42 users</h1><button onclick="fetch('/u', {method: 'DELETE'})">Delete</button>
			<button onclick="fetch('/u', {method: 'DELETE'}).catch(() => 1)">OK</button><a href="/auto">Auto</a>`)
		if r.URL.Path == "/auto" {
			fmt.Fprint(w, `<script>fetch('/u', {method: 'DELETE'}).catch(() => 1)</script>`)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, deleted
}

// A12, promise 1: what the guard stopped is the tester's doing: the run is
// inconclusive, whatever else was checked, and never failed for it.
func TestStoppedActionsKeepARunFromPassing(t *testing.T) {
	t.Parallel()
	all := cautious(t, nil)
	url, deleted := deletable(t)
	for name, act := range map[string]func(d desk){
		"the action": func(d desk) {
			if a := d.call("page_click", `{"selector": "button \"Delete\""}`); a.Error.Code != "ACTION_BLOCKED" || !strings.Contains(a.Error.Hint, "guard.destructive") {
				d.t.Errorf("the click: %s", a.text)
			}
		},
		"its request": func(d desk) {
			if a := d.call("page_click", `{"selector": "button \"OK\""}`); a.Error.Code != "ACTION_BLOCKED" || !strings.Contains(a.text, "DELETE http") || !strings.Contains(a.text, "rule: DELETE") {
				d.t.Errorf("the click: %s", a.text)
			}
		},
		"the page by itself": func(d desk) {
			if a := d.ok("page_navigate", `{"url": "%s/auto"}`, url); !strings.Contains(a.text, "the guard stopped") {
				d.t.Errorf("the navigation: %s", a.text)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := all
			d.t = t
			d.ok("run_start", `{"goal": "look at the users"}`)
			d.ok("page_navigate", `{"url": %q}`, url)
			d.ok("verify_element_exists", `{"selector": "heading \"42 users\""}`)
			act(d)
			if status, reason := d.finish(); status != "inconclusive" || !strings.Contains(reason, "guard stopped") {
				t.Errorf("%s: %s, want inconclusive because of the guard", status, reason)
			}
		})
	}
	if n := deleted.Load(); n != 0 {
		t.Errorf("%d deletions arrived", n)
	}
}

// A12: the steps of a file that a person wrote permit what they do; the same steps from a
// program, or in a call, don't.
func TestWrittenStepsPermitTheirActs(t *testing.T) {
	t.Parallel()
	url, deleted := deletable(t)
	g, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := onlineWith(t, func(o *browser.Options) { o.Guard = g.ByActs() })
	f := flow.Flow{StartURL: url, SuccessCondition: `heading "42 users"`, Steps: []qa.FlowStep{{Action: "assert", Selector: "css=body", Assertion: &qa.Assertion{Type: qa.TextContains, Expected: "42 users"}}, {Action: "click", Selector: `button "Delete"`}, {Action: "click", Selector: `button "OK"`}}}
	for _, test := range []struct {
		written bool
		want    qa.TestStatus
		arrives int64
	}{{true, qa.TestPassed, 2}, {false, qa.TestError, 0}} {
		deleted.Store(0)
		f.Written = test.written
		result, err := flows.Play(t.Context(), d.Workspace, f, func(string) {})
		if err != nil || result.Status != test.want || deleted.Load() != test.arrives {
			t.Errorf("written %v: %v, %s: %s; %d deletions arrived, want %d", test.written, err, result.Status, result.FailureReason, deleted.Load(), test.arrives)
		}
	}
	deleted.Store(0)
	d.ok("run_start", `{"goal": "delete a user"}`)
	if a := d.call("verify_user_flow", `{"start_url": %q, "steps": [{"action": "click", "selector": "button \"Delete\""}], "success_condition": "heading \"42 users\""}`, url); !strings.Contains(a.text, "guard") || deleted.Load() != 0 {
		t.Errorf("steps in a call: %s; %d deletions arrived", a.text, deleted.Load())
	}
}

// A12: what a person permits is done, and the run is none the worse for it.
func TestPermittedActionsAreDone(t *testing.T) {
	t.Parallel()
	url, deleted := deletable(t)
	d := cautious(t, func(_ context.Context, question string) (bool, error) {
		if strings.Count(question, `button "Delete"`) != 1 {
			t.Errorf("the question doubles the element: %s", question)
		}
		return true, nil
	})
	d.ok("run_start", `{"goal": "delete a user"}`)
	d.ok("page_navigate", `{"url": %q}`, url)
	d.ok("page_click", `{"selector": "button \"Delete\""}`)
	d.ok("verify_assertion", `{"assertion": {"type": "request_made", "expected": "DELETE **/u"}}`)
	if status, reason := d.finish(); status != "passed" || deleted.Load() != 1 {
		t.Errorf("%s: %s; %d deletions arrived, want 1", status, reason, deleted.Load())
	}
}

// B1, design §8: the tool as a caller knows it, and the traffic in the run's
// folder as artefacts with digests.
func TestNetworkIntercept(t *testing.T) {
	t.Parallel()
	d := online(t)
	url, _ := deletable(t)
	d.ok("run_start", `{"goal": "mock"}`)
	d.ok("page_navigate", `{"url": %q}`, url)
	a := d.ok("network_intercept", `{"patterns": ["GET **/api/*"], "mode": "mock", "response": {"status": 503, "body": "down", "delay_ms": 1}}`)
	if rules := a.Data["rules"].([]any); len(rules) != 1 || len(a.Data["events"].([]any)) != 0 {
		t.Errorf("after the mock: %v", a.Data)
	}
	if a := d.ok("page_evaluate", `{"script": "fetch('/api/x').then(r => r.status)"}`); a.Data["result"] != 503.0 {
		t.Errorf("the page got %v, want 503", a.Data["result"])
	}
	if a := d.ok("network_intercept", `{"patterns": ["/elsewhere"]}`); len(a.Data["rules"].([]any)) != 1 || a.Data["matched"] != 0.0 {
		t.Errorf("observe of another pattern: %v, want the rule that is in force", a.Data)
	}
	a = d.ok("network_intercept", `{"patterns": ["GET **/api/*"]}`)
	events := a.Data["events"].([]any)
	if len(events) != 1 || events[0].(map[string]any)["mocked"] != "GET **/api/*" || len(a.Data["rules"].([]any)) != 0 || !strings.Contains(a.text, "503 mocked") {
		t.Errorf("observed: %s %v", a.text, a.Data)
	}
	d.ok("network_intercept", `{"patterns": ["**/a", "**/b"], "mode": "block"}`)
	if a := d.ok("network_intercept", `{"patterns": ["*"], "mode": "block"}`); len(a.Data["rules"].([]any)) != 3 {
		t.Errorf("a pattern for all requests: %v", a.Data)
	}
	if a := d.ok("network_intercept", `{}`); len(a.Data["rules"].([]any)) != 0 {
		t.Errorf("observe without patterns leaves rules in force: %v", a.Data)
	}
	for args, want := range map[string]string{
		`{"mode": "block"}`: "needs patterns",
		`{"patterns": ["*"], "mode": "mock", "response": {"stats": 1}}`:            "stats",
		`{"patterns": ["*"], "mode": "mock", "response": {"status": 99}}`:          "200 to 599",
		`{"patterns": ["*"], "mode": "drop"}`:                                      "mode",
		`{"patterns": ["*"], "mode": "mock", "response": {"delay_ms": 3600000}}`:   "0 to 60000",
		`{"patterns": ["*"], "mode": "block", "response": {"body": "for nobody"}}`: "leave response out",
	} {
		if a := d.raw("network_intercept", args); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.text, want) {
			t.Errorf("%s: %s, want INVALID_INPUT about %q", args, a.text, want)
		}
	}
	d.ok("verify_page_loads", `{"url": "%s/one-off"}`, url)
	report := d.ok("run_finish", `{}`).Data
	names := fmt.Sprint(report["artifacts"])
	for _, name := range []string{"network.har", "network.jsonl"} {
		if !strings.Contains(names, name) {
			t.Errorf("the report lacks %s: %s", name, names)
		}
	}
	found, err := filepath.Glob(filepath.Join(d.dir, "runs", "*", "network.har"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v %v", found, err)
	}
	har, err := os.ReadFile(found[0])
	if err != nil || !strings.Contains(string(har), "/one-off") || !strings.Contains(string(har), "mocked by GET **/api/*") {
		t.Errorf("the archive: %v %s", err, har)
	}
}
