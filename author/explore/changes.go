package explore

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/pagetext"
)

// maxChanges bounds the elements that are noted of one change.
const maxChanges = 12

// changes returns what an action changed of what a person sees.
func changes(from, to *view, effect Effect) site.Changes {
	out := site.Changes{Dialog: pagetext.Text(effect.Dialog), Popup: pagetext.Text(effect.Popup), Download: pagetext.Text(effect.Download)}
	if from.page.URL != to.page.URL {
		out.URL = to.page.URL
	}
	if from.page.Title != to.page.Title {
		out.Title = to.page.Title
	}
	out.Appeared = onlyIn(to, from)
	out.Gone = onlyIn(from, to)
	return out
}

// onlyIn returns what one view says and the other does not, what tells most first. It
// takes what its line alone finds.
func onlyIn(a, b *view) []site.Element {
	count, other := lines(a), lines(b)
	type found struct {
		node  *scan.Node
		index int
	}
	var all []*found
	for i := range a.page.Nodes {
		n := &a.page.Nodes[i]
		line := n.Frame + TreeLine(n.Role, n.Name)
		if n.Name == "" || len(n.Name) > maxLine || count[line] != 1 || other[line] > 0 || telling(n) == 0 {
			continue
		}
		all = append(all, &found{n, i})
	}
	slices.SortStableFunc(all, func(x, y *found) int { return cmp.Compare(telling(y.node), telling(x.node)) })
	var out []site.Element
	for _, f := range all[:min(len(all), maxChanges)] {
		out = append(out, nodeElement(&a.page, f.index))
	}
	return out
}

// did writes what an action did, as far as the same control does it on every page.
func did(from, to *view, c site.Changes, effect Effect) string {
	if from.id.Place != to.id.Place {
		return "opens " + to.id.Place
	}
	var out []string
	for sign, all := range map[string][]site.Element{"+": c.Appeared, "-": c.Gone} {
		for _, el := range all {
			out = append(out, sign+el.Role+" "+NameClass(el.Name))
		}
	}
	slices.Sort(out)
	return strings.Join(append(out, NameClass(effect.Dialog), PlaceTemplate(effect.Popup), PlaceTemplate(effect.Download)), "\x1f")
}

// maxLine bounds the names that a line quotes whole.
const maxLine = 100

func lines(v *view) map[string]int {
	out := map[string]int{}
	for i := range v.page.Nodes {
		n := &v.page.Nodes[i]
		out[n.Frame+TreeLine(n.Role, n.Name)]++
	}
	return out
}

// telling says how much a node tells of a page: what announces a change most.
func telling(n *scan.Node) int {
	switch n.Role {
	case "alert", "status", "dialog", "alertdialog":
		return 5
	case "heading":
		return 4
	case "button", "link", "textbox", "combobox", "checkbox", "tab", "table", "tabpanel", "menuitem", "searchbox", "radio", "switch", "img":
		return 2
	case "text", "listitem", "paragraph", "cell":
		return 1
	}
	if n.Notable == 1 {
		return 4
	}
	return 0
}

// nodeElement returns a node of a scan as an element.
func nodeElement(page *scan.Page, i int) site.Element {
	n := &page.Nodes[i]
	if n.Element != nil && *n.Element < len(page.Elements) {
		return element(page, *n.Element)
	}
	line := n.Frame + TreeLine(n.Role, n.Name)
	if n.Name == "" && n.Line != "" {
		line = n.Frame + n.Line
	}
	out := site.Element{Index: -1, Tag: n.Tag, Text: n.Name, Selector: n.CSS, Role: n.Role, Name: n.Name, IsVisible: true, Landmark: landmarkOf(page, i),
		Frame: trimFrame(n.Frame), Locators: []site.Locator{{Selector: line, Matches: 1}}}
	return out
}

func trimFrame(prefix string) string {
	const arrow = " > "
	if len(prefix) > len(arrow) {
		return prefix[:len(prefix)-len(arrow)]
	}
	return ""
}

// landmarkOf returns the line of the nearest landmark around a node.
func landmarkOf(page *scan.Page, i int) string {
	depth := page.Nodes[i].Depth
	for j := i - 1; j >= 0 && depth > 0; j-- {
		n := &page.Nodes[j]
		if n.Depth >= depth {
			continue
		}
		depth = n.Depth
		if n.Line != "" && landmarks[n.Role] {
			return n.Line
		}
	}
	return ""
}

// element returns the record of an element.
func element(page *scan.Page, i int) site.Element {
	return elementOf(&page.Elements[i], i)
}

func elementOf(e *scan.Element, i int) site.Element {
	out := site.Element{Index: i, Tag: e.Tag, Type: e.Type, Text: e.Text, Selector: e.Selector, Href: e.Href, ID: e.ID, ClassName: e.ClassName, AriaLabel: e.AriaLabel,
		Role: e.Role, Name: e.Name, Landmark: e.Landmark, IsVisible: e.IsVisible, XPath: e.XPath, Frame: e.Frame}
	if e.Box != nil {
		out.BoundingBox = e.Box
	}
	for _, l := range e.Locators {
		out.Locators = append(out.Locators, site.Locator{Selector: l, Matches: 1})
	}
	return out
}

// notable returns what tells a state from others at a glance.
func notable(v *view, most int) []site.Element {
	count := lines(v)
	var out []site.Element
	for i := range v.page.Nodes {
		n := &v.page.Nodes[i]
		if len(out) >= most {
			break
		}
		if n.Notable != 1 && telling(n) < 4 || n.Name == "" || len(n.Name) > maxLine || count[n.Frame+TreeLine(n.Role, n.Name)] != 1 {
			continue
		}
		out = append(out, nodeElement(&v.page, i))
	}
	return out
}
