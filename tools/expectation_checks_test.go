package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

const provePage = `<!doctype html><html lang=en><title>Form</title><h1>Form</h1><p role="status">Unpaid 15</p>
<label>Query <input type="search" value="tea" disabled></label><div role="alertdialog" aria-label="Leave?">Leave?</div><button disabled>Save</button>
<p>Revenue</p><p>1,234</p>`

// Issue 15: verify_assertion with expects alone makes the checks that the
// expectations demand, on the one of several like subjects that the page has, and
// answers what it made. It refuses what no check can prove.
func TestChecksThatExpectationsDemand(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := site(t, map[string]string{"/": provePage})
	d.ok("page_navigate", `{"url": %q}`, url)
	for _, c := range []struct {
		sentence, status string
		made             []string // selector and type, or the figure
	}{
		{`the field "Query" is disabled and the button "Save" is disabled`, "passed", []string{`searchbox "Query" enabled`, `button "Save" enabled`}},
		{`the dialog is shown`, "passed", []string{`alertdialog visible`}},
		{`the page does not show "Paid"`, "inconclusive", []string{` text_contains`}},
		{`the page shows "Paid"`, "failed", []string{` text_contains`}},
		{`the field "Nowhere" is shown`, "failed", []string{`textbox "Nowhere" visible`}},
		{`the figure "Revenue" is 1,234`, "passed", []string{`Revenue`}},
		{`the figure "Revenue" is 234`, "failed", []string{`Revenue`}},
	} {
		start := d.ok("run_start", `{"goal": "g", "expectations": [{"text": %q}]}`, c.sentence)
		if !strings.Contains(start.text, `E1 wants: verify_assertion {"expects":["E1"]} (`) {
			t.Errorf("%s: run_start does not say what it demands:\n%s", c.sentence, start.text)
		}
		a := d.ok("verify_assertion", `{"expects": ["E1"], "timeout_ms": 300}`)
		var out struct {
			Passed bool `json:"passed"`
			Checks []struct {
				Selector, Figure, Expects string
				Assertion                 qa.Assertion
				Passed                    bool
			} `json:"checks"`
		}
		raw, err := json.Marshal(a.Data)
		if err == nil {
			err = json.Unmarshal(raw, &out)
		}
		if err != nil {
			t.Fatal(err)
		}
		var made []string
		for _, m := range out.Checks {
			text := m.Figure
			if text == "" {
				text = m.Selector + " " + string(m.Assertion.Type)
			}
			made = append(made, text)
			if m.Expects != "E1" || m.Passed != (c.status != "failed") {
				t.Errorf("%s: %+v", c.sentence, m)
			}
		}
		if status, reason := d.finish(); status != c.status || out.Passed != (c.status != "failed") || strings.Join(made, ", ") != strings.Join(c.made, ", ") {
			t.Errorf("%s: %s (%s), made %q, want %s by %q\n%s", c.sentence, status, reason, made, c.status, c.made, a.text)
		}
	}

	start := d.ok("run_start", `{"goal": "g", "expectations": [{"text": "the form looks nice"}, {"text": "the status shows \"Unpaid 15\""}, {"text": "it is paid", "selector": "css=body", "assertion": {"type": "visible"}}]}`)
	if !strings.Contains(start.text, "E1 can't be proved: its words are not understood") || !strings.Contains(start.text, "E3 can't be proved: its assertion holds on any page") {
		t.Errorf("run_start does not say what is not understood:\n%s", start.text)
	}
	for args, want := range map[string]string{
		`{"expects": ["E1"]}`: "write for example",
		`{"expects": ["E3"]}`: "any page",
		`{"expects": ["E4"]}`: "no expectation of this run",
		`{}`:                  "neither assertion nor expects",
		`{"expects": ["E2"], "selector": "css=p"}`:              "without an assertion",
		`{"expects": ["E2", "E1"]}`:                             "E1 can't be proved",
		`{"expects": ["E2"], "assertion": {"type": "visible"}}`: "selector",
	} {
		if a := d.raw("verify_assertion", args); a.OK || a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.text, want) {
			t.Errorf("%s: %+v %s", args, a.Error, a.text)
		}
	}
	a := d.ok("verify_assertion", `{"selector": "css=[role=status]", "assertion": {"type": "text_contains", "expected": "Unpaid 15"}, "expects": ["E2"], "timeout_ms": 300}`)
	if !strings.Contains(a.text, `this check does not prove E2. E2 wants: verify_assertion {"expects":["E2"]} (status shows the text "Unpaid 15" (whole words))`) {
		t.Errorf("the answer does not say what E2 demands:\n%s", a.text)
	}
	d.ok("check_kpis", `{"spec": {"type": "staticValues", "values": {"Revenue": "1,000"}}, "tolerance": {"percent": 50}, "expects": ["E2"]}`)
	if status, _ := d.finish(); status != "inconclusive" {
		t.Errorf("%s", status)
	}
	// A reading of the caller's own is void where the sentence is read and says more.
	for expects, status := range map[string]string{`, "selector": "button \"Save\"", "assertion": {"type": "visible"}`: "inconclusive", ``: "passed"} {
		d.ok("run_start", `{"goal": "g", "expectations": [{"text": "the button \"Save\" is disabled", "selector": "button \"Save\"", "assertion": {"type": "visible"}}]}`)
		a := d.ok("verify_assertion", `{"expects": ["E1"]%s}`, expects)
		if got, why := d.finish(); got != status || (a.Data["passed"] == true) != (status == "passed") || (a.Data["void"] == nil) != (status == "passed") || strings.Contains(a.text, "says something else") != (status != "passed") {
			t.Errorf("%s: %s (%s), want %s: %s", expects, got, why, status, a.text)
		}
	}
	// A figure whose tolerance or element the caller chose proves no sentence.
	for _, own := range []string{`"tolerance": {"percent": 90}`, `"selectors": {"Revenue": "css=[role=status]"}`} {
		d.ok("run_start", `{"goal": "g", "expectations": [{"text": "the figure \"Revenue\" is 1,200"}]}`)
		d.raw("check_kpis", `{"spec": {"type": "staticValues", "values": {"Revenue": "1,200"}}, `+own+`, "expects": ["E1"]}`)
		if status, reason := d.finish(); status == "passed" {
			t.Errorf("%s: %s (%s)", own, status, reason)
		}
	}
}
