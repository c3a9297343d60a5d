package kpi

import (
	"slices"
	"strings"
)

// tableCell holds one cell of a table with what is written in it.
type tableCell struct {
	box, row  int
	col, span int
	header    bool   // it stands in the table's head, or in a row of nothing but headers
	foot      bool   // it stands in the table's foot
	texts     []int  // in it
	text      string // all of them
}

// cells lists a table's cells in reading order, those of tables within it left
// out.
func (p *Page) cells(table int) []tableCell {
	var out []tableCell
	seen := map[int]bool{}
	heads := map[int]bool{} // rows with a cell that is no header
	for _, t := range p.members[table] {
		c := p.closest(p.Texts[t].Box, isCell)
		if c < 0 || seen[c] || p.closest(c, isTable) != table {
			continue
		}
		seen[c] = true
		b := p.Boxes[c]
		cell := tableCell{box: c, row: p.closest(c, isRow), col: b.Col, span: max(1, b.Span), texts: p.members[c]}
		cell.header = p.closest(c, func(b Box) bool { return b.Tag == "thead" }) >= 0 || b.Role == "columnheader"
		cell.foot = p.closest(c, func(b Box) bool { return b.Tag == "tfoot" }) >= 0
		var words []string
		for _, t := range cell.texts {
			if p.Texts[t].Kind == "text" {
				words = append(words, p.Texts[t].Text)
			}
		}
		cell.text = strings.Join(words, " ")
		if b.Tag != "th" && b.Role != "columnheader" {
			heads[cell.row] = true
		}
		out = append(out, cell)
	}
	if len(out) > 0 && !slices.ContainsFunc(out, func(c tableCell) bool { return c.header }) && !heads[out[0].row] {
		for i := range out {
			out[i].header = out[i].row == out[0].row
		}
	}
	return out
}

// spansOver reports whether two cells share a column.
func (c tableCell) spansOver(o tableCell) bool { return c.col < o.col+o.span && o.col < c.col+c.span }

// isTotal reports whether a row's name says that it sums up others.
func isTotal(text string) bool {
	all := words(text)
	return len(all) > 0 && len(all) <= 4 && slices.ContainsFunc(all, func(w string) bool { return figureWords.Has("total", w) }) && !isSubtotal(text)
}

func isSubtotal(text string) bool {
	joined := strings.Join(words(text), "")
	return strings.HasPrefix(joined, "subtotal") || strings.HasPrefix(joined, "zwischensumme") || strings.HasPrefix(joined, "soustotal")
}

// inTable finds the value of a label that is a cell: in its row, or in its
// column where it is a header.
func (f *valueFinder) inTable(label int, loose bool) {
	box := f.closest(f.Texts[label].Box, isCell)
	table := f.closest(box, isTable)
	all := f.cells(table)
	at := slices.IndexFunc(all, func(c tableCell) bool { return c.box == box })
	if at < 0 {
		return
	}
	if all[at].header {
		f.inColumn(all, all[at], loose)
		return
	}
	var values []tableCell
	for _, c := range all[at+1:] {
		if c.row != all[at].row {
			break
		}
		numbers := f.figures(c.texts)
		if len(numbers) == 0 && strings.TrimSpace(c.text) != "" && len(values) > 0 {
			break // the next label of a row with several
		}
		if len(numbers) > 0 {
			values = append(values, c)
		}
	}
	if len(values) == 0 {
		values = f.onLine(all, all[at], label)
	}
	if len(f.path) == 0 { // the path says which one
		values = f.currentOnes(all, values)
	}
	var texts []int
	for _, c := range values {
		texts = append(texts, f.prominent(c.texts)...)
	}
	if len(texts) > 0 {
		f.take(texts, "table row", loose)
	}
}

// onLine returns the cells that stand on the label's line on the screen, where its
// own row has no figures: those of the same grid, whose columns may be pinned in
// rows of their own, or, where its table has no figures at all, those of the
// nearest table beside it.
func (f *valueFinder) onLine(all []tableCell, own tableCell, label int) []tableCell {
	line := func(cells []tableCell) (out []tableCell) {
		for _, c := range cells {
			if figures := f.figures(c.texts); c.row != own.row && !c.header && len(figures) > 0 && f.beside(label, figures[0]) {
				out = append(out, c)
			}
		}
		return out
	}
	if slices.ContainsFunc(all, func(c tableCell) bool { return len(f.figures(c.texts)) > 0 }) {
		return line(all)
	}
	var nearest []tableCell
	for table, b := range f.Boxes {
		if !isTable(b) {
			continue
		}
		found := line(f.cells(table))
		if len(found) > 0 && (len(nearest) == 0 || f.Texts[found[0].texts[0]].X < f.Texts[nearest[0].texts[0]].X) {
			nearest = found
		}
	}
	return nearest
}

// beside reports whether a figure stands to the right of a label on its line.
func (f *valueFinder) beside(label, figure int) bool {
	l, v := f.Texts[label], f.Texts[figure]
	between := (l.Y + l.H/2) - (v.Y + v.H/2)
	return max(between, -between) < min(l.H, v.H)/2 && v.X >= l.X+l.W-1
}

// currentOnes leaves, of several values in a row, the one whose column is
// headed as the current one, or those that are not headed as something else.
func (f *valueFinder) currentOnes(all, values []tableCell) []tableCell {
	if len(values) < 2 {
		return values
	}
	headed := func(c tableCell, by []string) bool {
		return slices.ContainsFunc(all, func(h tableCell) bool {
			return h.header && h.spansOver(c) && slices.ContainsFunc(words(h.text), func(w string) bool { return slices.Contains(by, w) })
		})
	}
	kept := slices.DeleteFunc(slices.Clone(values), func(c tableCell) bool { return headed(c, figureWords.Entries("aside")) })
	if current := slices.DeleteFunc(slices.Clone(kept), func(c tableCell) bool { return !headed(c, figureWords.Entries("current")) }); len(current) == 1 {
		return current
	}
	return kept
}

// inColumn finds the value below a header: that of the only row, or of the row
// of totals.
func (f *valueFinder) inColumn(all []tableCell, header tableCell, loose bool) {
	var below, totals []tableCell
	for _, c := range all {
		if c.header || !c.spansOver(header) || len(f.figures(c.texts)) == 0 {
			continue
		}
		if c.foot || f.totalRow(all, c.row) {
			totals = append(totals, c)
		} else {
			below = append(below, c)
		}
	}
	switch {
	case len(totals) == 1:
		f.take(f.prominent(totals[0].texts), "table total", loose)
	case len(totals) == 0 && (len(below) == 1 || len(f.path) > 0):
		var texts []int
		for _, c := range below {
			texts = append(texts, f.prominent(c.texts)...)
		}
		f.take(texts, "table column", loose)
	}
}

func (p *Page) totalRow(all []tableCell, row int) bool {
	return slices.ContainsFunc(all, func(c tableCell) bool { return c.row == row && isTotal(c.text) })
}
