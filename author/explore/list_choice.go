package explore

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/scan"
)

// firstOption returns the first option of the list that has just opened which is not chosen
// yet; nil where there is none. Options without a text, and those with the mark of what this
// exploration made, come last. before has the options that were there before, by their XPath;
// open says that others have come.
func firstOption(page *scan.Page, before map[string]bool, mark string) (found *site.Choice, open bool) {
	several := false
	for _, n := range page.Nodes {
		if n.Role == "listbox" {
			several = hasMark(n, "multiselectable")
		}
		if n.Element == nil || n.Role != "option" {
			continue
		}
		el := page.Elements[*n.Element]
		if before[el.XPath] || !el.IsVisible || el.Behind {
			continue
		}
		open = true
		if el.Disabled || el.Name == "" || hasMark(n, "selected") || hasMark(n, "checked") {
			continue
		}
		one := &site.Choice{Element: element(page, *n.Element), Several: several}
		own := mark != "" && strings.Contains(strings.ToLower(el.Name), mark)
		if strings.TrimSpace(el.Text) != "" && !own { // one without a text chooses nothing
			return one, true
		}
		found = cmp.Or(found, one)
	}
	return found, open
}

// hasMark reports whether a node is in a state.
func hasMark(n scan.Node, mark string) bool { return slices.Contains(strings.Fields(n.State), mark) }
