package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// Item 7 of step 8: what a flow can't do again is said, and nothing is left out of
// a flow without a word.
func TestRepeated(t *testing.T) {
	t.Parallel()
	task := qa.TaskSpec{Goal: "g", Expectations: []qa.Expectation{{Text: `the button "Save" is disabled`}, {Text: `the figure "Revenue" is 5`}}}
	specs := map[string]tool.Spec{}
	for _, tool := range Catalogue((&workspace.Workspace{Settings: workspace.Settings{Sets: []string{string(tool.Core)}, Evaluate: true}})) {
		specs[tool.Definition.Name] = tool.Spec
	}
	opens, checks := `page_navigate {"url": "/orders"}`, `verify_assertion {"assertion": {"type": "console_clean"}}`
	for name, c := range map[string]struct {
		calls []string
		want  string // of the flow; or, with "why: " before it, the reason
		void  string // why its checks prove nothing
	}{
		"acts and checks": {[]string{`browser_launch {}`, opens, `page_snapshot {}`, `page_click {"selector": "#a"}`, `page_fill {"selector": "#b", "value": "${secret:PW}"}`, `page_wait_for_selector {"selector": "#c", "state": "detached"}`, checks},
			`{"name":"g","start_url":"http://shop.test/orders","steps":[{"action":"click","selector":"#a"},{"action":"fill","selector":"#b","value":"${secret:PW}"},{"action":"assert","selector":"#c","assertion":{"type":"count_equals","expected":"0"}},{"action":"assert","assertion":{"type":"console_clean"}}],"timeout_ms":50000,"made_by":"the calls of a run"}`, ""},
		"what a sentence asks for":  {[]string{opens, `verify_assertion {"expects": ["E1"]}`}, `{"action":"assert","selector":"button \"Save\"","assertion":{"type":"enabled","not":true}}`, ""},
		"back":                      {[]string{opens, `page_navigate {"back": true}`, checks}, `"steps":[{"action":"back"},`, ""},
		"a second page":             {[]string{opens, opens, checks}, `{"action":"navigate","url":"http://shop.test/orders"}`, ""},
		"a flow in it":              {[]string{`verify_user_flow {"start_url": "/a", "steps": [{"action": "click", "selector": "#a"}], "success_condition": "text=Done"}`}, `"success_condition":"text=Done"`, ""},
		"an error is no act":        {[]string{opens, `!page_click {"selector": "#gone"}`, checks}, `"steps":[{"action":"assert"`, ""},
		"a figure":                  {[]string{opens, checks, `verify_assertion {"expects": ["E2"]}`}, `{"action":"gap","value":"check","description":"call 3, verify_assertion: no step of a flow asserts that the figure`, ""},
		"no page":                   {[]string{`page_click {"selector": "#a"}`, checks}, "why: it opens no address", ""},
		"nothing checked":           {[]string{opens, `page_click {"selector": "#a"}`}, "why: it has no check", ""},
		"a script":                  {[]string{opens, `page_evaluate {"script": "1"}`, checks}, `"steps":[{"action":"evaluate","value":"1"},`, ""},
		"a script with an argument": {[]string{opens, `page_evaluate {"script": "a => a", "arg": {"b": 1}}`, checks}, `{"action":"gap","value":"act","description":"call 2, page_evaluate: no step of a flow does that"},{"action":"assert","assertion":{"type":"console_clean"}}`, ""},
		"a mock":                    {[]string{opens, `network_intercept {"mode": "mock"}`, checks}, `{"action":"gap","value":"act","description":"call 2, network_intercept: no step of a flow does that"}`, ""},
		"a password":                {[]string{opens, `page_fill {"selector": "#b", "value": "••••"}`, checks}, `{"action":"gap","value":"act","description":"call 2, page_fill: it typed what is not kept: use the reference of a secret"}`, ""},
		"two sessions": {[]string{`page_navigate {"url": "/", "session_id": "a"}`, `verify_assertion {"session_id": "a", "assertion": {"type": "console_clean"}}`, `page_click {"selector": "#a", "session_id": "b"}`, `page_click {"selector": "#c", "session_id": "b"}`},
			`{"action":"assert","assertion":{"type":"console_clean"}},{"action":"gap","value":"act","description":"call 3, page_click: a flow has one session: what follows is left out"}]`, ""},
		"a session by default and one by name": {[]string{opens, checks, `page_click {"selector": "#a", "session_id": "b"}`}, `{"action":"gap","value":"act","description":"call 3, page_click: a flow has one session: what follows is left out"}]`, ""},
		"a look at another session":            {[]string{opens, `page_snapshot {"session_id": "b"}`, checks}, `"steps":[{"action":"assert","assertion":{"type":"console_clean"}}]`, ""},
		"after a flow of its own": {[]string{`verify_user_flow {"start_url": "/a", "steps": [{"action": "click", "selector": "#a"}], "success_condition": "text=Done"}`, opens, checks},
			`"steps":[{"action":"click","selector":"#a"},{"action":"gap","value":"act","description":"call 2, page_navigate: a flow has one session: what follows is left out"}],"success_condition":"text=Done"`, ""},
		"a flow of its own after calls": {[]string{opens, checks, `verify_user_flow {"start_url": "/a", "steps": [], "success_condition": "text=Done"}`}, `{"action":"gap","value":"check","description":"call 3, verify_user_flow: a flow has one session: what follows is left out"}]`, ""},
		"a page that did not load":      {[]string{opens, `!!page_navigate {"url": "/slow"}`, checks}, `"steps":[{"action":"navigate","url":"http://shop.test/slow"},`, ""},
		"a navigation that did nothing": {[]string{opens, `!page_navigate {"url": "/next"}`, `!page_navigate {"back": true}`, checks}, `"steps":[{"action":"assert"`, ""},
		"a check that proves nothing":   {[]string{opens, `verify_user_flow {"steps": [{"action": "tab", "value": "2"}], "success_condition": "text=Done"}`, checks}, `{"action":"gap","value":"check","description":"call 3, verify_assertion: it proves nothing: a script wrote it"}]`, "a script wrote it"},
		"tabs of a flow in it":          {[]string{opens, `verify_user_flow {"steps": [{"action": "tab", "value": "2"}, {"action": "tab", "value": "close"}]}`, checks}, `"steps":[{"action":"tab","value":"2"},{"action":"tab","value":"close"},`, ""},
		"after the end":                 {[]string{opens, `browser_close {}`, checks}, `"steps":[{"action":"gap","value":"check","description":"call 3, verify_assertion: a flow has one session: what follows is left out"}]`, ""},
		"a viewport":                    {[]string{`browser_launch {"options": {"device": "Pixel 7"}}`, opens, checks}, `"steps":[{"action":"gap","value":"act","description":"call 1, browser_launch: a flow's session has the configuration's options"}`, ""},
		"after a whole flow":            {[]string{opens, `verify_user_flow {"steps": [], "success_condition": "text=Done"}`, checks}, `"steps":[{"action":"assert","assertion":{"type":"text_contains","expected":"Done"}},{"action":"assert","assertion":{"type":"console_clean"}}]`, ""},
	} {
		var made []workspace.RecordedCall
		for _, line := range c.calls {
			tool, input, _ := strings.Cut(line, " ")
			name, failed := strings.TrimLeft(tool, "!"), strings.HasPrefix(tool, "!") // !!: and the page may have been left
			if specs[name].Name == "" {
				t.Fatalf("%s is no tool", name)
			}
			session := "s-default"
			switch _, other, named := strings.Cut(input, `"session_id": "`); {
			case named:
				session, _, _ = strings.Cut(other, `"`)
			case strings.Contains(input, `"start_url"`):
				session = "" // of its own
			}
			made = append(made, workspace.RecordedCall{Session: session, Before: browser.TabNumbers{Current: 1, Opened: 1}, After: browser.TabNumbers{Current: 1, Opened: 1}, PageLeft: strings.HasPrefix(tool, "!!"), Void: c.void, Tool: name, Repeat: specs[name].Repeat, Looks: specs[name].ReadOnly || specs[name].Verifies, Input: json.RawMessage(input), Failed: failed})
		}
		f, err := workspace.FlowFromCalls(task, "http://shop.test/", made)
		text, jsonErr := json.Marshal(f)
		why, refused := strings.CutPrefix(c.want, "why: ")
		if jsonErr != nil || refused != (err != nil) || refused && !strings.Contains(err.Error(), why) || !refused && !strings.Contains(strings.ReplaceAll(string(text), `\u003e`, ">"), c.want) {
			t.Errorf("%s: %v\n%s\nwant %s", name, err, text, c.want)
		}
	}
}

