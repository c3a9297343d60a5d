package tools_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const specificationDashboard = `<title>Dashboard</title><h1>Dashboard</h1><input id="name">
	<button id="load" onclick="setTimeout(() => document.getElementById('rows').hidden = false, 1200)">Load</button>
	<button id="fetch" onclick="fetch('/slow').then(r => r.text()).then(t => document.title = t)">Fetch</button>
	<p id="rows" data-testid="rows" hidden>3 rows</p><div style="height:3000px"></div>`

// slowDashboard serves specificationDashboard, and what it fetches late.
func slowDashboard(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			select {
			case <-time.After(900 * time.Millisecond):
			case <-r.Context().Done():
			}
			_, _ = io.WriteString(w, "late")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, specificationDashboard)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A3, A19: the calls of specification A work as they are written there, and the wait
// after an action is waited.
func TestCallsOfSpecificationA(t *testing.T) {
	t.Parallel()
	d := patient(t)
	slow := slowDashboard(t)
	first := d.ok("computer_action", `{"action": "screenshot"}`)
	if v := first.Data["viewport"].(map[string]any); v["width"] != 1366.0 || v["height"] != 768.0 {
		t.Errorf("the viewport of computer use is %v", v)
	}
	d.ok("page_navigate", `{"url": %q}`, slow)
	want := map[int]string{0: "then #rows is visible after", 1: "then networkidle after", 2: "then ms after", 6: "then ms after"}
	for i, call := range specificationCalls(t, "A/computer_action.json") {
		a := d.raw(call.Tool, string(call.Arguments))
		if !a.OK {
			t.Fatalf("%s %s: %s", call.Tool, call.Arguments, a.text)
		}
		if !strings.Contains(a.text, want[i]) {
			t.Errorf("%s %s does not say what it waited for: %s", call.Tool, call.Arguments, a.text)
		}
		switch i {
		case 0:
			if got := d.ok("page_evaluate", `{"script": "document.getElementById('rows').hidden"}`); got.Data["result"] != false {
				t.Error("the click with selectorVisible did not wait until the rows were there")
			}
		case 1:
			if !strings.Contains(a.text, `"late"`) || len(a.Data["networkEvents"].([]any)) == 0 {
				t.Errorf("the click with networkidle answered before the request had come back: %s", a.text)
			}
		}
	}
}

// A3: a wait that is wrong is refused before the action is done; one that is not over
// in time says that the action was done.
func TestWaitAfterAnAction(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": `<title>0</title><h1 onclick="document.title = +document.title + 1">Press</h1>`}))
	for args, message := range map[string]string{
		`{"action": "click", "selector": "h1", "wait": {"type": "forever"}}`:                                                 "forever",
		`{"action": "click", "selector": "h1", "wait": {"type": "ms"}}`:                                                      "needs a value",
		`{"action": "click", "selector": "h1", "wait": {"type": "selectorVisible"}}`:                                         "needs a selector",
		`{"action": "click", "selector": "h1", "wait": {"typ": "ms"}}`:                                                       "typ",
		`{"action": "click", "selector": "h1", "wait": {"type": "ms", "value": 40000}}`:                                      "out of range",
		`{"action": "screenshot", "wait": {"type": "ms", "value": 4}}`:                                                       "takes no wait",
		`{"actions": [{"action": "click", "selector": "h1"}, {"action": "click", "selector": "h1", "wait": {"type": "x"}}]}`: "actions[1] click",
		`{"actions": [{"action": "click", "selector": "h1", "wait": {"type": "ms", "value": 20000}},
			{"action": "click", "selector": "h1", "wait": {"type": "ms", "value": 20000}}]}`: "together",
	} {
		if a := d.raw("computer_action", args); a.OK || a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, message) {
			t.Errorf("%s: %s", args, a.text)
		}
	}
	a := d.raw("computer_action", `{"action": "click", "selector": "h1", "wait": {"type": "selectorVisible", "selector": "#none", "value": 600}}`)
	if a.OK || a.Error.Code != "TIMEOUT" && a.Error.Code != "ELEMENT_NOT_FOUND" || !strings.Contains(a.Error.Message, "click was done") {
		t.Errorf("a wait that is not over in time: %s", a.text)
	}
	if got := d.ok("page_evaluate", `{"script": "document.title"}`).Data["result"]; got != "1" {
		t.Errorf("the heading was clicked %v times, want once", got)
	}
}
