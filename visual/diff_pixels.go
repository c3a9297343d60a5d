package visual

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// What a pixel came to.
const (
	same     byte = iota // equal in every bit, or ignored
	tint                 // differs in colour alone where colours are ignored, or where nothing is painted
	trace                // differs by one level a channel at most
	smoothed             // only anti-aliasing changed it
	faint                // differs by less than is perceived
	changed
)

// side sets the side of a tile, in pixels: pixels are clustered by tiles.
const side = 8

// tile counts the pixels of a square that differ.
type tile struct {
	raw, changed, faint uint8
	visible             uint8 // neither traces nor tints
	pale                bool  // its faint pixels are part of a pale area
}

// diffMarks say of each pixel what it came to. They and the tiles reach from the first
// row that differs to the last one.
type diffMarks struct {
	before, after *picture
	o             Options
	closed        []Box
	top, bottom   int // rows of pixels: from top, to before bottom
	pixels        []byte
	port          []byte // what the chosen engine painted, RGBA; nil: the builtin one judges
	across        int    // tiles in a row
	tiles         []tile
}

// markPixels decodes both pictures at once and judges every pixel that differs.
func markPixels(before, after []byte, closed []Box, o Options) (*diffMarks, error) {
	m := &diffMarks{o: o, closed: closed}
	var wait sync.WaitGroup
	var beforeErr, afterErr error
	wait.Go(func() { m.before, beforeErr = decode(before) })
	m.after, afterErr = decode(after)
	wait.Wait()
	if beforeErr != nil {
		return nil, fmt.Errorf("the picture before: %w", beforeErr)
	}
	if afterErr != nil {
		return nil, fmt.Errorf("the picture after: %w", afterErr)
	}
	m.frame()
	if o.Engine == Pixelmatch {
		if err := m.judgeByPort(); err != nil {
			return nil, err
		}
	}
	m.judge()
	return m, nil
}

// frame skips the equal rows at both ends.
func (m *diffMarks) frame() {
	stride := 4 * m.before.width
	equal := func(y int) bool {
		return bytes.Equal(m.before.pix[y*stride:(y+1)*stride], m.after.pix[y*stride:(y+1)*stride])
	}
	m.bottom = m.before.height
	for m.top < m.bottom && equal(m.top) {
		m.top++
	}
	for m.bottom > m.top && equal(m.bottom-1) {
		m.bottom--
	}
	m.across = (m.before.width + side - 1) / side
	m.pixels = make([]byte, m.before.width*(m.bottom-m.top))
	m.tiles = make([]tile, m.across*((m.bottom-m.top+side-1)/side))
}

// judge marks rows of tiles on all cores.
func (m *diffMarks) judge() {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			var spans []span
			for {
				y := m.top + side*int(next.Add(1)-1)
				if y >= m.bottom {
					return
				}
				for row := y; row < min(y+side, m.bottom); row++ {
					spans = openSpans(spans[:0], m.closed, Box{Width: m.before.width, Height: m.before.height}, row)
					m.judgeRow(row, spans)
				}
			}
		})
	}
	wait.Wait()
}

func (m *diffMarks) judgeRow(y int, spans []span) {
	w := m.before.width
	a, b := m.before.pix[4*y*w:4*(y+1)*w], m.after.pix[4*y*w:4*(y+1)*w]
	if bytes.Equal(a, b) {
		return
	}
	row := m.pixels[(y-m.top)*w:]
	tiles := m.tiles[(y-m.top)/side*m.across:]
	for _, s := range spans {
		for x := s.from; x < s.to; x++ {
			if x+1 < s.to && binary.LittleEndian.Uint64(a[4*x:]) == binary.LittleEndian.Uint64(b[4*x:]) {
				x++
				continue
			}
			if binary.LittleEndian.Uint32(a[4*x:]) == binary.LittleEndian.Uint32(b[4*x:]) {
				continue
			}
			mark := m.judgePixel(x, y)
			row[x] = mark
			t := &tiles[x/side]
			t.raw++
			switch mark {
			case faint:
				t.faint++
				t.visible++
			case smoothed:
				t.visible++
			case changed:
				t.changed++
				t.visible++
			}
		}
	}
}

// judgePixel reports what a pixel came to that differs in some bit.
func (m *diffMarks) judgePixel(x, y int) byte {
	squared, brighter := distance(m.before, m.after, y*m.before.width+x, m.o.IgnoreColors)
	seen := squared > maxUnseenDistance
	if m.port != nil {
		if mark := m.portMark(x, y); mark != same {
			return mark
		}
		seen = false
	}
	switch {
	case seen:
		if !m.o.CountAntialiasing && (isAntiAliased(m.before, m.after, x, y) || isAntiAliased(m.after, m.before, x, y)) {
			return smoothed
		}
		return changed
	case squared == 0, m.o.IgnoreColors && math.Abs(brighter) < 1: // 0: neither can be seen through what is transparent
		return tint
	case squared < minVisibleDistance:
		return trace
	}
	return faint
}

// count adds what differs within a box.
func (m *diffMarks) count(in Box, p *PartDiff) {
	for y := max(in.Y, m.top); y < min(in.Y+in.Height, m.bottom); y++ {
		row := m.pixels[(y-m.top)*m.before.width:]
		for x := in.X; x < in.X+in.Width; x++ {
			switch row[x] {
			case same:
				continue
			case changed:
				p.Changed++
			case faint:
				if m.tiles[(y-m.top)/side*m.across+x/side].pale {
					p.Pale++
				}
			}
			p.Raw++
		}
	}
}
