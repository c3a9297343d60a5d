package explore_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pagetext"
)

func TestMap(t *testing.T) { // A1, C1: the map shows states, edges and findings; what a page says is text
	evil := `</title><script>alert(1)</script>`
	link := &site.Element{Role: "link", Name: evil}
	page := string(explore.Sitemap(site.Site{StartURL: "http://a.test/", Stop: site.Stop{Reason: site.Complete},
		States:   []site.State{{ID: "s1", Title: evil, Place: "a.test", Picture: &site.Picture{File: "pictures/s1.jpg"}}, {ID: "s2", Title: "Orders", Place: "a.test/orders", Distance: 1}, {ID: "s3", Distance: -1}},
		Edges:    []site.Edge{{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: link}}},
		Findings: []site.Finding{{Kind: "http", Message: pagetext.Text(evil), State: "s2"}},
		Untried:  []site.Untried{{State: "s2", Action: site.Action{Kind: site.Click, Element: link}, Reason: pagetext.Text(evil)}}}))
	if strings.Contains(page, "<script") {
		t.Error("a text of the page became markup")
	}
	for _, want := range []string{"<svg", `href="#s2"`, `class="bad"`, `src="pictures/s1.jpg"`, "s1 → s2: click link", "/orders", "default-src 'none'"} {
		if !strings.Contains(page, want) {
			t.Errorf("the map has no %s", want)
		}
	}
	if n := strings.Count(page, "<rect"); n != 3 {
		t.Errorf("%d states are drawn, want 3", n)
	}
	if empty := string(explore.Sitemap(site.Site{StartURL: "http://a.test/"})); strings.Contains(empty, "<svg") {
		t.Error("a map of nothing is drawn")
	}
}
