package kpi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Place describes one place of a page that shows a label's value.
type Place struct {
	Text     int // index in the page's Texts
	Value    Parsed
	Selector string
	How      string   // what leads from the label to the value: data-kpi, test id, aria-label, list, table row, table column, table total, card, chart, asked
	Loose    bool     // the label is only part of what stands there
	Why      string   // why people don't see it; empty where they do
	Doubt    string   // what of it could not be read, or in more than one way
	Stir     int      // the number of the last change of its text
	Groups   []string // what it stands under: headings, names of sections, heads of its row and column

	X, Y, W, H float64 // where it stands, in CSS pixels of the document
}

// Pick describes where a page shows the value of a label.
type Pick struct {
	Best      *Place   // nil: nowhere, or undecided
	Others    []Place  // further places with the same label
	Ambiguous []Place  // places of which each could be the one
	Parts     []string // labels that have the label's words and more, where nothing else has
	Hidden    *Place   // where it would be, if people saw it
	Picture   string   // what stands where it would, and can't be read
}

// Pick finds the value that belongs to a label. others are the labels of other
// KPIs, whose values it must not take. unit is what the value is declared to
// count in, or empty: among several figures it rules out those of another kind.
// [Page.Settle] must have been called.
//
// An attribute that names the KPI comes before a name for screen readers, that
// before the structure of lists and tables, and that before what stands nearest.
// A label is the whole label, up to case, a bracketed suffix and a unit: what
// has its words and more is listed, and never taken. Headings and other names of
// groups may stand before it, as in This month / Revenue.
func (p *Page) Pick(label, unit string, others []string) Pick {
	out := p.find(nil, label, unit, others)
	if path, last := splitPath(label); out.Best == nil && len(out.Ambiguous) == 0 && len(path) > 0 {
		out = p.find(path, last, unit, others)
	}
	if out.Best == nil && len(out.Ambiguous) == 0 && slices.ContainsFunc(p.values, func(v Parsed) bool { return v.Compound || len(v.Rest) > 0 }) {
		with := *p
		with.compounds = true
		if found := with.find(nil, label, unit, others); found.Best != nil {
			return found
		}
	}
	if out.Best == nil && len(out.Ambiguous) == 0 && p.unseen() {
		bare := *p
		bare.Texts = slices.Clone(p.Texts)
		for i, t := range bare.Texts {
			if t.Kind == "unseen" {
				bare.Texts[i].Kind = "text"
			}
		}
		bare.Settle()
		switch hidden := bare.find(nil, label, unit, others); {
		case hidden.Best == nil || hidden.Best.Why == "":
		case isReel(hidden.Best.Value.Text):
			out.Picture = "a reel of digits"
		default:
			out.Hidden = hidden.Best
		}
	}
	if out.isEmpty() {
		return p.pickUnsaid(label, unit, others)
	}
	return out
}

// isEmpty reports whether nothing at all was found at the label's place.
func (o Pick) isEmpty() bool {
	return o.Best == nil && len(o.Ambiguous) == 0 && o.Hidden == nil && o.Picture == ""
}

// pickUnsaid finds digits that are no figure for sure where the value of a label
// would stand: it is open whether they are the value, so that it is not missing.
func (p *Page) pickUnsaid(label, unit string, others []string) Pick {
	if !slices.ContainsFunc(p.values, func(v Parsed) bool { return v.unsaid }) {
		return Pick{}
	}
	with := *p
	with.compounds, with.unsaid = true, true
	out := with.find(nil, label, unit, others)
	if path, last := splitPath(label); out.isEmpty() && len(path) > 0 {
		out = with.find(path, last, unit, others)
	}
	if out.Best != nil {
		out.Best.Doubt = cmp.Or(out.Best.Doubt, "whether its digits are the value, what stands beside them does not say for sure")
	}
	return out
}

func (p *Page) unseen() bool {
	return slices.ContainsFunc(p.Texts, func(t Text) bool { return t.Kind == "unseen" })
}

// find finds the value of a label in the groups of a path.
func (p *Page) find(path []string, label, unit string, others []string) Pick {
	f := valueFinder{Page: p, path: path, label: label, unit: declaredUnit(unit), known: map[string]bool{}}
	for _, o := range others {
		_, last := splitPath(o)
		for _, name := range []string{o, last} {
			if normal(name) != normal(label) {
				f.known[normal(name)] = true
			}
		}
	}
	f.byAttribute(func(b Box) string { return b.KPI }, "data-kpi")
	f.byAttribute(func(b Box) string { return b.TestID }, "test id")
	f.byName()
	exact := func(text string) bool { _, exact := f.isLabel(text); return exact && !f.known[normal(text)] }
	f.byLabel("text", exact, false)
	f.inLines(exact, false)
	for _, further := range []func(){
		func() {
			suffixed := func(text string) bool { return f.whole(text) && !f.known[normal(text)] }
			f.byLabel("text", suffixed, false)
			f.inLines(suffixed, false)
		},
		func() { f.byAttribute(func(b Box) string { return b.ID }, "id") },
		func() { f.byLabel("unseen", exact, false) },
		func() { f.inLines(exact, true) },
		func() {
			f.byLabel("text", func(text string) bool { return f.part(text) && !strings.ContainsFunc(text, isDigitOfAny) }, true)
			f.inLines(f.part, false)
		},
	} {
		if len(f.places) == 0 && len(f.unclear) == 0 {
			further()
		}
	}
	f.inCharts()
	out := f.pick()
	if out.Best == nil && len(out.Ambiguous) == 0 {
		out.Picture = f.unreadable()
	}
	return out
}

