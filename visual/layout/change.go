package layout

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// change describes what happened to one element, or to several alike.
type change struct {
	b, a     int // in the maps; -1: not there
	kind     qa.VisualChange
	property string
	from, to string
	more     []styleEdit // further styles of the same element
	alike    []change    // the same change of further elements
	parts    int         // it is that of so many children of the element, all of them, which are in alike
	box      rect        // where it is to be seen
	shifts   bool        // it can move what stands around it
	named    bool        // anybody would name it, and pixels show it
	text     string
	pushed   map[[2]int]int // how many elements it moved, by how far
}

// shift records how far a pair moved, in 64ths of a pixel, and grew, in pixels.
type shift struct{ dx, dy, dw, dh int }

func (s shift) moved() bool   { return s.dx != 0 || s.dy != 0 }
func (s shift) resized() bool { return s.dw != 0 || s.dh != 0 }

// changeFinder looks for changes that can be seen.
type changeFinder struct {
	*pairing
	places   []rect // where the pictures differ
	counting []rect // those of them whose pixels count
	count    func(qa.Box) (changed, visible int)
	covered  []rect  // of the after map: what changed there was not seen
	anywhere bool    // they differ in size: any place may differ
	shift    []shift // of each element of the after map
}

// margin bounds how far paint may extend beyond a box, in pixels.
const margin = 2

// pixelsOf rounds a distance to whole pixels.
func pixelsOf(in64ths int) int { return int(math.Round(float64(in64ths) / 64)) }

// seen reports whether the pictures differ in a box.
func (f *changeFinder) seen(boxes ...rect) bool { return f.touched(f.places, boxes...) }

// touched reports whether one of the places touches one of the boxes.
func (f *changeFinder) touched(places []rect, boxes ...rect) bool {
	for _, box := range boxes {
		if box.empty() {
			continue
		}
		if f.anywhere || slices.ContainsFunc(places, func(p rect) bool { return !p.intersect(box.grow(margin)).empty() }) {
			return true
		}
	}
	return false
}

// measureShifts notes how every pair moved.
func (f *changeFinder) measureShifts() {
	f.shift = make([]shift, len(f.after.all))
	for a, b := range f.toBefore {
		if b < 0 {
			continue
		}
		x, y := f.before.all[b], f.after.all[a]
		if boxOf(x).empty() || boxOf(y).empty() { // scrolled or cut away
			continue
		}
		f.shift[a] = shift{64*(y.X-x.X) + y.Offset[0] - x.Offset[0], 64*(y.Y-x.Y) + y.Offset[1] - x.Offset[1], y.Width - x.Width, y.Height - x.Height}
	}
}

// ownChanges returns the changes that have their reason in themselves, in the order
// of the document.
func (f *changeFinder) ownChanges() []change {
	var out []change
	for b := range f.before.all {
		if f.toAfter[b] >= 0 || !f.matchedOrTop(f.before, b, f.toAfter) {
			continue
		}
		if box := f.before.extent[b]; f.seen(box) {
			out = append(out, change{b: b, a: -1, kind: qa.ChangeRemoved, box: box, shifts: true})
		}
	}
	for a := range f.after.all {
		b := f.toBefore[a]
		if b < 0 {
			if box := f.after.extent[a]; f.matchedOrTop(f.after, a, f.toBefore) && f.seen(box) {
				out = append(out, change{b: -1, a: a, kind: qa.ChangeAdded, box: box, shifts: true})
			}
			continue
		}
		if c, ok := f.ownChange(b, a); ok {
			out = append(out, c)
		}
		out = append(out, f.reordered(b, a)...)
	}
	for i := range out {
		out[i].named = f.nameable(out[i]) && f.evident(out[i])
	}
	return out
}

// matchedOrTop reports whether an element's parent is in both maps: it is the
// outermost that is not.
func (f *changeFinder) matchedOrTop(t *tree, i int, other []int) bool {
	up := t.all[i].Parent
	return up < 0 || other[up] >= 0
}

