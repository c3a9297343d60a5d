package plan

import (
	"slices"
	"testing"

	"github.com/assay-qa/assay/author/site"
)

// Req 0032/2: a form that is there still says that it was refused only where it goes once it is
// taken. What a search takes is not refused, and what a refusal says is no data.
func TestWhatShowsARefusal(t *testing.T) {
	name := site.Element{Role: "textbox", Name: "Name", Landmark: "main"}
	save := site.Element{Role: "button", Name: "Save", Landmark: "main"}
	fields := []site.Field{{Element: name, Value: "Sample"}}
	states := []site.State{{ID: "new", Place: "a.test/new"}, {ID: "list", Place: "a.test/list"}, {ID: "one", Place: "a.test/items/{n}"}, {ID: "said", Place: "a.test/new"}}
	refused := site.Edge{From: "new", To: "said", Wrote: true, Action: site.Action{Kind: site.Submit, Element: &name, Key: "Enter", Fields: fields, Invalid: "empty"},
		Changes: site.Changes{Appeared: []site.Element{{Role: "text", Name: "Write something"}}}}
	taken := func(to string, gone ...site.Element) site.Edge {
		return site.Edge{From: "said", To: to, Wrote: true, Action: site.Action{Kind: site.Submit, Element: &save, Fields: fields}, Changes: site.Changes{Gone: gone}}
	}
	again := site.Edge{From: "one", To: "one", Wrote: true, Action: site.Action{Kind: site.Submit, Element: &save, Fields: fields}}
	for about, one := range map[string]struct {
		edges []site.Edge
		want  bool
	}{
		"it leads to a list":                    {[]site.Edge{refused, taken("list")}, true},
		"it leads to a page with the same form": {[]site.Edge{refused, taken("one"), again}, false},
		"it stays on its page":                  {[]site.Edge{refused, taken("said")}, false},
		"it goes from its page":                 {[]site.Edge{refused, taken("said", name)}, true},
		"it was never taken":                    {[]site.Edge{refused}, false},
	} {
		if got := newWays(site.Site{States: states, Edges: one.edges}).leaves(refused); got != one.want {
			t.Errorf("%s: the form goes once it is taken: %t, want %t", about, got, one.want)
		}
	}

	s := site.Site{StartURL: "http://a.test/new", States: states, Edges: []site.Edge{refused, taken("said", site.Element{Role: "text", Name: "Write something"}, site.Element{Role: "text", Name: "Old words"})}}
	if texts := RecordsOf(s).Texts; texts["Write something"] || !texts["Old words"] {
		t.Errorf("the data are %v", texts)
	}
	search := refused
	search.Wrote, search.Changes.URL = false, "http://a.test/new?q="
	s.Edges = []site.Edge{search}
	if all, left := questions(s); len(all) != 0 || !slices.ContainsFunc(left, func(e site.Edge) bool { return e.Changes.URL == search.Changes.URL }) {
		t.Errorf("a search for nothing is asked as a refusal: %+v, left %+v", all, left)
	}
}

// Req 0032/2: a question that is answered with no leaves what asked it, where another answer takes
// that away.
func TestWhatAnAnswerSpares(t *testing.T) {
	asks := site.Element{Role: "button", Name: "Close ticket", Landmark: "main"}
	click := func(name, from, to string, wrote bool, gone ...site.Element) site.Edge {
		return site.Edge{From: from, To: to, Wrote: wrote, Action: site.Action{Kind: site.Click, Element: &site.Element{Role: "button", Name: name, Landmark: "main"}}, Changes: site.Changes{Gone: gone}}
	}
	opened, no := click("Close ticket", "open", "asked", false), click("Cancel", "asked", "open", false)
	for about, one := range map[string]struct {
		yes  site.Edge
		want bool
	}{
		"yes takes it away":      {click("Yes", "asked", "closed", true, asks), true},
		"yes leads elsewhere":    {click("Yes", "asked", "list", true), true},
		"yes leaves it":          {click("Yes", "asked", "open", true), false},
		"yes does nothing":       {click("Yes", "asked", "list", false), false},
		"it is another dialog's": {click("Yes", "other", "closed", true, asks), false},
	} {
		m := newWays(site.Site{States: []site.State{{ID: "open", Place: "a.test/t/{n}"}, {ID: "asked", Place: "a.test/t/{n}"}, {ID: "closed", Place: "a.test/t/{n}"}, {ID: "list", Place: "a.test/t"}, {ID: "other", Place: "a.test/t/{n}"}},
			Edges: []site.Edge{opened, no, one.yes}})
		if got := m.spares(no, opened); got != one.want {
			t.Errorf("%s: no leaves what asked: %t, want %t", about, got, one.want)
		}
	}
}
