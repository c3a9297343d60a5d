package visual

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// ErrNoPicture means that bytes are no picture that can be compared: no PNG,
// cut short, animated, or of no size.
var ErrNoPicture = errors.New("no picture that can be compared")

const signature = "\x89PNG\r\n\x1a\n"

// readSize reads a PNG's width and height, and walks over its chunks without
// decoding any. What follows the end chunk is not of the picture.
func readSize(data []byte, limit int) ([2]int, error) {
	if len(data) == 0 {
		return [2]int{}, fmt.Errorf("%w: it is empty", ErrNoPicture)
	}
	rest, isPNG := bytes.CutPrefix(data, []byte(signature))
	if !isPNG {
		return [2]int{}, fmt.Errorf("%w: not a PNG, it begins with %q", ErrNoPicture, data[:min(8, len(data))])
	}
	if len(rest) < 25 || string(rest[4:8]) != "IHDR" {
		return [2]int{}, fmt.Errorf("%w: a PNG without a whole header", ErrNoPicture)
	}
	w, h := binary.BigEndian.Uint32(rest[8:]), binary.BigEndian.Uint32(rest[12:])
	if w == 0 || h == 0 {
		return [2]int{}, fmt.Errorf("%w: it has no size: %d×%d", ErrNoPicture, w, h)
	}
	if uint64(w)*uint64(h) > uint64(max(0, limit)) {
		return [2]int{}, fmt.Errorf("%w: %d×%d, limit %d", ErrTooLarge, w, h, limit)
	}
	return [2]int{int(w), int(h)}, walkChunks(rest)
}

// walkChunks goes from chunk to chunk until the end. Each is its length, its type, so
// many bytes, and a checksum (PNG specification, §5.3).
func walkChunks(rest []byte) error {
	for {
		if len(rest) < 12 || uint64(binary.BigEndian.Uint32(rest))+12 > uint64(len(rest)) {
			return fmt.Errorf("%w: the PNG is cut short", ErrNoPicture)
		}
		switch string(rest[4:8]) {
		case "acTL":
			return fmt.Errorf("%w: the PNG is animated", ErrNoPicture)
		case "IEND":
			return nil
		}
		rest = rest[12+int(binary.BigEndian.Uint32(rest)):]
	}
}

// picture holds a decoded PNG: four bytes a pixel, red, green, blue and alpha, row by row from the
// top; alpha is not multiplied in.
type picture struct {
	width, height int
	pix           []byte
}

// decode reads a PNG that was inspected. 16 bits a channel are rounded to 8.
func decode(data []byte) (*picture, error) {
	if p := decodeFast(data); p != nil {
		return p, nil
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: decode PNG: %w", ErrNoPicture, err)
	}
	p := &picture{width: img.Bounds().Dx(), height: img.Bounds().Dy()}
	switch img := img.(type) {
	case *image.RGBA: // what image/png makes of a PNG without alpha
		p.pix = img.Pix
	case *image.NRGBA:
		p.pix = img.Pix
	default:
		p.pix = toRGBA(img)
	}
	return p, nil
}

// toRGBA writes out the kinds of PNG that a browser does not make.
func toRGBA(img image.Image) []byte {
	size := img.Bounds().Size()
	pix := make([]byte, 0, 4*size.X*size.Y)
	for y := range size.Y {
		for x := range size.X {
			switch img := img.(type) {
			case *image.Gray:
				v := img.Pix[y*img.Stride+x]
				pix = append(pix, v, v, v, 255)
			case *image.Paletted:
				c, _ := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
				pix = append(pix, c.R, c.G, c.B, c.A)
			default:
				c, _ := color.NRGBA64Model.Convert(img.At(x, y)).(color.NRGBA64)
				pix = append(pix, to8Bit(c.R), to8Bit(c.G), to8Bit(c.B), to8Bit(c.A))
			}
		}
	}
	return pix
}

// to8Bit rounds 16 bits to 8.
func to8Bit(v uint16) byte { return byte((uint32(v) + 128) / 257) }
