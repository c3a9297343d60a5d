package visual

import (
	"bytes"
	"fmt"
	"image"
	"image/png"

	"golang.org/x/image/draw"
)

// Part is a rectangle of a picture, as fractions of its width and height.
type Part struct{ X, Y, W, H float64 }

// Crop cuts parts out of a picture, each as PNG. The picture is decoded once,
// and not at all if it has more than limit pixels. A part that lies outside is
// nil.
func Crop(data []byte, parts []Part, limit int) ([][]byte, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read picture header: %w", err)
	}
	if c.Width*c.Height > limit {
		return nil, fmt.Errorf("%w: %d×%d, limit %d", ErrTooLarge, c.Width, c.Height, limit)
	}
	src, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	out := make([][]byte, len(parts))
	w, h := float64(c.Width), float64(c.Height)
	for i, p := range parts {
		r := image.Rect(int(p.X*w), int(p.Y*h), int((p.X+p.W)*w), int((p.Y+p.H)*h)).Intersect(src.Bounds())
		if r.Empty() {
			continue
		}
		dst := image.NewRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
		draw.Draw(dst, dst.Bounds(), src, r.Min, draw.Src)
		var b bytes.Buffer
		if err := png.Encode(&b, dst); err != nil {
			return nil, fmt.Errorf("encode picture: %w", err)
		}
		out[i] = b.Bytes()
	}
	return out, nil
}
