package visual

import (
	"image"

	"github.com/disintegration/imaging"
)

// Part describes a rectangle of a picture, as fractions of its width and height.
type Part struct{ X, Y, W, H float64 }

// Crop cuts parts out of a picture, each as PNG. The picture is decoded once,
// and not at all if it has more than limit pixels. A part that lies outside is
// nil.
func Crop(data []byte, parts []Part, limit int) ([][]byte, error) {
	src, err := decodeAny(data, limit)
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(parts))
	w, h := float64(src.Bounds().Dx()), float64(src.Bounds().Dy())
	for i, p := range parts {
		r := image.Rect(int(p.X*w), int(p.Y*h), int((p.X+p.W)*w), int((p.Y+p.H)*h)).Intersect(src.Bounds())
		if r.Empty() {
			continue
		}
		if out[i], err = encodePNG(imaging.Crop(src, r)); err != nil {
			return nil, err
		}
	}
	return out, nil
}
