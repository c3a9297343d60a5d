package e2e_test

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// maxPrompt bounds what a model pays for one prompt, in characters.
const maxPrompt = 2500

// B11: the prompts are listed and rendered in every revision; the audit checks
// each message against the official schema. What is wrong with a request is
// said as such.
func TestPrompts(t *testing.T) {
	t.Parallel()
	for _, r := range revisions() {
		t.Run(string(r), func(t *testing.T) {
			w := attach(t, r)
			var list struct {
				Prompts []struct {
					Name, Description string
					Arguments         []struct {
						Name     string
						Required bool
					}
				}
			}
			decode(t, w.ask("prompts/list", nil).Result, &list)
			if len(list.Prompts) != 3 || list.Prompts[0].Name != "dashboard_sanity" || list.Prompts[1].Name != "explore_and_plan" || list.Prompts[2].Name != "qa_agent" {
				t.Fatalf("prompts: %+v", list.Prompts)
			}
			for name, arguments := range map[string]map[string]any{
				"qa_agent":         {"base_url": "http://localhost:3000", "focus": "the cart"},
				"dashboard_sanity": {"route": "/dashboard", "role": "viewer", "ranges": "today, 7d"},
			} {
				var got struct {
					Messages []struct {
						Role    string
						Content struct{ Type, Text string }
					}
				}
				decode(t, w.ask("prompts/get", map[string]any{"name": name, "arguments": arguments}).Result, &got)
				if len(got.Messages) != 1 || got.Messages[0].Role != "user" {
					t.Fatalf("%s: %+v", name, got)
				}
				text := got.Messages[0].Content.Text
				if n := utf8.RuneCountInString(text); n > maxPrompt {
					t.Errorf("%s has %d characters, more than %d", name, n, maxPrompt)
				}
				for argument, value := range arguments {
					if !strings.Contains(text, value.(string)) {
						t.Errorf("%s lacks its %s: %s", name, argument, text)
					}
				}
			}
			for _, bad := range []struct {
				name, word string
				arguments  map[string]any
			}{
				{"nobody", "nobody", nil},
				{"dashboard_sanity", "route", nil},
				{"qa_agent", `did you mean "base_url"`, map[string]any{"base_ur": "x"}},
				{"qa_agent", "500", map[string]any{"focus": strings.Repeat("x", 501)}},
				{"qa_agent", "one line", map[string]any{"focus": "a\nb"}},
			} {
				m := w.answer(w.send("prompts/get", map[string]any{"name": bad.name, "arguments": bad.arguments}))
				if m.Error == nil || m.Error.Code != invalidParams || !strings.Contains(m.Error.Message, bad.word) {
					t.Errorf("%s %v: %s, want code %d and %q", bad.name, bad.arguments, brief(m.line), invalidParams, bad.word)
				}
			}
		})
	}
}
