package kpi

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// Sum compares a total on the page with what its parts add up to.
type Sum struct {
	Subject  string   // what was added up, such as Total of Amount
	Parts    int      // how many numbers
	Added    *big.Rat // what they add up to
	Slack    *big.Rat // what rounding may account for
	Shown    Parsed   // the total as the page shows it
	Selector string   // of the total, or of what holds the parts
	Passed   bool
	Note     string // why it was not compared; empty when it was
}

var pages = pattern.New(`(?i)\b\d+\s*[-–—]\s*\d+\s+(of|von|sur|de|di|van|из|av|af)\s+[\d.,]+|\b(page|seite|página|pagina)\s+\d+\s+(of|von|sur|de|di|van)\s+\d+|\b(showing|zeige)\s+\d+`)

// isPaged reports whether the page shows a part of its rows only.
func (p *Page) isPaged() bool {
	return slices.ContainsFunc(p.Texts, func(t Text) bool { return t.Kind == "text" && pages.MatchString(t.Text) }) ||
		slices.ContainsFunc(p.Boxes, func(b Box) bool { return hasWords(words(b.Name), []string{"pagination"}) })
}

// TableSums adds up the numeric columns of every table that has a row of
// totals, and compares. Columns that do not add up by their nature, such as
// rates, are left out; tables that show a page of their rows are noted.
func (p *Page) TableSums() []Sum {
	var out []Sum
	for table, b := range p.Boxes {
		if isTable(b) && len(p.members[table]) > 3 {
			out = append(out, p.tableSums(table)...)
		}
	}
	return out
}

func (p *Page) tableSums(table int) []Sum {
	all := p.cells(table)
	var out []Sum
	from := 0 // where the rows of a subtotal begin
	for i, name := range all {
		if name.header || i > 0 && all[i-1].row == name.row {
			continue // not the first cell of a row
		}
		switch {
		case isTotal(name.text):
			out = append(out, p.rowSums(all, name, all)...)
		case isSubtotal(name.text):
			out = append(out, p.rowSums(all, name, all[from:i])...)
			from = i
		}
	}
	return out
}

// rowSums compares each number in a row of totals with the parts in its column.
func (p *Page) rowSums(all []tableCell, name tableCell, parts []tableCell) []Sum {
	var out []Sum
	for _, c := range all {
		if c.row != name.row || c.box == name.box {
			continue
		}
		values := p.figures(c.texts)
		if len(values) != 1 || len(p.values[values[0]].Readings) == 0 {
			continue
		}
		header := slices.IndexFunc(all, func(h tableCell) bool { return h.header && h.spansOver(c) })
		if header >= 0 && slices.ContainsFunc(words(all[header].text), func(w string) bool { return figureWords.Has("not-summed", w) }) {
			continue
		}
		if s, ok := p.columnSum(parts, c, values[0]); ok {
			s.Subject = strings.TrimSpace(strings.TrimRight(name.text, ": "))
			if header >= 0 {
				s.Subject += " of " + all[header].text
			}
			out = append(out, s)
		}
	}
	return out
}

// columnSum adds up the cells above or below a total.
func (p *Page) columnSum(all []tableCell, total tableCell, at int) (Sum, bool) {
	s := Sum{Shown: p.values[at], Selector: p.Texts[at].Selector, Added: new(big.Rat), Slack: new(big.Rat)}
	shown := s.Shown.Readings[0]
	if isPartOfWhole(shown.Unit) || s.Shown.Worded {
		return s, false
	}
	for _, c := range all {
		switch {
		case !c.spansOver(total) || c.row == total.row:
			continue
		case c.header:
			continue
		case p.isSumRow(all, c.row):
			continue
		}
		figures := p.figures(c.texts)
		if len(figures) != 1 {
			if strings.TrimSpace(c.text) != "" && c.span == 1 {
				return s, false // it is no column of numbers
			}
			continue
		}
		part := p.values[figures[0]]
		switch {
		case part.NoValue:
			continue
		case !part.Whole || part.unsure() || s.Shown.unsure() || isPartOfWhole(part.Readings[0].Unit):
			s.Note = "not compared: " + strings.TrimSpace(part.Text) + " can't be added up for sure"
			return s, s.Shown.unsure() || part.unsure()
		}
		s.add(part.Readings[0])
	}
	return p.compareSum(s), s.Parts > 0
}

func (s *Sum) add(n Number) {
	s.Parts++
	s.Added.Add(s.Added, n.Value)
	s.Slack.Add(s.Slack, half(n.Step))
}

// compareSum compares a sum with the total that is shown.
func (p *Page) compareSum(s Sum) Sum {
	if len(s.Shown.Readings) == 0 {
		s.Note = "not compared: no total is shown"
		return s
	}
	shown := s.Shown.Readings[0]
	diff := minus(shown.Value, s.Added)
	s.Passed = diff.Abs(diff).Cmp(new(big.Rat).Add(s.Slack, half(shown.Step))) <= 0
	switch {
	case s.Passed:
	case p.isPaged():
		s.Note = "not compared: the page shows a part of the rows only"
	case s.Added.Cmp(times(shown.Value, big.NewRat(2, 1))) == 0 && s.Parts > 2:
		s.Note = "not compared: rows seem to sum up others without being called so"
	}
	return s
}

