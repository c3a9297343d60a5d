package seen

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

// Verdict names what pictures show of one thing.
type Verdict int

// The verdicts. Restless: the pictures with the thing differ among themselves,
// so nothing can be decided.
const (
	Unseen Verdict = iota
	Seen
	Restless
)

// Box bounds a place in the pictures, in CSS pixels from their left upper corner.
// Item numbers the thing that is there; it is seen if every box of it is.
type Box struct {
	Item       int
	X, Y, W, H float64
}

const (
	perceptible = 20        // of 255, in one channel: less is not made out
	maxPicture  = 40 << 20  // pixels
	movedShare  = 1. / 1000 // of a box's pixels: what may differ between the outer pictures, as painting wavers by single pixels
)

// Blink compares three pictures (PNG) of one area of a page: as it is, with
// things taken away, and as it is again. width is the area's in CSS pixels. A
// box is seen if taking its thing away changes at least one of its pixels so
// much that a person makes it out, and what changed is not what moves anyhow.
func Blink(with, without, again []byte, width float64, boxes []Box) (map[int]Verdict, error) {
	var pictures [3]image.Image
	for i, data := range [][]byte{with, without, again} {
		config, err := png.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("read picture %d of a blink test: %w", i+1, err)
		}
		if config.Width*config.Height > maxPicture {
			return nil, fmt.Errorf("picture %d of a blink test has %d x %d pixels", i+1, config.Width, config.Height)
		}
		if pictures[i], err = png.Decode(bytes.NewReader(data)); err != nil {
			return nil, fmt.Errorf("read picture %d of a blink test: %w", i+1, err)
		}
	}
	bounds := pictures[0].Bounds()
	if pictures[1].Bounds() != bounds || pictures[2].Bounds() != bounds {
		return nil, fmt.Errorf("the pictures of a blink test differ in size: %v, %v, %v", bounds, pictures[1].Bounds(), pictures[2].Bounds())
	}
	scale := float64(bounds.Dx()) / width
	out := map[int]Verdict{}
	for _, b := range boxes {
		v := blinkBox(pictures, scaled(b, scale).Intersect(bounds))
		if known, ok := out[b.Item]; !ok || v == Unseen || v == Restless && known == Seen {
			out[b.Item] = v
		}
	}
	return out, nil
}

func scaled(b Box, scale float64) image.Rectangle {
	return image.Rect(int(math.Floor(b.X*scale)), int(math.Floor(b.Y*scale)), int(math.Ceil((b.X+b.W)*scale)), int(math.Ceil((b.Y+b.H)*scale)))
}

func blinkBox(pictures [3]image.Image, box image.Rectangle) Verdict {
	changed, moved := 0, 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			with, again := pictures[0].At(x, y), pictures[2].At(x, y)
			if distance(with, again) >= perceptible {
				moved++
			} else if distance(with, pictures[1].At(x, y)) >= perceptible {
				changed++
			}
		}
	}
	switch {
	case float64(moved) > movedShare*float64(box.Dx()*box.Dy()):
		return Restless
	case changed > 0:
		return Seen
	default:
		return Unseen
	}
}

// distance returns the largest difference of two colours in one channel, 0 to 255.
func distance(a, b color.Color) int {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	d := 0
	for _, c := range [][2]uint32{{ar, br}, {ag, bg}, {ab, bb}} {
		d = max(d, int(c[0]>>8)-int(c[1]>>8), int(c[1]>>8)-int(c[0]>>8))
	}
	return d
}
