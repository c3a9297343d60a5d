package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/selectors"
)

// Order says which of an element's locators is tried first.
type Order string

// The orders.
const (
	Robust Order = "robust" // what a person knows the element by comes before ids and paths
	Cohort Order = "cohort" // the order of the specification: id, XPath, selector with address and text, …
)

// Orders returns the orders.
func Orders() []string { return []string{string(Robust), string(Cohort)} }

// step returns how the element of a plan's step is found.
func (o Order) step(s plan.Step) Target {
	if s.Element != nil {
		return o.element(s.Element)
	}
	x := &site.Element{Selector: s.Selector, Text: s.Text, Href: s.Link, XPath: s.XPath, ID: s.ID, Frame: s.Frame}
	if s.Link != "" {
		x.Role = "link"
	}
	return o.element(x)
}

// notable returns how a notable element of a plan is found.
func (o Order) notable(n plan.Notable) Target {
	if n.Element != nil {
		return o.element(n.Element)
	}
	return o.element(&site.Element{Selector: n.Selector})
}

// element returns the selectors of an element in this order, those that can be read.
func (o Order) element(e *site.Element) Target {
	var all []string
	if o == Cohort {
		all = cohort(e)
	} else {
		all = robust(e)
	}
	var out []string
	for _, s := range all {
		if e.Frame != "" && !strings.HasPrefix(s, e.Frame) {
			s = e.Frame + " > " + s
		}
		if _, _, err := selectors.Steps(s); err == nil && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return Target{out}
}

// robust returns the locators that led to one element when the site was explored, the
// steadiest first, and then what else is known of it.
func robust(e *site.Element) []string {
	var out []string
	for _, l := range e.Locators {
		if l.Matches == 1 {
			out = append(out, l.Selector)
		}
	}
	name := oneLine(e.Name)
	if name == "" && e.Role == "link" {
		name = oneLine(e.Text)
	}
	if e.Role != "" && name != "" {
		out = append(out, fmt.Sprintf("%s %s", e.Role, lineName(name)))
	}
	if e.ID != "" {
		out = append(out, "css=#"+cssIdent(e.ID))
	}
	return append(out, written(e.Selector), xpath(e.XPath))
}

// cohort returns the locators of the specification, in its order.
func cohort(e *site.Element) []string {
	var out []string
	if e.ID != "" {
		out = append(out, "css=#"+cssIdent(e.ID))
	}
	out = append(out, xpath(e.XPath))
	text := oneLine(e.Text)
	css := strings.TrimPrefix(written(e.Selector), "css=")
	plain := css != "" && !strings.ContainsAny(css, ",>") && strings.HasPrefix(written(e.Selector), "css=")
	href, has := "[href="+cssText(e.Href)+"]", ":has-text("+cssText(text)+")"
	switch {
	case !plain:
	case e.Href != "" && text != "":
		out = append(out, "css="+css+href+has, "css="+css+href, "css="+css+has)
	case e.Href != "":
		out = append(out, "css="+css+href)
	case text != "":
		out = append(out, "css="+css+has)
	}
	if e.Href != "" && text != "" {
		out = append(out, "css=a"+href+has)
	}
	if name := oneLine(e.Name + e.Text); e.Role != "" && name != "" {
		if e.Name != "" {
			name = oneLine(e.Name)
		}
		out = append(out, e.Role+" "+lineName(name))
	}
	return append(out, written(e.Selector))
}

// written returns a selector with the engine that reads it: what is no line of a
// snapshot and names no engine is CSS.
func written(selector string) string {
	selector = strings.TrimSpace(selector)
	if selector == "" {
		return ""
	}
	t, err := selectors.Parse(selector)
	if err != nil {
		return "css=" + selector
	}
	return t.String()
}

func xpath(path string) string {
	if path == "" {
		return ""
	}
	return "xpath=" + path
}

func lineName(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
}

// cssText returns a text in quotes as CSS has it.
func cssText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\a `).Replace(s) + `"`
}

// cssIdent returns an id as CSS writes it after #.
func cssIdent(id string) string {
	var b strings.Builder
	for i, r := range id {
		digit := r >= '0' && r <= '9'
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '_', r >= 0x80, digit && i > 0, r == '-' && len(id) > 1:
			if i == 1 && digit && id[0] == '-' {
				fmt.Fprintf(&b, `\%x `, r)
				continue
			}
			b.WriteRune(r)
		case digit, r < ' ', r == 0x7f:
			fmt.Fprintf(&b, `\%x `, r)
		default:
			b.WriteString(`\` + string(r))
		}
	}
	return b.String()
}
