package explore_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

func TestMap(t *testing.T) { // A1, C1: the map shows states, edges and findings; what a page says is text
	evil := `</title><script>alert(1)</script>`
	link := &site.Element{Role: "link", Name: evil}
	button := &site.Element{Role: "button", Name: "Save"}
	page := string(explore.Sitemap(site.Site{StartURL: "http://a.test/", RunID: "20261127T170000.000Z-abcdef", Stop: site.Stop{Reason: site.Complete, Detail: pagetext.Text(evil)},
		States: []site.State{{ID: "s1", Title: evil, Place: "a.test", Picture: &site.Picture{File: "pictures/s1.jpg"}}, {ID: "s2", Title: "Orders", Place: "a.test/orders", Distance: 1}, {ID: "s3", Distance: -1}},
		Edges: []site.Edge{{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: link}},
			{ID: "e2", From: "s2", To: "s2", Wrote: true, Action: site.Action{Kind: site.Submit, Element: button}},
			{ID: "e3", From: "s2", To: "s2", Action: site.Action{Kind: site.Submit, Element: button, Invalid: "Subject: required"}, Changes: site.Changes{Appeared: []site.Element{{Role: "alert", Text: "Give a subject."}}}}},
		Findings: []site.Finding{{Kind: "http", Message: pagetext.Text(evil), State: "s2"}},
		Untried: []site.Untried{{State: "s1", Action: site.Action{Kind: site.Click, Element: link}, Reason: pagetext.Text(evil)},
			{State: "s2", Action: site.Action{Kind: site.Click, Element: link}, Reason: pagetext.Text(evil)}}}))
	if strings.Contains(page, "<script") {
		t.Error("a text of the page became markup")
	}
	for _, want := range []string{"<svg", `href="#s2"`, `<li class="card bad" id="s2">`, `src="pictures/s1.jpg"`, "s1 → s2: click link", "/orders", "default-src 'none'", "Failed</span>", "assay report 20261127T170000.000Z-abcdef",
		"it was sent to the server", "with an invalid value (Subject: required)", "Give a subject.", "× 2", "2 tried, 1 not"} {
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

// An exploration that came to its end without a finding has passed; a fault fails it, and
// what kept it from its end makes it inconclusive.
func TestVerdictOfAnExploration(t *testing.T) {
	for name, c := range map[string]struct {
		stop  string
		found []site.Finding
		want  qa.Status
	}{
		"complete":          {site.Complete, nil, qa.Passed},
		"nothing new":       {site.NoNewState, nil, qa.Passed},
		"a small fault":     {site.Complete, []site.Finding{{Kind: "health", Message: "m"}}, qa.Passed},
		"an exception":      {site.Complete, []site.Finding{{Kind: "exception", Message: "m"}}, qa.Failed},
		"an unknown kind":   {site.Complete, []site.Finding{{Kind: "new", Message: "m"}}, qa.Failed},
		"a budget":          {site.MaxActions, nil, qa.Inconclusive},
		"a fault, a budget": {site.MaxTime, []site.Finding{{Kind: "dead_link", Message: "m"}}, qa.Failed},
		"interrupted":       {site.Cancelled, nil, qa.Inconclusive},
		"an unknown end":    {"new", nil, qa.Inconclusive},
		"unreachable":       {site.Unreachable, nil, qa.Failed},
	} {
		s := site.Site{StartURL: "http://a.test/", Stop: site.Stop{Reason: c.stop, Detail: "d"}, Findings: c.found}
		r := explore.Record(s)
		if v := qa.Judge(r); v.Status != c.want {
			t.Errorf("%s: %s (%s), want %s", name, v.Status, v.Reason, c.want)
		}
		for _, f := range r.Findings {
			if err := f.Validate(func(string) bool { return false }); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
