package visual

import (
	"image"
	"image/color"

	"github.com/disintegration/imaging"
)

// stripGap separates the pictures of a strip, in pixels.
const stripGap = 8

// Strip puts pictures beside each other, from left to right, such as before,
// difference and after, as PNG within the limits: a reader who is given one picture
// sees all of them. Each keeps its proportion and gets the same share of the width.
func Strip(l Limits, pictures ...[]byte) ([]byte, error) {
	cell := max(1, (l.Side-stripGap*(len(pictures)-1))/max(1, len(pictures)))
	own := Limits{Side: l.Side, Pixels: max(1, l.Pixels/max(1, len(pictures))), Decode: l.Decode}
	scaledDown := make([]*image.NRGBA, len(pictures))
	x, height := 0, 1
	for i, data := range pictures {
		src, err := decodeAny(data, l.Decode)
		if err != nil {
			return nil, err
		}
		w, h := scaled(src.Bounds().Dx(), src.Bounds().Dy(), own)
		if w > cell {
			w, h = cell, max(1, h*cell/w)
		}
		scaledDown[i] = imaging.Resize(src, w, h, imaging.CatmullRom)
		x, height = x+w, max(height, h)
	}
	x += stripGap * max(0, len(pictures)-1)
	strip := imaging.New(max(1, x), height, color.NRGBA{R: 96, G: 96, B: 96, A: 255})
	at := 0
	for _, p := range scaledDown {
		strip = imaging.Paste(strip, p, image.Pt(at, 0))
		at += p.Bounds().Dx() + stripGap
	}
	w, h := scaled(strip.Bounds().Dx(), strip.Bounds().Dy(), l)
	if w != strip.Bounds().Dx() || h != strip.Bounds().Dy() { // the gaps took more than the pictures left
		strip = imaging.Resize(strip, w, h, imaging.CatmullRom)
	}
	return encodePNG(strip)
}
