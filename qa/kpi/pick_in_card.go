package kpi

import "slices"

// maxCard limits how many elements a card may have between its label and its edge.
const maxCard = 7

// onCard climbs from the label to the first element that has a figure which
// can belong to it. A remark there, such as 42 active deals, gives way to the
// figure of the same card that outweighs it. A section or article that holds the
// label is left for none.
func (f *valueFinder) onCard(label int, loose bool) {
	levels, peers, left := 0, 1, false
	var remark []int
	f.up(f.Texts[label].Box, func(b int) bool {
		levels++
		if left {
			return false // what stands beyond belongs to others
		}
		left = f.Boxes[b].Tag == "section" || f.Boxes[b].Tag == "article"
		if len(remark) > 0 && f.endsCard(b, label) {
			return false
		}
		texts := slices.DeleteFunc(f.figures(f.members[b]), func(t int) bool { return t == label || f.inMenu(f.Texts[t].Box) })
		if len(texts) == 0 {
			peers = f.peers(b, label)
			return levels < maxCard
		}
		if f.legend(texts, label, peers) {
			return false
		}
		texts = slices.DeleteFunc(texts, func(t int) bool { return f.hasOwnLabel(t, label, b) || f.namesOtherKPI(t) })
		if loose && !f.beginsElement(label, b) {
			return false // a remark on another figure
		}
		best := f.prominent(texts)
		if len(best) > 1 || len(best) == 1 && f.holdsOtherLabels(b, label) {
			best = f.nearestFigures(f.ofKind(texts), label, b)
		}
		switch {
		case len(remark) > 0 && (len(best) != 1 || !f.outweighs(best[0], remark[0])):
			return levels < maxCard
		case len(remark) == 0 && len(best) == 1 && f.isRemark(best[0]) && !f.holdsOtherLabels(b, label):
			remark = best
			return levels < maxCard
		}
		remark = nil
		if len(best) > 0 {
			f.take(f.asOnScreen(label, best), "card", loose)
		}
		return false
	})
	if len(remark) > 0 {
		f.take(remark, "card", loose)
	}
}

// asOnScreen returns the figure that stands on the label's line on the screen, where
// the one of its element stands askew, on the line of another label.
func (f *valueFinder) asOnScreen(label int, best []int) []int {
	ours, own := f.Texts[label], f.Texts[best[0]]
	if len(best) != 1 || gap(ours.X, ours.W, own.X, own.W) == 0 || gap(ours.Y, ours.H, own.Y, own.H) == 0 {
		return best
	}
	rival := false
	for t, text := range f.Texts {
		rival = rival || t != label && f.isWordsOnly(t) && text.Font == ours.Font && text.Weight == ours.Weight && f.beside(t, best[0])
	}
	if !rival {
		return best
	}
	var beside []int
	for t := range f.Texts {
		if len(f.figures([]int{t})) > 0 && f.beside(label, t) {
			beside = append(beside, t)
		}
	}
	if len(beside) != 1 {
		return best
	}
	return beside
}

// beginsElement reports whether a text is the first words of an element.
func (f *valueFinder) beginsElement(label, box int) bool {
	for _, t := range f.members[box] {
		if t == label {
			return true
		}
		if f.Texts[t].Kind == "text" && len(f.values[t].Readings) == 0 && !f.values[t].NoValue {
			return false
		}
	}
	return false
}

// holdsOtherLabels reports whether other KPIs' labels stand in the element, too.
func (f *valueFinder) holdsOtherLabels(box, label int) bool {
	return slices.ContainsFunc(f.members[box], func(t int) bool { return t != label && f.known[normal(f.Texts[t].Text)] })
}

// hasOwnLabel reports whether a figure has a label of its own: below the element
// that both stand in, a text like our label stands before it.
func (f *valueFinder) hasOwnLabel(figure, label, common int) bool {
	branch := -1
	f.up(f.Texts[figure].Box, func(b int) bool {
		if b == common {
			return false
		}
		branch = b
		return true
	})
	if branch < 0 || f.inside(f.Texts[label].Box, branch) {
		return false
	}
	ours := f.Texts[label]
	return slices.ContainsFunc(f.members[branch], func(t int) bool {
		text := f.Texts[t]
		return t != figure && text.Kind == "text" && len(f.values[t].Readings) == 0 && !f.values[t].NoValue &&
			(f.known[normal(text.Text)] || t < figure && text.Font == ours.Font && text.Weight == ours.Weight)
	})
}

// nearestFigures returns the figures that stand nearest to the label, as far as it is also
// the label nearest to them.
func (f *valueFinder) nearestFigures(texts []int, label, common int) []int {
	best, distance := -1, 0.0
	lead := f.valuesLead(texts, label, common)
	for _, t := range texts {
		if f.values[t].Worded && len(texts) > 1 {
			continue
		}
		if d := f.distance(label, t, lead); best < 0 || d < distance {
			best, distance = t, d
		}
	}
	if best < 0 {
		return nil
	}
	for _, t := range f.members[common] {
		text := f.Texts[t]
		rival := text.Kind == "text" && t != label && len(f.values[t].Readings) == 0 && !f.values[t].NoValue
		if rival && (f.known[normal(text.Text)] || text.Font == f.Texts[label].Font && text.Weight == f.Texts[label].Weight) && f.distance(t, best, lead) < distance {
			return nil // it is another label's
		}
	}
	return []int{best}
}

// valuesLead reports whether, in the column of a label on the screen, each value
// stands above its own label: the column begins with a figure and ends with a
// label, and has as many of both.
func (f *valueFinder) valuesLead(figures []int, label, common int) bool {
	ours := f.Texts[label]
	balance, first, last := 0, label, label
	for _, t := range f.members[common] {
		text, isFigure := f.Texts[t], slices.Contains(figures, t)
		if gap(ours.X, ours.W, text.X, text.W) > 0 || !isFigure && !(t == label || f.isWordsOnly(t) && text.Font == ours.Font && text.Weight == ours.Weight) {
			continue
		}
		if balance--; isFigure {
			balance += 2
		}
		if text.Y < f.Texts[first].Y {
			first = t
		}
		if text.Y > f.Texts[last].Y {
			last = t
		}
	}
	return balance == 0 && slices.Contains(figures, first) && !slices.Contains(figures, last)
}

// distance returns how far a figure is from a label: a little if it stands right
// below or beside it, much if it stands above or askew. lead: values stand above
// their labels.
func (f *valueFinder) distance(label, figure int, lead bool) float64 {
	l, v := f.Texts[label], f.Texts[figure]
	gapX, gapY := gap(l.X, l.W, v.X, v.W), gap(l.Y, l.H, v.Y, v.H)
	switch {
	case gapX == 0 && lead && v.Y < l.Y:
		return gapY
	case gapX == 0 && v.Y >= l.Y && !lead:
		return gapY
	case gapY == 0 && v.X >= l.X:
		return gapX
	case gapX == 0 || gapY == 0:
		return 2 * (gapX + gapY + 1)
	default:
		return 10 * (gapX + gapY + 1)
	}
}

// gap returns the distance of two spans on one axis; 0 when they overlap.
func gap(a, lengthA, b, lengthB float64) float64 {
	return max(0, b-(a+lengthA), a-(b+lengthB))
}
