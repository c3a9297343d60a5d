package layout

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

const (
	slack      = 2  // pixels by which something may move or grow before anybody calls it another layout
	overhang   = 16 // how far what CSS draws before and after an element may stand out of it
	imageNoise = 8  // perceived pixels from which an image shows something else, though its copy says the same
)

// nameable reports whether anybody would name a change: another text, image or
// style, an element that is new or gone, another order. What is transparent or
// hidden before and after shows nothing; a style that only places things counts
// by how far it moves them, and an element that paints nothing by what it moves.
func (f *changeFinder) nameable(c change) bool {
	switch {
	case c.kind == qa.ChangeAdded:
		return len(f.painting(f.after, c.a, f.toBefore)) > 0
	case c.kind == qa.ChangeRemoved:
		return len(f.painting(f.before, c.b, f.toAfter)) > 0
	case f.before.isHidden(c.b) && f.after.isHidden(c.a):
		return false
	case c.kind == qa.ChangeStyle:
		return !onlyPlaces(c.property, c.from, c.to) || slices.ContainsFunc(c.more, func(e styleEdit) bool { return !onlyPlaces(e.property, e.from, e.to) })
	}
	return true
}

// evident reports whether pixels of the change's own boxes show it.
func (f *changeFinder) evident(c change) bool {
	if f.count == nil {
		return false
	}
	for _, box := range f.evidence(c) {
		if box.empty() {
			continue
		}
		changed, visible := f.count(qa.Box{X: box.left, Y: box.top, Width: box.right - box.left, Height: box.bottom - box.top})
		if changed > 0 || visible > 0 && !f.bitmap(c) {
			return true
		}
	}
	return false
}

// bitmap reports whether a change is of pixels that the page itself draws or
// loads: those may be smoothed in another way each time.
func (f *changeFinder) bitmap(c change) bool {
	return c.kind == qa.ChangeImage && c.a >= 0 && slices.Contains([]string{"img", "canvas"}, tag(f.after.all[c.a].Path))
}

// evidence returns the boxes in which pixels differ if a change can be seen.
func (f *changeFinder) evidence(c change) []rect {
	switch {
	case c.kind == qa.ChangeAdded:
		return f.painting(f.after, c.a, f.toBefore)
	case c.kind == qa.ChangeRemoved:
		return f.painting(f.before, c.b, f.toAfter)
	case c.kind == qa.ChangeStyle:
		by := overflow(c)
		return []rect{f.before.extent[c.b].outset(by), f.after.extent[c.a].outset(by)}
	case strings.HasPrefix(c.property, "::"):
		return []rect{boxOf(f.before.all[c.b]).outset(overhang), boxOf(f.after.all[c.a]).outset(overhang)}
	case c.kind == qa.ChangeText || c.kind == qa.ChangeImage:
		own := []rect{boxOf(f.before.all[c.b]), boxOf(f.after.all[c.a])}
		if !own[0].empty() || !own[1].empty() {
			return own
		}
	}
	return []rect{f.before.extent[c.b], f.after.extent[c.a]}
}

// painting returns the boxes of what an element that is in one map only paints,
// with all in it that is in no other place of the other map.
func (f *changeFinder) painting(t *tree, i int, other []int) []rect {
	var out []rect
	for k := i; k < len(t.all); k++ {
		e := t.all[k]
		if other[k] < 0 && t.within(k, i) && t.paints(k) && !t.isHidden(k) {
			out = append(out, boxOf(e).outset(overflow(change{more: []styleEdit{{to: e.Styles["box-shadow"]}, {to: e.Styles["outline"]}}})))
		}
	}
	return out
}

// paints reports whether an element paints anything itself.
func (t *tree) paints(i int) bool {
	e := t.all[i]
	if e.Text != "" || e.Image != "" || drawnByBrowser[tag(e.Path)] {
		return true
	}
	return slices.ContainsFunc([]string{"background-color", "background-image", "border-width", "box-shadow", "outline", "::before content", "::after content"}, func(property string) bool {
		_, has := e.Styles[property]
		return has
	})
}

// drawnByBrowser lists the tags that a browser draws by itself.
var drawnByBrowser = map[string]bool{"input": true, "textarea": true, "select": true, "button": true, "progress": true, "meter": true, "iframe": true, "frame": true, "video": true, "audio": true,
	"object": true, "embed": true, "hr": true, "li": true, "summary": true}

// isHidden reports whether an element is hidden, or transparent with all around it.
func (t *tree) isHidden(i int) bool {
	if i < 0 {
		return false
	}
	if v := t.effectiveStyle(i, "visibility"); v == "hidden" || v == "collapse" {
		return true
	}
	for at := i; at >= 0; at = t.all[at].Parent {
		if t.all[at].Styles["opacity"] == "0" {
			return true
		}
	}
	return false
}

// placingStyles lists the styles that paint nothing and only place things. Those with
// false leave the boxes alone where they place the words of an element.
var placingStyles = map[string]bool{"position": true, "float": true, "order": true, "margin": false, "padding": false, "gap": false, "line-height": false, "transform": false, "translate": false}

