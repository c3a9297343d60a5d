package tools_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/resources"
)

const shopPage = `<!doctype html><title>Shop</title><h1 id=h>Cart</h1>
<p id=total>Total: 42 items</p><button id=pay onclick="document.getElementById('done').hidden=false;console.log('paid');fetch('/api/pay',{method:'POST'})">Pay</button>
<div id=done hidden>Thank you</div><button id=off disabled>Off</button>
<input id=code aria-label="Code" value="A1"><input id=pw type=password aria-label="Password">
<input id=gift type=checkbox aria-label="Gift" checked>
<select id=size aria-label="Size"><option>S<option>L</select>
<a href="/next" id=next title="Go on">Next</a> <a href="/down" id=bad>Bad</a>
<div id=menu onmouseover="document.getElementById('tip').hidden=false">Menu</div><span id=tip hidden>Tip</span>
<input id=key aria-label="Key" onkeydown="if(event.key=='Enter')document.getElementById('entered').hidden=false"><b id=entered hidden>Entered</b>
<script>setTimeout(() => { let p = document.createElement('p'); p.id = 'late'; p.textContent = 'Late'; document.body.append(p) }, 150)</script>`

// shop serves pages for flows.
func shop(t *testing.T) string {
	return site(t, map[string]string{
		"/": shopPage, "/next": `<title>Next</title><h1>Next page</h1><p role=alert>Card declined</p>`,
		"/down": "500|<title>Oops</title><h1>oops</h1>", "/api/pay": "{}",
		"/noisy":   `<title>Noisy</title><h1>Noisy</h1><script>console.error('boom')</script>`,
		"/many":    `<title>Many</title>` + strings.Repeat("<button>Buy</button>", 2000),
		"/forever": `<title>F</title><h1>F</h1><script>setInterval(() => { location.href = '/forever?' + Math.random() }, 1)</script>`,
		"/moves":   `<title>M</title><style>@keyframes m { from { margin-left: 0 } to { margin-left: 300px } } button { animation: m .3s linear infinite alternate }</style><button>Catch</button>`,
		"/echo":    `<title>E</title><input id=s aria-label=S oninput="document.title=this.value;console.log('typed '+this.value);document.getElementById('o').textContent=this.value"><p id=o></p>`,
	})
}

