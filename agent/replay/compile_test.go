package replay_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/replay"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/rules"
)

// did is a call that succeeded in a step. element is what its answer says of the
// element: "" is nothing.
func did(step int, name, arguments, element string) agent.Executed {
	answer := `{"ok": true, "data": {"status": 200}}`
	if element != "" {
		answer = `{"ok": true, "elements": [` + element + `]}`
	}
	return agent.Executed{Step: step, Name: name, Arguments: json.RawMessage(arguments), Structured: json.RawMessage(answer)}
}

const (
	saveButton = `{"action": 0, "locators": ["testid=save", "button \"Save\""], "fingerprint": {"role": "button", "name": "Save"}, "url": "http://shop.test/app/x"}`
	nameField  = `{"action": 0, "locators": ["textbox \"Name\""], "fingerprint": {"role": "textbox", "name": "Name"}, "empty": true, "url": "http://shop.test/app/x"}`
	fullField  = `{"action": 0, "locators": ["textbox \"Name\""], "fingerprint": {"role": "textbox", "name": "Name"}, "url": "http://shop.test/app/x"}`
	pwField    = `{"action": 0, "locators": ["textbox \"Password\""], "fingerprint": {"role": "textbox", "name": "Password", "type": "password"}, "secret": true, "url": "http://shop.test/app/x"}`
	isShown    = `{"assertion": {"type": "text_contains", "expected": "Done"}, "expects": ["E1"]}`
)

func compiled(t *testing.T, done ...agent.Executed) (flow.Flow, error) {
	t.Helper()
	steps := []replay.Step{{Text: "one"}, {Text: "two", Expected: []string{"Done"}}}
	return replay.Compile(replay.Source{Spec: "s", Name: "S", Run: "r", Base: "http://shop.test/app", Steps: steps, Keys: replay.Keys(nil, steps), Done: done,
		Secret: func(text string) bool { return strings.Contains(text, "hunter2") }, Rules: rules.Flows()})
}

// lines are the steps of a flow, one a line.
func lines(f flow.Flow) []string {
	out := []string{"open " + f.StartURL}
	for _, s := range f.Steps {
		line := s.Action
		for _, part := range []string{s.URL, s.Selector, s.Value, s.Option, s.Key} {
			if part != "" {
				line += " " + part
			}
		}
		if s.Assertion != nil {
			line += " " + string(s.Assertion.Type) + " " + s.Assertion.URL + s.Assertion.Expected
		}
		out = append(out, line)
	}
	return out
}

// E2: a call that fills several fields becomes a step a field, with what each is known
// again by; one that failed has those that it filled.
func TestCompileFields(t *testing.T) {
	t.Parallel()
	second := strings.Replace(pwField, `"action": 0`, `"action": 1`, 1)
	const args = `{"fields": [{"selector": "css=#n", "value": 7}, {"selector": "css=#p", "value": "${secret:PW}"}]}`
	partly := did(0, "page_fill", args, nameField)
	partly.Structured = json.RawMessage(`{"ok": false, "done": 1, "elements": [` + nameField + `]}`)
	f, err := compiled(t, did(0, "page_navigate", `{"url": "http://shop.test/app/"}`, ""), did(0, "page_fill", args, nameField+", "+second), partly, did(1, "verify_assertion", isShown, ""))
	want := []string{"open /", `fill textbox "Name" 7`, `fill textbox "Password" ${secret:PW}`, `fill textbox "Name" 7`, "assert text_contains Done"}
	if diff := cmp.Diff(want, lines(f)); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err := compiled(t, did(0, "page_navigate", `{"url": "http://shop.test/app/"}`, ""), did(0, "page_fill", args, nameField)); err == nil {
		t.Error("a field of which nothing is known is recorded")
	}
}

