package visual

import (
	"errors"
	"fmt"
	"image"

	"github.com/orisano/pixelmatch"
)

// Engines that judge which pixels are perceived as changed.
const (
	Builtin    = "builtin"    // this package's own: any picture, ignored colours, all cores
	Pixelmatch = "pixelmatch" // github.com/orisano/pixelmatch: opaque pictures, colours counted
)

// ErrEngine means that the engine that was chosen can't compare the pictures.
var ErrEngine = errors.New("the engine " + Pixelmatch + " can't compare these pictures")

// portThreshold scales npm's default of 0.1 to the port's colours of 16 bits,
// of which it takes 256 for one level: 255 becomes 65535/256, so its distances
// are (257/256)² of npm's.
const portThreshold = 0.1 * 257 / 256

// judgeByPort has orisano/pixelmatch say which pixels changed. What it says of each
// stands in port. Its defects are kept out: pictures begin at the origin and are no
// parts of others, what is translucent (it multiplies alpha in twice) is refused,
// and a panic becomes an error.
func (m *diffMarks) judgeByPort() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: it panics: %v; the engine %s compares them", ErrEngine, r, Builtin)
		}
	}()
	if m.o.IgnoreColors {
		return fmt.Errorf("%w: it can't leave colours out (ignore_colors); the engine %s can", ErrEngine, Builtin)
	}
	for _, p := range []*picture{m.before, m.after} {
		if !p.opaque() {
			return fmt.Errorf("%w: they are translucent, and it counts those otherwise than npm's pixelmatch; the engine %s counts them alike", ErrEngine, Builtin)
		}
	}
	var painted image.Image
	options := []pixelmatch.MatchOption{pixelmatch.Threshold(portThreshold), pixelmatch.WriteTo(&painted)}
	if m.o.CountAntialiasing {
		options = append(options, pixelmatch.IncludeAntiAlias)
	}
	if _, err := pixelmatch.MatchPixel(m.before.image(), m.after.image(), options...); err != nil {
		return fmt.Errorf("%w: %w", ErrEngine, err)
	}
	of, ok := painted.(*image.RGBA)
	if !ok {
		return fmt.Errorf("%w: it painted %T instead of a picture of what differs", ErrEngine, painted)
	}
	m.port = of.Pix
	return nil
}

// portMark returns what the port says of a pixel that differs in some bit; same: it
// is not perceived as changed.
func (m *diffMarks) portMark(x, y int) byte {
	at := 4 * (y*m.before.width + x)
	switch [3]byte(m.port[at : at+3]) { // the rest is grey
	case [3]byte{255, 0, 0}:
		return changed
	case [3]byte{255, 255, 0}:
		return smoothed
	}
	return same
}

// opaque reports whether nothing can be seen through the picture.
func (p *picture) opaque() bool {
	for i := 3; i < len(p.pix); i += 4 {
		if p.pix[i] != 255 {
			return false
		}
	}
	return true
}