// B3: every action and every assertion of a flow works on a real page.
func TestFlowActionsAndAssertions(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := shop(t)
	a := d.ok("verify_user_flow", `{"name": "all of it", "start_url": %q, "success_condition": "Next page", "steps": [
		{"action": "assert", "selector": "heading \"Cart\"", "assertion": {"type": "visible"}},
		{"action": "assert", "selector": "css=#done", "assertion": {"type": "exists"}},
		{"action": "assert", "selector": "css=#done", "assertion": {"type": "hidden"}},
		{"action": "assert", "assertion": {"type": "text_contains", "expected": "42 items"}},
		{"action": "assert", "selector": "css=#total", "assertion": {"type": "text_equals", "expected": "Total: 42 items"}},
		{"action": "fill", "selector": "textbox \"Code\"", "value": "B2"},
		{"action": "assert", "selector": "css=#code", "assertion": {"type": "value_equals", "expected": "B2"}},
		{"action": "assert", "selector": "css=button", "assertion": {"type": "count_equals", "expected": 2}},
		{"action": "assert", "selector": "css=#next", "assertion": {"type": "attribute_equals", "attribute": "title", "expected": "Go on"}},
		{"action": "assert", "selector": "css=#gift", "assertion": {"type": "checked"}},
		{"action": "assert", "selector": "css=#off", "assertion": {"type": "enabled", "expected": false}},
		{"action": "assert", "assertion": {"type": "title_equals", "expected": "Shop"}},
		{"action": "select", "selector": "combobox \"Size\"", "option": "L"},
		{"action": "hover", "selector": "css=#menu"},
		{"action": "wait", "selector": "css=#tip"},
		{"action": "wait", "value": 20},
		{"action": "press", "selector": "css=#key", "key": "Enter"},
		{"action": "assert", "selector": "css=#entered", "assertion": {"type": "visible"}},
		{"action": "click", "selector": "button \"Pay\"", "description": "pay the cart"},
		{"action": "assert", "assertion": {"type": "request_made", "expected": "POST /api/pay 200"}},
		{"action": "assert", "assertion": {"type": "response_status", "url": "POST /api/pay", "expected": 200}},
		{"action": "assert", "assertion": {"type": "console_clean"}},
		{"action": "screenshot", "name": "paid"},
		{"action": "screenshot", "name": "total", "selector": "css=#total"},
		{"action": "navigate", "url": "/next"},
		{"action": "assert", "assertion": {"type": "url_matches", "expected": "/next"}}
	]}`, url)
	if a.Data["success"] != true || a.Data["status"] != "passed" || a.Data["steps_completed"] != 26.0 || a.Data["total_steps"] != 26.0 || a.Data["attempts"] != 1.0 {
		t.Fatalf("a flow that holds: %v\n%s", a.Data, a.text)
	}
	shots := a.Data["screenshots"].([]any)
	if len(shots) > 28 { // one after each step, one after start_url, one after the condition; assertions that are looked at as one share theirs
		t.Errorf("%d screenshots, want 28 at most", len(shots))
	}
	var stored struct{ Steps []flow.Step }
	_, path, _ := strings.Cut(a.text, "result: ")
	data, err := os.ReadFile(strings.Fields(path)[0])
	if err != nil || json.Unmarshal(data, &stored) != nil {
		t.Fatalf("the stored result: %v", err)
	}
	for _, s := range stored.Steps {
		if len(s.Screenshots) == 0 {
			t.Errorf("step %d has no picture", s.Index)
		}
	}
	for _, s := range shots {
		if _, err := os.Stat(s.(map[string]any)["path"].(string)); err != nil {
			t.Errorf("a picture that is told but not stored: %v", err)
		}
	}
	if logs := fmt.Sprint(a.Data["console_logs"]); !strings.Contains(logs, "paid") {
		t.Errorf("console logs lack what the page logged: %s", logs)
	}
	evidence := a.Data["evidence"].(map[string]any)
	if hash, _ := evidence["hash"].(string); len(hash) != 64 || evidence["timestamp"] == nil || !strings.Contains(d.files(), hash) {
		t.Errorf("evidence %v is not in the run's journal", evidence)
	}
	if len(d.Pool.SessionIDs()) != 0 {
		t.Error("the flow's own context is still open")
	}
}

