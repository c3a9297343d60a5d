package layout

import (
	"slices"

	"github.com/assay-qa/assay/qa"
)

// movedChanges adds what moved or was resized. Where no other change can have
// moved an element, its movement is a cause.
func (f *changeFinder) movedChanges(causes, derived []change) (all, follow []change) {
	own, covered := map[int]int{}, map[int]bool{} // its cause, from 1; what has a region already
	for i, c := range causes {
		own[c.a] = i + 1
		for _, x := range c.alike {
			own[x.a] = i + 1
		}
	}
	for _, c := range derived {
		covered[c.a] = true
	}
	var loose []change
	for a, b := range f.toBefore {
		s := f.shift[a]
		if b < 0 || !f.outermost(a) && !s.resized() || !f.seen(boxOf(f.before.all[b]), boxOf(f.after.all[a])) {
			continue
		}
		c := change{b: b, a: a, kind: qa.ChangeMoved, box: boxOf(f.after.all[a])}
		if s.resized() {
			c.kind = qa.ChangeResized
		}
		c.named = f.movedNoticeably(a) && f.evident(c)
		if i := own[a]; i > 0 {
			causes[i-1].named = causes[i-1].named || c.named
			continue
		}
		if i := f.causeOf(causes, a); i >= 0 {
			causes[i].named = causes[i].named || c.named
			if f.outermost(a) {
				causes[i].push(f.relativeShift(a))
			}
			if !covered[a] {
				follow = append(follow, c)
			}
		} else if !covered[a] {
			loose = append(loose, c)
		}
	}
	starts, rest := f.movementOrigins(loose)
	return append(causes, starts...), append(follow, rest...)
}

// push counts an element that a change moved.
func (c *change) push(s shift) {
	by := [2]int{pixelsOf(s.dx), pixelsOf(s.dy)}
	if by == [2]int{} {
		return
	}
	if c.pushed == nil {
		c.pushed = map[[2]int]int{}
	}
	c.pushed[by]++
}

// outermost reports whether an element moved otherwise than its parent; rounding
// makes a little.
func (f *changeFinder) outermost(a int) bool {
	s := f.shift[a]
	if !s.moved() {
		return false
	}
	up := f.after.all[a].Parent
	if up < 0 {
		return true
	}
	of := f.shift[up]
	return max(of.dx-s.dx, s.dx-of.dx) > 2 || max(of.dy-s.dy, s.dy-of.dy) > 2
}

// relativeShift returns how an element moved in the one around it.
func (f *changeFinder) relativeShift(a int) shift {
	s := f.shift[a]
	if up := f.after.all[a].Parent; up >= 0 {
		s.dx, s.dy = s.dx-f.shift[up].dx, s.dy-f.shift[up].dy
	}
	return s
}

// causeOf returns the change that moved or resized an element: of those that can
// have, the one that is nearest in the tree; -1: none.
func (f *changeFinder) causeOf(causes []change, a int) int {
	best, deepest := -1, -1
	consider := func(i int, c, one *change) {
		if c.shifts || one.a >= 0 && f.after.within(a, one.a) {
			d := f.commonDepth(f.anchor(*one), a)
			if one.a != a && one.a >= 0 && f.after.within(one.a, a) && !f.shift[a].resized() {
				d = 0 // what is in an element moves it by its size alone
			}
			if best < 0 || d > deepest {
				best, deepest = i, d
			}
		}
	}
	for i := range causes {
		c := &causes[i]
		consider(i, c, c)
		for j := range c.alike[:min(len(c.alike), maxRegions)] {
			consider(i, c, &c.alike[j])
		}
	}
	return best
}

// anchor returns the element of the after map at which a change happened: its own,
// or the one that a removed one stood in; -1: the whole.
func (f *changeFinder) anchor(c change) int {
	if c.a >= 0 {
		return c.a
	}
	for b := c.b; b >= 0; b = f.before.all[b].Parent {
		if f.toAfter[b] >= 0 {
			return f.toAfter[b]
		}
	}
	return -1
}

// commonDepth returns how deep the innermost element around both is.
func (f *changeFinder) commonDepth(x, y int) int {
	for x != y {
		if x > y {
			x = f.after.all[x].Parent
		} else {
			y = f.after.all[y].Parent
		}
	}
	depth := 0
	for ; x >= 0; x = f.after.all[x].Parent {
		depth++
	}
	return depth
}

// movementOrigins picks from what moved without a reason the elements with which it
// began. Widths come from around an element, heights from within: of those that
// were resized, the outermost that became wider and the innermost that became
// higher, if nothing moved in it; if there are none, what moved.
func (f *changeFinder) movementOrigins(loose []change) (starts, rest []change) {
	if len(loose) == 0 {
		return nil, nil
	}
	begins := make([]bool, len(loose))
	found := false
	for i, c := range loose {
		s, up := f.shift[c.a], f.after.all[c.a].Parent
		wider := s.dw != 0 && (up < 0 || f.shift[up].dw == 0)
		higher := s.dh != 0 && !slices.ContainsFunc(f.after.kids[c.a], func(k int) bool { return f.shift[k].dh != 0 || f.outermost(k) }) && (s.dw == 0 || wider)
		begins[i] = wider || higher
		found = found || begins[i]
	}
	type key struct {
		up int
		s  shift
	}
	groups := map[key]int{}
	for i, c := range loose {
		if found && !begins[i] || !found && c.kind == qa.ChangeMoved && !f.outermost(c.a) {
			rest = append(rest, c)
			continue
		}
		k := key{f.after.all[c.a].Parent, f.shift[c.a]}
		if !found {
			k.up = -1
		}
		if at, ok := groups[k]; ok {
			starts[at].alike = append(starts[at].alike, c)
			starts[at].named = starts[at].named || c.named
			continue
		}
		groups[k] = len(starts)
		c.shifts = true
		starts = append(starts, c)
	}
	for _, c := range rest {
		if i := f.causeOf(starts, c.a); i >= 0 && f.outermost(c.a) {
			starts[i].push(f.relativeShift(c.a))
		}
	}
	return starts, rest
}
