package tools_test

import (
	"os"
	"path/filepath"
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
	<input type="password" id="cut" maxlength="4"><input type="password" id="drops" oninput="this.value = ''">
	<input type="password" id="signs" oninput="this.value = this.value.replace(/\W/g, '')">
	<label id="named">Password <input type="password" id="inner" oninput="this.value = this.value.slice(0, 3)"></label>
	<input autocomplete="cc-number" id="card" oninput="this.value = this.value.replace(/(....)(?=.)/g, '$1 ')">
	<input autocomplete="one-time-code" id="code" oninput="this.value = this.value.slice(0, 1)">
	<div contenteditable id="edit"></div><div contenteditable id="shows" oninput="this.textContent = '☺'"></div>
	<script>window.keys = []; keyed.addEventListener('keydown', e => keys.push(e.key))</script>`

// B15: fill verifies what the field holds: empty, unchanged, or other letters or digits
// fails; what is only formatted is noted, and fails where exact is set.
func TestFillVerifies(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": fieldsPage}))
	inFlow := map[string]bool{}
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
		{`"selector": "#cut", "value": "geheim"`, "another text than was typed", true},
		{`"selector": "#drops", "value": "geheim"`, "empty after typing", true},
		{`"selector": "#signs", "value": "ge-heim"`, "another text than was typed", true},
		{`"selector": "#signs", "value": "geheim"`, "", false},
		{`"selector": "#named", "value": "geheim"`, "another text than was typed", true},
		{`"selector": "#card", "value": "41111111"`, "in another form", false},
		{`"selector": "#card", "value": "41111111", "exact": true`, "exact is set", true},
		{`"selector": "#code", "value": "123456"`, "could not be verified", false},
		{`"selector": "#edit", "value": "Ada"`, "filled", false},
		{`"selector": "#shows", "value": "smile"`, "could not be verified", false},
		{`"selector": "#shows", "value": "Ada", "exact": true`, "exact is set", true},
	} {
		a := d.raw("page_fill", "{"+tt.args+"}")
		if a.OK == tt.fails || tt.fails && a.Error.Code != "NOT_ACTIONABLE" || !strings.Contains(a.text, tt.word) {
			t.Errorf("page_fill %s: %s", tt.args, a.text)
		}
		if tt.fails && !inFlow[tt.word] { // each way to fail once
			inFlow[tt.word] = true
			flow := d.raw("verify_user_flow", `{"steps": [{"action": "fill", `+tt.args+`}, {"action": "assert", "selector": "#plain", "assertion": {"type": "visible"}}], "watch_ms": 0}`)
			if flow.Data["success"] != false || flow.Data["status"] != "failed" || !strings.Contains(flow.text, tt.word) {
				t.Errorf("fill %s in a flow: %s", tt.args, flow.text)
			}
		}
	}
}

// B15, E6: a secret that the page cut is found, and neither it nor what is left of it is in
// an answer or in a file of the run, whatever the field and however it is named.
func TestFilledSecretStaysInThePage(t *testing.T) {
	t.Parallel()
	const pin = "hunter2-zwyxvut9"
	d := patient(t)
	d.withSecrets(map[string]string{"PIN": pin})
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": fieldsPage + `<input id="slice" oninput="this.value = this.value.slice(8, 13)">`}))
	for selector, fails := range map[string]bool{"#slice": true, "#cut": true, "#named": true, "#drops": true, "#plain": false, "#area": false} {
		a := d.raw("page_fill", `{"selector": "`+selector+`", "value": "${secret:PIN}"}`)
		if a.OK == fails || strings.Contains(a.text, "zwyx") || strings.Contains(a.text, "hunt") {
			t.Errorf("page_fill %s: %s", selector, a.text)
		}
		flow := d.raw("verify_user_flow", `{"steps": [{"action": "fill", "selector": "`+selector+`", "value": "${secret:PIN}"}, {"action": "assert", "selector": "#plain", "assertion": {"type": "visible"}, "unchanged": true}], "watch_ms": 0}`)
		if (flow.Data["success"] == true) == fails || strings.Contains(flow.text, "zwyx") || strings.Contains(flow.text, "hunt") {
			t.Errorf("fill %s in a flow: %s", selector, flow.text)
		}
	}
	if a := d.raw("page_fill", `{"selector": "#named", "value": "swordfish"}`); a.OK || strings.Contains(a.text, "swo") {
		t.Errorf("a label's password: %s", a.text)
	}
	run, err := d.Run()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(run.Dir(), "*.json*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if raw, err := os.ReadFile(file); err != nil || strings.Contains(string(raw), "zwyx") || strings.Contains(string(raw), "hunt") || strings.Contains(string(raw), "swordfish") {
			t.Errorf("%s holds the secret, or %v", file, err)
		}
	}
}

// B15: with a delay fill clears the field and presses a key for each character.
func TestFillTypesKeyByKey(t *testing.T) {
	t.Parallel()
	d := patient(t)
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
