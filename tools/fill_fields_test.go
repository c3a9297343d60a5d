package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
)

const orderPage = `<!doctype html><title>Order</title><h1>Order</h1><label>Name <input id=name></label><label>City <input id=city></label><label>Password <input type=password></label>
	<label>Amount <input type=range min=0 max=10 value=1></label><input id=stays aria-label=Fixed value=old oninput="this.value = 'old'">
	<label><input type=checkbox> Agree</label><select aria-label=Size><option>S<option>M</select>`

// B15: one call fills several fields, each verified as a single one is; the first that
// fails ends it, and the error says which were filled.
func TestFillFields(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": orderPage}))
	a := d.ok("page_fill", `{"fields": [{"selector": "textbox \"Name\"", "value": "Ada"}, {"selector": "#city", "value": "Bonn"}, {"selector": "textbox \"Password\"", "value": "hunter2"}, {"selector": "slider \"Amount\"", "value": "7"}, {"selector": "combobox \"Size\"", "option": "M"}]}`)
	if want := `filled textbox "Name", css=#city, textbox "Password", slider "Amount", combobox "Size"`; !strings.Contains(a.text, want) || strings.Contains(a.text, `~ textbox "Name"`) {
		t.Errorf("want %s, and no line for each of them, in\n%s", want, a.text)
	}
	if filled, _ := a.Data["filled"].([]any); len(filled) != 5 || strings.Contains(a.text+d.files(), "hunter2") {
		t.Errorf("%d of 5 filled, or the password is shown: %s", len(filled), a.text)
	}
	if !strings.Contains(d.files(), "Bonn") {
		t.Error("the log does not say what was typed into a plain field")
	}
	for _, c := range []struct{ args, code, want string }{
		{`{"fields": [{"selector": "#name", "value": "Eve"}, {"selector": "#stays", "value": "new"}, {"selector": "#city", "value": "Rome"}]}`, "NOT_ACTIONABLE", "fields[1]: page_fill #stays: the field does not hold what was typed; filled before it: #name; not filled: this one and the 1 after it"},
		{`{"fields": [{"selector": "#name", "value": "Eve"}, {"selector": "textbox \"Nam", "value": "x"}]}`, "INVALID_INPUT", "fields[1]"},
		{`{"fields": [{"selector": "#city", "value": "Rome"}, {"selector": "#name"}]}`, "INVALID_INPUT", "fields[1] needs either value or option; nothing was filled"},
		{`{"fields": [{"selector": "combobox \"Size\"", "value": "M", "option": "M"}]}`, "INVALID_INPUT", "fields[0] needs either"},
		{`{"fields": [{"selector": "combobox \"Size\"", "option": "XL"}]}`, "ELEMENT_NOT_FOUND", `no option "XL"`},
		{`{"fields": [{"selector": "#name", "value": "x", "exakt": true}]}`, "INVALID_INPUT", "exakt"},
		{`{"fields": []}`, "INVALID_INPUT", "empty"},
		{`{"fields": [{"selector": "#name", "value": "x"}], "selector": "#city", "value": "y"}`, "INVALID_INPUT", "exclude"},
		{`{"value": "y"}`, "INVALID_INPUT", `"selector" is missing`},
		{`{"selector": "#name"}`, "INVALID_INPUT", `"value" is missing`},
		{`{"fields": [{"selector": "checkbox \"Agree\"", "value": "true"}]}`, "NOT_ACTIONABLE", "page_click"},
		{`{"selector": "combobox \"Size\"", "value": "M"}`, "NOT_ACTIONABLE", "page_select"},
		{`{"fields": [{"selector": "#name", "value": "x"}, {"selector": "heading \"Order\"", "value": "y"}]}`, "NOT_ACTIONABLE", "filled before it: #name"},
	} {
		a := d.raw("page_fill", c.args)
		if a.OK || a.Error.Code != c.code || !strings.Contains(a.text, c.want) {
			t.Errorf("%s: %s %s, want %s %s", c.args, a.Error.Code, a.text, c.code, c.want)
		}
	}
	if a := d.ok("page_evaluate", `{"script": "document.querySelector('#name').value + document.querySelector('#city').value"}`); !strings.Contains(a.text, "xBonn") {
		t.Errorf("what comes after a failed field is filled, or bad input was not refused first: %s", a.text)
	}
}

// The flow of a run's calls has a step a field, those of a call that failed later among them.
func TestRepeatFields(t *testing.T) {
	t.Parallel()
	d := online(t)
	web := site(t, map[string]string{"/": orderPage})
	d.call("run_start", `{"goal": "it fills", "watch_ms": 0}`)
	d.call("page_navigate", `{"url": %q}`, web)
	d.call("page_fill", `{"fields": [{"selector": "#name", "value": "Ada"}, {"selector": "#city", "value": "Bonn"}, {"selector": "combobox \"Size\"", "option": "M"}]}`)
	d.call("page_fill", `{"fields": [{"selector": "#name", "value": "Eve"}, {"selector": "#stays", "value": "new"}]}`)
	d.call("verify_assertion", `{"assertion": {"type": "console_clean"}}`)
	a := d.call("run_finish", `{}`)
	id, _ := a.Data["runId"].(string)
	text, err := os.ReadFile(filepath.Join(d.dir, "runs", id, qa.RepeatFlow))
	var got []string
	for _, line := range strings.Split(string(text), "\n") {
		if line = strings.Trim(line, " ,"); strings.HasPrefix(line, `"value"`) || strings.HasPrefix(line, `"option"`) {
			got = append(got, line)
		}
	}
	if diff := cmp.Diff([]string{`"value": "Ada"`, `"value": "Bonn"`, `"option": "M"`, `"value": "Eve"`}, got); err != nil || diff != "" {
		t.Errorf("%v %s\n%s\n%s", err, diff, text, a.text)
	}
}
