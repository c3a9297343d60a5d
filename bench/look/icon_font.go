package look

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// iconFont returns a font with a triangle for each of the codes, which rise, and a box for
// all others. A code that it lacks is drawn as in any font of icons that lacks it.
func iconFont(codes ...uint16) []byte {
	box, triangle := outlineOf([]int16{100, 0, 100, 700, 600, 700, 600, 0}), outlineOf([]int16{100, 0, 350, 700, 600, 0})
	glyphs, offsets := slices.Clone(box), []uint32{0, uint32(len(box))} //nolint:gosec // some hundred bytes
	for range codes {
		glyphs = append(glyphs, triangle...)
		offsets = append(offsets, uint32(len(glyphs))) //nolint:gosec // some hundred bytes
	}
	n := uint16(len(codes) + 1) //nolint:gosec // a few
	widths := make([]uint16, 0, 2*n)
	for range n {
		widths = append(widths, 700, 100)
	}
	return fontFile(map[string][]byte{
		"OS/2": packed(uint16(4), int16(700), uint16(400), uint16(5), uint16(0), make([]int16, 11), make([]byte, 10), make([]uint32, 4), []byte("none"), uint16(64), uint16(0xE000), uint16(0xF8FF),
			int16(800), int16(-200), int16(0), uint16(800), uint16(200), make([]uint32, 2), int16(500), int16(700), uint16(0), uint16(32), uint16(0)),
		"cmap": codeTable(codes),
		"glyf": glyphs,
		"head": packed(uint32(0x10000), uint32(0x10000), uint32(0), uint32(0x5F0F3CF5), uint16(0), uint16(1000), uint64(0), uint64(0), int16(0), int16(0), int16(700), int16(700), uint16(0), uint16(8), int16(2), int16(1), int16(0)),
		"hhea": packed(uint32(0x10000), int16(800), int16(-200), int16(0), uint16(700), int16(100), int16(100), int16(600), int16(1), int16(0), int16(0), make([]int16, 5), n),
		"hmtx": packed(widths),
		"loca": packed(offsets),
		"maxp": packed(uint32(0x10000), n, uint16(4), uint16(1), make([]uint16, 2), uint16(2), make([]uint16, 8)),
		"name": packed(uint16(0), uint16(0), uint16(6)),
		"post": packed(uint32(0x30000), make([]uint32, 7)),
	})
}

// outlineOf returns a glyph of one closed line through points, as x and y by turns.
func outlineOf(points []int16) []byte {
	n := len(points) / 2
	var xs, ys []int16
	for i := range n {
		xs, ys = append(xs, points[2*i]), append(ys, points[2*i+1])
	}
	step := func(v []int16) []int16 {
		out := slices.Clone(v)
		for i := len(out) - 1; i > 0; i-- {
			out[i] -= out[i-1]
		}
		return out
	}
	out := packed(int16(1), int16(100), int16(0), int16(600), int16(700), uint16(n-1), uint16(0), bytes.Repeat([]byte{1}, n), step(xs), step(ys)) //nolint:gosec // a few points
	return append(out, make([]byte, (4-len(out)%4)%4)...)
}

// codeTable maps each code to its glyph, from 1.
func codeTable(codes []uint16) []byte {
	ends, starts, deltas := slices.Clone(codes), slices.Clone(codes), make([]uint16, 0, len(codes)+1)
	for i, c := range codes {
		deltas = append(deltas, uint16(i)+1-c) //nolint:gosec // modulo 65536, as the format has it
	}
	ends, starts, deltas = append(ends, 0xFFFF), append(starts, 0xFFFF), append(deltas, 1)
	n := uint16(len(ends)) //nolint:gosec // a few
	power, log := uint16(1), uint16(0)
	for power*2 <= n {
		power, log = power*2, log+1
	}
	return packed(uint16(0), uint16(1), uint16(3), uint16(1), uint32(12), uint16(4), 16+8*n, uint16(0), 2*n, 2*power, log, 2*(n-power), ends, uint16(0), starts, deltas, make([]uint16, n))
}

func packed(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		_ = binary.Write(&b, binary.BigEndian, v) // to memory
	}
	return b.Bytes()
}

// fontFile puts the tables of a font into one file.
func fontFile(tables map[string][]byte) []byte {
	names := make([]string, 0, len(tables))
	for name := range tables {
		names = append(names, name)
	}
	slices.Sort(names)
	head, body := packed(uint32(0x10000), uint16(len(names)), uint16(128), uint16(3), uint16(len(names)*16-128)), []byte(nil) //nolint:gosec // ten tables
	at := len(head) + 16*len(names)
	for _, name := range names {
		t := tables[name]
		padded := append(slices.Clone(t), make([]byte, (4-len(t)%4)%4)...)
		sum := uint32(0)
		for i := 0; i < len(padded); i += 4 {
			sum += binary.BigEndian.Uint32(padded[i:])
		}
		head = append(head, packed([]byte(name), sum, uint32(at+len(body)), uint32(len(t)))...) //nolint:gosec // some hundred bytes
		body = append(body, padded...)
	}
	return append(head, body...)
}
