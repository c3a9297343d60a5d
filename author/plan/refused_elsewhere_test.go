package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
)

// A form that was refused at another address, and sent again there, is sent by a test from the
// page that has it first.
func TestFormsThatAreSentAgainWhereTheyWereRefused(t *testing.T) { // Req 0032/1
	const base = "http://a.test"
	state := func(id, path, place, heading string) site.State {
		return site.State{ID: id, URL: base + path, Place: "a.test" + place, Title: heading, Notable: []site.Element{{Role: "heading", Tag: "h1", Name: heading, Selector: "h1"}}}
	}
	element := func(role, name string) site.Element {
		return site.Element{Role: role, Name: name, Text: name, Selector: role + "." + name, Locators: []site.Locator{{Selector: role + ` "` + name + `"`, Matches: 1}}}
	}
	link, button, subject := element("link", "New"), element("button", "Create"), element("textbox", "Subject")
	link.Tag, link.Href = "a", base+"/issues/new"
	send := func(from, to, url, value, invalid, says string) site.Edge {
		return site.Edge{ID: from + to, From: from, To: to, Wrote: true, Changes: site.Changes{URL: url, Appeared: []site.Element{element("text", says)}},
			Action: site.Action{Kind: site.Submit, Element: &button, Invalid: invalid, Fields: []site.Field{{Element: subject, Value: value}}}}
	}
	p := plan.OfSite(site.Site{StartURL: base + "/", States: []site.State{
		state("s1", "/", "/", "Home"), state("s2", "/issues/new", "/issues/new", "New issue"), state("s3", "/issues", "/issues", "New issue"), state("s4", "/done", "/done", "Thanks")},
		Edges: []site.Edge{
			{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: &link}, Changes: site.Changes{URL: base + "/issues/new", Appeared: []site.Element{element("heading", "New issue")}}},
			send("s2", "s3", base+"/issues", "", "empty", "Subject is blank"), send("s3", "s4", base+"/done", "Paint the door", "", "We paint it")}})
	if len(p.Left) > 0 {
		t.Errorf("no way leads to %v", p.Left)
	}
	i := slices.IndexFunc(p.Flows, func(f plan.Flow) bool { return strings.Contains(f.Name, `"Create" shows "We paint it"`) })
	if i < 0 {
		t.Fatalf("no flow sends the form: %v", titles(p))
	}
	if f := p.Flows[i]; f.Ask.OfRefusal() {
		t.Errorf("%s: it is taken for a refusal", f.Name)
	}
	var steps []string
	for _, s := range p.Flows[i].Steps {
		steps = append(steps, s.Kind+" "+strings.TrimPrefix(s.Link, base)+s.Text)
	}
	if want := []string{"navigate /issues/new", "type Subject", "submit Create"}; !slices.Equal(steps, want) {
		t.Errorf("its steps are %q, want %q", steps, want)
	}
}

// A form that is sent with values that keep all known rules, and comes back as it does with
// others, is refused.
func TestFormsThatComeBackAreRefused(t *testing.T) { // Req 0032/1
	button := site.Element{Role: "button", Name: "Create", Selector: "#create"}
	send := func(invalid, to string) site.Edge {
		return site.Edge{ID: invalid + to, From: "s1", To: to, Wrote: true, Action: site.Action{Kind: site.Submit, Element: &button, Invalid: invalid,
			Fields: []site.Field{{Element: site.Element{Role: "textbox", Name: "Subject", Selector: "#subject"}, Value: "Paint " + invalid}}}, Changes: site.Changes{Appeared: []site.Element{{Role: "text", Name: "Sorry"}}}}
	}
	for to, want := range map[string]bool{"s2": true, "s3": false} {
		p := plan.OfSite(site.Site{StartURL: "http://a.test/", States: []site.State{{ID: "s1", URL: "http://a.test/", Place: "a.test/", Title: "Home"}, {ID: "s2", Place: "a.test/sent"}, {ID: "s3", Place: "a.test/done"}},
			Edges: []site.Edge{send("empty", "s2"), send("", to)}})
		for _, f := range p.Flows {
			if f.Ask.Control == "Create" && f.Ask.Rule == "" && f.Ask.OfRefusal() != want {
				t.Errorf("%s, to %s: of a refusal: %t, want %t", f.Name, to, !want, want)
			}
		}
	}
}
