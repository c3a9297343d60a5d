package tools_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/assay-qa/assay/tools"
)

// E2: what a caller can fix is a result with a code and the names that are
// accepted, never a protocol error. None of these reaches the browser.
func TestWrongArguments(t *testing.T) {
	t.Parallel()
	d := offline(t)
	for _, tt := range []struct {
		name, tool, args, message, hint string
	}{
		{"missing", "page_navigate", `{}`, `argument "url" is missing`, "accepted: url, "},
		{"misspelt", "page_click", `{"selecter": "#a"}`, `unknown argument "selecter"; did you mean "selector"?`, "selector"},
		{"unknown", "page_click", `{"selector": "#a", "xyzzy": 1}`, `unknown argument "xyzzy"`, "selector"},
		{"unknown, nested", "verify_assertion", `{"assertion": {"type": "visible", "expekted": "x"}, "selector": "#a"}`, `"assertion.expekted"; did you mean "expected"?`, ""},
		{"unknown, in a list", "assert", `{"severity":"minor","category":"visual","assertion":"a","expected":"b","observed":"c","confidence":1,"evidence":[{"shot":"x"}]}`, `"evidence[0].shot"`, ""},
		{"wrong kind", "page_navigate", `{"url": ["a"]}`, "url", ""},
		{"number for text", "page_click", `{"selector": 7}`, "selector", ""},
		{"text for a number", "page_click", `{"selector": "#a", "timeout_ms": "soon"}`, "timeout_ms", ""},
		{"fraction", "page_click", `{"selector": "#a", "timeout_ms": 1.5}`, "timeout_ms", ""},
		{"time-out 0", "page_click", `{"selector": "#a", "timeout_ms": 0}`, "timeout_ms", ""},
		{"time-out negative", "page_navigate", `{"url": "http://127.0.0.1/", "timeout_ms": -5}`, "timeout_ms", ""},
		{"time-out too long", "page_navigate", `{"url": "http://127.0.0.1/", "timeout_ms": 99999999}`, "timeout_ms is 99999999", "1 to 600000"},
		{"outside the enum", "verify_assertion", `{"assertion": {"type": "looks_nice"}}`, `assertion.type: "looks_nice" is none of its words`, "accepted: exists, visible"},
		{"nearly in the enum", "verify_assertion", `{"assertion": {"type": "text_equal"}}`, `did you mean "text_equals"?`, "most like it: text_equals, text_contains"}, // 33
		{"a part of one in the enum", "verify_assertion", `{"assertion": {"type": "sorted"}}`, `"sorted" is none of its words`, "most like it: sorted_by"},
		{"two faults of one assertion", "verify_assertion", `{"selector": "#l", "assertion": {"type": "sorted_by", "attribute": "x"}}`, "needs order: asc or desc; sorted_by needs as: text, number or date", ""},
		{"three faults of one assertion", "verify_assertion", `{"selector": "#l", "assertion": {"type": "sorted_by", "attribute": "x"}}`, "takes no attribute", ""},
		{"no object", "page_snapshot", `[1]`, "no JSON object", "JSON object"},
		{"null", "page_navigate", `null`, `argument "url" is missing`, ""},
		{"assertion without a selector", "verify_assertion", `{"assertion": {"type": "visible"}}`, "about an element", ""},
		{"assertion that proves nothing", "verify_assertion", `{"assertion": {"type": "text_contains"}, "selector": "#a"}`, "would prove nothing", ""},
		{"local file", "page_navigate", `{"url": "file:///etc/passwd"}`, `scheme "file" is refused`, "http"},
		{"script", "verify_page_loads", `{"url": "javascript:alert(1)"}`, `scheme "javascript" is refused`, "http"},
		{"chrome", "page_navigate", `{"url": "chrome://version"}`, `scheme "chrome" is refused`, "http"},
		{"no scheme", "page_navigate", `{"url": "localhost:3000/x"}`, "no scheme", "did you mean http://localhost:3000/x?"},
		{"relative", "page_navigate", `{"url": "/login"}`, "relative", "http"},
		{"bad pattern", "analyze_console_errors", `{"ignore_patterns": ["("]}`, "ignore_patterns[0]", ""},
		{"bad URL pattern", "verify_assertion", `{"assertion": {"type": "url_matches", "expected": "re:("}}`, "pattern re:(", "re:"},
		{"bad request pattern", "verify_assertion", `{"assertion": {"type": "request_made", "expected": "GET re:["}}`, "pattern re:[", "re:"},
		{"bad filter", "page_get_network_logs", `{"filter": "re:*"}`, "pattern re:*", "re:"},
		{"negative depth", "page_snapshot", `{"depth": -1}`, "negative", ""},
		{"finish without start", "run_finish", `{}`, "no run is open", "run_start"},
		{"misspelt inside a loose input", "run_start", `{"goal": "g", "expectations": [{"text": "a", "assertion": {"typ": "visible"}}]}`, `unknown field "typ"`, ""},
		{"wrong inside a loose input", "run_start", `{"goal": "g", "expectations": [{"text": "a", "assertion": {"type": "pretty"}}]}`, `type is "pretty"`, ""},
		{"ranges that nothing is expected of", "run_start", `{"goal": "g", "ranges": [{"name": "7d"}]}`, "ranges without kpiSpec", ""},
		{"misspelt inside a picture", "run_start", `{"goal": "g", "visual": [{"name": "a", "treshold": 0}]}`, `unknown field "treshold"`, ""},
		{"share of a picture", "run_start", `{"goal": "g", "visual": [{"name": "a", "threshold": 5}]}`, "visual[0].threshold is 5", ""},
		{"misspelt element of a picture", "run_start", `{"goal": "g", "visual": [{"name": "b", "selector": "buton \"Pay\""}]}`, `visual[0].selector: selector "buton`, ""},
		{"tolerance of another KPI", "run_start", `{"goal": "g", "kpiSpec": {"type": "staticValues", "values": {"Revenue": "1"}}, "tolerance": {"perKpi": {"Revnue": {"absolute": 1}}}}`, `"Revnue" is no KPI of kpiSpec; did you mean "Revenue"?`, ""},
		{"unit of another KPI", "run_start", `{"goal": "g", "kpiSpec": {"type": "staticValues", "values": {"Revenue": "1"}, "units": {"Orders": "USD"}}}`, `kpiSpec.units: "Orders" is no KPI of kpiSpec; it has: Revenue`, ""},
		{"no JSON pointer", "run_start", `{"goal": "g", "kpiSpec": {"type": "apiEndpoint", "url": "/k", "map": {"Revenue": "kpis.revenue"}}}`, `kpiSpec.map["Revenue"]: "kpis.revenue" is no JSON pointer`, ""},
		{"misspelt step of a range", "run_start", `{"goal": "g", "kpiSpec": {"type": "apiEndpoint", "url": "/k"}, "ranges": [{"name": "7d", "steps": [{"action": "selct", "selector": "#a", "option": "7d"}]}]}`, `ranges[0] "7d": step 1 (selct): action "selct" is unknown; did you mean "select"?`, ""},
		{"oracle of a strange scheme", "run_start", `{"goal": "g", "kpiSpec": {"type": "apiEndpoint", "url": "file:///etc/passwd"}}`, `kpiSpec.url`, ""},
		{"no oracle anywhere", "kpi_oracle", `{}`, "nothing says which values are expected", "run_start"},
		{"range of static values", "kpi_oracle", `{"spec": {"type": "staticValues", "values": {"A": "1"}}, "context": {"range": "7d"}}`, "the same for every range", ""},
		{"contradicted sentence", "run_start", `{"goal": "g", "expectations": [{"text": "the page does not show \"Paid\"", "assertion": {"type": "text_contains", "expected": "Paid"}}]}`, `expectations[0].assertion: it contradicts the sentence`, ""},
		{"quote left out", "run_start", `{"goal": "g", "expectations": [{"text": "at last \"Paid\" shows up", "assertion": {"type": "console_clean"}}]}`, `does not look for "Paid"`, ""},
		{"unpaired quotation mark", "run_start", `{"goal": "g", "expectations": [{"text": "the page shows „Paid"}]}`, `expectations[0].text: the quotation mark „`, ""},
		{"accepted by a caller", "run_start", `{"goal": "g", "expectations": [{"text": "all is well", "accepted_by": "Ada", "assertion": {"type": "console_clean"}}]}`, "only a person accepts a reading", "leave accepted_by"},
		{"empty goal", "run_start", `{"goal": " "}`, "goal", ""},
		{"evidence that isn't stored", "assert", `{"severity":"major","category":"visual","assertion":"a","expected":"b","observed":"c","confidence":1,"evidence":[{"screenshotRef":"001-x.png"}]}`, "names no stored artefact", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d.t = t
			a := d.raw(tt.tool, tt.args)
			if a.OK || a.Error.Code != "INVALID_INPUT" {
				t.Fatalf("answer %+v, want INVALID_INPUT", a.Error)
			}
			if !strings.Contains(a.Error.Message, tt.message) {
				t.Errorf("message %q lacks %q", a.Error.Message, tt.message)
			}
			if !strings.Contains(a.Error.Hint, tt.hint) {
				t.Errorf("hint %q lacks %q", a.Error.Hint, tt.hint)
			}
		})
	}
}

