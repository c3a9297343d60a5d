package visual

// How a row of a PNG was filtered (PNG specification, §9.2).
const (
	filterNone byte = iota
	filterSub
	filterUp
	filterAverage
	filterPaeth
)

// unfilter writes a row of red, green and blue as red, green, blue and 255,
// given the row above it. It is false for a filter that is unknown.
func unfilter(filter byte, from, above, to []byte) bool {
	switch filter {
	case filterNone:
		for ; len(from) >= 3 && len(to) >= 4; from, to = from[3:], to[4:] {
			to[0], to[1], to[2], to[3] = from[0], from[1], from[2], 255
		}
	case filterSub:
		var r, g, b byte
		for ; len(from) >= 3 && len(to) >= 4; from, to = from[3:], to[4:] {
			r, g, b = r+from[0], g+from[1], b+from[2]
			to[0], to[1], to[2], to[3] = r, g, b, 255
		}
	case filterUp:
		for ; len(from) >= 3 && len(to) >= 4 && len(above) >= 4; from, to, above = from[3:], to[4:], above[4:] {
			to[0], to[1], to[2], to[3] = from[0]+above[0], from[1]+above[1], from[2]+above[2], 255
		}
	case filterAverage:
		var r, g, b byte
		for ; len(from) >= 3 && len(to) >= 4 && len(above) >= 4; from, to, above = from[3:], to[4:], above[4:] {
			r, g, b = from[0]+average(r, above[0]), from[1]+average(g, above[1]), from[2]+average(b, above[2])
			to[0], to[1], to[2], to[3] = r, g, b, 255
		}
	case filterPaeth:
		var r, g, b, r0, g0, b0 byte // of the left pixel, and of the one above that
		for ; len(from) >= 3 && len(to) >= 4 && len(above) >= 4; from, to, above = from[3:], to[4:], above[4:] {
			r, g, b = from[0]+paeth(r, above[0], r0), from[1]+paeth(g, above[1], g0), from[2]+paeth(b, above[2], b0)
			r0, g0, b0 = above[0], above[1], above[2]
			to[0], to[1], to[2], to[3] = r, g, b, 255
		}
	default:
		return false
	}
	return true
}

func average(left, up byte) byte { return byte((int(left) + int(up)) / 2) }

// paeth picks the neighbour that is nearest to left + up − corner.
func paeth(left, up, corner byte) byte {
	fromLeft, fromUp := int(up)-int(corner), int(left)-int(corner)
	l, u, c := abs(fromLeft), abs(fromUp), abs(fromLeft+fromUp)
	if l <= u && l <= c {
		return left
	}
	if u <= c {
		return up
	}
	return corner
}

// abs returns the absolute value, without a branch.
func abs(n int) int {
	sign := n >> 63
	return (n ^ sign) - sign
}
