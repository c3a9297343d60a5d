package explore_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/browser/scan"
)

func TestPlaces(t *testing.T) { // C2
	places := explore.NewPlaces()
	for address, want := range map[string]string{
		"http://a.test/orders/17":                                   "a.test/orders/{n}",
		"http://a.test/orders/17/lines/3?utm_source=x":              "a.test/orders/{n}/lines/{n}",
		"http://a.test/u/3fa85f64-5717-4562-b3fc-2c963f66afa6/edit": "a.test/u/{n}/edit",
		"http://a.test/day/2026-11-23":                              "a.test/day/{n}",
		"http://a.test/commit/9f86d081884c7d65":                     "a.test/commit/{n}",
		"http://a.test/order-1234.html":                             "a.test/order-{n}.html",
		"http://a.test/index2.html":                                 "a.test/index2.html",
		"http://a.test/api/v2":                                      "a.test/api/v2",
		"http://a.test/#/orders/17":                                 "a.test#/orders/{n}",
		"http://a.test/#top":                                        "a.test",
		"http://a.test/?tab=users":                                  "a.test?tab=users",
	} {
		if got := places.Of(address); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
	for _, value := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		if got, want := places.Of("http://b.test/?q="+value), "b.test?q="+value; got != want {
			t.Errorf("one of the first eight values: %s, want %s", got, want)
		}
	}
	if got, want := places.Of("http://b.test/?q=i"), "b.test?q={n}"; got != want {
		t.Errorf("the ninth value: %s, want %s", got, want)
	}
}

func TestNormal(t *testing.T) { // C1
	for _, same := range [][2]string{
		{"http://A.test:80/x/", "http://a.test/x"},
		{"http://a.test/x?b=2&a=1", "http://a.test/x?a=1&b=2"},
		{"http://a.test/x#part", "http://a.test/x"},
		{"http://a.test/x?utm_source=mail", "http://a.test/x"},
	} {
		if a, b := explore.NormalText(same[0]), explore.NormalText(same[1]); a != b {
			t.Errorf("%s and %s are one address, and become %s and %s", same[0], same[1], a, b)
		}
	}
	if explore.NormalText("http://a.test/#/x") == explore.NormalText("http://a.test/#/y") {
		t.Error("two routes of an application are one address")
	}
}

// n makes a node; its depth comes first.
func n(depth int, role, name string) scan.Node {
	return scan.Node{Depth: depth, Role: role, Name: name}
}

func shapeOf(mask *explore.StateMask, nodes ...scan.Node) explore.StateID {
	page := scan.Page{Nodes: nodes}
	return explore.Of(&page, explore.Read(&page, "a.test"), mask)
}

func TestShapes(t *testing.T) { // C2: one state each, whatever the data
	row := func(name string) []scan.Node {
		return []scan.Node{n(1, "row", ""), n(2, "cell", ""), n(3, "text", name)}
	}
	table := func(names ...string) []scan.Node {
		nodes := []scan.Node{n(0, "table", "")}
		for _, name := range names {
			nodes = append(nodes, row(name)...)
		}
		return nodes
	}
	heading := n(0, "heading", "Orders")
	cases := []struct {
		name string
		a, b []scan.Node
		same bool
	}{
		{"more rows of a table", table("Anna", "Bert"), table("Anna", "Bert", "Cleo", "Dora"), true},
		{"one row of a table", table("Anna", "Bert"), table("Anna"), true},
		{"another number", []scan.Node{n(0, "text", "17 orders")}, []scan.Node{n(0, "text", "23 orders")}, true},
		{"a number of a control", []scan.Node{n(0, "button", "Cart (3)")}, []scan.Node{n(0, "button", "Cart (4)")}, true},
		{"another heading", []scan.Node{heading}, []scan.Node{n(0, "heading", "Customers")}, false},
		{"a message", []scan.Node{heading}, []scan.Node{heading, n(0, "alert", ""), n(1, "text", "No such user")}, false},
		{"a tooltip", []scan.Node{heading}, []scan.Node{heading, n(0, "tooltip", "Open menu"), n(1, "text", "Open menu")}, true},
		{"a tooltip with a link", []scan.Node{heading}, []scan.Node{heading, n(0, "tooltip", ""), {Depth: 1, Role: "link", Name: "More", Element: new(int)}}, false},
		{"another button", []scan.Node{n(0, "button", "Save")}, []scan.Node{n(0, "button", "Send")}, false},
		{"an opened part", []scan.Node{{Role: "button", Name: "More", State: "collapsed"}}, []scan.Node{{Role: "button", Name: "More", State: "expanded"}}, false},
		{"a ticked box", []scan.Node{{Role: "checkbox", Name: "All"}}, []scan.Node{{Role: "checkbox", Name: "All", State: "checked"}}, true},
		{"an empty table", table("Anna", "Bert"), table(), false},
	}
	for _, c := range cases {
		a, b := shapeOf(nil, c.a...), shapeOf(nil, c.b...)
		if got := a.Shape == b.Shape; got != c.same {
			t.Errorf("%s: same state is %t, want %t", c.name, got, c.same)
		}
	}
	if a, b := shapeOf(nil, n(0, "text", "17 orders")), shapeOf(nil, n(0, "text", "23 orders")); a.Exact == b.Exact {
		t.Error("another number is the same to the letter")
	}
}