// E2: an upload and the answer to a dialog become steps; of tabs only a list leaves
// nothing, and an answer that no dialog used is refused.
func TestCompileUploadAndDialog(t *testing.T) {
	t.Parallel()
	opened, shown := did(0, "page_navigate", `{"url": "/x"}`, ""), did(1, "verify_assertion", isShown, "")
	f, err := compiled(t, opened, did(0, "page_tabs", `{"action": "list"}`, ""), did(0, "page_upload", `{"selector": "css=#f", "paths": ["a.txt", "sub/b.csv"]}`, nameField),
		did(0, "page_dialog", `{"action": "dismiss"}`, ""), did(0, "page_dialog", `{"action": "accept", "text": "Ada"}`, ""), did(1, "page_click", `{"selector": "css=b"}`, saveButton), shown)
	want := []string{"open /x", "upload textbox \"Name\" a.txt\nsub/b.csv", "dialog accept Ada", "click testid=save", "assert text_contains Done"}
	if diff := cmp.Diff(want, lines(f)); err != nil || diff != "" {
		t.Error(err, diff)
	}
	unused := did(0, "page_click", `{"selector": "css=b"}`, saveButton)
	unused.Structured = json.RawMessage(`{"ok": true, "data": {"notes": ["dialog: none was shown, so the answer set by page_dialog (accept) was not used and is dropped: the page was closed"]}, "elements": [` + saveButton + `]}`)
	for why, call := range map[string]agent.Executed{
		"works in the tab": did(0, "page_tabs", `{"action": "select", "tab": 2}`, ""), "works in the tab that": did(0, "page_tabs", `{"action": "close"}`, ""),
		"was not used": unused, "known again": did(0, "page_upload", `{"selector": "css=#f", "paths": ["a.txt"]}`, ""),
	} {
		if _, err := compiled(t, opened, call, shown); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", why, err)
		}
	}
}

// E2: each call that a flow can say becomes a step, in the spec's step that it was
// made for; what only looked leaves nothing.
func TestCompile(t *testing.T) {
	t.Parallel()
	f, err := compiled(t,
		did(0, "page_navigate", `{"url": "http://shop.test/app/cart?x=1#top"}`, ""), did(0, "page_snapshot", `{}`, ""), did(0, "page_fill", `{"selector": "css=#n", "value": 7}`, nameField),
		did(-1, "page_fill", `{"selector": "css=#p", "value": "${secret:PW}"}`, pwField), did(1, "page_click", `{"selector": "button \"Save\" [1]", "intent": "keep it", "timeout_ms": 900}`, saveButton),
		did(1, "page_select", `{"selector": "css=select", "option": "L"}`, nameField), did(1, "page_press", `{"key": "Enter"}`, nameField), did(1, "page_press", `{"key": "Escape"}`, ""),
		did(1, "page_hover", `{"selector": "css=b"}`, saveButton), did(1, "page_wait_for_selector", `{"selector": "css=i"}`, ""), did(1, "page_wait_for_selector", `{"selector": "css=u", "state": "hidden"}`, ""),
		did(1, "verify_element_exists", `{"selector": "css=h1", "expects": ["E2"]}`, ""), did(1, "analyze_console_errors", `{}`, ""), did(1, "page_navigate", `{"url": "https://other.test/"}`, ""),
		did(1, "verify_assertion", isShown, ""), did(1, "assert", `{"assertion": "it is nice"}`, ""), did(2, "page_click", `{"selector": "css=#x"}`, saveButton), did(2, "browser_close", `{}`, ""))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"open /cart?x=1#top", `fill textbox "Name" 7`, `fill textbox "Password" ${secret:PW}`, "click testid=save", `select textbox "Name" L`, `press textbox "Name" Enter`, "press Escape",
		"hover testid=save", "wait css=i", "assert css=u hidden ", "assert css=h1 visible ", "assert console_clean ", "navigate https://other.test/", "assert text_contains Done", "click testid=save"}
	if diff := cmp.Diff(want, lines(f)); diff != "" {
		t.Error(diff)
	}
	r := f.Recorded
	if r.Cleanup != 13 || r.Steps[0].From != 0 || r.Steps[0].To != 2 || r.Steps[1].From != 2 || r.Steps[1].To != 13 || r.Elements[0].URL != "/x" {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff(map[string][]string{"9": {"E2"}, "12": {"E1"}}, r.Steps[1].Expects); diff != "" {
		t.Error(diff)
	}
	if s := f.Steps[2]; s.Intent != "keep it" || s.TimeoutMS != 900 {
		t.Errorf("%+v", s)
	}
}

