package visual

import (
	"bytes"
	"fmt"
)

// Box describes a rectangle of a picture, in its pixels.
type Box struct{ X, Y, Width, Height int }

// Options say which differences count.
type Options struct {
	CountAntialiasing bool   // count pixels that only anti-aliasing changed
	IgnoreColors      bool   // compare brightness only
	Ignore            []Box  // left out
	Parts             []Box  // counted by themselves too
	Engine            string // [Builtin], also where it is empty, or [Pixelmatch]
	Limit             int    // refuse pictures of more pixels, before anything is allocated for them
}

// Diff describes how two pictures of one size differ.
type Diff struct {
	Width, Height int
	Compared      int        // pixels, all but the ignored ones
	Changed       int        // perceived as another colour; equals what pixelmatch 7.2 counts
	Raw           int        // different in any bit of their colours, at 8 bits a channel
	RawBox        Box        // what encloses them
	Pale          int        // pixels of pale areas: see [Region.Pale]
	Regions       []Region   // at most 200, the largest first
	Parts         []PartDiff // for each of [Options.Parts], in its order
}

// PartDiff describes how a part of two pictures differs; its fields mean what those of [Diff] mean.
// A part outside of the pictures has Compared 0.
type PartDiff struct{ Compared, Changed, Raw, Pale int }

// Region describes a cluster of pixels that count: changed ones, and those of pale areas. Pixels at
// most 8 apart belong to one region.
type Region struct {
	Box
	Changed, Raw int
	Counted      int // Changed, and the pixels of pale areas

	// Pale means that no pixel of it was perceived as changed. A pale area has
	// at least 64 pixels that differ by less than is perceived one by one, and
	// in each of its tiles of 8×8 pixels at least 8 do: a row of a table that
	// turns from white to cream, a border that fades. Pixels scattered thinner
	// than that are counted as raw only, and so are those that anti-aliasing
	// explains, and those that differ by one level in each channel at most. With [Options.IgnoreColors], only what differs in brightness by
	// one level of 255 or more makes a pale area.
	Pale bool
}

// SizeError reports that two pictures have different sizes: they are not compared.
type SizeError struct{ Before, After [2]int } // width and height

func (e *SizeError) Error() string {
	return fmt.Sprintf("the picture was %d×%d pixels and is %d×%d now: pictures of different sizes are not compared",
		e.Before[0], e.Before[1], e.After[0], e.After[1])
}

// Pair holds two pictures of one size, decoded and compared, so that its methods
// measure more than Diff says without decoding them again.
type Pair struct {
	Diff
	marks *diffMarks // nil: equal files
}

// Compare computes how the PNG after differs from the PNG before. It returns the
// errors of [Examine].
func Compare(before, after []byte, o Options) (Diff, error) {
	p, err := Examine(before, after, o)
	if err != nil {
		return Diff{}, err
	}
	return p.Diff, nil
}

// Examine compares the PNG after with the PNG before. Equal bytes are equal
// pictures and are not decoded. Errors: [ErrNoPicture], [ErrTooLarge],
// [SizeError], [ErrEngine].
func Examine(before, after []byte, o Options) (*Pair, error) {
	size, err := sizes(before, after, o.Limit)
	if err != nil {
		return nil, err
	}
	p := &Pair{Diff: Diff{Width: size[0], Height: size[1]}}
	all := Box{Width: p.Width, Height: p.Height}
	closed := clip(o.Ignore, all)
	p.Compared = open(closed, all)
	if !bytes.Equal(before, after) {
		if p.marks, err = markPixels(before, after, closed, o); err != nil {
			return nil, err
		}
		p.Regions = p.marks.cluster(&p.Diff)
	}
	p.countParts(p.marks, closed, o.Parts)
	return p, nil
}

// In counts the pixels of a box that were perceived as changed, and those that
// are different to the eye: these, those that anti-aliasing explains, and faint
// ones, but for those that differ by one level in each channel at most.
func (p *Pair) In(box Box) (changedPixels, visible int) {
	m := p.marks
	if m == nil {
		return 0, 0
	}
	in := clipAll([]Box{box}, Box{Width: p.Width, Height: p.Height})[0]
	for y := max(in.Y, m.top); y < min(in.Y+in.Height, m.bottom); y++ {
		for _, mark := range m.pixels[(y-m.top)*p.Width+in.X : (y-m.top)*p.Width+in.X+in.Width] {
			switch mark {
			case changed:
				changedPixels++
				visible++
			case smoothed, faint:
				visible++
			}
		}
	}
	return changedPixels, visible
}

// Slight returns the places outside of [Diff.Regions] where pixels are different to
// the eye and don't count: at most 200.
func (p *Pair) Slight() []Box {
	if p.marks == nil {
		return nil
	}
	for grain := 1; ; grain *= 2 {
		if regions, ok := p.marks.regions(grain, tile.slight); ok {
			out := make([]Box, len(regions))
			for i, r := range regions {
				out[i] = r.Box
			}
			return out
		}
	}
}

// sizes checks both headers and returns the width and height that they share.
func sizes(before, after []byte, limit int) ([2]int, error) {
	was, err := readSize(before, limit)
	if err != nil {
		return was, fmt.Errorf("the picture before: %w", err)
	}
	is, err := readSize(after, limit)
	if err != nil {
		return was, fmt.Errorf("the picture after: %w", err)
	}
	if was != is {
		return was, &SizeError{Before: was, After: is}
	}
	return was, nil
}

// countParts counts what lies in the parts. Without marks nothing differs.
func (d *Diff) countParts(m *diffMarks, closed, parts []Box) {
	for _, part := range clipAll(parts, Box{Width: d.Width, Height: d.Height}) {
		p := PartDiff{Compared: open(closed, part)}
		if m != nil {
			m.count(part, &p)
		}
		d.Parts = append(d.Parts, p)
	}
}
