package explore

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/scan"
)

// promise says whether an option is chosen.
type promise int

const (
	never promise = iota
	last
	first
)

// firstOption returns the first option of the list that has just opened which is not chosen
// yet, by what each promises; nil where there is none. before has the keys of the options that
// were there before; open says that others have come.
func firstOption(page *scan.Page, before map[string]bool, promises func(*scan.Element) promise) (found *site.Choice, open bool) {
	for _, n := range page.Nodes {
		if n.Element == nil || n.Role != "option" {
			continue
		}
		el := &page.Elements[*n.Element]
		if before[optionKey(el)] || !el.IsVisible || el.Behind {
			continue
		}
		open = true
		if el.Disabled || el.Name == "" || hasMark(n, "selected") || hasMark(n, "checked") {
			continue
		}
		switch one := (&site.Choice{Element: element(page, *n.Element)}); promises(el) {
		case first:
			return one, true
		case last:
			found = cmp.Or(found, one)
		case never:
		}
	}
	return found, open
}

// optionKey tells an option from others of a page: by its place, or by its name where a shadow
// root has no such path.
func optionKey(el *scan.Element) string {
	return strings.Join([]string{el.Frame, cmp.Or(el.XPath, el.Landmark+"\x1f"+el.Name)}, "\x1f")
}

// isExpanded reports whether a control says that what it opens is open.
func isExpanded(page *scan.Page, of *site.Element) bool {
	return slices.ContainsFunc(page.Nodes, func(n scan.Node) bool {
		if n.Element == nil || !hasMark(n, "expanded") {
			return false
		}
		el := &page.Elements[*n.Element]
		return el.Role == of.Role && el.XPath == of.XPath && el.Frame == of.Frame && el.Name == of.Name
	})
}

// hasMark reports whether a node is in a state.
func hasMark(n scan.Node, mark string) bool { return slices.Contains(strings.Fields(n.State), mark) }
