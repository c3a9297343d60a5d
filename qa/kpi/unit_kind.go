package kpi

import (
	"slices"
	"strings"
)

// unitCount names a unit that was declared as a plain count.
const unitCount = "count"

// declaredUnit returns the unit that the figures of a label are held against; empty
// where none is declared, or none that is known.
func declaredUnit(unit string) string {
	if strings.TrimSpace(unit) == "" {
		return ""
	}
	known, err := knownUnit(unit)
	if err == nil && known == "" {
		return unitCount
	}
	return known
}

// fits reports whether a figure can be of the declared kind: an amount is no
// percentage and no count of something, a percentage no amount.
func (f *valueFinder) fits(text int) bool {
	v := f.values[text]
	if f.unit == "" || len(v.Readings) == 0 {
		return true
	}
	n := v.Readings[0]
	switch f.unit {
	case UnitPercent, UnitRatio:
		return n.Currency == "" && (isPartOfWhole(n.Unit) || f.wordsAround(text) == 0)
	case unitCount:
		return n.Currency == "" && !isPartOfWhole(n.Unit)
	default:
		return n.Currency != "" || n.Unit == "" && !v.Worded && f.wordsAround(text) == 0
	}
}

// ofKind leaves the figures of the declared kind, or all where none is: a wrong
// one is still what the page shows.
func (f *valueFinder) ofKind(texts []int) []int {
	if kept := slices.DeleteFunc(slices.Clone(texts), func(t int) bool { return !f.fits(t) }); len(kept) > 0 {
		return kept
	}
	return texts
}

// prominent returns the figures of the declared kind that strike the eye most.
func (f *valueFinder) prominent(texts []int) []int {
	return f.Page.prominent(f.ofKind(f.figures(texts)))
}

// wordsAround counts the words beside a text's number.
func (f *valueFinder) wordsAround(text int) int {
	v := f.values[text]
	if v.Whole || len(v.Readings) == 0 {
		return 0
	}
	runes := normalise(v.Text)
	return len(words(string(runes[:v.At]))) + len(words(string(runes[v.End:])))
}

// isRemark reports whether a figure is more likely said of something else: it is
// of another kind, or a number in a sentence such as 42 active deals.
func (f *valueFinder) isRemark(text int) bool { return !f.fits(text) || f.wordsAround(text) > 1 }

// outweighs reports whether a figure is to be preferred to a remark nearer to
// the label: for its kind, or for its size.
func (f *valueFinder) outweighs(figure, remark int) bool {
	if f.isRemark(figure) {
		return false
	}
	return f.fits(figure) && !f.fits(remark) || f.Texts[figure].Font > 1.2*f.Texts[remark].Font
}

// endsCard reports whether an element holds more than the label's own card: a
// second text that could head one.
func (f *valueFinder) endsCard(box, label int) bool {
	return f.holdsOtherLabels(box, label) || slices.ContainsFunc(f.members[box], func(t int) bool {
		return t != label && f.isWordsOnly(t) && f.Texts[t].Font >= f.Texts[label].Font
	})
}

// isWordsOnly reports whether a text says words and no figure.
func (f *valueFinder) isWordsOnly(text int) bool {
	v := f.values[text]
	return f.Texts[text].Kind == "text" && len(v.Readings) == 0 && !v.NoValue && len(words(v.Text)) > 0
}

// peers counts the texts in an element that look like the label, which is one
// of them.
func (f *valueFinder) peers(box, label int) int {
	n := 0
	for _, t := range f.members[box] {
		if t == label || f.isWordsOnly(t) && f.Texts[t].Font == f.Texts[label].Font && f.Texts[t].Weight == f.Texts[label].Weight {
			n++
		}
	}
	return n
}

// legend reports whether labels that stand together are names without values:
// the figures before them are fewer than they are.
func (f *valueFinder) legend(figures []int, label, peers int) bool {
	if peers < 2 || len(figures) == 0 || slices.ContainsFunc(figures, func(t int) bool { return t > label }) {
		return false
	}
	largest := 0.0
	for _, t := range figures {
		largest = max(largest, f.Texts[t].Font)
	}
	alike := slices.DeleteFunc(slices.Clone(figures), func(t int) bool { return f.Texts[t].Font < 0.97*largest })
	return len(alike) < peers
}
