// Package visual is pixels in, numbers out: the size of a picture, a smaller copy
// of one for a reader with a limit, parts of one, and in what two pictures differ.
//
// It refuses pictures that are larger than the caller allows before it
// allocates memory for them, and it knows nothing of pages or runs.
package visual

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // pictures come as JPEG or PNG
	"image/png"
	"math"

	"golang.org/x/image/draw"
)

// ErrTooLarge means that a picture has more pixels than the caller allows.
var ErrTooLarge = errors.New("picture has too many pixels")

// Size reads width and height in pixels from a PNG's or JPEG's header, without
// decoding the picture.
func Size(data []byte) (width, height int, err error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return 0, 0, fmt.Errorf("read picture header: %w", err)
	}
	return c.Width, c.Height, nil
}

// Limits bound a picture for a reader.
type Limits struct {
	Side   int // longest side in pixels
	Pixels int // width × height
	Decode int // refuse to decode more pixels than this
}

// Fit returns the picture as PNG within the limits, scaled down in proportion
// when needed. A PNG that fits already is returned as it is.
func Fit(data []byte, l Limits) ([]byte, error) {
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read picture header: %w", err)
	}
	if c.Width*c.Height > l.Decode {
		return nil, fmt.Errorf("%w: %d×%d, limit %d", ErrTooLarge, c.Width, c.Height, l.Decode)
	}
	w, h := scaled(c.Width, c.Height, l)
	if w == c.Width && h == c.Height && format == "png" {
		return data, nil
	}
	src, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(dst, dst.Bounds(), src, src.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	if err := png.Encode(&out, dst); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}

// scaled returns the largest size in proportion that is within the limits.
func scaled(w, h int, l Limits) (int, int) {
	factor := min(1, float64(l.Side)/float64(max(w, h)), math.Sqrt(float64(l.Pixels)/float64(w*h)))
	return max(1, int(float64(w)*factor)), max(1, int(float64(h)*factor))
}
