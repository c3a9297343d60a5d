package tools_test

import (
	"encoding/json"
	"fmt"
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
	url := site(t, map[string]string{"/": provePage, "/mixed": mixedPage, "/moves": movesOn, "/arrived": `<!doctype html><title>Two</title><h1>Form</h1><p>Arrived</p>`})
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
	for name, c := range mixedLists() {
		d.checksTogether(url, name, c)
	}
}

const mixedPage = `<!doctype html><html lang=en><title>Form</title><h1>Form</h1><p id=a class=big>one</p><p>two</p><button disabled>Save</button><iframe title=Inner srcdoc="<p>inside</p>"></iframe>`

// movesOn goes to another page by itself.
const movesOn = `<!doctype html><html lang=en><title>One</title><h1>Form</h1><p id=first>Wait</p><script>setTimeout(() => location.href = '/arrived', 300)</script>`

// mixedList is a list of expectations with assertions of their own. want is what becomes of each:
// passed, failed, or, of the last one that is told, an error's code; those after it are not made.
type mixedList struct{ path, expects, want string }

func mixedLists() map[string]mixedList {
	const (
		holds, fails, late   = `{"text": "a", "selector": "css=#a", "assertion": {"type": "text_equals", "expected": "one"}}`, `{"text": "b", "selector": "css=#a", "assertion": {"type": "text_equals", "expected": "two"}}`, `{"text": "c", "selector": "text=Arrived", "assertion": {"type": "visible"}}`
		absent, there        = `{"text": "d", "selector": "css=#first", "assertion": {"type": "hidden"}}`, `{"text": "e", "selector": "css=#a", "assertion": {"type": "hidden"}}`
		framed, ambiguous    = `{"text": "f", "selector": "frame \"Inner\" > text=inside", "assertion": {"type": "visible"}}`, `{"text": "g", "selector": "css=p", "assertion": {"type": "text_equals", "expected": "one"}}`
		heading, off, marked = `{"text": "h", "selector": "css=h1", "assertion": {"type": "text_equals", "expected": "Form"}}`, `{"text": "i", "selector": "button \"Save\"", "assertion": {"type": "enabled", "expected": "false"}}`, `{"text": "j", "selector": "css=#a", "assertion": {"type": "attribute_equals", "attribute": "class", "expected": "big"}}`
		unmarked, valueless  = `{"text": "k", "selector": "css=#a", "assertion": {"type": "attribute_equals", "attribute": "title", "expected": ""}}`, `{"text": "l", "selector": "css=#a", "assertion": {"type": "value_equals", "expected": "one"}}`
	)
	list := func(all ...string) string { return strings.Join(all, ", ") }
	return map[string]mixedList{
		"all hold":                           {"/", list(heading, absent, off), "passed passed passed"},
		"beside a frame":                     {"/mixed", list(holds, absent, framed, marked), "passed passed passed passed"},
		"three fail":                         {"/mixed", list(fails, there, unmarked), "failed failed failed"},
		"some fail":                          {"/mixed", list(holds, fails, framed, there, off), "passed failed passed failed passed"},
		"an ambiguous one in the middle":     {"/mixed", list(fails, ambiguous, holds), "failed SELECTOR_AMBIGUOUS"},
		"one that can't be looked at":        {"/mixed", list(holds, valueless, fails, absent), "passed NOT_ACTIONABLE"},
		"a page that goes on in the middle":  {"/moves", list(late, heading, absent), "passed passed passed"},
		"what an element lacks, and has not": {"/mixed", list(unmarked, marked), "failed passed"},
	}
}

// checksTogether makes the checks of a list in one call: each has an outcome of its own, and they
// end with the first that can't be made.
func (d desk) checksTogether(url, name string, c mixedList) {
	d.t.Helper()
	start := d.ok("run_start", `{"goal": "g", "expectations": [%s]}`, c.expects)
	d.ok("page_navigate", `{"url": %q}`, url+c.path)
	var ids []string
	for n := range strings.Count(c.expects, `"text"`) {
		ids = append(ids, fmt.Sprintf(`"E%d"`, n+1))
	}
	timeout := 300
	if c.path == "/moves" {
		timeout = 20_000
	}
	a := d.call("verify_assertion", `{"expects": [%s], "timeout_ms": %d}`, strings.Join(ids, ", "), timeout)
	var got []string
	for _, check := range d.finished().Checks {
		got = append(got, string(check.Status()))
		if want := fmt.Sprintf("E%d", len(got)); len(check.Expects) != 1 || check.Expects[0] != want {
			d.t.Errorf("%s: check %s is for %v, want %s", name, check.ID, check.Expects, want)
		}
		if check.Passed == (len(check.Evidence) > 0) {
			d.t.Errorf("%s: a picture belongs to each failure, and to it alone: %s has %v", name, check.ID, check.Evidence)
		}
	}
	if !a.OK {
		got = append(got, a.Error.Code)
	}
	if strings.Join(got, " ") != c.want {
		d.t.Errorf("%s: %s, want %s\n%s\n%s", name, got, c.want, a.text, start.text)
	}
}
