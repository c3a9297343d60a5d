package explore

import (
	"testing"

	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
)

// A page that rows link to is that of a record, unless its form asks for what is not there.
func TestFormsThatMakeRecords(t *testing.T) { // Req 0032/1
	text := func(required, filled bool) scan.Element {
		return scan.Element{Tag: "input", Type: "text", Form: 1, IsVisible: true, Field: &scan.Field{Required: required, Filled: filled}}
	}
	for name, one := range map[string]struct {
		fields []scan.Element
		want   bool
	}{
		"a new one":                   {[]scan.Element{text(true, false), text(false, false)}, true},
		"a new one with a default":    {[]scan.Element{text(true, false), text(true, true)}, true},
		"nothing must be given":       {[]scan.Element{text(false, false)}, true},
		"one that is there":           {[]scan.Element{text(true, true), text(false, false)}, false},
		"one without what must be":    {[]scan.Element{text(false, true), text(false, false)}, false},
		"a button alone":              {nil, false},
		"a field of another form":     {[]scan.Element{{Tag: "input", Type: "text", Form: 2, IsVisible: true, Field: &scan.Field{Required: true}}}, false},
		"a field that nobody can see": {[]scan.Element{{Tag: "input", Type: "text", Form: 1, Field: &scan.Field{Required: true}}}, false},
	} {
		if got := asksForNew(&scan.Page{Elements: one.fields}, 1); got != one.want {
			t.Errorf("%s: %t, want %t", name, got, one.want)
		}
	}
}

// A record is ours where a new link with a value of ours leads to it, also if a message
// links to it first; its other pages are its own, too, and a refused change deletes nothing.
// What only stands below the same number is not ours.
func TestOwnRecordsByTheirLinks(t *testing.T) { // Req 0032/1
	for _, app := range []string{"http://a.test", "http://a.test/app/#", "http://a.test/index.html#!"} {
		t.Run(app, func(t *testing.T) { ownRecordsByTheirLinks(t, app) })
	}
}