// The rules that every tool keeps, for the sake of clients and providers.
func TestCatalogueKeepsTheRules(t *testing.T) {
	t.Parallel()
	d := offline(t)
	name := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	seen := map[string]bool{}
	for _, tool := range tools.Catalogue(d.Workspace) {
		def := tool.Definition
		if !name.MatchString(def.Name) || seen[def.Name] {
			t.Errorf("tool name %q is unfit or taken", def.Name)
		}
		seen[def.Name] = true
		a := def.Annotations
		if a.ReadOnlyHint == nil || a.DestructiveHint == nil || a.IdempotentHint == nil || a.OpenWorldHint == nil {
			t.Errorf("%s: a hint is missing", def.Name)
		} else if *a.ReadOnlyHint && *a.DestructiveHint {
			t.Errorf("%s: read-only and destructive exclude each other", def.Name)
		}
		for _, raw := range [][]byte{def.RawInputSchema, def.RawOutputSchema} {
			text := string(raw)
			for _, unfit := range []string{`"$schema"`, `"type":[`, `"anyOf"`, `"oneOf"`, `"allOf"`, `"null"`} {
				if strings.Contains(text, unfit) {
					t.Errorf("%s: schema has %s: %s", def.Name, unfit, text)
				}
			}
		}
		if len(def.Description) < 15 || len(def.Description) > 200 {
			t.Errorf("%s: the description has %d characters", def.Name, len(def.Description))
		}
	}
	for _, want := range strings.Fields(`browser_launch browser_close page_navigate page_snapshot page_click page_fill page_select
		page_press page_hover page_wait_for_selector page_screenshot page_evaluate page_get_console_logs page_get_network_logs
		verify_page_loads verify_element_exists verify_assertion analyze_console_errors assert run_start run_finish`) {
		if !seen[want] {
			t.Errorf("tool %s is missing (B1, B2)", want)
		}
	}
	d.Evaluate = false
	for _, tool := range tools.Catalogue(d.Workspace) {
		if tool.Definition.Name == "page_evaluate" {
			t.Error("page_evaluate is offered although the configuration removes it")
		}
	}
}

