package tools_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/baseline"
)

// specificationShop is the page that the calls of specification B are about.
const specificationShop = `<title>Shop</title><main><h1>Shop</h1><label>E-mail <input id="email"></label>
	<select id="size"><option>Small<option>Large</select><button id="buy" onclick="document.getElementById('status').textContent='Thank you'">Buy</button>
	<p id="status">Nothing yet</p></main>`

// specificationCall is a call in a specification's own words.
type specificationCall struct {
	Tool      string
	Arguments json.RawMessage
}

// specificationCalls reads calls from a file of testdata/specifications.
func specificationCalls(t *testing.T, file string, words ...string) []specificationCall {
	t.Helper()
	data, err := os.ReadFile("../testdata/specifications/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var calls []specificationCall
	if err := json.Unmarshal([]byte(strings.NewReplacer(words...).Replace(string(data))), &calls); err != nil {
		t.Fatal(err)
	}
	return calls
}

// B1, B2, B3: each call of specification B works as it is written there.
func TestCallsOfSpecificationB(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.Limit = 45 * time.Second // as it is by default
	url, session, baselineID := site(t, map[string]string{"/": specificationShop}), "", ""
	for _, call := range specificationCalls(t, "B/tool_calls.json", "{{BASE}}", url) {
		args := strings.NewReplacer("{{SESSION}}", session, "{{BASELINE}}", baselineID).Replace(string(call.Arguments))
		a := d.raw(call.Tool, args)
		if !a.OK {
			t.Fatalf("%s %s: %s", call.Tool, args, a.text)
		}
		switch call.Tool {
		case "browser_launch":
			session = a.Data["session_id"].(string)
		case "capture_visual_baseline":
			baselineID = a.Data["baseline_id"].(string)
			if _, err := d.Baselines.(*baseline.Store).Approve(t.Context(), baselineID, "Ada L.", "as it should be"); err != nil {
				t.Fatal(err)
			}
		case "verify_page_loads", "verify_user_flow":
			if a.Data["success"] != true {
				t.Errorf("%s: %s", call.Tool, a.text)
			}
		case "compare_visual_regression":
			if a.Data["passed"] != true {
				t.Errorf("%s: %s", call.Tool, a.text)
			}
		}
	}
	if log := d.files(); strings.Contains(log, `"timeout":`) || !strings.Contains(log, `"timeout_ms":5000`) {
		t.Error("the log does not name the time-outs in our words")
	}
}

// B1: timeout and options.timeout are the time-out, and that of browser_launch is the
// session's.
func TestTimeoutInTheSpecificationsWords(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": `<h1>Home</h1><button id="late" disabled>Go</button>`}))
	for _, call := range []struct{ tool, args string }{
		{"page_wait_for_selector", `{"selector": "#none", "timeout": 700}`},
		{"page_wait_for_selector", `{"selector": "#none", "options": {"timeout": 700}}`},
		{"page_click", `{"selector": "#late", "options": {"timeout_ms": 700}}`},
		{"page_fill", `{"selector": "#none", "value": "a", "timeout": 700, "timeout_ms": null}`},
	} {
		a := d.raw(call.tool, call.args)
		if a.OK || a.Error.Code != "TIMEOUT" && a.Error.Code != "NOT_ACTIONABLE" && a.Error.Code != "ELEMENT_NOT_FOUND" || a.took > 4*time.Second {
			t.Errorf("%s %s: %s after %s", call.tool, call.args, a.text, a.took)
		}
	}
	session := d.ok("browser_launch", `{"options": {"timeout": 700}}`).Data["session_id"]
	if a := d.call("page_wait_for_selector", `{"session_id": %q, "selector": "#none"}`, session); a.OK || a.took > 4*time.Second {
		t.Errorf("in a session with a time-out of its own: %s after %s", a.text, a.took)
	}
}

// B1: what is misspelt, unknown or given twice is refused, in options too.
func TestOptionsAreHeldToTheirNames(t *testing.T) {
	t.Parallel()
	d := offline(t)
	for _, tt := range []struct{ tool, args, message string }{
		{"page_screenshot", `{"options": {"full_pge": true}}`, `unknown argument "options.full_pge"; did you mean "full_page"?`},
		{"page_screenshot", `{"options": {"timeout": 5}}`, `unknown argument "options.timeout"`},
		{"page_screenshot", `{"options": {"full_page": true}, "full_page": false}`, `full_page is given twice: as options.full_page too`},
		{"page_screenshot", `{"options": {"full_page": true, "fullPage": true}}`, `full_page is given twice`},
		{"page_screenshot", `{"options": 3}`, `unknown argument "options"`},
		{"page_screenshot", `{"timeout": 5}`, `unknown argument "timeout"`},
		{"page_click", `{"selector": "#a", "timeout": 5, "timeout_ms": 6}`, `timeout_ms is given twice: as timeout too`},
		{"page_click", `{"selector": "#a", "timout": 5}`, `unknown argument "timout"`},
		{"page_click", `{"selector": "#a", "timeout": "soon"}`, `timeout_ms`},
		{"page_click", `{"selector": "#a", "timeout": 0}`, `timeout_ms`},
		{"page_click", `{"selector": "#a", "options": {"force": true}}`, `unknown argument "options.force"`},
		{"page_snapshot", `{"options": {"timeout": 5}}`, `unknown argument "options"`},
		{"browser_launch", `{"options": {"timout": 5}}`, `unknown argument "options.timout"`},
		{"browser_launch", `{"options": {"timeout": 90000}}`, `options.timeout_ms is 90000`},
		{"browser_launch", `{"options": {"timeout": 1, "timeout_ms": 2}}`, `timeout_ms is given twice: as options.timeout too`},
	} {
		if a := d.raw(tt.tool, tt.args); a.OK || a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, tt.message) {
			t.Errorf("%s %s: %s", tt.tool, tt.args, a.text)
		}
	}
}
