package verify

import "crypto/sha256"

// tree computes the root of a Merkle tree leaf by leaf (RFC 9162, section
// 2.1.1). It is not the code that the log is written with: an error of that one
// would prove itself.
type tree struct {
	size int64
	full [][sha256.Size]byte // roots of the complete trees that the leaves fill, the largest first
}

func (t *tree) add(leaf []byte) {
	hash := sha256.Sum256(append([]byte{0}, leaf...))
	for n := t.size; n&1 == 1; n >>= 1 {
		last := len(t.full) - 1
		hash = parent(t.full[last], hash)
		t.full = t.full[:last]
	}
	t.full = append(t.full, hash)
	t.size++
}

func (t *tree) root() [sha256.Size]byte {
	if len(t.full) == 0 {
		return sha256.Sum256(nil)
	}
	root := t.full[len(t.full)-1]
	for i := len(t.full) - 2; i >= 0; i-- {
		root = parent(t.full[i], root)
	}
	return root
}

func parent(left, right [sha256.Size]byte) [sha256.Size]byte {
	return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
}