// isSumRow reports whether a row sums up others.
func (p *Page) isSumRow(all []tableCell, row int) bool {
	return slices.ContainsFunc(all, func(c tableCell) bool { return c.row == row && (isTotal(c.text) || isSubtotal(c.text)) })
}

// DeclaredSum adds up the numbers in the element that the caller named and
// compares them with a KPI's value: the column below a header, the column of a
// table that is headed like the KPI or is its only one of numbers, the parts
// of a chart, the items of a list.
func (p *Page) DeclaredSum(label string, total Parsed, tol qa.Tolerance) Sum {
	s := Sum{Subject: "parts of " + label, Shown: total, Added: new(big.Rat), Slack: new(big.Rat)}
	box := slices.IndexFunc(p.Boxes, func(b Box) bool { return b.Asked })
	if box < 0 {
		s.Note = "not compared: the element has no texts"
		return s
	}
	for _, t := range p.parts(box, label) {
		v := p.values[t]
		if p.Texts[t].Kind != "text" { // Fri: $1,234
			v = p.afterColon(t)
		}
		switch {
		case len(v.Readings) == 0 || v.Trend:
			continue
		case v.unsure():
			s.Note = fmt.Sprintf("not compared: %q can't be added up for sure: %s", v.Text, declareLocale)
			return s
		}
		s.add(v.Readings[0])
	}
	if s.Parts == 0 {
		s.Note = "not compared: there are no numbers in the element"
		return s
	}
	s = p.compareSum(s)
	if !s.Passed && s.Note == "" && len(total.Readings) > 0 { // a tolerance is for this, too
		step := new(big.Rat).Add(total.Readings[0].Step, times(s.Slack, big.NewRat(2, 1)))
		s.Passed = within(total.Readings[0].Value, step, Number{Value: s.Added, Step: new(big.Rat)}, tol)
	}
	return s
}

// afterColon reads what a name such as "Fri 3: $1,234" says.
func (p *Page) afterColon(text int) Parsed {
	words := p.Texts[text].Text
	if i := strings.LastIndexAny(words, ":："); i >= 0 {
		if v := p.lexicons[text].parse(strings.TrimLeft(words[i:], ":： ")); len(v.Readings) > 0 {
			return v
		}
	}
	return p.values[text]
}

// parts returns the texts of an element whose numbers are to be added up.
func (p *Page) parts(box int, label string) []int {
	if b := p.Boxes[box]; isCell(b) || isTable(b) {
		return p.tableParts(box, label)
	}
	var names, items []int
	for _, t := range p.members[box] {
		text := p.Texts[t]
		switch {
		case isTotalText(text.Text):
		case text.Kind == "picture":
		case text.Kind != "text" && text.Box != box:
			names = append(names, t)
		case text.Kind == "text":
			items = append(items, t)
		}
	}
	if p.charted[box] && len(names) > 1 {
		return names
	}
	return p.figures(items)
}

func (p *Page) tableParts(box int, label string) []int {
	table := p.closest(box, isTable)
	if table < 0 {
		return p.figures(p.members[box])
	}
	all := p.cells(table)
	at := slices.IndexFunc(all, func(c tableCell) bool { return c.box == box })
	if at < 0 {
		at = slices.IndexFunc(all, func(c tableCell) bool { return c.header && hasWords(words(c.text), words(label)) })
	}
	if at < 0 { // the last column of numbers
		for i, c := range all {
			if !c.header && len(p.figures(c.texts)) == 1 && (at < 0 || c.col >= all[at].col) {
				at = i
			}
		}
	}
	if at < 0 {
		return nil
	}
	var out []int
	for _, c := range all {
		if !c.header && c.spansOver(all[at]) && !p.isSumRow(all, c.row) {
			if figures := p.figures(c.texts); len(figures) == 1 {
				out = append(out, figures[0])
			}
		}
	}
	return out
}

// ChartSum adds up the parts of the one chart with the label as its name,
// where the page shows no total. ok is false where there is none, or where its
// parts do not add up by their nature.
func (p *Page) ChartSum(label string, total Parsed) (Sum, bool) {
	if len(total.Readings) != 1 || isPartOfWhole(total.Readings[0].Unit) || slices.ContainsFunc(words(label), func(w string) bool { return figureWords.Has("not-summed", w) }) {
		return Sum{}, false
	}
	chart := -1
	for i, b := range p.Boxes {
		if isChart(b) && hasWords(words(b.Name), words(label)) {
			if chart >= 0 && !p.inside(i, chart) {
				return Sum{}, false
			}
			chart = max(chart, i)
		}
	}
	if chart < 0 {
		return Sum{}, false
	}
	s := Sum{Subject: "chart of " + label, Shown: total, Added: new(big.Rat), Slack: new(big.Rat), Selector: ""}
	for _, t := range p.members[chart] {
		if text := p.Texts[t]; text.Kind == "title" && strings.ContainsAny(text.Text, ":：") {
			v := p.afterColon(t)
			if len(v.Readings) != 1 || isPartOfWhole(v.Readings[0].Unit) {
				return Sum{}, false
			}
			s.Selector = text.Selector
			s.add(v.Readings[0])
		}
	}
	if s.Parts < 2 {
		return Sum{}, false
	}
	return p.compareSum(s), true
}
