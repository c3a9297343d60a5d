package visual

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// decodeFast decodes what Chromium writes, and only that: 8 bits of red, green and
// blue, not interlaced, no transparent colour. It takes half the time of
// image/png, and of anything out of the ordinary it returns nil: image/png then
// decodes it or says what is wrong.
func decodeFast(data []byte) *picture {
	const ordinary = "\x08\x02\x00\x00\x00" // bits, colour type, compression, filter, interlace
	if string(data[24:29]) != ordinary {
		return nil
	}
	stream := pixelChunks(data[len(signature):])
	if stream == nil {
		return nil
	}
	rows, err := zlib.NewReader(io.MultiReader(stream...))
	if err != nil {
		return nil
	}
	p := &picture{width: int(binary.BigEndian.Uint32(data[16:])), height: int(binary.BigEndian.Uint32(data[20:]))}
	if !p.fill(rows) {
		return nil
	}
	// The end of the stream is checked against its checksum.
	if n, err := rows.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		return nil
	}
	return p
}

// fill reads and unfilters the rows.
func (p *picture) fill(rows io.Reader) bool {
	stride := 4 * p.width
	row, zero := make([]byte, 1+3*p.width), make([]byte, stride)
	above := zero
	for y := range p.height {
		if _, err := io.ReadFull(rows, row); err != nil {
			return false
		}
		if y == 0 { // not before there is a row
			p.pix = make([]byte, stride*p.height)
		}
		to := p.pix[stride*y : stride*(y+1)]
		if y > 0 && row[0] == filterUp && bytes.Equal(row[1:], zero[:3*p.width]) {
			copy(to, above) // half of the rows of a page
		} else if !unfilter(row[0], row[1:], above, to) {
			return false
		}
		above = to
	}
	return true
}

// pixelChunks finds the chunks of a PNG, after its signature, that hold pixels.
// It is nil if one is broken or out of place, or if some give colours a meaning.
func pixelChunks(rest []byte) []io.Reader {
	var c []io.Reader
	for last := ""; ; {
		length := int(binary.BigEndian.Uint32(rest))
		kind := string(rest[4:8])
		if crc32.ChecksumIEEE(rest[4:8+length]) != binary.BigEndian.Uint32(rest[8+length:]) {
			return nil
		}
		switch {
		case kind == "tRNS" || kind == "PLTE",
			kind == "IHDR" && (last != "" || length != 13),
			kind == "IDAT" && len(c) > 0 && last != kind,
			kind == "IEND" && (len(c) == 0 || length > 0):
			return nil
		case kind == "IEND":
			return c
		case kind == "IDAT":
			c = append(c, bytes.NewReader(rest[8:8+length]))
		}
		rest, last = rest[12+length:], kind
	}
}
