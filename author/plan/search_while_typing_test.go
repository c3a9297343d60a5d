package plan

import (
	"testing"

	"github.com/assay-qa/assay/author/site"
)

// Req 0032/2: what a search shows may come while its text is typed, so that typing is looked at as
// the act itself is; not where a form writes, or is refused.
func TestSearchesMayActWhileTheyAreTyped(t *testing.T) {
	box := site.Element{Role: "textbox", Name: "Search", Selector: "#q"}
	for name, want := range map[string]Part{"searches": Act, "writes": Way, "refused": Way} {
		e := site.Edge{ID: "e1", From: "s1", To: "s2", Wrote: name == "writes", Action: site.Action{Kind: site.Submit, Element: &box, Key: "Enter", Fields: []site.Field{{Element: box, Value: "a"}}}}
		if name == "refused" {
			e.Action.Invalid = "Search: required"
		}
		var f Flow
		f.addEdge(e, &site.State{ID: "s2"}, Act, map[string]string{})
		if len(f.Steps) != 2 || f.Steps[0].Part != want || f.Steps[1].Part != Act {
			t.Errorf("%s: %+v", name, f.Steps)
		}
	}
}
