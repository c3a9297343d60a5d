package kpi

import (
	"slices"
	"strings"
)

// Page holds what a page says, as the browser read it.
type Page struct {
	Texts        []Text
	Boxes        []Box
	Lang         string    // as the document declares it
	NumberLocale string    // what the tester declares that its numbers are written in; "" for none
	Writings     []Writing // of the languages that are declared

	compounds bool // figures may be ranges, ratios, dates and times
	unsaid    bool // figures may be digits that are none for sure

	lexicons []*lexicon // of Texts: how each is to be read, once Settle has found out
	spoken   []*lexicon // each of them once
	values   []Parsed   // of Texts
	members  [][]int    // of each box, the texts in it, in reading order
	charted  []bool     // of each box, whether there is a chart in it
}

// Text describes one run of text on a page.
type Text struct {
	Text       string
	Selector   string
	Kind       string // text, unseen, name (of an element, for screen readers), title (of a part of an SVG) or picture (without a text, Doubt says of what)
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
	Lang   string // as the element declares it
	Col    int    // of a cell, from 0; -1: no cell
	Span   int
	Asked  bool // the caller asked for this element
}

// maxClimb limits how many elements around a text are looked at.
const maxClimb = 60

// Settle finds out how the page writes numbers and reads all of its texts. It
// must come before anything is picked.
//
// A number locale that the tester declares decides. Otherwise a text is read as
// its own language writes, the one that the nearest element around it declares:
// what that does not write is open, and so is what its neighbours of the same
// language then leave in doubt. Where no language is declared, what a text itself
// leaves in doubt stays open, whatever its neighbours write.
func (p *Page) Settle() {
	p.lexicons = make([]*lexicon, len(p.Texts))
	byLang := map[string]*lexicon{}
	p.spoken = nil
	for i, t := range p.Texts {
		lang := p.langOf(t)
		if byLang[lang] == nil {
			byLang[lang] = newLexicon(p.writing(lang))
			p.spoken = append(p.spoken, byLang[lang])
		}
		p.lexicons[i] = byLang[lang]
	}
	if p.NumberLocale == "" {
		for _, l := range byLang {
			p.settle(l)
		}
	}
	p.values = make([]Parsed, len(p.Texts))
	for i, t := range p.Texts {
		if p.values[i] = p.lexicons[i].parse(t.Text); t.Kind == "unseen" { // no reading, whatever it says
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

// langOf returns the language that a text is written in, "" for none that is
// declared. The tester's number locale stands for each.
func (p *Page) langOf(t Text) string {
	if p.NumberLocale != "" {
		return p.NumberLocale
	}
	if around := p.closest(t.Box, func(b Box) bool { return b.Lang != "" }); around >= 0 {
		return p.Boxes[around].Lang
	}
	return p.Lang
}

// writing returns how a language writes, as far as the browser knows it.
func (p *Page) writing(lang string) Writing {
	tag := strings.ReplaceAll(strings.TrimSpace(lang), "_", "-")
	if i := slices.IndexFunc(p.Writings, func(w Writing) bool { return w.Lang == tag }); i >= 0 && tag != "" {
		return p.Writings[i]
	}
	return Writing{}
}

// WritingsOf returns how languages write, as far as the browser knows them.
func (p *Page) WritingsOf(langs ...string) []Writing {
	var out []Writing
	for _, lang := range langs {
		out = append(out, p.writing(lang))
	}
	return out
}

// settle notes a whole figure that a declared language does not write.
func (p *Page) settle(l *lexicon) {
	if l.point == 0 {
		return
	}
	for i, t := range p.Texts {
		if p.lexicons[i] != l || len(t.Text) > 40 || t.Kind == "unseen" {
			continue
		}
		v, point := l.parse(t.Text), unambiguousConvention(t.Text)
		if v.Whole && len(v.Readings) > 0 && point != 0 && point != l.point && !v.either && decimalsOf(t.Text) <= maxDecimals {
			l.contrary = strings.TrimSpace(t.Text)
			return
		}
	}
}

// maxDecimals bounds the decimals of a figure that says how a page writes: with
// more, a digit has come from elsewhere.
const maxDecimals = 3

// decimalsOf counts the digits behind the last mark of a text.
func decimalsOf(text string) int {
	n := 0
	for _, r := range string(normalise(text)) {
		switch {
		case r == '.' || r == ',':
			n = 0
		case isDigit(r):
			n++
		}
	}
	return n
}

// unambiguousConvention returns how a text that leaves nothing open writes decimals; 0 where it
// has neither decimals nor groups.
func unambiguousConvention(text string) Convention {
	var seps []rune
	digits := 0 // after the last separator
	runes := normalise(text)
	for i, r := range runes {
		switch {
		case r == '.' || r == ',':
			seps, digits = append(seps, r), 0
		case isDigit(r):
			digits++
		case strings.ContainsRune("eE", r) && len(seps) > 0 && isDigit(at(runes, i-1)): // an exponent, and no letter of a word
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