// Promise 1: what a flow must not call passed. Each failed one says the step,
// and the run fails with it.
func TestFlowsThatMustNotPass(t *testing.T) {
	t.Parallel()
	all, url := patient(t), shop(t)
	for i, tt := range []struct {
		name, flow     string
		status, reason string
		step           float64
	}{
		{"last assert false", `"start_url": "URL", "steps": [{"action": "click", "selector": "button \"Pay\""}, {"action": "assert", "selector": "css=#total", "timeout_ms": 200, "assertion": {"type": "text_equals", "expected": "Total: 41 items"}}]`,
			"failed", "step 2: assert css=#total: text_equals css=#total: expected Total: 41 items, observed Total: 42 items", 2},
		{"condition does not hold", `"start_url": "URL", "success_condition": "text=No such words", "steps": [{"action": "hover", "selector": "css=#menu"}]`, "failed", "success_condition", 2},
		{"condition is a hidden element", `"start_url": "URL", "success_condition": "#done", "steps": []`, "failed", "visible #done", 1},
		{"nothing asserted", `"start_url": "URL", "steps": [{"action": "click", "selector": "button \"Pay\""}]`, "inconclusive", "add a step with action assert, or a success_condition", 0},
		{"element is missing", `"start_url": "URL", "success_condition": "Cart", "steps": [{"action": "click", "selector": "button \"Pai\"", "timeout_ms": 300}]`, "failed", "ELEMENT_NOT_FOUND", 1},
		{"button is disabled", `"start_url": "URL", "success_condition": "Cart", "steps": [{"action": "click", "selector": "css=#off", "timeout_ms": 300}]`, "failed", "NOT_ACTIONABLE", 1},
		{"option is missing", `"start_url": "URL", "success_condition": "Cart", "steps": [{"action": "select", "selector": "css=#size", "option": "XXL", "timeout_ms": 300}]`, "failed", "XXL", 1},
		{"wait in vain", `"start_url": "URL", "success_condition": "Cart", "steps": [{"action": "wait", "selector": "css=#nope", "timeout_ms": 300}]`, "failed", "not visible", 1},
		{"site down", `"start_url": "http://127.0.0.1:2/", "success_condition": "Cart", "timeout_ms": 2000, "steps": []`, "failed", "ERR_CONNECTION_REFUSED", 0},
		{"500 at the start", `"start_url": "URL/down", "success_condition": "oops", "steps": []`, "failed", "status 500", 0},
		{"500 on the way", `"start_url": "URL", "success_condition": "oops", "steps": [{"action": "navigate", "url": "URL/down"}]`, "failed", "status 500", 1},
		{"500 after a click", `"start_url": "URL", "success_condition": "oops", "steps": [{"action": "click", "selector": "css=#bad"}]`, "failed", "status 500", 1},
		{"console error", `"start_url": "URL/noisy", "steps": [{"action": "assert", "timeout_ms": 200, "assertion": {"type": "console_clean"}}]`, "failed", "boom", 1},
		{"moves for ever", `"start_url": "URL/moves", "success_condition": "text=Catch", "steps": [{"action": "click", "selector": "button \"Catch\"", "timeout_ms": 700}]`, "failed", "step 1: click", 1},
		{"navigates for ever", `"start_url": "URL/forever", "success_condition": "text=Nowhere", "timeout_ms": 12000, "steps": []`, "failed", "", 0},
	} {
		if !sampled(i, 3) || tt.name == "navigates for ever" && !soak() {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			d := all
			d.t = t
			id := d.session() // of all flows: a context of its own is opened by [TestFlowActionsAndAssertions]
			d.ok("run_start", `{"goal": "the flow works"}`)
			a := d.raw("verify_user_flow", `{"session_id": "`+id+`", `+strings.ReplaceAll(tt.flow, "URL", url)+"}")
			if !a.OK {
				t.Fatalf("could not look: %s", a.text)
			}
			reason, _ := a.Data["failure_reason"].(string)
			step, _ := a.Data["failure_step"].(float64)
			if a.Data["success"] != false || a.Data["status"] != tt.status || !strings.Contains(reason, tt.reason) || tt.name != "navigates for ever" && step != tt.step {
				t.Errorf("answer %v %v at %v: %q; want %s at %v: %s", a.Data["success"], a.Data["status"], step, reason, tt.status, tt.step, tt.reason)
			}
			if status, why := d.finish(); status != tt.status {
				t.Errorf("the run is %s (%s), want %s", status, why, tt.status)
			}
			if tt.name == "last assert false" && a.Data["attempts"] != 1.0 {
				t.Errorf("a failed check is tried again: %v attempts", a.Data["attempts"])
			}
		})
	}
}

// B3: a failure tells the step, what was on the page, and what comes nearest,
// with a picture before and after.
func TestFlowFailureTellsWhatWasThere(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := shop(t)
	d.ok("run_start", `{"goal": "pay"}`)
	a := d.ok("verify_user_flow", `{"start_url": %q, "success_condition": "Paid", "steps": [
		{"action": "click", "selector": "link \"Next\""}, {"action": "click", "selector": "heading \"Nex page\"", "timeout_ms": 300}, {"action": "press", "key": "Enter"}]}`, url)
	for _, want := range []string{"FAILED: 1 of 3 steps", "stopped at step 2: click", "ELEMENT_NOT_FOUND", "/next", `"Next"`, "Card declined", `heading "Next page"`} {
		if !strings.Contains(a.text, want) {
			t.Errorf("the answer lacks %s:\n%s", want, a.text)
		}
	}
	var before, after bool
	for _, s := range a.Data["screenshots"].([]any) {
		name := s.(map[string]any)["name"].(string)
		before = before || strings.Contains(name, "step-01-click")
		after = after || strings.Contains(name, "step-02-click-failed")
	}
	if !before || !after || a.Screenshot == nil || !strings.Contains(a.Screenshot.Name, "failed") {
		t.Errorf("pictures: before %v, after %v, in the envelope %v", before, after, a.Screenshot)
	}
	var checks []string
	for _, c := range d.ok("run_finish", `{}`).Data["checks"].([]any) {
		c := c.(map[string]any)
		checks = append(checks, fmt.Sprintf("%v %v %v", c["kind"], c["passed"], len(c["evidence"].([]any))))
	}
	if want := "[click false 2 verify_user_flow false 2]"; fmt.Sprint(checks) != want {
		t.Errorf("checks %v, want %s", checks, want)
	}
}