// Req 0033/A: the flow follows the tabs that the calls were made in, by the order in which its own
// session opens them.
func TestRepeatedInTabs(t *testing.T) {
	t.Parallel()
	at := func(current, opened int) browser.TabNumbers {
		return browser.TabNumbers{Current: current, Opened: opened}
	}
	call := func(before, after browser.TabNumbers, line string) workspace.RecordedCall {
		name, input, _ := strings.Cut(line, " ")
		for _, one := range Catalogue(&workspace.Workspace{Settings: workspace.Settings{Sets: []string{string(tool.Core)}}}) {
			if one.Definition.Name == name {
				return workspace.RecordedCall{Session: "s", Tool: name, Repeat: one.Spec.Repeat, Input: json.RawMessage(input), Before: before, After: after}
			}
		}
		t.Fatal(name)
		return workspace.RecordedCall{}
	}
	const opens, opensPopup, allows, looks = `page_navigate {"url": "/"}`, `page_click {"selector": "#in"}`, `page_click {"selector": "#allow"}`, `verify_assertion {"assertion": {"type": "console_clean"}}`
	for name, c := range map[string]struct {
		made []workspace.RecordedCall
		want string // the actions of the steps, with the values of those that have one
	}{
		"a popup, and the opener once it has closed": {[]workspace.RecordedCall{call(at(1, 1), at(1, 1), opens), call(at(1, 1), at(1, 2), opensPopup), call(at(1, 2), at(2, 2), `page_tabs {"action": "select", "tab": 2}`),
			call(at(2, 2), at(1, 2), allows), call(at(1, 2), at(1, 2), looks)}, "click, tab 2, click, tab 1, assert"},
		"a session that had popups before": {[]workspace.RecordedCall{call(at(3, 5), at(3, 5), opens), call(at(3, 5), at(3, 6), opensPopup), call(at(3, 6), at(6, 6), `page_tabs {"action": "select", "tab": 6}`),
			call(at(6, 6), at(3, 6), `page_tabs {"action": "close"}`), call(at(3, 6), at(3, 6), looks)}, "click, tab 2, tab close, tab 1, assert"},
		"a tab of before": {[]workspace.RecordedCall{call(at(3, 5), at(3, 5), opens), call(at(3, 5), at(2, 5), `page_tabs {"action": "select", "tab": 2}`), call(at(2, 5), at(2, 5), looks)}, "gap act, assert"},
	} {
		f, err := workspace.FlowFromCalls(qa.TaskSpec{Goal: "g"}, "http://shop.test/", c.made)
		var got []string
		for _, s := range f.Steps {
			got = append(got, strings.TrimSpace(s.Action+" "+s.Value))
		}
		if err != nil || strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q; %v", name, got, c.want, err)
		}
	}
}
