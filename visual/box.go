package visual

import (
	"slices"
	"sort"
)

// span bounds a stretch of one row: from is in it, to is not.
type span struct{ from, to int }

// clipAll cuts boxes to a frame. What lies outside has no width.
func clipAll(boxes []Box, frame Box) []Box {
	out := make([]Box, len(boxes))
	for i, b := range boxes {
		// A far corner that overflows is as far as a corner can be.
		right, bottom := edge(b.X, b.Width), edge(b.Y, b.Height)
		x, y := max(b.X, frame.X), max(b.Y, frame.Y)
		w, h := min(right, frame.X+frame.Width)-x, min(bottom, frame.Y+frame.Height)-y
		if w > 0 && h > 0 {
			out[i] = Box{X: x, Y: y, Width: w, Height: h}
		}
	}
	return out
}

func edge(from, length int) int {
	if end := from + max(0, length); end >= from {
		return end
	}
	return int(^uint(0) >> 1)
}

// clip returns clipAll without what lies outside, from left to right.
func clip(boxes []Box, frame Box) []Box {
	in := slices.DeleteFunc(clipAll(boxes, frame), func(b Box) bool { return b.Width == 0 })
	sort.Slice(in, func(i, j int) bool { return in[i].X < in[j].X })
	return in
}

// openSpans appends the stretches of a row of the frame that no closed box
// covers. The boxes are clipped and sorted.
func openSpans(into []span, closed []Box, frame Box, y int) []span {
	x, end := frame.X, frame.X+frame.Width
	for _, b := range closed {
		if y < b.Y || y >= b.Y+b.Height {
			continue
		}
		if b.X > x {
			into = append(into, span{x, min(b.X, end)})
		}
		if x = max(x, b.X+b.Width); x >= end {
			return into
		}
	}
	return append(into, span{x, end})
}

// open counts the pixels of the frame that no closed box covers.
func open(closed []Box, frame Box) int {
	n := frame.Width * frame.Height
	if len(closed) == 0 {
		return n
	}
	var row []span
	n = 0
	for y := frame.Y; y < frame.Y+frame.Height; y++ {
		row = openSpans(row[:0], closed, frame, y)
		for _, s := range row {
			n += s.to - s.from
		}
	}
	return n
}
