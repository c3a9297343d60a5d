package ledger_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"testing"

	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/merkle/testonly"

	"github.com/assay-qa/assay/evidence/ledger"
)

// The log's roots and proofs are those of an independent implementation of RFC
// 6962 and 9162, for all sizes to 130 and all places and pairs in them, outside of make soak every
// fourth (B8). The
// first size is below a power of two, and the last above one.
func TestProofsElsewhere(t *testing.T) {
	const sizes = 130
	f := newFolder(t)
	l := f.open()
	if err := l.Update(t.Context(), func(tx *ledger.Tx) error {
		for i := range sizes {
			if _, err := tx.Append(ledger.Event{Action: "added", Record: fmt.Sprint(i)}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := l.View(t.Context(), func(tx *ledger.Tx) error {
		tree := testonly.New(rfc6962.DefaultHasher)
		for leaf, err := range tx.Leaves() {
			if err != nil {
				return err
			}
			tree.AppendData(leaf)
		}
		for size := range uint64(sizes + 1) {
			root, err := tx.Root(int64(size))
			if err != nil {
				return err
			}
			if !bytes.Equal(root[:], tree.HashAt(size)) {
				t.Errorf("the root of %d is %s", size, root)
			}
			for other := range size {
				if (other+size)%4 > 0 && other > 0 && other < size-1 && os.Getenv("SOAK") == "" {
					continue // every fourth pair, and those at the edges
				}
				if err := provedElsewhere(tx, tree, other, size); err != nil {
					return fmt.Errorf("%d of %d: %w", other, size, err)
				}
			}
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// provedElsewhere checks that the tree of that size holds the entry, and begins
// with the tree of the smaller one.
func provedElsewhere(tx *ledger.Tx, tree *testonly.Tree, smaller, size uint64) error {
	entry, err := tx.Entry(int64(smaller), int64(size))
	if err != nil {
		return err
	}
	inclusion, err := hashes(entry.Proof)
	if err != nil {
		return err
	}
	leaf := rfc6962.DefaultHasher.HashLeaf([]byte(entry.Leaf))
	if err := proof.VerifyInclusion(rfc6962.DefaultHasher, smaller, size, leaf, inclusion, tree.HashAt(size)); err != nil {
		return err
	}
	growth, err := tx.Growth(int64(smaller), int64(size))
	if err != nil {
		return err
	}
	consistency, err := hashes(growth)
	if err != nil {
		return err
	}
	return proof.VerifyConsistency(rfc6962.DefaultHasher, smaller, size, consistency, tree.HashAt(smaller), tree.HashAt(size))
}

func hashes(texts []string) ([][]byte, error) {
	out := make([][]byte, len(texts))
	for i, text := range texts {
		var err error
		if out[i], err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, err
		}
	}
	return out, nil
}
