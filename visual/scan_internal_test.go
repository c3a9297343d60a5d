package visual

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/png"
	"math/rand/v2"
	"slices"
	"testing"
)

// packed returns a PNG of any header whose filtered rows are given as they are.
func packed(t testing.TB, w, h uint32, kind string, rows []byte, pieces int, extra ...[]byte) []byte {
	t.Helper()
	var stream bytes.Buffer
	z := zlib.NewWriter(&stream)
	if _, err := z.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	out := slices.Concat([]byte(signature), piece("IHDR", append(size, kind...)), slices.Concat(extra...))
	for part := range slices.Chunk(stream.Bytes(), stream.Len()/pieces+1) {
		out = append(out, piece("IDAT", part)...)
	}
	return append(out, piece("IEND", nil)...)
}

func piece(kind string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// filtered returns rows of random bytes: whatever stands in a row, every filter makes
// some colours of it.
func filtered(r *rand.Rand, w, h, filters int) []byte {
	var rows []byte
	for range h {
		rows = append(rows, byte(r.IntN(filters)))
		blank := r.IntN(4) == 0
		for range 3 * w {
			if blank {
				rows = append(rows, 0)
			} else {
				rows = append(rows, byte(r.IntN(256)))
			}
		}
	}
	return rows
}

const rgb8 = "\x08\x02\x00\x00\x00"

// agrees fails where scan and image/png read different pixels, or scan reads what
// image/png refuses. It tells whether scan has read it.
func agrees(t *testing.T, data []byte) bool {
	t.Helper()
	got := decodeFast(data)
	if got == nil {
		return false
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("scan reads what image/png refuses: %v", err)
	}
	want, ok := img.(*image.RGBA)
	if !ok || !bytes.Equal(want.Pix, got.pix) || got.width != want.Rect.Dx() || got.height != want.Rect.Dy() {
		t.Fatalf("scan and image/png read different pixels of a %T", img)
	}
	return true
}

// What scan reads is what image/png reads: every filter, sizes of one pixel,
// chunks of any length.
func TestScanEqualsImagePNG(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for _, size := range [][2]int{{1, 1}, {1, 40}, {40, 1}, {2, 2}, {33, 57}, {300, 90}} {
		for _, pieces := range []int{1, 2, 7} {
			rows := filtered(r, size[0], size[1], 5)
			data := packed(t, uint32(size[0]), uint32(size[1]), rgb8, rows, pieces, piece("tEXt", []byte("a\x00b")))
			if !agrees(t, data) {
				t.Errorf("%v in %d pieces is not read", size, pieces)
			}
		}
	}
}

// What is out of the ordinary is left to image/png, which reads or refuses it.
func TestScanLeavesTheRest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	rows := filtered(r, 9, 7, 5)
	good := packed(t, 9, 7, rgb8, rows, 1)
	wrongFilter := slices.Clone(rows)
	wrongFilter[0] = 5
	end := len(good) - 12
	for name, c := range map[string]struct {
		data     []byte
		readable bool
	}{
		"interlaced":           {packed(t, 1, 1, "\x08\x02\x00\x00\x01", []byte{0, 1, 2, 3}, 1), true},
		"16 bits":              {packed(t, 1, 1, "\x10\x02\x00\x00\x00", []byte{0, 1, 2, 3, 4, 5, 6}, 1), true},
		"alpha":                {packed(t, 1, 1, "\x08\x06\x00\x00\x00", []byte{0, 1, 2, 3, 4}, 1), true},
		"a transparent colour": {packed(t, 9, 7, rgb8, rows, 1, piece("tRNS", make([]byte, 6))), true},
		"unknown filter":       {packed(t, 9, 7, rgb8, wrongFilter, 1), false},
		"a row too few":        {packed(t, 9, 8, rgb8, rows, 1), false},
		"a row too many":       {packed(t, 9, 6, rgb8, rows, 1), false},
		"wrong checksum":       {append(slices.Clone(good[:end-1]), append([]byte{good[end-1] ^ 1}, good[end:]...)...), false},
		"no pixels":            {slices.Concat([]byte(signature), good[8:33], piece("IEND", nil)), false},
		"two headers":          {slices.Concat(good[:33], good[8:33], good[33:]), false},
	} {
		if agrees(t, c.data) {
			t.Errorf("%s: scan has read it", name)
		}
		if _, err := decode(c.data); (err == nil) != c.readable || err != nil && !errors.Is(err, ErrNoPicture) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzScan: whatever rows say, scan agrees with image/png.
func FuzzScan(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 4, 5, 6, 7}, uint8(1), uint8(2), uint8(1))
	f.Add([]byte{2, 0, 0, 0, 3, 1, 1, 1}, uint8(1), uint8(2), uint8(3))
	f.Fuzz(func(t *testing.T, rows []byte, w, h, pieces uint8) {
		if w > 0 && h > 0 {
			agrees(t, packed(t, uint32(w), uint32(h), rgb8, rows, 1+int(pieces)%9))
		}
	})
}

// FuzzCompare: no bytes make a comparison panic, every error is one of those
// that are named, and scan agrees with image/png.
func FuzzCompare(f *testing.F) {
	r := rand.New(rand.NewPCG(2, 3))
	first := packed(f, 9, 7, rgb8, filtered(r, 9, 7, 5), 2)
	f.Add(first, packed(f, 9, 7, rgb8, filtered(r, 9, 7, 2), 1), 3, 2)
	f.Add(first, packed(f, 9, 7, "\x08\x00\x00\x00\x00", make([]byte, 70), 1), -3, 200)
	f.Add(first, packed(f, 3, 7, "\x08\x06\x00\x00\x01", make([]byte, 200), 1), 0, 0)
	f.Add([]byte(signature), []byte(nil), 0, 0)
	f.Fuzz(func(t *testing.T, before, after []byte, x, w int) {
		o := Options{Limit: 4096, Ignore: []Box{{X: x, Y: x, Width: w, Height: w}}, Parts: []Box{{X: w, Y: x, Width: w, Height: x}}}
		for _, data := range [][]byte{before, after} {
			if _, err := readSize(data, o.Limit); err == nil {
				agrees(t, data)
			}
		}
		p, err := Examine(before, after, o)
		var d Diff
		if err == nil {
			d = p.Diff
		}
		if err == nil && (d.Changed+d.Pale > d.Raw || d.Raw > d.Compared || d.Compared > d.Width*d.Height) {
			t.Fatalf("counts that can't be: %+v", d)
		}
		if _, size := errors.AsType[*SizeError](err); err != nil && !size && !errors.Is(err, ErrNoPicture) && !errors.Is(err, ErrTooLarge) {
			t.Fatalf("an error without a name: %v", err)
		}
		if err == nil {
			if _, err := p.Highlight(); err != nil {
				t.Fatal(err)
			}
			if c, n := p.In(Box{X: x, Y: x, Width: w, Height: w}); c > d.Changed || n > d.Raw || len(p.Slight()) > maxRegion {
				t.Fatalf("%d and %d of a box, of %+v", c, n, d)
			}
		}
	})
}
