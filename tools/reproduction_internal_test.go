package tools

import (
	"encoding/json"
	"strings"
	"testing"

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
	}{
		"acts and checks": {[]string{`browser_launch {}`, opens, `page_snapshot {}`, `page_click {"selector": "#a"}`, `page_fill {"selector": "#b", "value": "${secret:PW}"}`, `page_wait_for_selector {"selector": "#c", "state": "detached"}`, checks},
			`{"name":"g","start_url":"http://shop.test/orders","steps":[{"action":"click","selector":"#a"},{"action":"fill","selector":"#b","value":"${secret:PW}"},{"action":"assert","selector":"#c","assertion":{"type":"count_equals","expected":"0"}},{"action":"assert","assertion":{"type":"console_clean"}}],"timeout_ms":50000,"made_by":"the calls of a run"}`},
		"what a sentence asks for": {[]string{opens, `verify_assertion {"expects": ["E1"]}`}, `{"action":"assert","selector":"button \"Save\"","assertion":{"type":"enabled","not":true}}`},
		"a second page":            {[]string{opens, opens, checks}, `{"action":"navigate","url":"http://shop.test/orders"}`},
		"a flow in it":             {[]string{`verify_user_flow {"start_url": "/a", "steps": [{"action": "click", "selector": "#a"}], "success_condition": "text=Done"}`}, `"success_condition":"text=Done"`},
		"an error is no act":       {[]string{opens, `!page_click {"selector": "#gone"}`, checks}, `"steps":[{"action":"assert"`},
		"a figure":                 {[]string{opens, `verify_assertion {"expects": ["E2"]}`}, "why: no step of a flow asserts that the figure"},
		"no page":                  {[]string{`page_click {"selector": "#a"}`, checks}, "why: it opens no address"},
		"nothing checked":          {[]string{opens, `page_click {"selector": "#a"}`}, "why: it has no check"},
		"a script":                 {[]string{opens, `page_evaluate {"script": "1"}`, checks}, "why: call 2, page_evaluate: no step of a flow does that"},
		"a mock":                   {[]string{opens, `network_intercept {"mode": "mock"}`, checks}, "why: call 2, network_intercept"},
		"a password":               {[]string{opens, `page_fill {"selector": "#b", "value": "••••"}`, checks}, "why: call 2, page_fill: it typed what is not kept"},
		"two sessions":             {[]string{`page_navigate {"url": "/", "session_id": "a"}`, `page_click {"selector": "#a", "session_id": "b"}`}, "why: call 2, page_click: a flow has one session"},
		"after the end":            {[]string{opens, `browser_close {}`, checks}, "why: call 3, verify_assertion: a flow has one session"},
		"a viewport":               {[]string{`browser_launch {"options": {"device": "Pixel 7"}}`, opens, checks}, "why: call 1, browser_launch"},
		"after a whole flow":       {[]string{`verify_user_flow {"start_url": "/a", "steps": [], "success_condition": "text=Done"}`, checks}, "why: call 2, verify_assertion: it comes after a flow"},
	} {
		var made []workspace.RecordedCall
		for _, line := range c.calls {
			tool, input, _ := strings.Cut(line, " ")
			name, failed := strings.CutPrefix(tool, "!")
			if specs[name].Name == "" {
				t.Fatalf("%s is no tool", name)
			}
			made = append(made, workspace.RecordedCall{Tool: name, Repeat: specs[name].Repeat, Input: json.RawMessage(input), Failed: failed})
		}
		f, err := workspace.FlowFromCalls(task, "http://shop.test/", made)
		text, jsonErr := json.Marshal(f)
		why, refused := strings.CutPrefix(c.want, "why: ")
		if jsonErr != nil || refused != (err != nil) || refused && !strings.Contains(err.Error(), why) || !refused && !strings.Contains(strings.ReplaceAll(string(text), `\u003e`, ">"), c.want) {
			t.Errorf("%s: %v\n%s\nwant %s", name, err, text, c.want)
		}
	}
}
