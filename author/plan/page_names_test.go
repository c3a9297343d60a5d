package plan_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
)

// A page is called by the heading that its title says too, whatever its level, and not by what
// heads other pages as well; else by its title, where its headings head a part of it alone.
func TestPagesAreCalledByWhatTellsThem(t *testing.T) { // Req 0032/1
	type page struct {
		path, title string
		headings    [][2]string // tag, name
	}
	pages := []page{
		{"/", "Tracker", [][2]string{{"h1", "Tracker"}, {"h2", "Welcome"}}},
		{"/me", "My page - Tracker", [][2]string{{"h1", "Tracker"}, {"h2", "My page"}, {"h3", "Issues assigned to me"}}},
		{"/projects", "Projects - Tracker", [][2]string{{"h1", "Tracker"}, {"h3", "Queries"}, {"h2", "Projects"}}},
		{"/web", "Overview - Web - Tracker", [][2]string{{"h1", "Web"}, {"h2", "Overview"}}},
		{"/web/issues", "Issues - Web - Tracker", [][2]string{{"h1", "Web"}, {"h2", "Issues"}, {"h3", "Queries"}}},
		{"/web/activity", "Activity - Web - Tracker", [][2]string{{"h1", "Web"}, {"h3", "Today"}}},
		{"/web/news", "Tracker", [][2]string{{"h1", "Web"}, {"h2", "News"}}},
		{"/web/wiki", "Tracker", [][2]string{{"h1", "Web"}, {"h2", "Handbook"}}},
		{"/web/plain", "Tracker", [][2]string{{"h1", "Your cart"}}},
	}
	s := site.Site{StartURL: "http://a.test/"}
	var menu []site.Element // a list of links, as one of records is
	for i, name := range []string{"My page", "Projects", "Overview", "Issues", "Activity"} {
		menu = append(menu, site.Element{Tag: "a", Role: "link", Name: name, Href: "http://a.test/menu/" + name, XPath: fmt.Sprintf("/html/body/ul/li[%d]/a", i+1)})
	}
	for i, p := range pages {
		one := site.State{ID: fmt.Sprintf("s%d", i+1), Place: "a.test" + p.path, URL: "http://a.test" + p.path, Title: p.title}
		for _, h := range p.headings {
			one.Notable = append(one.Notable, site.Element{Role: "heading", Tag: h[0], Name: h[1], Locators: []site.Locator{{Selector: `heading "` + h[1] + `"`, Matches: 1}}})
		}
		s.States = append(s.States, one)
		if i > 0 {
			link := site.Element{Tag: "a", Role: "link", Name: fmt.Sprintf("Go %c", 'A'+i), Href: one.URL, Selector: fmt.Sprintf("#l%d", i), Locators: []site.Locator{{Selector: fmt.Sprintf("css=#l%d", i), Matches: 1}}}
			s.Edges = append(s.Edges, site.Edge{ID: fmt.Sprintf("e%d", i), From: "s1", To: one.ID, Action: site.Action{Kind: site.Click, Element: &link},
				Changes: site.Changes{URL: one.URL, Title: p.title, Appeared: slices.Concat(one.Notable, menu)}})
		}
	}
	want := []string{`opening "/" shows "Tracker"`, `"Go B" opens the page "My page"`, `"Go C" opens the page "Projects"`, `"Go D" opens the page "Overview"`, `"Go E" opens the page "Issues"`,
		`"Go F" opens the page "Activity"`, `"Go G" opens the page "News"`, `"Go H" opens the page "Handbook"`, `"Go I" opens the page "Your cart"`}
	if diff := cmp.Diff(want, titles(plan.OfSite(s))); diff != "" {
		t.Error(diff)
	}
}