// B3: thousands of matches are told quickly, with a short list.
func TestFlowStepThatMatchesThousands(t *testing.T) {
	t.Parallel()
	d := patient(t)
	a := d.ok("verify_user_flow", `{"start_url": %q, "success_condition": "Buy", "steps": [{"action": "click", "selector": "button \"Buy\""}]}`, shop(t)+"/many")
	reason, _ := a.Data["failure_reason"].(string)
	if a.Data["status"] != "failed" || !strings.Contains(reason, "SELECTOR_AMBIGUOUS") || !strings.Contains(reason, "2000") || !strings.Contains(a.text, `button "Buy" [2]`) {
		t.Errorf("answer: %s", a.text)
	}
	if len(a.text) > 3000 {
		t.Errorf("%d bytes: %s", len(a.text), a.text)
	}
}

// B6: a connection that is reset is tried again, and the pass is called flaky,
// in the answer and in the report.
func TestFlowRetriesAConnectionThatIsReset(t *testing.T) {
	t.Parallel()
	d := patient(t)
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" && requests.Add(1) == 1 {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_ = conn.(*net.TCPConn).SetLinger(0) // close with a reset
			_ = conn.Close()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>Up</title><h1>Up</h1>"))
	}))
	t.Cleanup(server.Close)
	d.ok("run_start", `{"goal": "the site answers"}`)
	a := d.ok("verify_user_flow", `{"start_url": %q, "success_condition": "h1", "steps": []}`, server.URL)
	if a.Data["success"] != true || a.Data["flaky"] != true || a.Data["attempts"] != 2.0 || !strings.Contains(a.text, "flaky") {
		t.Errorf("answer %v\n%s", a.Data, a.text)
	}
	if status, why := d.finish(); status != "passed" {
		t.Errorf("the run is %s (%s)", status, why)
	}
	if files := d.files(); !strings.Contains(files, `"event":"flow.retried"`) || !strings.Contains(files, "flaky: passed at attempt 2; attempt 1: ") {
		t.Error("neither the journal nor the report tell of the retry")
	}
}

// A server that accepts and never answers is a failed site, when all attempts have had
// their time-out.
func TestFlowOnAServerThatNeverAnswers(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.untimed()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	a := d.ok("verify_user_flow", `{"start_url": "about:blank", "timeout_ms": 300000, "success_condition": "h1", "steps": [{"action": "navigate", "url": "http://%s/", "timeout_ms": 300}]}`, listener.Addr())
	reason, _ := a.Data["failure_reason"].(string)
	if a.Data["status"] != "failed" || !strings.Contains(reason, "TIMEOUT") || a.Data["attempts"] != 1.0+flow.MaxRetries {
		t.Errorf("answer %v: %s", a.Data, reason)
	}
}

// A flow that runs out of its own time proves nothing, neither way, whichever step
// that was: the opening of its page, its first step, or a later one.
func TestFlowOutOfTimeIsInconclusive(t *testing.T) {
	t.Parallel()
	d, url := patient(t), shop(t)
	id := d.session()
	const asserts = `{"action": "assert", "assertion": {"type": "title_equals", "expected": "Shop"}}`
	for name, flow := range map[string]string{
		"opening": `"start_url": "` + url + `", "timeout_ms": 1, "steps": [` + asserts + `]`,
		"first":   `"timeout_ms": 300, "steps": [{"action": "wait", "value": 20000}, ` + asserts + `]`,
		"later":   `"timeout_ms": 500, "steps": [{"action": "wait", "value": 1}, {"action": "wait", "value": 20000}, ` + asserts + `]`,
	} {
		d.ok("run_start", `{"goal": "in time"}`)
		a := d.call("verify_user_flow", `{"session_id": %q, %s}`, id, flow)
		if reason, _ := a.Data["failure_reason"].(string); a.Data["status"] != "inconclusive" || a.Data["success"] != false || !strings.Contains(reason, "the time for the whole flow is over") {
			t.Errorf("%s: %s", name, a.text)
		}
		if status, _ := d.finish(); status != "inconclusive" {
			t.Errorf("%s: the run is %s", name, status)
		}
	}
}

