package truth

import (
	"cmp"
	"slices"
	"strings"
)

// reading names how a reader's answer compares with the meaning.
type reading string

const (
	understood reading = "understood"
	misread    reading = "misread"
	unread     reading = "unread"
	leftOut    reading = "rightly unread" // there is nothing to check, and nothing was read
)

// judge holds what was read against the meaning. read is nil where nothing was.
func (e expectation) judge(read []check) reading {
	meant := append([][]check{e.Claims}, e.Or...)
	if len(read) == 0 {
		if slices.ContainsFunc(meant, func(m []check) bool { return len(m) == 0 }) {
			return leftOut
		}
		return unread
	}
	if slices.ContainsFunc(meant, func(m []check) bool { return same(m, read) }) {
		return understood
	}
	return misread
}

// checkable reports whether the sentence has a meaning that one page can be
// compared with.
func (e expectation) checkable() bool { return len(e.Claims) > 0 }

// readable reports whether any reading of the sentence is right.
func (e expectation) readable() bool {
	return e.checkable() || slices.ContainsFunc(e.Or, func(m []check) bool { return len(m) > 0 })
}

// same reports whether two readings are the same checks, in any order.
func same(meant, read []check) bool {
	if len(meant) != len(read) {
		return false
	}
	left := slices.Clone(read)
	for _, m := range meant {
		i := slices.IndexFunc(left, func(r check) bool { return m.fits(r) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// fits reports whether a check that was read is the one that is meant.
func (c check) fits(read check) bool {
	for _, selector := range append([]string{read.Selector}, read.alike...) {
		read.Selector = selector
		if c.plain() == read.plain() {
			return true
		}
	}
	return false
}

// plainCheck holds a check in one form, so that two can be compared.
type plainCheck struct {
	selector, kind, expected, attribute, url string
	not                                      bool
}

func (c check) plain() plainCheck {
	p := plainCheck{selector: plainSelector(c.Selector), kind: c.Type, expected: plainText(c.Expected), attribute: strings.ToLower(c.Attribute), url: plainPattern(c.URL), not: c.Not}
	switch c.Type {
	case "hidden":
		p.kind, p.not = "visible", !p.not
	case "exists":
		p.kind = "visible"
	case "count_equals":
		if p.expected == "0" {
			p.kind, p.expected, p.not = "visible", "", !p.not
		}
	case "enabled", "checked", "expanded", "pressed":
		if p.expected == "false" {
			p.not = !p.not
		}
		p.expected = ""
	case "url_matches", "request_made":
		p.expected = plainPattern(c.Expected)
	case "comes_before":
		p.expected = plainSelector(cmp.Or(c.Other, c.Expected))
	case "sorted_by":
		p.expected, p.attribute = order(cmp.Or(c.Order, p.expected)), cmp.Or(p.attribute, p.selector)
		p.selector = ""
	case "kpi": // the label is the selector, or the attribute
		p.selector, p.attribute = plainText(strings.Trim(cmp.Or(c.Attribute, c.Selector), `"`)), ""
		p.expected = strings.ReplaceAll(p.expected, " ", "")
	}
	return p
}

// order names the order of a list by its first letters.
func order(s string) string {
	if strings.HasPrefix(s, "desc") {
		return "desc"
	}
	return "asc"
}

// plainText returns a text without case and runs of white space.
func plainText(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// plainPattern returns an address pattern in one form. A pattern that is open at
// an end has one star there.
func plainPattern(s string) string {
	s = plainText(s)
	for _, open := range []string{"**/", "**", ".*", "*"} {
		if rest, ok := strings.CutPrefix(s, open); ok {
			s = "*" + strings.TrimPrefix(rest, "/")
			break
		}
	}
	for _, open := range []string{"/**", "**", ".*", "*"} {
		if rest, ok := strings.CutSuffix(s, open); ok && rest != "" {
			s = rest + "*"
			break
		}
	}
	return s
}

// plainSelector returns a snapshot line without case, with one word for roles
// that a sentence does not distinguish.
func plainSelector(s string) string {
	parts := strings.Split(s, ">>")
	for i, part := range parts {
		parts[i] = plainPart(plainText(part))
	}
	return strings.Join(parts, " >> ")
}

func plainPart(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "css="), "role=")
	if text, ok := strings.CutPrefix(s, "text="); ok {
		return "text=" + strings.Trim(text, `"`)
	}
	role, rest, named := strings.Cut(s, " ")
	for word, roles := range synonyms() {
		if slices.Contains(roles, role) {
			role = word
		}
	}
	if named {
		return role + " " + rest
	}
	return role
}

// synonyms maps roles, and words of styles, to those that a sentence does not
// distinguish from them.
func synonyms() map[string][]string {
	return map[string][]string{
		"textbox":       {"field", "input", "searchbox", "spinbutton", "textarea"},
		"combobox":      {"select", "dropdown", "listbox"},
		"dialog":        {"alertdialog", "modal"},
		"img":           {"image", "picture"},
		"row":           {"tr"},
		"contentinfo":   {"footer"},
		"banner":        {"header"},
		"navigation":    {"nav"},
		"complementary": {"aside"},
		"checkbox":      {"switch"},
		"table":         {"grid"},
	}
}
