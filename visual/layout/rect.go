package layout

import "github.com/assay-qa/assay/qa"

// rect bounds a rectangle by its edges, right and bottom outside of it.
type rect struct{ left, top, right, bottom int }

func boxOf(e Element) rect { return rect{e.X, e.Y, e.X + e.Width, e.Y + e.Height} }

func placeOf(b qa.Box) rect { return rect{b.X, b.Y, b.X + b.Width, b.Y + b.Height} }

func (r rect) empty() bool { return r.right <= r.left || r.bottom <= r.top }

func (r rect) area() int {
	if r.empty() {
		return 0
	}
	return (r.right - r.left) * (r.bottom - r.top)
}

func (r rect) union(o rect) rect {
	switch {
	case r.empty():
		return o
	case o.empty():
		return r
	}
	return rect{min(r.left, o.left), min(r.top, o.top), max(r.right, o.right), max(r.bottom, o.bottom)}
}

func (r rect) intersect(o rect) rect {
	return rect{max(r.left, o.left), max(r.top, o.top), min(r.right, o.right), min(r.bottom, o.bottom)}
}

func (r rect) grow(by int) rect { return rect{r.left - by, r.top - by, r.right + by, r.bottom + by} }

func (r rect) holds(o rect) bool { return r.intersect(o) == o }

// box returns the part of r that lies in a picture.
func (r rect) box(width, height int) qa.Box {
	r = r.intersect(rect{0, 0, width, height})
	if r.empty() {
		return qa.Box{}
	}
	return qa.Box{X: r.left, Y: r.top, Width: r.right - r.left, Height: r.bottom - r.top}
}
