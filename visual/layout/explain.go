package layout

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"github.com/assay-qa/assay/qa"
)

// Explain names what is behind the changed places of a picture: one region for
// each element that changed, causes first, largest first. What only follows
// from another change (pushed down, resized with its content) is no cause. A
// place that no element explains is a region of kind pixels, with the smallest
// element around it. What anybody would name is marked so: see [finder.nameable].
//
// Pictures of another size have no places that could be compared: there the
// maps alone decide, and no pixels are counted.
func Explain(before, after Map, d Differences) []qa.VisualRegion {
	resized := before.Width != after.Width || before.Height != after.Height
	if len(d.Places)+len(d.Slight) == 0 && !resized {
		return nil
	}
	f := changeFinder{pairing: pair(newTree(before), newTree(after)), count: d.Count, anywhere: len(d.Places)+len(d.Slight) == 0}
	for _, c := range d.Places {
		f.counting = append(f.counting, placeOf(c.Box))
	}
	f.places = slices.Clone(f.counting)
	for _, c := range d.Slight {
		f.places = append(f.places, placeOf(c))
	}
	for _, c := range after.Covered {
		f.covered = append(f.covered, placeOf(c))
	}
	f.measureShifts()
	causes, derived := f.derived(f.ownChanges())
	causes = f.mergeSameStyle(causes)
	causes, follow := f.movedChanges(causes, derived)
	causes, follow = f.selectReported(causes, append(derived, follow...))
	e := explainer{changeFinder: &f, width: max(before.Width, after.Width), height: max(before.Height, after.Height), causes: causes, follow: follow}
	return e.regions(d.Places)
}

// maxRegions bounds the causes, and what follows from them.
const maxRegions = 50

// mergeSameStyle makes one change of those that are the same style's of several
// elements: one rule is behind them.
func (f *changeFinder) mergeSameStyle(all []change) []change {
	type key struct {
		property, from, to string
		more               int
	}
	first := map[key]int{}
	var out []change
	for _, c := range all {
		if c.kind != qa.ChangeStyle {
			out = append(out, c)
			continue
		}
		k := key{c.property, c.from, c.to, len(c.more)}
		if i, ok := first[k]; ok {
			out[i].alike = append(out[i].alike, c)
			out[i].shifts = out[i].shifts || c.shifts
			out[i].named = out[i].named || c.named
			continue
		}
		first[k] = len(out)
		out = append(out, c)
	}
	for i := range out {
		f.mergeChildren(&out[i])
	}
	return out
}

// mergeChildren makes one change of that of all children of an element: as a hovered row
// paints its cells.
func (f *changeFinder) mergeChildren(c *change) {
	if len(c.alike) == 0 {
		return
	}
	up := f.after.all[c.a].Parent
	if up < 0 || f.toBefore[up] < 0 {
		return
	}
	for _, x := range c.alike {
		if f.after.all[x.a].Parent != up {
			return
		}
	}
	kids := 0
	for _, k := range f.after.kids[up] {
		if !boxOf(f.after.all[k]).empty() {
			kids++
		}
	}
	if kids != len(c.alike)+1 {
		return
	}
	whole := *c
	whole.a, whole.b, whole.box, whole.alike, whole.parts = up, f.toBefore[up], boxOf(f.after.all[up]), append([]change{*c}, c.alike...), kids
	whole.alike[0].alike = nil
	*c = whole
}

// maxRuleDepth limits how far below another element's change a style's change is taken to
// belong to the same rule.
const maxRuleDepth = 3

// derived takes out the styles that changed with those of an element around
// (a hovered row and what is in it), or because a sibling came, went or moved:
// its own space by any of them, its colours by one of its own tag (stripes, the
// last row's missing line).
func (f *changeFinder) derived(all []change) (causes, derived []change) {
	type place struct {
		parent int
		tag    string
	}
	styled, siblings := map[int]bool{}, map[place]bool{}
	for _, c := range all {
		switch {
		case c.kind == qa.ChangeStyle:
			styled[c.a] = true
		case c.kind == qa.ChangeAdded || c.kind == qa.ChangeRemoved || c.property == "order":
			siblings[place{f.around(c), f.tagOf(c)}], siblings[place{f.around(c), ""}] = true, true
		}
	}
	follows := func(c change) bool {
		if c.kind != qa.ChangeStyle {
			return false
		}
		below, at := c.a, f.after.all[c.a].Parent
		for depth := 1; at >= 0 && depth <= maxRuleDepth; depth, below, at = depth+1, at, f.after.all[at].Parent {
			of := tag(f.after.all[below].Path)
			if spacing(c.property) {
				of = ""
			}
			if siblings[place{at, of}] && depth < maxRuleDepth || styled[at] && !whole(f.after.all[at]) {
				return true
			}
		}
		return false
	}
	for _, c := range all {
		if follows(c) {
			derived = append(derived, c)
		} else {
			causes = append(causes, c)
		}
	}
	return causes, derived
}

// whole reports whether an element is the page's, around everything.
func whole(e Element) bool { return tag(e.Path) == "html" || tag(e.Path) == "body" }

// around returns the element of the after map in which a change happened; -1: none.
func (f *changeFinder) around(c change) int {
	if c.a >= 0 {
		return f.after.all[c.a].Parent
	}
	return f.anchor(c)
}

