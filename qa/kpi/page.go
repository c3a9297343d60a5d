package kpi

import "strings"

// Page holds what a page says, as the browser read it.
type Page struct {
	Texts  []Text
	Boxes  []Box
	Lang   string // as the document declares it
	Locale string // as the tester declares it; "" for none

	points  Convention // how this page writes decimals, once Settle has found out
	lean    Convention // how the tester's locale would, where the page does not show it
	values  []Parsed   // of Texts
	members [][]int    // of each box, the texts in it, in reading order
	charted []bool     // of each box, whether there is a chart in it
}

// Text describes one run of text on a page.
type Text struct {
	Text       string
	Selector   string
	Kind       string // text, unseen, name (of an element, for screen readers) or title (of a part of an SVG)
	Box        int    // the element it stands in: an index of Boxes
	X, Y, W, H float64
	Font       float64 // size in pixels; 0 when it isn't painted
	Weight     int
	Cuts       []int  // where one element ends and another begins, in characters of Text
	Why        string // why it is invisible; empty for what is seen
	Doubt      string // what of it could not be read, or in more than one way
	Stir       int    // the number of the last change of its text
}

// Box describes an element around texts.
type Box struct {
	Parent int // -1: none
	Tag    string
	Role   string
	Name   string // aria-label, or what aria-labelledby leads to
	TestID string
	KPI    string // data-kpi
	ID     string
	Col    int // of a cell, from 0; -1: no cell
	Span   int
	Asked  bool // the caller asked for this element
}

// maxClimb limits how many elements around a text are looked at.
const maxClimb = 60

// Settle finds out how the page writes decimals and reads all of its texts. It
// must come before anything is picked.
//
// The page's own unambiguous figures count most, since a page that declares one
// language and writes the numbers of another is common; then the document's
// language. Where neither decides, the locale that the tester declares makes one
// reading the likelier one. Figures that contradict each other settle nothing.
func (p *Page) Settle() {
	point, comma := 0, 0
	for _, t := range p.Texts {
		if len(t.Text) > 40 || t.Kind == "unseen" {
			continue
		}
		a, b, open := Parse(t.Text, '.'), Parse(t.Text, ','), Parse(t.Text, 0)
		if !open.Whole || len(open.Readings) != 1 || len(a.Readings) != 1 || len(b.Readings) != 1 {
			continue
		}
		switch unambiguousConvention(t.Text) {
		case '.':
			point++
		case ',':
			comma++
		}
	}
	switch {
	case point > 0 && comma == 0:
		p.points = '.'
	case comma > 0 && point == 0:
		p.points = ','
	case point > 0:
		p.points = 0
	default:
		p.points = ConventionOf(p.Lang)
	}
	if p.points == 0 && point+comma == 0 {
		p.lean = ConventionOf(p.Locale)
	}
	p.values = make([]Parsed, len(p.Texts))
	for i, t := range p.Texts {
		if p.values[i] = p.read(t.Text); t.Kind == "unseen" { // no reading, whatever it says
			p.values[i] = Parsed{Text: t.Text}
		}
	}
	p.members, p.charted = make([][]int, len(p.Boxes)), make([]bool, len(p.Boxes))
	for i, t := range p.Texts {
		p.up(t.Box, func(b int) bool {
			p.members[b] = append(p.members[b], i)
			return true
		})
	}
	for i, b := range p.Boxes {
		if isChart(b) {
			p.up(i, func(outer int) bool {
				more := !p.charted[outer]
				p.charted[outer] = true
				return more
			})
		}
	}
}

// read reads a text as this page writes.
func (p *Page) read(text string) Parsed {
	return p.preferLocale(Parse(text, p.points))
}

// unambiguousConvention returns how a text that leaves nothing open writes decimals; 0 where it
// has neither decimals nor groups.
func unambiguousConvention(text string) Convention {
	var seps []rune
	digits := 0 // after the last separator
	for _, r := range string(normalise(text)) {
		switch {
		case r == '.' || r == ',':
			seps, digits = append(seps, r), 0
		case isDigit(r):
			digits++
		case strings.ContainsRune("eE", r) && len(seps) > 0:
			return 0
		}
	}
	if len(seps) == 0 {
		return 0
	}
	last := seps[len(seps)-1]
	grouping := len(seps) > 1 && last == seps[0]
	if grouping {
		if last == '.' {
			return ','
		}
		return '.'
	}
	if digits == 0 { // the point of Mio.
		return 0
	}
	return Convention(last)
}

// up calls fn for the text's box and each around it, until fn says stop.
func (p *Page) up(box int, fn func(box int) (more bool)) {
	for n := 0; box >= 0 && box < len(p.Boxes) && n < maxClimb; n++ {
		if !fn(box) {
			return
		}
		box = p.Boxes[box].Parent
	}
}

// within reports whether a box is inside another one, or that one itself.
func (p *Page) inside(box, outer int) bool {
	found := false
	p.up(box, func(b int) bool {
		found = b == outer
		return !found
	})
	return found
}

// closest returns the nearest box, from one upwards, that fits; -1 without one.
func (p *Page) closest(box int, fits func(Box) bool) int {
	found := -1
	p.up(box, func(b int) bool {
		if fits(p.Boxes[b]) {
			found = b
		}
		return found < 0
	})
	return found
}

func isCell(b Box) bool { return b.Col >= 0 }

func isRow(b Box) bool { return b.Tag == "tr" || b.Role == "row" }

func isTable(b Box) bool {
	return b.Tag == "table" || b.Role == "table" || b.Role == "grid" || b.Role == "treegrid"
}

// isMenu recognises what leads elsewhere: its figures are badges.
func isMenu(b Box) bool {
	return b.Tag == "nav" || b.Role == "navigation" || b.Role == "menu" || b.Role == "menubar" || b.Tag == "select" || b.Role == "option" || b.Role == "listbox" || b.Role == "tooltip"
}

func isChart(b Box) bool {
	return b.Tag == "svg" || b.Tag == "canvas" || b.Tag == "figure" || b.Role == "figure" || b.Role == "img" || b.Role == "graphics-document"
}
