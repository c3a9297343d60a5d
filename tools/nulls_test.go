package tools_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/assay-qa/assay/tools"
)

// A19: null for any optional input means that it was not given, nested too.
func TestNullMeansNotGiven(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := site(t, map[string]string{"/": `<title>Home</title><h1 id="a" data-x="1">Home</h1><button id="b">Go</button>`})
	for _, call := range []struct{ tool, args string }{
		{"browser_launch", `{"browser_type": null, "options": {"headless": null, "viewport": null, "device": null, "locale": null, "role": null, "trace": null}}`},
		{"page_navigate", `{"session_id": null, "url": "` + url + `", "wait_until": null, "timeout_ms": null}`},
		{"computer_action", `{"action": "click", "coords": null, "to": null, "selector": "#b", "text": null, "hotkey": null, "scroll": null, "wait": null, "actions": null, "include_image": null}`},
		{"computer_action", `{"actions": [{"action": "click", "coords": null, "selector": "#b", "text": null, "wait": null}]}`},
		{"dom_snapshot", `{"selector": "#a", "mode": null, "attributes": null}`},
		{"page_screenshot", `{"selector": null, "full_page": null, "format": null, "mask": null, "name": null, "include_image": null}`},
		{"verify_page_loads", `{"url": "` + url + `", "expected_title": null, "timeout_ms": null, "ignore": null, "watch_ms": 0, "expects": null}`},
		{"verify_element_exists", `{"url": null, "selector": "#a", "should_be_visible": null}`},
		{"verify_assertion", `{"selector": "#a", "assertion": {"type": "visible", "expected": null, "not": null}}`},
		{"assert", `{"severity": "info", "category": "visual", "assertion": "a", "expected": "b", "observed": "c", "tolerance": null, "suggested_fix": null, "confidence": 1,
			"evidence": [{"selector": "#a", "screenshotRef": null, "networkRequestId": null, "time": null}]}`},
		{"verify_user_flow", `{"start_url": null, "steps": [{"action": "assert", "selector": "#a", "url": null, "value": null, "assertion": {"type": "visible", "expected": null}}], "success_condition": null, "watch_ms": 0}`},
		{"page_evaluate", `{"script": "a => a === undefined || a === null", "arg": null}`},
		{"run_start", `{"goal": "g", "route": null, "role": null, "budgets": {"maxToolCalls": null, "maxTimeMs": 60000}, "tolerance": {"perKpi": {"Revenue": null}},
			"kpiSpec": {"type": "staticValues", "values": {"Revenue": 1}, "units": null, "url": null},
			"expectations": [{"text": "the heading is shown", "selector": null, "assertion": null}]}`},
	} {
		if a := d.raw(call.tool, call.args); !a.OK {
			t.Errorf("%s %s: %s", call.tool, call.args, a.text)
		}
	}
	got := d.ok("page_evaluate", `{"script": "a => a.kept === null", "arg": {"kept": null}}`)
	if got.Data["result"] != true {
		t.Errorf("null inside of the caller's own argument was dropped: %v", got.Data)
	}
}

// A19: every input of every tool takes null or refuses it by name: none passes it to
// the schema's own words, and null never stands in for a required value.
func TestNullOfEveryInput(t *testing.T) {
	t.Parallel()
	d := offline(t)
	for _, tool := range tools.Catalogue(d.Workspace) {
		var form struct {
			Properties map[string]any
			Required   []string
		}
		if err := json.Unmarshal(tool.Definition.RawInputSchema, &form); err != nil {
			t.Fatal(err)
		}
		for _, name := range form.Required {
			given := map[string]any{name: nil}
			for other := range maps.Keys(form.Properties) {
				if other != name {
					given[other] = nil
				}
			}
			raw, err := json.Marshal(given)
			if err != nil {
				t.Fatal(err)
			}
			if a := d.raw(tool.Definition.Name, string(raw)); a.OK || a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, "is null, and a value is needed") {
				t.Errorf("%s %s: %s", tool.Definition.Name, raw, a.text)
			}
		}
	}
	for _, tt := range []struct{ tool, args, message string }{
		{"page_click", `{"selecter": null, "selector": "#a"}`, `unknown argument "selecter"; did you mean "selector"?`},
		{"verify_assertion", `{"selector": "#a", "assertion": {"type": null}}`, `"assertion.type" is null`},
		{"verify_assertion", `{"selector": "#a", "assertion": {"type": "visible", "expekted": null}}`, `"assertion.expekted"`},
		{"dom_snapshot", `{"selector": "#a", "attributes": ["id", null]}`, `"attributes[1]" is null`},
		{"kpi_oracle", `{"spec": {"type": "staticValues", "values": {"A": 1, "B": null}}}`, `"spec.values.B" is null`},
		{"run_start", `{"goal": "g", "expectations": [null]}`, `"expectations[0]" is null`},
		{"run_start", `{"goal": "g", "expectations": [{"text": null}]}`, `text`},
		{"run_start", `{"goal": "g", "expectations": [{"text": "a", "asertion": null}]}`, `unknown field "asertion"`},
		{"verify_user_flow", `{"steps": [{"action": "click", "selector": "#a", "assertoin": null}]}`, `assertoin`},
	} {
		if a := d.raw(tt.tool, tt.args); a.OK || a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, tt.message) {
			t.Errorf("%s %s: %s", tt.tool, tt.args, a.text)
		}
	}
}