// ownRecordsByTheirLinks holds an application to it whose paths stand behind app.
func ownRecordsByTheirLinks(t *testing.T, app string) {
	link := func(name, path string) scan.Element {
		return scan.Element{Tag: "a", Role: "link", Name: name, Href: app + path}
	}
	r := newRecords(app + "/")
	r.mark = "tavamo"
	look := func(path string, status int, elements ...scan.Element) {
		v := &view{page: scan.Page{URL: app + path, Status: status, Elements: elements}, tree: &StateTree{repeat: map[int]string{1: "rows", 2: "rows", 3: "rows"}}}
		r.learn(v)
	}
	standing := func(path string) guard.Kind {
		return r.standing(&view{page: scan.Page{URL: app + path}})
	}
	look("/books/", 200, link("Home", "/"), link("One", "/books/1/change/"))
	look("/books/", 200, link("Sample Tavamo", "/books/2/change/"), link("Sample Tavamo", "/books/2/change/"), link("Tavamo", "/books/1/history/"))
	look("/books/2/change/", 422)
	look("/", 200, link("Home", "/"), link("Trip Tavamo", "/blog/2026/11/trip-tavamo"), link("Tag Tavamo", "/orgs/5/tags/tavamo"), link("Old", "/blog/2026/10/old"))
	for path, want := range map[string]guard.Kind{
		"/books/2/change/": guard.Own, "/books/2/delete/": guard.Own, "/books/1/change/": guard.Others, "/books/": guard.Explored,
		"/blog/2026/11/trip-tavamo": guard.Own, "/blog/2026/11/other": guard.Others, "/orgs/5/tags/tavamo/edit": guard.Own, "/orgs/5/edit": guard.Others, "/orgs/5/tags/red": guard.Others,
	} {
		if got := standing(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if name := r.of(&view{page: scan.Page{URL: app + "/books/1/change/"}}); name != "1" {
		t.Errorf("the record is named %q", name)
	}
	look("/books/2/change/", 404)
	if standing("/books/2/change/") == guard.Own {
		t.Error("a deleted record is ours")
	}
}

// The path that an exploration starts at names no record where its queries name the pages. A
// record with tabs is one, whoever links to them.
func TestPathsThatNameNoRecord(t *testing.T) { // Req 0032/1
	r := newRecords("http://a.test/wiki.php?id=start")
	look := func(from string, hrefs ...string) {
		v := &view{page: scan.Page{URL: "http://a.test" + from, Status: 200}, tree: &StateTree{repeat: map[int]string{0: "rows", 1: "rows"}}}
		for _, href := range hrefs {
			v.page.Elements = append(v.page.Elements, scan.Element{Tag: "a", Role: "link", Name: "One", Href: "http://a.test" + href})
		}
		r.learn(v)
	}
	standing := func(path string) guard.Kind { return r.standing(&view{page: scan.Page{URL: "http://a.test" + path}}) }
	look("/customers", "/customers/acme?tab=a", "/customers/acme?tab=b")
	look("/customers", "/wiki.php", "/customers/acme")
	if got := standing("/wiki.php"); got != guard.Others {
		t.Errorf("a start that lists link to without a query: %v", got)
	}
	look("/wiki.php", "/wiki.php?id=start", "/wiki.php?id=team")
	for path, want := range map[string]guard.Kind{"/wiki.php": guard.Explored, "/customers/acme": guard.Others} {
		if got := standing(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// Where a number in the query names the record, it is one as a number in the path is. A page of
// a list is none. What a list links to with other queries may be one, so that nothing is changed
// there; and a record of another kind that has
// the same number is another one.
func TestRecordsThatQueriesName(t *testing.T) { // Req 0032/1
	for _, app := range []string{"http://a.test", "http://a.test/#"} {
		t.Run(app, func(t *testing.T) {
			r := newRecords(app + "/index.php")
			r.mark = "tavamo"
			look := func(from string, field string, links ...[2]string) {
				v := &view{page: scan.Page{URL: app + from, Status: 200}, tree: &StateTree{repeat: map[int]string{}}}
				for i, link := range links {
					v.page.Elements = append(v.page.Elements, scan.Element{Tag: "a", Role: "link", Name: link[0], Href: app + link[1]})
					v.tree.repeat[i] = "rows"
				}
				v.page.Elements = append(v.page.Elements, scan.Element{Tag: "input", Field: &scan.Field{Value: field}})
				r.learn(v)
			}
			look("/index.php", "", [2]string{"All", "/index.php?page=list"}, [2]string{"Logs", "/index.php?page=logs"}, [2]string{"People", "/people.php?view=all"}, [2]string{"Teams", "/people.php?view=teams"})
			look("/index.php?page=list", "", [2]string{"One", "/index.php?page=ticket&id=1"}, [2]string{"2", "/index.php?page=list&from=2"})
			look("/index.php?page=list", "", [2]string{"Sample Tavamo", "/index.php?page=ticket&id=3"})
			look("/index.php?page=ticket&id=3", "", [2]string{"Edit", "/index.php?page=edit&id=3"}, [2]string{"Ana", "/index.php?page=user&id=3"}, [2]string{"One", "/index.php?page=edit&id=1"})
			look("/index.php?page=edit&id=3", "Sample Tavamo")
			look("/index.php?page=edit&id=1", "One")
			look("/index.php?page=user&id=3", "Ana")
			for path, want := range map[string]guard.Kind{
				"/index.php?page=ticket&id=3": guard.Own, "/index.php?page=edit&id=3": guard.Own, "/index.php?page=ticket&id=1": guard.Others, "/index.php?page=edit&id=1": guard.Others,
				"/index.php?page=user&id=3": guard.Others, "/index.php?page=list": guard.Explored, "/index.php?page=list&from=2": guard.Explored, "/index.php?page=logs": guard.Explored,
				"/people.php?view=teams": guard.Others, "/index.php": guard.Explored,
			} {
				if got := r.standing(&view{page: scan.Page{URL: app + path}}); got != want {
					t.Errorf("%s: %v, want %v", path, got, want)
				}
			}
			if !r.isScript(&view{page: scan.Page{URL: app + "/people.php?view=teams"}}) || r.isScript(&view{page: scan.Page{URL: app + "/index.php?page=ticket&id=1"}}) {
				t.Error("what its query names is told by a text, not by a number")
			}
			if name := r.of(&view{page: scan.Page{URL: app + "/index.php?page=ticket&id=1"}}); name != "1" {
				t.Errorf("the record is named %q", name)
			}
		})
	}
}

// A form of a listed page makes a new record where it is sent to its own page, or to another
// page below what is listed: another address may be an act on what the page shows.
func TestFormsThatAreSentElsewhere(t *testing.T) { // Req 0032/1
	r := newRecords("http://a.test/")
	r.listed["a.test/groups/add"], r.listed["a.test/customers/acme"], r.listed["a.test/projects/web"] = true, true, true
	r.linked["a.test/projects/web/issues"], r.linked["a.test/projects/web"] = true, true
	for _, one := range []struct {
		page, action string
		want         bool
	}{
		{"/groups/add", "/groups/add", true},
		{"/groups/add", "/groups/add?next=1", true},
		{"/customers/acme", "/customers/acme/assign", false},
		{"/customers/7", "/customers/7", false},
		{"/projects/web/issues/new", "/projects/web/issues", true},
		{"/projects/web/issues/new", "/projects/web", false},
		{"/projects/web/issues/new", "/projects/web/close", false},
		{"/projects/web/issues/new", "/projects/webshop/issues", false},
		{"/projects/web", "/projects/web/issues", false},
	} {
		v := &view{page: scan.Page{URL: "http://a.test" + one.page, Forms: []scan.Form{{Method: "POST", Action: "http://a.test" + one.action}},
			Elements: []scan.Element{{Tag: "input", Type: "text", Form: 1, IsVisible: true, Field: &scan.Field{Required: true}}}}}
		if got := r.makes(v, 1); got != one.want {
			t.Errorf("%s to %s: %t", one.page, one.action, got)
		}
	}
}

// A form that makes something has no words yet, and may have a date or a number of its own.
func TestFormsThatAskForSomethingNew(t *testing.T) { // Req 0032/1
	field := func(kind string, f scan.Field) scan.Element {
		return scan.Element{Tag: "input", Type: kind, Form: 1, IsVisible: true, Field: &f}
	}
	empty, filled := scan.Field{}, scan.Field{Value: "Paint the door", Filled: true}
	for name, one := range map[string]struct {
		fields []scan.Element
		want   bool
	}{
		"no words":                       {[]scan.Element{field("text", empty), field("date", scan.Field{Value: "2026-11-28", Filled: true})}, true},
		"a number alone":                 {[]scan.Element{field("number", scan.Field{Value: "1", Filled: true})}, false},
		"some words":                     {[]scan.Element{field("text", filled), field("text", empty)}, false},
		"words, and one that must be":    {[]scan.Element{field("text", filled), field("text", scan.Field{Required: true})}, true},
		"words, and a date that must be": {[]scan.Element{field("text", filled), field("date", scan.Field{Required: true})}, true},
	} {
		if got := asksForNew(&scan.Page{Elements: one.fields}, 1); got != one.want {
			t.Errorf("%s: %t, want %t", name, got, one.want)
		}
	}
}

// What a list links to with a query is named by that query: pages below its path are none of
// it. A page is no item of the list that it shows.
func TestPagesBelowAListThatCanBeSorted(t *testing.T) { // Req 0032/1
	const app = "http://a.test"
	r := newRecords(app + "/")
	link := func(href string) *scan.Node { return &scan.Node{Role: "link", Name: href} }
	page := scan.Page{URL: app + "/issues", Nodes: []scan.Node{{Role: "list"}}}
	for i, href := range []string{"/issues?sort=id", "/issues?sort=name", "/issues?sort=date", "/issues?sort=owner"} {
		n := *link(href)
		n.Depth, n.Element = 1, &i
		page.Nodes = append(page.Nodes, n)
		page.Elements = append(page.Elements, scan.Element{Tag: "a", Role: "link", Name: href, Href: app + href, HrefSet: href, IsVisible: true})
	}
	for i := range 4 {
		n, at := scan.Node{Depth: 1, Role: "button", Name: "Actions"}, 4+i
		n.Element = &at
		page.Nodes = append(page.Nodes, n)
		page.Elements = append(page.Elements, scan.Element{Tag: "a", Role: "button", Name: "Actions", Href: app + "/issues#", HrefSet: "#", IsVisible: true})
	}
	v := &view{page: page, tree: Read(&page, "a.test/issues")}
	r.learn(v)
	r.queried["a.test"] = true // the start page of a site is no record
	for path, want := range map[string]guard.Kind{
		"/?sort=id": guard.Explored, "/issues?sort=id": guard.Others, "/issues": guard.Explored, "/issues/new": guard.Explored, "/issues/new?of=7": guard.Explored, "/issues/7": guard.Others,
	} {
		if got := r.standing(&view{page: scan.Page{URL: app + path}}); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
