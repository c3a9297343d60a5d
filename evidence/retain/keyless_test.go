package retain_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/retain"
	"github.com/assay-qa/assay/evidence/verify"
)

// Records of the database are signed by nobody, so they delete nothing that the
// log does not let go: no run whose hold was taken out, and no young one that
// somebody has put among the deletions (B8).
func TestUnsignedRecords(t *testing.T) {
	f := newFolder(t)
	held, old, young := f.finished(0), f.finished(1), f.finished(399)
	f.today(400)
	must[retain.Hold](t)(f.keeper().Hold(t.Context(), held, "Grace Hopper", "case 7"))
	f.verified()
	err := ledger.Open(f.dir, f.clock.now, ledger.Options{}).Update(t.Context(), func(tx *ledger.Tx) error {
		tx.Delete("holds", held)
		return tx.Put("deletions", "run/"+young, []byte(`{"entry":0}`))
	})
	if err != nil {
		t.Fatal(err)
	}
	done := must[retain.Report](t)(f.keeper().Prune(t.Context(), order()))
	if !f.there(held) || !f.there(young) || f.there(old) {
		t.Errorf("there: held %t, young %t, old %t", f.there(held), f.there(young), f.there(old))
	}
	if got := why(done.Kept)[held]; !strings.Contains(got, `held by "Grace Hopper"`) || len(done.Problems) != 2 {
		t.Errorf("%q, %q", got, done.Problems)
	}
	report := must[verify.Report](t)(verify.All(t.Context(), f.dir, verify.Options{}))
	if report.Verdict != verify.Failed || report.Findings[0].Code != "hold-changed" || report.Findings[0].Run != held {
		t.Errorf("verify: %+v", report)
	}
	must[retain.Hold](t)(f.keeper().Hold(t.Context(), held, "Grace Hopper", "case 7"))
	must[retain.Hold](t)(f.keeper().Release(t.Context(), held, "Grace Hopper", "closed"))
	if done := must[retain.Report](t)(f.keeper().Prune(t.Context(), order())); f.there(held) {
		t.Errorf("it was released, and stays: %+v", done.Kept)
	}
}