// Asked returns the value of a label from the element that the caller named: its
// most prominent number.
func (p *Page) Asked(label string) Pick {
	f := valueFinder{Page: p, label: label}
	for i, b := range p.Boxes {
		if !b.Asked {
			continue
		}
		texts := p.members[i]
		if best := p.prominent(texts); len(best) > 0 {
			f.take(best, "asked", false)
			break
		}
		for _, t := range texts { // a name or a title alone, or no number at all
			if len(p.values[t].Readings) > 0 || len(texts) == 1 {
				f.add(t, p.values[t], "asked", false)
				break
			}
		}
	}
	return f.pick()
}

// valueFinder gathers the places of one label.
type valueFinder struct {
	*Page
	path    []string // names of groups that the value must stand in
	label   string
	unit    string          // as declared
	known   map[string]bool // other labels, normalised
	places  []Place
	unclear []Place
	asked   string   // the label that is being looked at
	parts   []string // labels of which ours is a part
}

func (f *valueFinder) pick() Pick {
	var out Pick
	if len(f.places) == 0 {
		out.Ambiguous, out.Parts = f.unclear, f.parts
		return out
	}
	best := f.places[0]
	if best.Loose {
		out.Ambiguous, out.Parts = f.places, f.parts
		return out
	}
	out.Best, out.Others = &best, f.places[1:]
	return out
}

func (f *valueFinder) add(text int, value Parsed, how string, loose bool) {
	if slices.ContainsFunc(f.places, func(p Place) bool { return p.Text == text }) || len(grouping{f}.inPath([]int{text})) == 0 {
		return
	}
	if loose && !slices.Contains(f.parts, f.asked) {
		f.parts = append(f.parts, f.asked)
	}
	t := f.Texts[text]
	why := t.Why
	if t.Kind == "name" || t.Kind == "title" {
		why = "only screen readers read it"
	}
	doubt := t.Doubt
	if doubt == "" && how == "card" { // what is called by its name is whole
		doubt = f.inPieces(text)
	}
	if doubt == "" {
		doubt = f.besidePicture(text)
	}
	f.places = append(f.places, Place{Text: text, Value: f.accounted(value), Selector: t.Selector, How: how,
		Loose: loose, Why: why, Doubt: doubt, Stir: t.Stir, Groups: grouping{f}.groupsOf(text), X: t.X, Y: t.Y, W: t.W, H: t.H})
}

// accounted returns a value of which the words of the KPIs' labels are accounted
// for.
func (f *valueFinder) accounted(v Parsed) Parsed {
	if scale := f.scaleOfLabel(v); scale != "" {
		v.Open = fmt.Sprintf("its label %q may scale it by %q", strings.TrimSpace(f.asked), scale)
	}
	if len(v.Unread) == 0 {
		return v
	}
	known := append(words(f.label), words(f.asked)...)
	for label := range f.known {
		known = append(known, words(label)...)
	}
	return v.accountedBy(known)
}

// scaleOfLabel returns the power of ten that a label of the page has and the KPI's
// has not, such as thousands of Revenue (in thousands); "" where there is none, or
// where the figure is scaled itself.
func (f *valueFinder) scaleOfLabel(v Parsed) string {
	if len(v.Readings) == 0 || v.Readings[0].Short || normal(f.asked) == normal(f.label) {
		return ""
	}
	ours := besideParts(normalise(f.label))
	for _, word := range besideParts(normalise(f.asked)) {
		zeros := strings.Trim(word, "$€£¥s")
		if !slices.Contains(ours, word) && (slices.ContainsFunc(f.spoken, func(l *lexicon) bool { return l.isScale(word) }) || len(zeros) > 2 && strings.Trim(zeros, "0") == "") {
			return word
		}
	}
	return ""
}

// take adds the one candidate, or notes that there are several.
func (f *valueFinder) take(texts []int, how string, loose bool) {
	texts = grouping{f}.inPath(f.ofKind(texts))
	if len(texts) == 1 {
		f.add(texts[0], f.values[texts[0]], how, loose)
		return
	}
	if loose && len(texts) > 0 {
		f.parts = append(f.parts, f.asked)
	}
	for _, t := range texts {
		f.unclear = append(f.unclear, Place{Text: t, Value: f.accounted(f.values[t]), Selector: f.Texts[t].Selector, How: how, Loose: loose, Stir: f.Texts[t].Stir})
	}
}

