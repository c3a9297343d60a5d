// Package visual is pixels in, numbers out: the size of a picture, a smaller copy
// of one for a reader with a limit, parts of one, and in what two pictures differ.
//
// It refuses pictures that are larger than the caller allows before it
// allocates memory for them, and it knows nothing of pages or runs. Packages from
// outside are given only what the decoder here made.
package visual

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math"

	"github.com/disintegration/imaging"
)

// ErrTooLarge means that a picture has more pixels than the caller allows.
var ErrTooLarge = errors.New("picture has too many pixels")

// Size reads width and height in pixels from a PNG's or JPEG's header, without
// decoding the picture.
func Size(data []byte) (width, height int, err error) {
	read := png.DecodeConfig
	if isJPEG(data) {
		read = jpeg.DecodeConfig
	}
	c, err := read(bytes.NewReader(data))
	if err != nil {
		return 0, 0, fmt.Errorf("read picture header: %w", err)
	}
	return c.Width, c.Height, nil
}

// isJPEG recognises a JPEG by its first bytes. Anything else counts as a PNG:
// further formats that packages register with image are not accepted.
func isJPEG(data []byte) bool { return bytes.HasPrefix(data, []byte("\xff\xd8")) }

// decodeAny decodes a PNG or JPEG of at most limit pixels.
func decodeAny(data []byte, limit int) (image.Image, error) {
	w, h, err := Size(data)
	if err != nil {
		return nil, err
	}
	if w*h > limit {
		return nil, fmt.Errorf("%w: %d×%d, limit %d", ErrTooLarge, w, h, limit)
	}
	if !isJPEG(data) {
		if _, err := readSize(data, limit); err != nil {
			return nil, err
		}
		p, err := decode(data)
		if err != nil {
			return nil, err
		}
		return p.image(), nil
	}
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	return img, nil
}

// image returns the picture for a package from outside, without copying it.
func (p *picture) image() *image.NRGBA {
	return &image.NRGBA{Pix: p.pix, Stride: 4 * p.width, Rect: image.Rect(0, 0, p.width, p.height)}
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
	width, height, err := Size(data)
	if err != nil {
		return nil, err
	}
	if width*height > l.Decode {
		return nil, fmt.Errorf("%w: %d×%d, limit %d", ErrTooLarge, width, height, l.Decode)
	}
	w, h := scaled(width, height, l)
	if w == width && h == height && !isJPEG(data) {
		return data, nil
	}
	src, err := decodeAny(data, l.Decode)
	if err != nil {
		return nil, err
	}
	return encodePNG(imaging.Resize(src, w, h, imaging.CatmullRom))
}

// JPEG returns the picture as JPEG of the given width, in proportion, for a model
// that pays by the pixel. One that is narrower is not scaled up. quality is 1 to
// 100; what can be seen through becomes white.
func JPEG(data []byte, width, quality, limit int) ([]byte, error) {
	src, err := decodeAny(data, limit)
	if err != nil {
		return nil, err
	}
	size := src.Bounds().Size()
	if size.X > width {
		src = imaging.Resize(src, width, max(1, size.Y*width/size.X), imaging.CatmullRom)
		size = src.Bounds().Size()
	}
	var out bytes.Buffer
	opaque := imaging.Overlay(imaging.New(size.X, size.Y, image.White), src, image.Point{}, 1)
	if err := imaging.Encode(&out, opaque, imaging.JPEG, imaging.JPEGQuality(quality)); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}

func encodePNG(img image.Image) ([]byte, error) {
	var out bytes.Buffer
	if err := imaging.Encode(&out, img, imaging.PNG); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}

// scaled returns the largest size in proportion that is within the limits.
func scaled(w, h int, l Limits) (int, int) {
	factor := min(1, float64(l.Side)/float64(max(w, h)), math.Sqrt(float64(l.Pixels)/float64(w*h)))
	return max(1, int(float64(w)*factor)), max(1, int(float64(h)*factor))
}
