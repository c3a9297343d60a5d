package visual

import "bytes"

// OneColour reports whether all pixels of a picture are alike. limit bounds
// them.
func OneColour(data []byte, limit int) (bool, error) {
	size, err := readSize(data, limit)
	if err != nil {
		return false, err
	}
	if len(data) > size[0]*size[1]/32+1024 { // one colour packs into far less
		return false, nil
	}
	p, err := decode(data)
	if err != nil {
		return false, err
	}
	// Each pixel equals the one before it.
	return bytes.Equal(p.pix[4:], p.pix[:len(p.pix)-4]), nil
}
