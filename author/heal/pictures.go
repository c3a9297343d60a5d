package heal

import (
	"github.com/assay-qa/assay/qa/element"
	"github.com/assay-qa/assay/visual"
)

// Bounds of pictures: how much of the page a candidate's shows around it, in pixels, and
// how large that of the page may be.
const (
	surroundings = 120
	mostPixels   = 40_000_000
)

// crop returns the part of a page's picture that has a box in its middle, as PNG; nil
// where there is no picture, or the box lies outside of it.
func crop(page []byte, box *element.Box) []byte {
	if len(page) == 0 || box == nil {
		return nil
	}
	w, h, err := visual.Size(page)
	if err != nil || w == 0 || h == 0 {
		return nil
	}
	width, height := float64(w), float64(h)
	part := visual.Part{X: max(box.X-surroundings, 0) / width, Y: max(box.Y-surroundings, 0) / height, W: (box.Width + 2*surroundings) / width, H: (box.Height + 2*surroundings) / height}
	out, err := visual.Crop(page, []visual.Part{part}, mostPixels)
	if err != nil {
		return nil
	}
	return out[0]
}
