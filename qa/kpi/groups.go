package kpi

import (
	"slices"
	"strings"
)

// groupMarks part the names of groups from a label in the name of a KPI, such as
// This month / Revenue.
var groupMarks = []string{" / ", " › ", " > ", " → "}

// splitPath splits the name of a KPI into groups and label; groups is empty where
// it is a label alone.
func splitPath(name string) (groups []string, label string) {
	for _, mark := range groupMarks {
		if parts := strings.Split(name, mark); len(parts) > 1 {
			return parts[:len(parts)-1], parts[len(parts)-1]
		}
	}
	return nil, name
}

// grouping says in which groups the figures of a search stand.
type grouping struct{ *valueFinder }

// groupsOf returns the names of the groups that a figure stands in: the headings
// that it is under, the names of the sections and tables around it, and the heads
// of its row and column.
func (f grouping) groupsOf(figure int) []string {
	var out []string
	add := func(name string) {
		if f.namesGroup(name) && !slices.Contains(out, normal(name)) {
			out = append(out, normal(name))
		}
	}
	for _, name := range f.headsOf(figure) {
		add(name)
	}
	f.headingsOver(figure, add)
	f.up(f.Texts[figure].Box, func(b int) bool {
		if box := f.Boxes[b]; isGroup(box) {
			add(box.Name)
		}
		return true
	})
	return out
}

// namesGroup reports whether a name can be that of a group: it is no label of a
// KPI, and no heading that says more of ours, such as Revenue over time, unless it
// says of when, such as Revenue last month.
func (f grouping) namesGroup(name string) bool {
	if is, _ := f.isLabel(name); is || normal(name) == "" || f.known[normal(name)] {
		return false
	}
	return !hasWords(words(name), words(f.label)) || slices.ContainsFunc(words(name), func(w string) bool {
		return hasWord("lasting", w) || f.saysWhen(w) || strings.ContainsFunc(w, isDigitOfAny)
	})
}

// isGroup recognises an element whose name is that of what is in it.
func isGroup(b Box) bool {
	return b.Tag == "section" || b.Tag == "article" || b.Tag == "fieldset" || b.Role == "region" || b.Role == "group" || b.Role == "tabpanel" || isTable(b)
}

// headingsOver calls fn for the headings that a figure is under, the nearest
// first, each of a higher level than the one before.
func (f grouping) headingsOver(figure int, fn func(name string)) {
	level := 7
	for t := figure - 1; t >= 0 && level > 1; t-- {
		text := f.Texts[t]
		if text.Kind != "text" {
			continue
		}
		at := f.closest(text.Box, func(b Box) bool { return levelOf(b) > 0 })
		if at < 0 || levelOf(f.Boxes[at]) >= level || !f.headsWhat(at, figure) {
			continue
		}
		level = levelOf(f.Boxes[at])
		fn(text.Text)
	}
}

// saysWhen reports whether a word says of when something is, in a language of the page:
// today, last, May. A span alone, or time, says it of nothing.
func (f grouping) saysWhen(word string) bool {
	return slices.ContainsFunc(f.spoken, func(l *lexicon) bool {
		return (isIn(l.times().now, word) || l.isMonth(word)) && l.saysWhen([]string{word})
	})
}

// levelOf returns the level of a heading, from 1; 0 for what is none.
func levelOf(b Box) int {
	if len(b.Tag) == 2 && b.Tag[0] == 'h' && b.Tag[1] >= '1' && b.Tag[1] <= '6' {
		return int(b.Tag[1] - '0')
	}
	if b.Role == "heading" || b.Tag == "legend" || b.Tag == "caption" || b.Tag == "figcaption" {
		return 6
	}
	return 0
}

// headsWhat reports whether a heading is over a figure: the smallest element
// around the heading that has figures of its own has that figure, too.
func (f grouping) headsWhat(heading, figure int) bool {
	within := false
	f.up(f.Boxes[heading].Parent, func(b int) bool {
		if len(f.figures(f.members[b])) == 0 {
			return true
		}
		within = f.inside(f.Texts[figure].Box, b)
		return false
	})
	return within
}

// headsOf returns what the row and the column of a figure in a table are headed
// by.
func (f grouping) headsOf(figure int) []string {
	box := f.closest(f.Texts[figure].Box, isCell)
	table := f.closest(box, isTable)
	if box < 0 || table < 0 {
		return nil
	}
	all := f.cells(table)
	at := slices.IndexFunc(all, func(c tableCell) bool { return c.box == box })
	if at < 0 || all[at].header {
		return nil
	}
	var out []string
	for i, c := range all {
		heads := c.header && c.spansOver(all[at]) || c.row == all[at].row && i < at && len(f.figures(c.texts)) == 0
		if heads {
			out = append(out, c.text)
		}
	}
	return out
}

// inPath leaves the figures that stand in the groups that the KPI's name has.
func (f grouping) inPath(texts []int) []int {
	if len(f.path) == 0 {
		return texts
	}
	return slices.DeleteFunc(slices.Clone(texts), func(t int) bool {
		groups := f.groupsOf(t)
		return slices.ContainsFunc(f.path, func(name string) bool { return !slices.Contains(groups, normal(name)) })
	})
}
