package heal

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"

	"github.com/assay-qa/assay/author/similar"
)

// surroundings is how much of the page a candidate's picture shows around it, and frame
// how thick the line around it is, in pixels.
const (
	surroundings = 120
	frame        = 3
)

// crop returns the part of a page's picture that a box is in, with a line around the
// box, as PNG; nil where there is no picture, or the box lies outside of it.
func crop(page []byte, box *similar.Box) []byte {
	if len(page) == 0 || box == nil {
		return nil
	}
	whole, err := jpeg.Decode(bytes.NewReader(page))
	if err != nil {
		return nil
	}
	at := image.Rect(int(box.X), int(box.Y), int(box.X+box.W), int(box.Y+box.H))
	part := at.Inset(-surroundings).Intersect(whole.Bounds())
	if part.Empty() {
		return nil
	}
	out := image.NewRGBA(part)
	draw.Draw(out, part, whole, part.Min, draw.Src)
	line := image.NewUniform(color.RGBA{R: 220, B: 60, A: 255})
	outer := at.Inset(-frame)
	for _, side := range []image.Rectangle{
		image.Rect(outer.Min.X, outer.Min.Y, outer.Max.X, at.Min.Y), image.Rect(outer.Min.X, at.Max.Y, outer.Max.X, outer.Max.Y),
		image.Rect(outer.Min.X, outer.Min.Y, at.Min.X, outer.Max.Y), image.Rect(at.Max.X, outer.Min.Y, outer.Max.X, outer.Max.Y),
	} {
		draw.Draw(out, side.Intersect(part), line, image.Point{}, draw.Src)
	}
	var b bytes.Buffer
	if png.Encode(&b, out) != nil {
		return nil
	}
	return b.Bytes()
}