func TestVolatilePartsAreMasked(t *testing.T) { // C2
	page := func(extra ...scan.Node) *explore.StateTree {
		p := &scan.Page{Nodes: append([]scan.Node{n(0, "heading", "News")}, extra...)}
		return explore.Read(p, "a.test")
	}
	advert := []scan.Node{n(0, "complementary", "Advert"), n(1, "text", "Buy")}
	var mask explore.StateMask
	mask.Differences(page(), page(advert...))
	with := shapeOf(&mask, append([]scan.Node{n(0, "heading", "News")}, advert...)...)
	without := shapeOf(&mask, n(0, "heading", "News"))
	if with.Shape != without.Shape {
		t.Error("what comes and goes by itself makes a state of its own")
	}
	if diff := cmp.Diff([]string{`complementary "Advert"`}, mask.Lines); diff != "" {
		t.Errorf("lines of what is volatile (-want +got):\n%s", diff)
	}
	if shapeOf(&mask, n(0, "heading", "News"), n(0, "alert", "Down")).Shape == without.Shape {
		t.Error("the mask hides more than what was seen to change")
	}
}

func TestLists(t *testing.T) { // C2: two items of a repeated list stand for all
	menu, list := &scan.Page{}, &scan.Page{}
	for i, href := range []string{"/orders", "/customers", "/reports", "/about"} {
		at := i
		menu.Elements = append(menu.Elements, scan.Element{Href: "http://a.test" + href})
		menu.Nodes = append(menu.Nodes, n(0, "listitem", ""), scan.Node{Depth: 1, Role: "link", Name: href, Element: &at})
		list.Elements = append(list.Elements, scan.Element{Href: "http://a.test/orders/" + string(rune('1'+i))})
		list.Nodes = append(list.Nodes, n(0, "listitem", ""), scan.Node{Depth: 1, Role: "link", Name: "Order of " + href, Element: &at})
	}
	if key := explore.Read(menu, "a.test").List(1); key != "" {
		t.Errorf("an entry of a menu is an item of the list %q", key)
	}
	tree := explore.Read(list, "a.test")
	if tree.List(1) == "" || tree.List(1) != tree.List(2) {
		t.Errorf("records of one list are items of %q and %q", tree.List(1), tree.List(2))
	}
}

// A page with thousands of links takes no longer than it has nodes (C1).
func BenchmarkManyLinks(b *testing.B) {
	p := &scan.Page{}
	for i := range 5000 {
		p.Elements = append(p.Elements, scan.Element{Href: "http://a.test/p/" + strconv.Itoa(i)})
		p.Nodes = append(p.Nodes, n(0, "paragraph", ""), scan.Node{Depth: 1, Role: "link", Name: "Link " + strconv.Itoa(i), Element: &i})
	}
	for b.Loop() {
		explore.Of(p, explore.Read(p, "a.test"), nil)
	}
}
