package verify_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/evidence/verify"
)

// A run that nobody touched is verified, and the report tells what was looked
// at and who signed it (B8).
func TestVerified(t *testing.T) {
	f := newFolder(t)
	f.make(recipe{})
	id := f.make(recipe{events: 3, pictures: 2})
	f.make(recipe{})
	got := f.run(id, verify.Options{})
	if got.Verdict != verify.Verified || len(got.Findings) > 0 || got.Status != "passed" || got.Runs != 1 || got.Files != 5 || got.Entries != 2 || got.Bytes == 0 {
		t.Errorf("%+v", got)
	}
	if want := []verify.Key{{Verifier: f.verifier()}}; !cmp.Equal(got.Keys, want) {
		t.Errorf("keys %v, want one that is not pinned", got.Keys)
	}
	got = f.run(id, verify.Options{Trusted: []string{f.verifier()}})
	if want := []verify.Key{{Verifier: f.verifier(), Pinned: true}}; got.Verdict != verify.Verified || !cmp.Equal(got.Keys, want) {
		t.Errorf("pinned: %+v", got)
	}
}