// onlyPlaces reports whether a change of style counts only by what it moves.
func onlyPlaces(property, from, to string) bool {
	if property == "letter-spacing" || property == "word-spacing" {
		return nearlyEqual(from, to, 0.25)
	}
	for _, whole := range []string{"margin", "padding"} {
		if strings.HasPrefix(property, whole+"-") {
			property = whole
		}
	}
	alone, ok := placingStyles[property]
	return ok && (alone || nearlyEqual(from, to, slack))
}

var number = pattern.New(`-?[0-9]*\.?[0-9]+(?:e-?[0-9]+)?`)

// nearlyEqual reports whether two values are of one form, with lengths that differ by no
// more than that, and all else alike. "none" and "normal" are lengths of zero.
func nearlyEqual(from, to string, by float64) bool {
	f, t := lengths(from), lengths(to)
	if f == nil || t == nil {
		return false
	}
	if strings.HasPrefix(from, "matrix(") || strings.HasPrefix(to, "matrix(") {
		for i := range 6 {
			if d := math.Abs(at(f, i, i == 0 || i == 3) - at(t, i, i == 0 || i == 3)); d > by || i < 4 && d > 0.01 {
				return false
			}
		}
		return len(f) <= 6 && len(t) <= 6
	}
	for i := range 4 {
		if math.Abs(side(f, i)-side(t, i)) > by {
			return false
		}
	}
	return true
}

// at returns a number of a matrix, or of the identity matrix where there is none.
func at(m []float64, i int, diagonal bool) float64 {
	switch {
	case i < len(m):
		return m[i]
	case diagonal:
		return 1
	}
	return 0
}

// side returns the length of a side in a value of one to four.
func side(list []float64, i int) float64 {
	if len(list) == 0 {
		return 0
	}
	return list[[][]int{{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 1, 2, 1}, {0, 1, 2, 3}}[min(len(list), 4)-1][i]]
}

// lengths returns the numbers of a value; nil if it says anything else.
func lengths(value string) []float64 {
	out := []float64{}
	if value == "none" || value == "normal" {
		return out
	}
	rest := number.ReplaceAllStringFunc(value, func(s string) string {
		n, err := strconv.ParseFloat(s, 64)
		if err == nil {
			out = append(out, n)
		}
		return ""
	})
	if strings.Trim(strings.NewReplacer("px", "", "matrix", "").Replace(rest), "(), ") != "" {
		return nil
	}
	return out
}

// overflow returns how far what a style paints may stand out of its element.
func overflow(c change) int {
	far := margin
	for _, e := range append([]styleEdit{{c.property, c.from, c.to}}, c.more...) {
		for _, m := range length.FindAllStringSubmatch(e.from+" "+e.to, -1) {
			if n, err := strconv.ParseFloat(m[1], 64); err == nil && drawsOutside(e.property) {
				far = max(far, int(math.Abs(n))+margin)
			}
		}
	}
	return min(far, 4*overhang)
}

// drawsOutside reports whether a style paints beyond the box; "": it is one.
func drawsOutside(property string) bool {
	return slices.Contains([]string{"", "box-shadow", "text-shadow", "outline", "filter"}, property) || strings.HasPrefix(property, "::")
}

// outset grows a box on each side; an empty one stays empty.
func (r rect) outset(by int) rect {
	if r.empty() {
		return r
	}
	return r.grow(by)
}

// movedNoticeably reports whether an element moved in the one around it, or grew, further
// than anybody overlooks.
func (f *changeFinder) movedNoticeably(a int) bool {
	by := f.relativeShift(a)
	return f.outermost(a) && max(by.dx, -by.dx, by.dy, -by.dy) > 64*slack || max(by.dw, -by.dw, by.dh, -by.dh) > slack
}

// selectReported returns the causes and what follows from them that are reported: those
// that can be named, and those whose pixels count. If no cause can be named, what
// follows and can be is a cause.
func (f *changeFinder) selectReported(causes, follow []change) (reported, rest []change) {
	named := func(c change) bool { return c.named }
	if !slices.ContainsFunc(causes, named) {
		for _, c := range follow {
			if c.named {
				causes = append(causes, c)
			}
		}
		follow = slices.DeleteFunc(follow, named)
	}
	dull := func(c change) bool {
		boxes := []rect{c.box}
		if c.b >= 0 {
			boxes = append(boxes, f.before.extent[c.b])
		}
		if c.a >= 0 {
			boxes = append(boxes, f.after.extent[c.a])
		}
		return !c.named && !f.touched(f.counting, boxes...)
	}
	return slices.DeleteFunc(causes, dull), slices.DeleteFunc(follow, dull)
}

// showsAnotherImage reports whether an image shows something else, though what was read of
// it is the same: a small copy of it misses a word.
func (e *explainer) showsAnotherImage(i int) bool {
	if i < 0 || e.count == nil || !slices.Contains([]string{"img", "canvas"}, tag(e.after.all[i].Path)) || e.shift[i] != (shift{}) {
		return false
	}
	box := boxOf(e.after.all[i])
	changed, _ := e.count(qa.Box{X: box.left, Y: box.top, Width: box.right - box.left, Height: box.bottom - box.top})
	return changed >= imageNoise
}