// What a caller hands to its own script arrives as it was written, also under
// the names that elsewhere take a number for a text.
func TestEvaluateTakesItsArgumentAsItIs(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": "<h1>5</h1>"}))
	got := d.ok("page_evaluate", `{"script": "a => [a.value, a.expected, a.deep.observed].map(x => typeof x).join()", "arg": {"value": 3, "expected": true, "deep": {"observed": 1.5}}}`)
	if got.Data["result"] != "number,boolean,number" {
		t.Errorf("the script got %v", got.Data["result"])
	}
	d.ok("verify_assertion", `{"selector": "h1", "assertion": {"type": "text_equals", "expected": 5}}`) // the control
}

// 33: a call of a tool that there is not says which are like it, and which toolset has one
// that is not on offer.
func TestUnknownToolNamesNearest(t *testing.T) {
	t.Parallel()
	d := offline(t)
	for name, want := range map[string]string{
		"page_clik":    "those most like it: page_click",
		"verify_flow":  "verify_user_flow",
		"page_drag":    `is of the toolset full, which is not on offer: a person adds "full" to sets below [tools]`,
		"explore_site": `toolset author`,
		"xyzzy":        "tools/list",
	} {
		d.Workspace.Sets = []string{"core"}
		if said := tools.Unknown(d.Workspace, name); !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", name, said, want)
		}
	}
}
