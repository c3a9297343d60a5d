package visual

import (
	"cmp"
	"slices"
)

const (
	dense     = 8  // faint pixels that make a tile pale, of 64: a line through it is enough
	largeArea = 64 // faint pixels that make neighbouring pale tiles an area
	maxRegion = 200
)

// cluster fills in what the whole came to, and returns its regions.
func (m *diffMarks) cluster(d *Diff) []Region {
	m.findPale()
	for i := range m.tiles {
		t := &m.tiles[i]
		d.Raw += int(t.raw)
		d.Changed += int(t.changed)
		if t.pale {
			d.Pale += int(t.faint)
		}
		if t.raw > 0 {
			m.enclose(&d.RawBox, i, tint)
		}
	}
	// Too many regions are joined over longer distances.
	for grain := 1; ; grain *= 2 {
		if regions, ok := m.regions(grain, tile.counts); ok {
			return regions
		}
	}
}

// counts reports whether the tile has pixels that count.
func (t tile) counts() bool { return t.changed > 0 || t.pale }

// slight reports whether the tile has pixels that are different to the eye, and
// none that counts.
func (t tile) slight() bool { return t.visible > 0 && !t.counts() }

// findPale flags the tiles of pale areas.
func (m *diffMarks) findPale() {
	cells := make([]bool, len(m.tiles))
	for i, t := range m.tiles {
		cells[i] = t.faint >= dense
	}
	for start := range cells {
		group := flood(cells, m.across, start)
		n := 0
		for _, i := range group {
			n += int(m.tiles[i].faint)
		}
		for _, i := range group {
			m.tiles[i].pale = n >= largeArea
		}
	}
}

// regions joins the tiles that are taken, over cells of grain × grain tiles,
// unless there are too many.
func (m *diffMarks) regions(grain int, taken func(tile) bool) ([]Region, bool) {
	across := (m.across + grain - 1) / grain
	down := (len(m.tiles)/m.across + grain - 1) / grain
	cells := make([]bool, across*down)
	for i, t := range m.tiles {
		if taken(t) {
			cells[i/m.across/grain*across+i%m.across/grain] = true
		}
	}
	var all []Region
	for start := range cells {
		group := flood(cells, across, start)
		if group == nil {
			continue
		}
		if len(all) == maxRegion {
			return nil, false
		}
		all = append(all, m.region(group, across, grain, taken))
	}
	slices.SortFunc(all, func(a, b Region) int {
		return cmp.Or(cmp.Compare(b.Raw, a.Raw), cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
	})
	return all, true
}

// region sums up the tiles of a group of cells.
func (m *diffMarks) region(group []int32, across, grain int, taken func(tile) bool) Region {
	var r Region
	for _, cell := range group {
		ty, tx := int(cell)/across*grain, int(cell)%across*grain
		for y := ty; y < min(ty+grain, len(m.tiles)/m.across); y++ {
			for x := tx; x < min(tx+grain, m.across); x++ {
				i := y*m.across + x
				t := m.tiles[i]
				if !taken(t) {
					continue
				}
				r.Changed += int(t.changed)
				r.Counted += int(t.changed)
				r.Raw += int(t.raw)
				least := changed
				switch {
				case t.pale:
					r.Counted += int(t.faint)
					least = faint
				case t.changed == 0:
					least = smoothed
				}
				m.enclose(&r.Box, i, least)
			}
		}
	}
	r.Pale = r.Changed == 0
	return r
}

// enclose grows a box to hold a tile's pixels whose mark is least or more.
func (m *diffMarks) enclose(b *Box, index int, least byte) {
	x0, y0 := index%m.across*side, index/m.across*side
	x1, y1 := min(x0+side, m.before.width), min(y0+side, m.bottom-m.top)
	if b.X <= x0 && x1 <= b.X+b.Width && b.Y <= y0+m.top && y1+m.top <= b.Y+b.Height {
		return
	}
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			if m.pixels[y*m.before.width+x] >= least {
				b.add(x, y+m.top)
			}
		}
	}
}

// add grows a box to hold a pixel.
func (b *Box) add(x, y int) {
	if b.Width == 0 {
		*b = Box{X: x, Y: y, Width: 1, Height: 1}
		return
	}
	right, bottom := max(b.X+b.Width, x+1), max(b.Y+b.Height, y+1)
	b.X, b.Y = min(b.X, x), min(b.Y, y)
	b.Width, b.Height = right-b.X, bottom-b.Y
}

// flood takes the set cells that hang together with start, by sides or corners,
// out of the grid. It is nil if start is not set.
func flood(cells []bool, across, start int) []int32 {
	if !cells[start] {
		return nil
	}
	cells[start] = false
	group := []int32{int32(start)}
	for at := 0; at < len(group); at++ {
		x, y := int(group[at])%across, int(group[at])/across
		for ny := max(y-1, 0); ny <= min(y+1, len(cells)/across-1); ny++ {
			for nx := max(x-1, 0); nx <= min(x+1, across-1); nx++ {
				if i := ny*across + nx; cells[i] {
					cells[i] = false
					group = append(group, int32(i))
				}
			}
		}
	}
	return group
}