// figures returns the texts of a list that can be a value.
func (p *Page) figures(texts []int) []int {
	var out []int
	for _, t := range texts {
		v := p.values[t]
		if p.Texts[t].Kind == "text" && (len(v.Readings) > 0 && !v.Trend || v.NoValue || p.compounds && v.Compound || p.unsaid && v.unsaid) {
			out = append(out, t)
		}
	}
	return out
}

// prominent returns the figures that strike the eye most; several only when they
// say different things.
func (p *Page) prominent(texts []int) []int {
	all := p.figures(texts)
	size := func(t int) float64 {
		if p.Texts[t].W <= 1.5 { // for screen readers only
			return 0
		}
		return p.Texts[t].Font
	}
	largest := 0.0
	for _, t := range all {
		largest = max(largest, size(t))
	}
	all = slices.DeleteFunc(all, func(t int) bool { return size(t) < 0.97*largest })
	for _, better := range []func(int) bool{
		func(t int) bool { return !p.values[t].NoValue && !p.values[t].Worded },
		func(t int) bool { return p.values[t].Whole },
		func(t int) bool { return p.Texts[t].Weight >= 600 },
	} {
		if kept := slices.DeleteFunc(slices.Clone(all), func(t int) bool { return !better(t) }); len(kept) > 0 {
			all = kept
		}
	}
	if len(all) > 1 && !slices.ContainsFunc(all[1:], func(t int) bool { return !Agree(p.values[all[0]], p.values[t]) }) {
		all = all[:1]
	}
	return all
}

func (p *Page) inMenu(box int) bool { return p.closest(box, isMenu) >= 0 }

// byAttribute finds elements whose attribute names the KPI.
func (f *valueFinder) byAttribute(attribute func(Box) string, how string) {
	for i, b := range f.Boxes {
		if !idNamesLabel(attribute(b), f.label) || f.inMenu(i) {
			continue
		}
		if how != "data-kpi" && (f.isTable(i) || slices.ContainsFunc(f.members[i], func(t int) bool { return f.known[normal(f.Texts[t].Text)] })) {
			continue // it holds much else, or other KPIs, too
		}
		if best := f.prominent(f.members[i]); len(best) == 1 {
			f.add(best[0], f.values[best[0]], how, false)
		}
	}
}

// maxFigures limits how many figures the card of one KPI may hold.
const maxFigures = 8

// isTable reports whether an element holds a table, or more figures than a card
// does.
func (f *valueFinder) isTable(box int) bool {
	figures := f.figures(f.members[box])
	return len(figures) > maxFigures || slices.ContainsFunc(figures, func(t int) bool {
		table := f.closest(f.Texts[t].Box, isTable)
		return table >= 0 && f.inside(table, box)
	})
}

// byName finds elements that are called by the label for screen readers, and
// names that hold the value themselves: aria-label="Revenue: $12,345".
func (f *valueFinder) byName() {
	for i, b := range f.Boxes {
		if normal(b.Name) == normal(f.label) && !f.inMenu(i) && !isTable(b) {
			if best := f.prominent(f.members[i]); len(best) == 1 {
				f.add(best[0], f.values[best[0]], "aria-label", false)
			}
		}
	}
	for i, t := range f.Texts {
		if t.Kind != "name" || t.Box < 0 || f.inMenu(t.Box) {
			continue
		}
		for _, s := range f.lineFigures(i, t.Text, nil) {
			if !f.whole(s.labels[0]) {
				continue
			}
			if seen := f.prominent(f.members[t.Box]); len(seen) == 1 { // what people see there comes first
				f.add(seen[0], f.values[seen[0]], "aria-label", false)
			} else {
				f.add(i, s.value, "aria-label", false)
			}
			break
		}
	}
}

// byLabel finds texts that are the label, and the value that structure or
// nearness gives to each.
func (f *valueFinder) byLabel(kind string, is func(string) bool, loose bool) {
	for i, t := range f.Texts {
		if t.Kind != kind || !is(t.Text) || f.inMenu(t.Box) || f.closest(t.Box, func(b Box) bool { return b.Role == "tab" }) >= 0 {
			continue
		}
		f.asked = t.Text
		switch {
		case f.readDefinitionList(i, loose):
		case f.closest(t.Box, isCell) >= 0 && f.closest(t.Box, isTable) >= 0:
			f.inTable(i, loose)
		default:
			f.onCard(i, loose)
		}
	}
}

// readDefinitionList reads a definition list.
func (f *valueFinder) readDefinitionList(label int, loose bool) bool {
	term := f.closest(f.Texts[label].Box, func(b Box) bool { return b.Tag == "dt" })
	if term < 0 {
		return false
	}
	list := f.closest(term, func(b Box) bool { return b.Tag == "dl" })
	if list < 0 {
		return false
	}
	var values []int
	for _, t := range f.members[list] {
		if t <= label || f.inside(f.Texts[t].Box, term) {
			continue
		}
		if f.closest(f.Texts[t].Box, func(b Box) bool { return b.Tag == "dt" }) >= 0 {
			break
		}
		values = append(values, t)
	}
	if best := f.prominent(values); len(best) > 0 {
		f.take(best, "list", loose)
	}
	return true
}
