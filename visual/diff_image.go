package visual

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// A highlight has 64 pale greys, and after them:
const (
	red = 64 + iota
	yellow
	orange
	hatch
)

// Highlight paints what differs: after in pale grey, changed pixels in red,
// those that anti-aliasing explains in yellow, pale areas in orange, ignored
// boxes hatched, as PNG. Of equal files there is nothing to paint: nil.
func (p *Pair) Highlight() ([]byte, error) {
	m := p.marks
	if m == nil {
		return nil, nil
	}
	all := Box{Width: p.Width, Height: p.Height}
	img := image.NewPaletted(image.Rect(0, 0, p.Width, p.Height), palette())
	var spans []span
	for y := range p.Height {
		spans = openSpans(spans[:0], m.closed, all, y)
		m.paintRow(img.Pix[y*img.Stride:(y+1)*img.Stride], y, spans)
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, img); err != nil {
		return nil, fmt.Errorf("encode the highlight: %w", err)
	}
	return out.Bytes(), nil
}

func palette() color.Palette {
	p := make(color.Palette, 0, hatch+1)
	for grey := range byte(red) {
		p = append(p, color.Gray{Y: 192 + grey})
	}
	return append(p, color.RGBA{R: 230, A: 255}, color.RGBA{R: 255, G: 220, A: 255}, color.RGBA{R: 255, G: 140, A: 255}, color.Gray{Y: 120})
}

// paintRow paints one row; open is what is not ignored of it.
func (m *diffMarks) paintRow(to []byte, y int, open []span) {
	w := m.after.width
	for x := range to {
		p := m.after.pix[4*(y*w+x):]
		// Grey of 256 levels over white, by the weights of YIQ.
		level := 255 - int(p[3])*(255-(299*int(p[0])+587*int(p[1])+114*int(p[2]))/1000)/255
		to[x] = byte(level / 4)
	}
	m.hatch(to, y, open)
	if y < m.top || y >= m.bottom {
		return
	}
	row := m.pixels[(y-m.top)*w : (y-m.top+1)*w]
	for x, mark := range row {
		switch mark {
		case changed:
			to[x] = red
		case smoothed:
			to[x] = yellow
		case faint:
			if m.tiles[(y-m.top)/side*m.across+x/side].pale {
				to[x] = orange
			}
		}
	}
}

// hatch draws slanted lines over what is not open.
func (m *diffMarks) hatch(to []byte, y int, open []span) {
	x := 0
	for _, s := range append(open, span{len(to), len(to)}) {
		for ; x < s.from; x++ {
			if (x+y)%6 == 0 {
				to[x] = hatch
			}
		}
		x = s.to
	}
}
