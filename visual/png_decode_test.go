package visual_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/assay-qa/assay/visual"
)

// Bad input: what is no picture is said to be none, and why; what is too large
// is refused by its header.
func TestNoPicture(t *testing.T) {
	good := encoded(t, white(20, 10))
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"nothing":       {nil, visual.ErrNoPicture},
		"words":         {[]byte("<html>"), visual.ErrNoPicture},
		"JPEG":          {[]byte("\xff\xd8\xff\xe0"), visual.ErrNoPicture},
		"no size":       {header(0, 10), visual.ErrNoPicture},
		"30,000×30,000": {header(30_000, 30_000), visual.ErrTooLarge},
		"2³²−1 squared": {header(1<<32-1, 1<<32-1), visual.ErrTooLarge},
		"animated":      {slices.Concat(good[:33], chunk("acTL", make([]byte, 8)), good[33:]), visual.ErrNoPicture},
		"other pixels":  {append(slices.Clone(good[:50]), append([]byte{good[50] ^ 1}, good[51:]...)...), visual.ErrNoPicture},
	} {
		for range 2 {
			for _, other := range [][]byte{good, c.data} {
				_, err := visual.Compare(c.data, other, visual.Options{Limit: plenty})
				_, painted := visual.Examine(other, c.data, visual.Options{Limit: plenty})
				// Equal bytes are not decoded.
				if name != "other pixels" || !bytes.Equal(other, c.data) {
					if !errors.Is(err, c.want) || !errors.Is(painted, c.want) {
						t.Errorf("%s: %v and %v, want %v", name, err, painted, c.want)
					}
				}
			}
		}
	}
	for n := range len(good) {
		if _, err := visual.Compare(good, good[:n], visual.Options{Limit: plenty}); !errors.Is(err, visual.ErrNoPicture) {
			t.Fatalf("cut after %d of %d bytes: %v", n, len(good), err)
		}
	}
	if _, err := visual.Compare(good, good, visual.Options{Limit: 199}); !errors.Is(err, visual.ErrTooLarge) {
		t.Errorf("over the limit: %v", err)
	}
	// What follows the end of a PNG is not of the picture.
	if d, err := visual.Compare(good, append(slices.Clone(good), "and more"...), visual.Options{Limit: plenty}); err != nil || d.Raw != 0 {
		t.Errorf("bytes after the end: %+v, %v", d, err)
	}
}

func TestOtherSize(t *testing.T) {
	_, err := visual.Compare(encoded(t, white(20, 10)), encoded(t, white(20, 11)), visual.Options{Limit: plenty})
	size, ok := errors.AsType[*visual.SizeError](err)
	if !ok || size.Before != [2]int{20, 10} || size.After != [2]int{20, 11} {
		t.Errorf("%v", err)
	}
}

// header returns a PNG that ends after its header and an empty end.
func header(w, h uint32) []byte {
	body := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	return slices.Concat([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(body, 8, 2, 0, 0, 0)), chunk("IEND", nil))
}

func chunk(kind string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}
