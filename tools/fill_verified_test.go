package tools_test

import (
	"strings"
	"testing"
)

// fieldsPage has fields that format, change, or refuse what is typed into them.
const fieldsPage = `<title>Fields</title>
	<input id="plain"><input id="keyed"><textarea id="area"></textarea><input type="password" id="secret">
	<input id="phone" oninput="const d = this.value.replace(/\D/g, ''); this.value = '(' + d.slice(0, 3) + ') ' + d.slice(3)">
	<input id="upper" oninput="setTimeout(() => this.value = this.value.toUpperCase(), 50)">
	<input id="empty" oninput="this.value = ''">
	<input id="stays" value="old" oninput="this.value = 'old'">
	<input id="other" oninput="this.value = this.value + '0'">
	<input id="goes" oninput="this.remove()">
	<script>window.keys = []; keyed.addEventListener('keydown', e => keys.push(e.key))</script>`

// B15: fill verifies what the field holds: empty, unchanged, or other letters or digits
// fails; what is only formatted is noted, and fails where exact is set.
func TestFillVerifies(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": fieldsPage}))
	for _, tt := range []struct {
		args, word string
		fails      bool
	}{
		{`"selector": "#plain", "value": "Ada"`, "", false},
		{`"selector": "#plain", "value": "Ada", "exact": true`, "", false},
		{`"selector": "#plain", "value": ""`, "", false},
		{`"selector": "#area", "value": "one\ntwo"`, "", false},
		{`"selector": "#secret", "value": "geheim"`, "", false},
		{`"selector": "#phone", "value": "5551234"`, "reads differently", false},
		{`"selector": "#phone", "value": "5551234", "exact": true`, "exact is set", true},
		{`"selector": "#upper", "value": "abc"`, "", false},
		{`"selector": "#empty", "value": "abc"`, "empty after typing", true},
		{`"selector": "#stays", "value": "new"`, "other letters or digits", true},
		{`"selector": "#other", "value": "12"`, "other letters or digits", true},
		{`"selector": "#goes", "value": "12"`, "", false},
	} {
		a := d.raw("page_fill", "{"+tt.args+"}")
		if a.OK == tt.fails || tt.fails && a.Error.Code != "NOT_ACTIONABLE" || !strings.Contains(a.text, tt.word) {
			t.Errorf("page_fill %s: %s", tt.args, a.text)
		}
		if tt.fails {
			flow := d.raw("verify_user_flow", `{"steps": [{"action": "fill", `+tt.args+`}, {"action": "assert", "selector": "#plain", "assertion": {"type": "visible"}}], "watch_ms": 0}`)
			if flow.Data["success"] != false || flow.Data["status"] != "failed" || !strings.Contains(flow.text, tt.word) {
				t.Errorf("fill %s in a flow: %s", tt.args, flow.text)
			}
		}
	}
}

// B15: with a delay fill clears the field and presses a key for each character.
func TestFillTypesKeyByKey(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": fieldsPage}))
	keys := func() any { return d.ok("page_evaluate", `{"script": "keys.splice(0).join('')"}`).Data["result"] }
	d.ok("page_fill", `{"selector": "#keyed", "value": "at once"}`)
	if got := keys(); got != "" {
		t.Errorf("without a delay the keys are %v", got)
	}
	if a := d.ok("page_fill", `{"selector": "#keyed", "value": "Ada L.", "options": {"delay": 20}}`); a.Data["value"] != "Ada L." {
		t.Errorf("the field holds %v", a.Data["value"])
	}
	if got := keys(); got != "DeleteAda L." {
		t.Errorf("the keys are %v", got)
	}
	a := d.ok("verify_user_flow", `{"steps": [{"action": "fill", "selector": "#keyed", "value": "bob", "delay_ms": 20, "exact": true},
		{"action": "assert", "selector": "#keyed", "assertion": {"type": "value_equals", "expected": "bob"}}], "watch_ms": 0}`)
	if got := keys(); a.Data["steps_completed"] != 2.0 || got != "Deletebob" {
		t.Errorf("a flow pressed %v: %s", got, a.text)
	}
	for args, word := range map[string]string{
		`"value": "a\tb", "delay_ms": 20`:                              "line breaks or tabs",
		`"value": "` + strings.Repeat("x", 400) + `", "delay_ms": 100`: "the limit is",
		`"value": "a", "options": {"delya": 5}`:                        "did you mean",
	} {
		if a := d.raw("page_fill", `{"selector": "#keyed", `+args+`}`); a.OK || a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.text, word) {
			t.Errorf("page_fill %s: %s", args, a.text)
		}
	}
}