// tagOf returns the tag of the element that a change happened to.
func (f *changeFinder) tagOf(c change) string {
	if c.a >= 0 {
		return tag(f.after.all[c.a].Path)
	}
	return tag(f.before.all[c.b].Path)
}

// explainer makes regions of changes.
type explainer struct {
	*changeFinder
	width, height int
	causes        []change
	follow        []change
}

func (e *explainer) regions(changed []qa.VisualRegion) []qa.VisualRegion {
	var causes, follow []qa.VisualRegion
	if e.anywhere { // no pixels say which is the largest: those that can have changed the size come first
		sort.SliceStable(e.causes, func(i, j int) bool { return weight(e.causes[i]) > weight(e.causes[j]) })
	}
	for i := range e.causes {
		c := &e.causes[i]
		causes = append(causes, e.region(c, e.sentence(c), true))
		for j := range c.alike {
			follow = append(follow, e.region(&c.alike[j], e.alike(&c.alike[j]), false))
		}
	}
	for i := range e.follow {
		follow = append(follow, e.region(&e.follow[i], e.sentence(&e.follow[i]), false))
	}
	causes = append(causes, e.pixels(changed, causes, follow)...)
	slices.SortStableFunc(causes, func(x, y qa.VisualRegion) int {
		return cmp.Or(cmp.Compare(order(y), order(x)), cmp.Compare(y.ChangedPixels, x.ChangedPixels), cmp.Compare(y.RawPixels, x.RawPixels))
	})
	return append(causes[:min(len(causes), maxRegions)], follow[:min(len(follow), maxRegions)]...)
}

// order puts the named changes before the others.
func order(r qa.VisualRegion) int {
	if r.Named {
		return 1
	}
	return 0
}

// weight returns how many elements a change moved, and whether it can have.
func weight(c change) int {
	n := 0
	for _, count := range c.pushed {
		n += count
	}
	if c.shifts {
		n++
	}
	return n
}

// region returns a change as a report shows it.
func (e *explainer) region(c *change, text string, cause bool) qa.VisualRegion {
	t, i := e.after, c.a
	if i < 0 {
		t, i = e.before, c.b
	}
	return qa.VisualRegion{Box: c.box.box(e.width, e.height), Selector: t.all[i].Selector, Kind: c.kind,
		Property: c.property, From: c.from, To: c.to, Text: text, Cause: cause, Named: c.named && cause}
}

// pixels assigns every changed place to the region that explains it, and returns
// regions for those that none does, one for each element.
func (e *explainer) pixels(changed []qa.VisualRegion, causes, follow []qa.VisualRegion) []qa.VisualRegion {
	unexplained := map[int]*qa.VisualRegion{}
	var flat []change // as the regions that follow are listed
	for _, c := range e.causes {
		flat = append(flat, c.alike...)
	}
	flat = append(flat, e.follow...)
	for _, place := range changed {
		at := placeOf(place.Box)
		if i := e.mainChange(at, e.causes); i >= 0 {
			count(&causes[i], place)
		} else if i := e.mainChange(at, flat); i >= 0 {
			count(&follow[i], place)
		} else {
			i := e.smallest(at)
			if unexplained[i] == nil {
				unexplained[i] = e.unexplained(i)
			}
			unexplained[i].Box = placeOf(unexplained[i].Box).union(at).box(e.width, e.height)
			count(unexplained[i], place)
		}
	}
	var out []qa.VisualRegion
	for _, i := range slices.Sorted(maps.Keys(unexplained)) {
		unexplained[i].Named = e.showsAnotherImage(i)
		out = append(out, *unexplained[i])
	}
	return out
}

// count adds the pixels of a place to a region, which is pale while all of its
// places are.
func count(r *qa.VisualRegion, place qa.VisualRegion) {
	r.Pale = place.Pale && (r.RawPixels == 0 || r.Pale)
	r.ChangedPixels += place.ChangedPixels
	r.RawPixels += place.RawPixels
}

// mainChange returns the change that covers most of a place; -1: none touches it.
func (e *explainer) mainChange(place rect, all []change) int {
	best, most := -1, 0
	for i, c := range all {
		for _, box := range e.visibleBoxes(c, place) {
			if covered := box.grow(margin).intersect(place).area(); covered > most {
				best, most = i, covered
			}
		}
	}
	return best
}

// visibleBoxes returns the boxes in which a change can be seen. What is only larger or
// smaller shows at its edges: what changes within has another reason.
func (e *explainer) visibleBoxes(c change, place rect) []rect {
	var boxes []rect
	switch {
	case c.b < 0 || c.a < 0:
		return []rect{c.box}
	case c.kind == qa.ChangeText || c.kind == qa.ChangeImage:
		boxes = []rect{boxOf(e.before.all[c.b]), boxOf(e.after.all[c.a])}
	case c.kind == qa.ChangeResized && !e.shift[c.a].moved():
		was, is := boxOf(e.before.all[c.b]), boxOf(e.after.all[c.a])
		if was.intersect(is).grow(-margin).holds(place) {
			return nil
		}
		boxes = []rect{was, is}
	default:
		boxes = []rect{e.before.extent[c.b], e.after.extent[c.a]}
	}
	return boxes
}
