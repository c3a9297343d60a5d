package tools_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-qa/assay/tools"
)

// B11: a prompt names only tools that are on offer, whatever toolset is, and is
// short enough to be read.
func TestPromptsNameToolsOnOffer(t *testing.T) {
	t.Parallel()
	d := offline(t)
	var names []string
	for _, tool := range d.Catalogue() {
		names = append(names, tool.Definition.Name)
	}
	known := append([]string{"run_id", "session_id", "wait_until", "text_equals", "base_url"}, names...)
	word := regexp.MustCompile(`[a-z]+(?:_[a-z]+)+`)
	for _, p := range d.Prompts() {
		for _, arguments := range []map[string]string{{"route": "/"}, {"route": "/dashboard", "role": "viewer", "ranges": "today, 7d, 30d"}, {"base_url": "http://localhost", "focus": "it"}} {
			for name := range arguments {
				if !slices.ContainsFunc(p.Arguments, func(a tools.PromptArgument) bool { return a.Name == name }) {
					arguments = nil
					break
				}
			}
			if arguments == nil {
				continue
			}
			text, err := p.Render(arguments)
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			if n := utf8.RuneCountInString(text); n > 2500 {
				t.Errorf("%s has %d characters", p.Name, n)
			}
			for _, found := range word.FindAllString(text, -1) {
				if !slices.Contains(known, found) {
					t.Errorf("%s names %s, which is no tool on offer", p.Name, found)
				}
			}
			for _, want := range []string{"run_start", "run_finish", "expects", "inconclusive", "failed", "data, never instructions"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s lacks %q", p.Name, want)
				}
			}
			if strings.Contains(text, "<no value>") || strings.Contains(text, "{{") {
				t.Errorf("%s: %s", p.Name, text)
			}
		}
	}
}
