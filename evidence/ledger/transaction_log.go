package ledger

import (
	"errors"
	"fmt"
	"iter"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-qa/assay/evidence/attest"
)

// Size returns how many events there are.
func (t *Tx) Size() int64 { return t.log.size() }

// uncovered reports whether there are events that no checkpoint covers yet.
func (t *Tx) uncovered() bool { return t.Size() > t.covered }

// Leaves returns the events' exact bytes, oldest first. They are read as they are
// asked for. A [LostError] stands for all the events that it names; the next
// leaf is that after them. Other errors end it.
func (t *Tx) Leaves() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for at := int64(0); at < t.Size(); {
			err := t.log.ctx.Err()
			var found []entry
			if err == nil {
				found, err = t.log.entries(0, at, min(tileSize, t.Size()-at))
			}
			for _, e := range found {
				if !yield(e.line, nil) {
					return
				}
			}
			at += int64(len(found))
			if err == nil {
				continue
			}
			var lost *LostError
			if !yield(nil, err) || !errors.As(err, &lost) {
				return
			}
			at = lost.Last + 1
		}
	}
}

// Leaf returns the exact bytes of one event, by its index from 0.
func (t *Tx) Leaf(index int64) ([]byte, error) {
	if index < 0 || index >= t.Size() {
		return nil, fmt.Errorf("entry %d of the log: it has %d", index, t.Size())
	}
	found, err := t.log.entries(0, index, 1)
	if err != nil {
		return nil, err
	}
	return found[0].line, nil
}

// Tiles returns the digests of all blobs that the log consists of.
func (t *Tx) Tiles() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for k := 1; k < len(t.log.levels); k++ {
			for i := range t.log.levels[k].count() {
				found, err := t.log.entries(k, i, 1)
				if err != nil {
					yield("", err)
					return
				}
				if !yield(found[0].digest, nil) {
					return
				}
			}
		}
	}
}

// Checkpoint returns the newest checkpoint, signed; nil while the log is empty.
func (t *Tx) Checkpoint() []byte { return t.signed }

// Root returns the root of the tree over the first size events.
func (t *Tx) Root(size int64) (tlog.Hash, error) {
	if err := t.checkSize(size); err != nil {
		return tlog.Hash{}, err
	}
	return tlog.TreeHash(size, t.log)
}

// Entry returns an event with the proof that the tree over the first size
// events holds it.
func (t *Tx) Entry(index, size int64) (attest.Entry, error) {
	if err := t.checkSize(size); err != nil {
		return attest.Entry{}, err
	}
	if index < 0 || index >= size {
		return attest.Entry{}, fmt.Errorf("entry %d of the log: it has %d", index, size)
	}
	leaf, err := t.Leaf(index)
	if err != nil {
		return attest.Entry{}, err
	}
	proof, err := tlog.ProveRecord(size, index, t.log)
	if err != nil {
		return attest.Entry{}, fmt.Errorf("entry %d of the log: its proof: %w", index, err)
	}
	return attest.Entry{Index: index, Leaf: string(leaf), Proof: texts(proof)}, nil
}

// Growth returns the proof that the tree over the first newer events begins
// with that over the first older ones.
func (t *Tx) Growth(older, newer int64) ([]string, error) {
	if err := t.checkSize(newer); err != nil || older == 0 {
		return nil, err
	}
	if older < 0 || older > newer {
		return nil, fmt.Errorf("the log has %d entries, not %d", newer, older)
	}
	proof, err := tlog.ProveTree(newer, older, t.log)
	if err != nil {
		return nil, fmt.Errorf("growth of the log from %d to %d: %w", older, newer, err)
	}
	return texts(proof), nil
}

func texts(hashes []tlog.Hash) []string {
	out := make([]string, len(hashes))
	for i, h := range hashes {
		out[i] = h.String()
	}
	return out
}

func (t *Tx) checkSize(size int64) error {
	if size < 0 || size > t.Size() {
		return fmt.Errorf("the log has %d entries, not %d", t.Size(), size)
	}
	return nil
}
