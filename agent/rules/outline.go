package rules

import (
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// How much of a page's filters is tried: enough to see that they work, not all
// combinations.
const (
	maxControls = 6
	maxChoices  = 4
)

// control holds an element of the page, or a group of them, that offers a
// choice.
type control struct {
	selector string
	choices  []choice
	initial  int // index of the choice that was made when the page was looked at; -1: none
}

// choice describes one setting of a control.
type choice struct {
	tool      string
	arguments map[string]any
	name      string
}

// line holds one line of an outline.
type line struct {
	depth    int
	role     string
	selector string
	marks    []string
	rest     string // after the marks: the value
}

var (
	lineForm = pattern.New(`^( *)([a-z]+)((?: "(?:[^"\\]|\\.)*")?(?: \[\d+\])?)(.*)$`)
	markForm = pattern.New(`^ \[([^\]]*)\]`)
)

// pageHead begins the line that says which page it is: it is no element.
const pageHead = "page"

func lines(outline string) []line {
	var out []line
	for text := range strings.SplitSeq(outline, "\n") {
		m := lineForm.FindStringSubmatch(text)
		if m == nil || m[2] == pageHead {
			continue
		}
		l := line{depth: len(m[1]), role: m[2], selector: m[2] + m[3], rest: m[4]}
		for {
			mark := markForm.FindStringSubmatch(l.rest)
			if mark == nil {
				break
			}
			l.marks, l.rest = append(l.marks, mark[1]), l.rest[len(mark[0]):]
		}
		l.rest = strings.TrimSpace(strings.TrimPrefix(l.rest, ":"))
		out = append(out, l)
	}
	return out
}

// below returns the lines under the one at index i.
func below(all []line, i int) []line {
	end := i + 1
	for end < len(all) && all[end].depth > all[i].depth {
		end++
	}
	return all[i+1 : end]
}

// region returns the main part of the page, or all but the parts around it.
func region(all []line) []line {
	if i := slices.IndexFunc(all, func(l line) bool { return l.role == "main" }); i >= 0 {
		return below(all, i)
	}
	var out []line
	for i := 0; i < len(all); i++ {
		if slices.Contains([]string{"banner", "navigation", "contentinfo", "complementary", "dialog", "search"}, all[i].role) {
			i += len(below(all, i))
			continue
		}
		out = append(out, all[i])
	}
	return out
}

// controls finds what offers a choice in the main part of a page: lists to
// select from, tabs, and groups of buttons or radio buttons of which one is on.
// A button without such a state may do anything, and is left alone.
func controls(outline string) []control {
	all := region(lines(outline))
	var out []control
	for i, l := range all {
		if slices.Contains(l.marks, "disabled") {
			continue
		}
		var c control
		switch l.role {
		case "combobox":
			c = list(l)
		case "tablist":
			c = toggles(below(all, i), "tab", "selected")
		case "radiogroup":
			c = toggles(below(all, i), "radio", "checked")
		case "group", "toolbar":
			c = toggles(below(all, i), "button", "pressed")
		}
		if c.selector = l.selector; len(c.choices) > 1 {
			out = append(out, c)
		}
	}
	return out
}

// list returns the control for a list to select from. Names that the outline has
// cut are no names.
func list(l line) control {
	c := control{initial: -1}
	for _, mark := range l.marks {
		options, ok := strings.CutPrefix(mark, "options: ")
		if !ok {
			continue
		}
		for name := range strings.SplitSeq(options, " | ") {
			if strings.Contains(name, "…") {
				continue
			}
			if name == l.rest {
				c.initial = len(c.choices)
			}
			c.choices = append(c.choices, choice{"page_select", map[string]any{"selector": l.selector, "option": name}, name})
		}
	}
	return c
}

// toggles groups elements of which exactly one is on.
func toggles(inside []line, role, on string) control {
	c := control{initial: -1}
	for _, l := range inside {
		if l.role != role || slices.Contains(l.marks, "disabled") {
			continue
		}
		if slices.Contains(l.marks, on) {
			if c.initial >= 0 {
				return control{initial: -1} // several are on: switches, not one choice
			}
			c.initial = len(c.choices)
		}
		c.choices = append(c.choices, choice{"page_click", map[string]any{"selector": l.selector}, l.selector})
	}
	if c.initial < 0 {
		return control{initial: -1}
	}
	return c
}