// A flow works on the open session, and leaves it open.
func TestFlowOnTheOpenSession(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := shop(t)
	d.ok("page_navigate", `{"url": %q}`, url)
	a := d.ok("verify_user_flow", `{"steps": [{"action": "click", "selector": "button \"Pay\""}, {"action": "assert", "selector": "css=#done", "assertion": {"type": "visible"}}, {"action": "navigate", "url": "/next"}]}`)
	if a.Data["success"] != true {
		t.Errorf("answer: %s", a.text)
	}
	ids := d.Pool.SessionIDs()
	if len(ids) != 1 {
		t.Fatalf("sessions %v", ids)
	}
	a = d.ok("verify_user_flow", `{"session_id": %q, "start_url": "/", "success_condition": "heading \"Cart\"", "steps": []}`, ids[0])
	if a.Data["success"] != true || len(d.Pool.SessionIDs()) != 1 {
		t.Errorf("answer: %s", a.text)
	}
}

// The checks of a flow prove expectations, as those of single calls do.
func TestFlowProvesExpectations(t *testing.T) {
	t.Parallel()
	d, url := patient(t), shop(t)
	id := d.session()
	for expected, want := range map[string]string{"42 items": "passed", "Total": "inconclusive"} {
		d.ok("run_start", `{"goal": "g", "expectations": [{"text": "the cart shows 42 items", "selector": "css=#total", "assertion": {"type": "text_contains", "expected": "42 items"}}]}`)
		d.ok("verify_user_flow", `{"session_id": %q, "name": "42", "start_url": %q, "expects": ["E1"], "steps": [{"action": "assert", "selector": "css=#total", "assertion": {"type": "text_contains", "expected": %q}}]}`, id, url, expected)
		if status, reason := d.finish(); status != want {
			t.Errorf("looked for %s: %s (%s), want %s", expected, status, reason, want)
		}
	}
}

// All that is wrong with the steps is told at once, before anything runs.
func TestFlowThatCannotRun(t *testing.T) {
	t.Parallel()
	d := offline(t)
	a := d.call("verify_user_flow", `{"start_url": "ftp://x/", "steps": [{"action": "clik", "selector": "css=a"}, {"action": "fill", "value": "x"}, {"action": "visual"}, {"action": "upload", "selector": "css=a", "value": "f"},
		{"action": "click", "selector": "buton \"Pay\""}, {"action": "assert", "assertion": {"type": "text_contain", "expected": "x"}}, {"action": "press", "key": "${secret:PW}"}, {"action": "hover", "selectr": "css=a"}, {"action": "hover", "selector": "css=a", "timeout_ms": "long"}]}`)
	for _, want := range []string{`did you mean "click"?`, "step 2 (fill): fill needs selector", "step 3 (visual): visual needs name", `no role "buton"`, `did you mean "text_contains"?`, "key holds a secret", `scheme "ftp" is refused`,
		`step 8 (hover): unknown key "selectr"; did you mean "selector"?`, "step 9 (hover): steps[8].timeout_ms is a text; expected a whole number"} {
		if !strings.Contains(a.text, want) {
			t.Errorf("the answer lacks %q:\n%s", want, a.text)
		}
	}
	if a.OK || a.Error.Code != "INVALID_INPUT" || len(a.text) > 6000 {
		t.Errorf("%s, %d bytes", a.Error.Code, len(a.text))
	}
	a = d.raw("verify_user_flow", `{"steps": [`+strings.Repeat(`{"action": "click", "selector": "a"},`, 10_000)+`{"action": "click", "selector": "a"}]}`)
	if a.OK || a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.text, "up to 1000") || len(a.text) > 1000 {
		t.Errorf("ten thousand steps: %.300s", a.text)
	}
	a = d.call("verify_user_flow", `{"start_url": "http://127.0.0.1:2/", "timeout_ms": 31000, "success_condition": "x", "steps": []}`)
	if a.OK || !strings.Contains(a.text, "use up to 30000") {
		t.Errorf("a time-out that could not be kept: %s", a.text)
	}
	for _, r := range resources.All(d.Workspace) {
		if r.Name != "schema" {
			continue
		}
		data, _, err := r.Read(t.Context(), "assay://schemas/flow.json")
		if err != nil || !strings.Contains(string(data), "success_condition") || !strings.Contains(string(data), "text_contains") || !strings.Contains(string(data), "ignore_antialiasing") {
			t.Errorf("the published schema: %v %s", err, data)
		}
	}
}
