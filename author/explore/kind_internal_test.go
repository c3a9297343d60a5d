package explore

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
)

// A view that differs from those of its path by the query of its address alone offers
// nothing new; one with a line of its own does.
func TestVariantsByQuery(t *testing.T) { // Req 0032/1
	lines := func(all string) map[string]bool {
		out := map[string]bool{}
		for line := range strings.FieldsSeq(all) {
			out[line] = true
		}
		return out
	}
	f := &family{some: map[string]bool{}}
	if f.variant(lines("list row")) {
		t.Error("the first view is a variant")
	}
	f.states = append(f.states, &state{})
	f.learn(lines("list row"))
	f.learn(lines("list row ?status=open clear"))
	for _, one := range []struct {
		lines          string
		novel, variant bool
	}{
		{"list row", false, true},
		{"list row ?status=closed", true, true},
		{"list row clear ?status=closed ?sort=name", true, true},
		{"list row ?view=settings save", true, false},
		{"row ?status=closed", true, false},
	} {
		if f.novel(lines(one.lines)) != one.novel || f.variant(lines(one.lines)) != one.variant {
			t.Errorf("%s: novel %t, variant %t", one.lines, f.novel(lines(one.lines)), f.variant(lines(one.lines)))
		}
	}
}

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
func TestOwnRecordsByTheirLinks(t *testing.T) { // Req 0032/1
	link := func(name, address string) scan.Element {
		return scan.Element{Tag: "a", Role: "link", Name: name, Href: address}
	}
	r := newRecords()
	r.mark = "tavamo"
	look := func(address string, status int, elements ...scan.Element) *view {
		v := &view{page: scan.Page{URL: address, Status: status, Elements: elements}, tree: &StateTree{repeat: map[int]string{1: "rows", 2: "rows"}}}
		r.learn(v)
		return v
	}
	look("http://a.test/books/", 200, link("Home", "http://a.test/"), link("One", "http://a.test/books/1/change/"))
	look("http://a.test/books/", 200, link("Sample Tavamo", "http://a.test/books/2/change/"), link("Sample Tavamo", "http://a.test/books/2/change/"), link("Tavamo", "http://a.test/books/1/history/"))
	look("http://a.test/books/2/change/", 422)
	for address, want := range map[string]guard.Kind{"/books/2/change/": guard.Own, "/books/2/delete/": guard.Own, "/books/1/change/": guard.Others, "/books/": guard.Explored} {
		if got := r.standing(&view{page: scan.Page{URL: "http://a.test" + address}}); got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
	look("http://a.test/books/2/change/", 404)
	if r.standing(&view{page: scan.Page{URL: "http://a.test/books/2/change/"}}) == guard.Own {
		t.Error("a deleted record is ours")
	}
}
