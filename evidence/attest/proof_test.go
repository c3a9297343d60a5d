package attest_test

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/merkle/testonly"

	"github.com/assay-qa/assay/evidence/attest"
)

// reference is a tree of an independent implementation of RFC 6962, over the
// leaves of its test vectors.
type reference struct {
	*testonly.Tree
	t testing.TB
}

func newReference(t testing.TB) reference {
	tree := testonly.New(rfc6962.DefaultHasher)
	tree.AppendData(testonly.LeafInputs()...)
	return reference{tree, t}
}

func (r reference) point(size int) attest.Checkpoint {
	return attest.Checkpoint{Origin: "assay/vectors", Size: int64(size), Root: [32]byte(r.HashAt(uint64(size)))}
}

func (r reference) entry(index, size int) attest.Entry {
	r.t.Helper()
	proof, err := r.InclusionProof(uint64(index), uint64(size))
	if err != nil {
		r.t.Fatal(err)
	}
	return attest.Entry{Index: int64(index), Leaf: string(testonly.LeafInputs()[index]), Proof: spelt(proof)}
}

func (r reference) growth(older, newer int) []string {
	r.t.Helper()
	proof, err := r.ConsistencyProof(uint64(older), uint64(newer))
	if err != nil {
		r.t.Fatal(err)
	}
	return spelt(proof)
}

func spelt(hashes [][]byte) []string {
	out := make([]string, len(hashes))
	for i, h := range hashes {
		out[i] = base64.StdEncoding.EncodeToString(h)
	}
	return out
}

// The test vectors of RFC 6962 hold: roots, inclusion and growth. Nothing else
// does: another leaf, place, size, or a proof with one hash changed, dropped,
// added or spelt in another way (B8).
func TestProofVectors(t *testing.T) {
	r := newReference(t)
	roots := testonly.RootHashes()
	refused := 0
	for size := 1; size < len(roots); size++ {
		point := r.point(size)
		if point.Root != [32]byte(roots[size]) {
			t.Fatalf("the reference has another root of %d than the vectors", size)
		}
		for index := range size {
			good := r.entry(index, size)
			if err := good.Check(point); err != nil {
				t.Errorf("%d of %d: %v", index, size, err)
			}
			for name, bad := range damagedEntries(good, int64(size)) {
				if refused++; bad.Check(point) == nil {
					t.Errorf("%d of %d, %s: taken", index, size, name)
				}
			}
		}
		for older := range size + 1 {
			good := r.growth(older, size)
			if err := attest.CheckGrowth(r.point(older), point, good); err != nil {
				t.Errorf("%d to %d: %v", older, size, err)
			}
			for name, bad := range damagedProofs(good) {
				if refused++; attest.CheckGrowth(r.point(older), point, bad) == nil {
					t.Errorf("%d to %d, %s: taken", older, size, name)
				}
			}
			forked := r.point(older)
			forked.Root[7] ^= 1
			if refused++; attest.CheckGrowth(forked, point, good) == nil {
				t.Errorf("%d to %d: a fork is taken", older, size)
			}
		}
		if attest.CheckGrowth(point, r.point(size-1), nil) == nil {
			t.Errorf("%d to %d: a rollback is taken", size, size-1)
		}
	}
	if refused < 500 {
		t.Errorf("only %d damages were tried", refused)
	}
}

func damagedEntries(good attest.Entry, size int64) map[string]attest.Entry {
	all := map[string]attest.Entry{
		"other leaf":    {Index: good.Index, Leaf: good.Leaf + "x", Proof: good.Proof},
		"negative":      {Index: -1, Leaf: good.Leaf, Proof: good.Proof},
		"beyond":        {Index: size, Leaf: good.Leaf, Proof: good.Proof},
		"far beyond":    {Index: math.MaxInt64, Leaf: good.Leaf, Proof: good.Proof},
		"endless proof": {Index: good.Index, Leaf: good.Leaf, Proof: slices.Repeat([]string{base64.StdEncoding.EncodeToString(make([]byte, 32))}, 1000)},
	}
	if size > 1 {
		all["other place"] = attest.Entry{Index: (good.Index + 1) % size, Leaf: good.Leaf, Proof: good.Proof}
	}
	for name, proof := range damagedProofs(good.Proof) {
		all[name] = attest.Entry{Index: good.Index, Leaf: good.Leaf, Proof: proof}
	}
	return all
}

func damagedProofs(good []string) map[string][]string {
	all := map[string][]string{"one more": append(slices.Clone(good), base64.StdEncoding.EncodeToString(make([]byte, 32)))}
	for i, text := range good {
		hash, _ := base64.StdEncoding.DecodeString(text)
		hash[i] ^= 1
		last := map[byte]byte{'A': 'B', 'E': 'F', 'I': 'J', 'M': 'N', 'Q': 'R', 'U': 'V', 'Y': 'Z', 'c': 'd', 'g': 'h', 'k': 'l', 'o': 'p', 's': 't', 'w': 'x', '0': '1', '4': '5', '8': '9'}[text[42]]
		for name, instead := range map[string]string{
			"changed": base64.StdEncoding.EncodeToString(hash), "short": base64.StdEncoding.EncodeToString(hash[:31]), "empty": "", "no base64": "!" + text[1:],
			"padding bits": text[:42] + string(last) + "=", "line break": text[:20] + "\n" + text[20:], // what Go's decoder would take
		} {
			bad := slices.Clone(good)
			bad[i] = instead
			all[fmt.Sprintf("%s %d", name, i)] = bad
		}
		all[fmt.Sprint("without ", i)] = slices.Delete(slices.Clone(good), i, i+1)
	}
	return all
}

// Sizes that no log has end at once: x/mod's arithmetic would go on for ever.
func TestProofSizes(t *testing.T) {
	huge := attest.Checkpoint{Origin: "assay/vectors", Size: math.MaxInt64}
	hash := []string{base64.StdEncoding.EncodeToString(make([]byte, 32))}
	entry := attest.Entry{Index: math.MaxInt64 - 1, Leaf: "x", Proof: hash}
	if err := entry.Check(huge); err == nil {
		t.Error("an entry is taken")
	}
	older := huge
	older.Size--
	if err := attest.CheckGrowth(older, huge, hash); err == nil {
		t.Error("growth is taken")
	}
	if err := attest.CheckGrowth(attest.Checkpoint{Origin: huge.Origin, Size: -1}, huge, nil); err == nil {
		t.Error("growth from nowhere is taken")
	}
	if err := attest.CheckGrowth(attest.Checkpoint{Origin: "assay/other"}, newReference(t).point(1), nil); err == nil {
		t.Error("growth of another log is taken")
	}
}
