package visual

import (
	"encoding/binary"
)

// The perceived difference of two colours is their distance in YIQ (Y. Kotsarenko,
// F. Ramos: Measuring perceived color difference using YIQ NTSC transmission
// color space in mobile applications, 2010), and whether a pixel only smooths an
// edge is judged as V. Vysniauskas does (Anti-aliased Pixel and Intensity Slope
// Detector, 2009). Weights, threshold and order of evaluation are those of npm's
// pixelmatch 7.2, so that counts equal its counts. The engine [Pixelmatch] agrees on
// opaque pictures (TestEnginesAgree).
//
// Products are made float64 before they are added: a compiler may else fuse the
// two, and round once where pixelmatch rounds twice.

// maxUnseenDistance bounds the squared distance of colours that look equal:
// the threshold 0.1, squared, of 35215, which is the distance of black and
// white. It is written out as float64 arithmetic gives it.
const maxUnseenDistance = 352.15000000000003

// minVisibleDistance bounds dithering: pixels that differ by one level of 255
// in each channel, in whatever direction, stay below this squared distance,
// and the difference is invisible.
const minVisibleDistance = 1.5

func (p *picture) word(pixel int) uint32 { return binary.LittleEndian.Uint32(p.pix[4*pixel:]) }

// channelDifference returns the difference of two pixels by channel, each blended with the ground
// first where they are not opaque. The ground is a pattern that depends on the
// place of the first.
func channelDifference(a *picture, i int, b *picture, j int) (red, green, blue float64) {
	p, q := a.pix[4*i:4*i+4:4*i+4], b.pix[4*j:4*j+4:4*j+4]
	if p[3] == 255 && q[3] == 255 {
		return float64(int(p[0]) - int(q[0])), float64(int(p[1]) - int(q[1])), float64(int(p[2]) - int(q[2]))
	}
	alpha, other := int(p[3]), int(q[3])
	blend := func(channel int, ground int) float64 {
		return float64(int(p[channel])*alpha-int(q[channel])*other-ground*(alpha-other)) / 255
	}
	k := float64(4 * i)
	return blend(0, 48), blend(1, 48+159*(int(k/1.618033988749895)%2)), blend(2, 48+159*(int(k/2.618033988749895)%2))
}

// luma returns the Y of YIQ.
func luma(red, green, blue float64) float64 {
	return float64(red*0.29889531) + float64(green*0.58662247) + float64(blue*0.11448223)
}

// distance returns the squared distance of the pixel in two pictures, and how much
// brighter the first is, of 255.
func distance(a, b *picture, pixel int, ignoreColors bool) (squared, brighter float64) {
	red, green, blue := channelDifference(a, pixel, b, pixel)
	y := luma(red, green, blue)
	squared = float64(0.5053 * y * y)
	if ignoreColors {
		return squared, y
	}
	i := float64(red*0.59597799) - float64(green*0.27417610) - float64(blue*0.32180189)
	q := float64(red*0.21147017) - float64(green*0.52261711) + float64(blue*0.31114694)
	return squared + float64(0.299*i*i) + float64(0.1957*q*q), y
}

// around returns the square of three pixels around one, cut at the picture's edges.
// Where it is cut, the edge counts as one neighbour of equal colour.
func (p *picture) around(x, y int) (x0, y0, x1, y1, equal int) {
	x0, y0, x1, y1 = max(x-1, 0), max(y-1, 0), min(x+1, p.width-1), min(y+1, p.height-1)
	if x == x0 || x == x1 || y == y0 || y == y1 {
		equal = 1
	}
	return x0, y0, x1, y1, equal
}

// isAntiAliased reports whether the pixel of p seems to smooth an edge: at most two
// neighbours are as bright, some are darker and some brighter, and the darkest
// or the brightest lies in an area of one colour in both pictures.
func isAntiAliased(p, other *picture, x, y int) bool {
	if p.isFlat(x, y) {
		return false
	}
	x0, y0, x1, y1, equal := p.around(x, y)
	centre := y*p.width + x
	darkest, brightest := 0.0, 0.0
	var dark, bright [2]int
	for nx := x0; nx <= x1; nx++ {
		for ny := y0; ny <= y1; ny++ {
			if nx == x && ny == y {
				continue
			}
			delta := p.brighter(centre, ny*p.width+nx)
			switch {
			case delta == 0:
				if equal++; equal > 2 {
					return false
				}
			case delta < darkest:
				darkest, dark = delta, [2]int{nx, ny}
			case delta > brightest:
				brightest, bright = delta, [2]int{nx, ny}
			}
		}
	}
	if darkest == 0 || brightest == 0 {
		return false
	}
	return p.isFlat(dark[0], dark[1]) && other.isFlat(dark[0], dark[1]) || p.isFlat(bright[0], bright[1]) && other.isFlat(bright[0], bright[1])
}

// brighter returns how much brighter pixel i is than pixel j, of 255.
func (p *picture) brighter(i, j int) float64 {
	if p.word(i) == p.word(j) {
		return 0
	}
	return luma(channelDifference(p, i, p, j))
}

// isFlat reports whether three neighbours of a pixel or more have its colour.
func (p *picture) isFlat(x, y int) bool {
	x0, y0, x1, y1, equal := p.around(x, y)
	centre := y*p.width + x
	colour := p.word(centre)
	if equal == 0 && p.word(centre-1) == colour && p.word(centre+1) == colour && p.word(centre-p.width) == colour {
		return true // as most pixels of a page
	}
	for row := y0; row <= y1; row++ {
		near := p.pix[4*(row*p.width+x0) : 4*(row*p.width+x1+1)]
		for ; len(near) >= 4; near = near[4:] {
			if binary.LittleEndian.Uint32(near) == colour {
				equal++
			}
		}
	}
	return equal > 3 // with the pixel itself
}
