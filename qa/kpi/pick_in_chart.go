package kpi

import (
	"slices"
)

// inCharts finds what a chart about the label says in total, in its name or in
// its legend.
func (f *valueFinder) inCharts() {
	want := words(f.label)
	for i, t := range f.Texts {
		about := -1
		switch {
		case t.Kind == "name" && t.Box >= 0 && isChart(f.Boxes[t.Box]) && hasWords(words(t.Text), want):
			about = t.Box
		case t.Kind == "text" && isTotalText(t.Text):
			levels := 0
			about = f.closest(t.Box, func(b Box) bool {
				levels++
				return levels <= 6 && b.Name != "" && hasWords(words(b.Name), want)
			})
			if about < 0 || !f.charted[about] || f.closest(t.Box, isTable) >= 0 {
				continue
			}
		}
		if about < 0 || f.inMenu(t.Box) {
			continue
		}
		if v, ok := f.totalIn(i); ok {
			f.add(i, v, "chart", false)
		}
	}
}

// isTotalText recognises Total $1,234.
func isTotalText(text string) bool {
	all := words(text)
	return len(all) > 0 && len(all) < 8 && figureWords.Has("total", all[0])
}

// totalIn returns the number of a text that it calls a total.
func (f *valueFinder) totalIn(text int) (Parsed, bool) {
	l, runes := f.lexicons[text], normalise(f.Texts[text].Text)
	for _, t := range l.scan(runes) {
		if len(t.readings) == 0 {
			continue
		}
		before, after := words(string(runes[:t.start])), words(string(runes[t.end:]))
		lead, tail := before[max(0, len(before)-2):], after[:min(2, len(after))]
		total := func(w string) bool { return figureWords.Has("total", w) }
		if slices.ContainsFunc(lead, total) || slices.ContainsFunc(tail, total) {
			return l.valueOf(runes, t), true
		}
	}
	return Parsed{}, false
}

// maxPictureCard limits how many elements a card may have between a label and the
// picture of its value.
const maxPictureCard = 4

// unreadable returns what stands where the value of a label would, and can't be
// read: a picture, a canvas, a counter of CSS. "" where there is none.
func (f *valueFinder) unreadable() string {
	for label, t := range f.Texts {
		if is, _ := f.isLabel(t.Text); !is || t.Kind != "text" || f.inMenu(t.Box) {
			continue
		}
		found, levels := "", 0
		f.up(t.Box, func(b int) bool {
			levels++
			if f.holdsOtherLabels(b, label) || len(f.figures(f.members[b])) > 0 {
				return false
			}
			for _, m := range f.members[b] {
				if p := f.Texts[m]; p.Kind == "picture" && p.Why == "" {
					found = p.Doubt
				}
			}
			return found == "" && levels < maxPictureCard
		})
		if found != "" {
			return found
		}
	}
	return ""
}