// E2: an assertion is recorded with all its fields.
func TestCompileAssertion(t *testing.T) {
	t.Parallel()
	f, err := compiled(t, did(0, "page_navigate", `{"url": "/x"}`, ""), did(0, "verify_assertion", `{"selector": "css=#n", "assertion": {"type": "number_compared", "op": ">=", "value": 5, "not": true}}`, ""),
		did(1, "verify_assertion", `{"assertion": {"type": "text_contains", "expected": 5, "whole_words": true}}`, ""),
		did(1, "verify_assertion", `{"selector": "li", "assertion": {"type": "sorted_by", "order": "asc", "as": "date"}}`, ""),
		did(1, "verify_assertion", `{"selector": "li", "assertion": {"type": "comes_before", "other": "css=b"}, "expects": ["E1"]}`, ""))
	if err != nil {
		t.Fatal(err)
	}
	want := []qa.Assertion{{Type: qa.NumberCompared, Op: ">=", Value: "5", Not: true}, {Type: qa.TextContains, Expected: "5", WholeWords: true},
		{Type: qa.SortedBy, Order: "asc", As: "date"}, {Type: qa.ComesBefore, Other: "css=b"}}
	var got []qa.Assertion
	for _, s := range f.Steps {
		got = append(got, *s.Assertion)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// C2, E2: what was done by place and key becomes steps on the elements there.
func TestCompileComputer(t *testing.T) {
	t.Parallel()
	at := func(n, element string) string { return strings.Replace(element, `"action": 0`, `"action": `+n, 1) }
	f, err := compiled(t, did(0, "computer_action", `{"action": "screenshot"}`, ""),
		did(0, "computer_action", `{"actions": [{"action": "click", "coords": {"x": 5, "y": 5}}, {"action": "type", "text": "ada"}, {"action": "hotkey", "hotkey": "Control+a"}, {"action": "type", "text": "bob"}, {"action": "scroll"}, {"action": "click", "wait": {"type": "selectorVisible", "selector": "testid=done"}}]}`,
			at("0", nameField)+","+at("1", nameField)+","+at("2", fullField)+","+at("3", fullField)+`,`+at("5", saveButton)),
		did(1, "verify_assertion", isShown, ""))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"open ", `click textbox "Name"`, `fill textbox "Name" ada`, `fill textbox "Name" bob`, "click testid=save", "wait testid=done", "assert text_contains Done"}
	if diff := cmp.Diff(want, lines(f)); diff != "" || len(f.Recorded.Elements) != 4 {
		t.Errorf("%s, %+v", diff, f.Recorded.Elements)
	}
}

// E2, A12: what a flow can't say, and what nobody may see, is refused with its
// call: nothing is recorded in part.
func TestUnrecordable(t *testing.T) {
	t.Parallel()
	opened, shown := did(0, "page_navigate", `{"url": "/x"}`, ""), did(1, "verify_assertion", isShown, "")
	for name, c := range map[string]struct {
		call agent.Executed
		why  string
	}{
		"KPIs":               {did(0, "check_kpis", `{}`, ""), "no step of a flow does that"},
		"an unknown tool":    {did(0, "page_drag", `{}`, ""), "no step of a flow does that"},
		"a mock":             {did(0, "network_intercept", `{"mode": "mock"}`, ""), "neither blocks nor mocks"},
		"a fresh context":    {did(0, "verify_element_exists", `{"url": "/y", "selector": "css=p"}`, ""), "in a context of its own"},
		"a late load":        {did(0, "verify_page_loads", `{"url": "/y"}`, ""), "as the first call only"},
		"a second session":   {did(0, "browser_launch", `{}`, ""), "a second browser session"},
		"two sessions":       {did(0, "page_click", `{"session_id": "s-2", "selector": "css=a"}`, saveButton), ""},
		"ignored errors":     {did(0, "analyze_console_errors", `{"ignore_patterns": ["x"]}`, ""), "ignores nothing"},
		"an unknown element": {did(0, "page_click", `{"selector": "css=a"}`, ""), "known again"},
		"a double click":     {did(0, "computer_action", `{"action": "double_click"}`, saveButton), `"double_click"`},
		"an empty place":     {did(0, "computer_action", `{"action": "click"}`, ""), "nothing is that could be known again"},
		"a text is extended": {did(0, "computer_action", `{"action": "type", "text": "x"}`, fullField), "held one"},
		"typed keys":         {did(0, "computer_action", `{"action": "type", "text": "x\n"}`, nameField), "a key in it"},
		"a password":         {did(0, "page_fill", `{"selector": "css=p", "value": "typed"}`, pwField), "a password was typed"},
		"a secret":           {did(0, "page_fill", `{"selector": "css=p", "value": "my hunter2"}`, nameField), "a secret was typed"},
		"a secret elsewhere": {did(0, "page_click", `{"selector": "css=p", "intent": "sends hunter2"}`, saveButton), "the value of a secret"},
		"broken arguments":   {did(0, "page_click", `{"selector": 3}`, saveButton), "can't be read"},
	} {
		f, err := compiled(t, opened, c.call, shown)
		var bad *replay.UnrecordableError
		switch {
		case c.why == "":
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case !errors.As(err, &bad) || !strings.Contains(err.Error(), c.why) || len(f.Steps) > 0:
			t.Errorf("%s: %v, %d steps", name, err, len(f.Steps))
		}
	}
	if _, err := compiled(t, opened, did(0, "page_click", `{"session_id": "s-1", "selector": "css=a"}`, saveButton), did(0, "page_click", `{"session_id": "s-2", "selector": "css=a"}`, saveButton), shown); err == nil || !strings.Contains(err.Error(), "call 3, page_click: a second browser session") {
		t.Errorf("two sessions: %v", err)
	}
	if _, err := compiled(t, opened, did(0, "page_click", `{"selector": "css=a"}`, saveButton)); err == nil || !strings.Contains(err.Error(), "no check") {
		t.Errorf("nothing is asserted: %v", err)
	}
	if f, err := compiled(t, did(0, "verify_page_loads", `{"url": "/y", "expected_title": "Y", "expects": ["E1"]}`, "")); err != nil || cmp.Diff(lines(f), []string{"open /y", "assert response_status 200", "assert title_equals Y"}) != "" {
		t.Errorf("a load first: %v, %q", err, lines(f))
	}
}

// E7: an edited step is another one, and so is what follows; what stands before it
// is not.
func TestKeys(t *testing.T) {
	t.Parallel()
	steps := []replay.Step{{Text: "a"}, {Text: "b", Expected: []string{"x"}}, {Text: "c"}}
	recorded := func(keys []string) *flow.Recorded {
		r := &flow.Recorded{}
		for _, k := range keys {
			r.Steps = append(r.Steps, flow.RecordedStep{Key: k})
		}
		return r
	}
	r := recorded(replay.Keys([]string{"p"}, steps))
	for name, c := range map[string]struct {
		before []string
		steps  []replay.Step
		n      int
		whole  bool
	}{
		"the same":           {[]string{"p"}, steps, 3, true},
		"another text":       {[]string{"p"}, []replay.Step{{Text: "a"}, {Text: "B", Expected: []string{"x"}}, {Text: "c"}}, 1, false},
		"another result":     {[]string{"p"}, []replay.Step{{Text: "a"}, {Text: "b", Expected: []string{"y"}}, {Text: "c"}}, 1, false},
		"result as a step":   {[]string{"p"}, []replay.Step{{Text: "a"}, {Text: "b"}, {Text: "x"}, {Text: "c"}}, 1, false},
		"another condition":  {[]string{"q"}, steps, 0, false},
		"one more":           {[]string{"p"}, append(steps[:3:3], replay.Step{Text: "d"}), 3, false},
		"one less":           {[]string{"p"}, steps[:2], 2, false},
		"changed places":     {[]string{"p"}, []replay.Step{steps[1], steps[0], steps[2]}, 0, false},
		"texts run together": {[]string{"p"}, []replay.Step{{Text: "ab", Expected: []string{"x"}}, {Text: "c"}}, 0, false},
	} {
		if n, whole := replay.Fits(r, replay.Keys(c.before, c.steps)); n != c.n || whole != c.whole {
			t.Errorf("%s: %d, %v", name, n, whole)
		}
	}
	if n, whole := replay.Fits(nil, replay.Keys(nil, steps)); n != 0 || whole {
		t.Error("no recording fits")
	}
}