// ownChange finds what a pair says, shows or looks like otherwise than before.
func (f *changeFinder) ownChange(b, a int) (change, bool) {
	x, y := f.before.all[b], f.after.all[a]
	own := []rect{boxOf(x), boxOf(y)}
	if !own[1].empty() && !f.shift[a].resized() && slices.ContainsFunc(f.covered, func(r rect) bool { return r.holds(own[1]) }) {
		return change{}, false // it can't have moved anything either
	}
	c := change{b: b, a: a, box: own[1], shifts: f.shift[a].resized()}
	if own[1].empty() {
		c.box = f.after.extent[a]
	}
	switch {
	case x.Text != y.Text && f.seen(own...):
		c.kind, c.from, c.to, c.shifts = qa.ChangeText, x.Text, y.Text, true
		if f.icon(b, x.Text) || f.icon(a, y.Text) {
			c.kind, c.from, c.to = qa.ChangeImage, f.glyph(x, y, x.Text), f.glyph(y, x, y.Text)
		}
	case imageKey(x.Image) != imageKey(y.Image) && f.seen(own...):
		c.kind, c.from, c.to = qa.ChangeImage, address(x.Image), address(y.Image)
		if c.from == c.to {
			c.from, c.to = f.glyph(x, y, ""), f.glyph(y, x, "")
		}
	}
	edits := slices.DeleteFunc(f.styleEdits(b, a), func(e styleEdit) bool {
		at := [2]int{b, a}
		if up := f.after.all[a].Parent; movingStyles[e.property] && up >= 0 && f.toBefore[up] >= 0 { // what it moves stands beside it
			at = [2]int{f.toBefore[up], up}
		}
		return c.shifts && sizeOfPseudo.MatchString(e.property) || !f.seen(own...) && !f.seen(f.before.extent[at[0]], f.after.extent[at[1]])
	})
	for _, e := range edits {
		c.shifts = c.shifts || movingStyles[e.property]
	}
	if i := slices.IndexFunc(edits, func(e styleEdit) bool { return strings.HasSuffix(e.property, " content") }); i >= 0 && c.kind == "" {
		c.kind, c.property, c.from, c.to = qa.ChangeText, edits[i].property, edits[i].from, edits[i].to
		if glyphs.MatchString(c.from) || glyphs.MatchString(c.to) || strings.Contains(c.from+c.to, "url(") {
			c.kind, c.from, c.to = qa.ChangeImage, f.glyph(x, y, c.from), f.glyph(y, x, c.to)
		}
		edits = slices.Delete(edits, i, i+1)
	}
	if c.kind == "" && len(edits) > 0 {
		c.kind = qa.ChangeStyle
		first := edits[0].singleSide()
		c.property, c.from, c.to = first.property, first.from, first.to
		edits = edits[1:]
	}
	c.more = edits
	return c, c.kind != ""
}

var (
	sizeOfPseudo = pattern.New(`^::(before|after) (width|height|transform)$`)
	glyphs       = pattern.New(`[\x{E000}-\x{F8FF}\x{F0000}-\x{10FFFD}]`)
	iconFont     = pattern.New(`(?i)icon|awesome|material symbols|glyph`)
)

// icon reports whether a text is drawn as a picture: by an icon font, or as a
// character that is no word.
func (f *changeFinder) icon(i int, text string) bool {
	t := f.after
	if i < len(f.before.all) && f.before.all[i].Text == text {
		t = f.before
	}
	if text == "" {
		return false
	}
	if iconFont.MatchString(t.effectiveStyle(i, "font-family")) {
		return true
	}
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.Is(unicode.Co, r) && !unicode.IsSpace(r) })
}

// glyph names one of two icons: by its classes where they differ, else as text.
func (f *changeFinder) glyph(e, other Element, text string) string {
	not := classes(other.Path)
	if own := slices.DeleteFunc(classes(e.Path), func(c string) bool { return slices.Contains(not, c) }); len(own) > 0 {
		return strings.Join(own, " ")
	}
	return text
}

// address returns what an image shows without the digest of its pixels.
func address(image string) string {
	if i := strings.LastIndex(image, " #"); i >= 0 {
		return image[:i]
	}
	return image
}

// reordered finds the children of a pair that stand in another order: the
// fewest that, put elsewhere, give the new one.
func (f *changeFinder) reordered(b, a int) []change {
	var kids, places []int
	at := map[int]int{}
	for i, k := range f.after.kids[a] {
		at[k] = i
	}
	for _, k := range f.before.kids[b] {
		if to := f.toAfter[k]; to >= 0 && !f.after.extent[to].empty() {
			if place, ok := at[to]; ok {
				kids, places = append(kids, k), append(places, place)
			}
		}
	}
	if slices.IsSorted(places) {
		return nil
	}
	stay := rising(places)
	var out []change
	for i, k := range kids {
		to := f.toAfter[k]
		if stay[i] || !f.seen(f.before.extent[k], f.after.extent[to]) {
			continue
		}
		out = append(out, change{b: k, a: to, kind: qa.ChangeMoved, property: "order", box: f.after.extent[to], shifts: true})
	}
	return out
}

// rising marks a longest rising subsequence.
func rising(list []int) []bool {
	length, before := make([]int, len(list)), make([]int, len(list))
	best := -1
	for i := range list {
		length[i], before[i] = 1, -1
		for j := range i {
			if list[j] < list[i] && length[j] >= length[i] {
				length[i], before[i] = length[j]+1, j
			}
		}
		if best < 0 || length[i] > length[best] {
			best = i
		}
	}
	out := make([]bool, len(list))
	for ; best >= 0; best = before[best] {
		out[best] = true
	}
	return out
}
