package retain_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/baseline"
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

// What a baseline is compared by is not signed, and the log tells of it: a looser
// threshold, another name, an older version in force again, another person's
// approval are found, and nothing is where all went its way (B8).
func TestUnsignedBaselines(t *testing.T) {
	f := newFolder(t)
	s := must[*baseline.Store](t)(baseline.Open(f.dir, f.clock.now))
	first := must[baseline.Version](t)(s.Capture(t.Context(), shot(t, "home", 1)))
	must[baseline.Version](t)(s.Approve(t.Context(), first.ID, "Ada Lovelace", "right"))
	second := must[baseline.Version](t)(s.Propose(t.Context(), shot(t, "home", 2)))
	stale := must[baseline.Version](t)(s.Propose(t.Context(), shot(t, "home", 3)))
	other := must[baseline.Version](t)(s.Capture(t.Context(), shot(t, "cart", 4)))
	wider := shot(t, "home", 5)
	wider.Environment.Version = "143"
	wide := must[baseline.Version](t)(s.Propose(t.Context(), wider))
	must[baseline.Version](t)(s.Approve(t.Context(), wide.ID, "Ada Lovelace", "a newer browser"))
	refused := must[baseline.Version](t)(s.Propose(t.Context(), shot(t, "cart", 6)))
	must[baseline.Version](t)(s.Reject(t.Context(), refused.ID, "Ada Lovelace", "wrong"))
	must[baseline.Version](t)(s.Approve(t.Context(), second.ID, "Ada Lovelace", "the new look"))
	f.verified()
	change := func(id string, do func(*baseline.Version)) {
		t.Helper()
		v := must[baseline.Version](t)(s.Get(t.Context(), id))
		do(&v)
		record := must[[]byte](t)(json.Marshal(v))
		if err := s.Log.Update(t.Context(), func(tx *ledger.Tx) error { return tx.Put("baselines", id, record) }); err != nil {
			t.Fatal(err)
		}
	}
	for what, c := range map[string]struct {
		id string
		do func(*baseline.Version)
	}{
		"threshold":        {second.ID, func(v *baseline.Version) { all := 1.0; v.Options.Threshold = &all }},
		"mask":             {other.ID, func(v *baseline.Version) { v.Options.Mask = []string{"body"} }},
		"name":             {second.ID, func(v *baseline.Version) { v.Name = "cart" }},
		"environment":      {other.ID, func(v *baseline.Version) { v.Environment.Locale = "de-DE" }},
		"part":             {other.ID, func(v *baseline.Version) { v.Pictures[0].Part = "#footer" }},
		"who approved":     {second.ID, func(v *baseline.Version) { v.Decision.By = "Grace Hopper" }},
		"in force again":   {first.ID, func(v *baseline.Version) { v.Status = baseline.Approved }},
		"out of force":     {second.ID, func(v *baseline.Version) { v.Status = baseline.Superseded }},
		"never in force":   {other.ID, func(v *baseline.Version) { v.Status = baseline.Superseded }},
		"approved unasked": {stale.ID, func(v *baseline.Version) { v.Status = baseline.Approved }},
	} {
		was := must[baseline.Version](t)(s.Get(t.Context(), c.id))
		change(c.id, c.do)
		report := must[verify.Report](t)(verify.All(t.Context(), f.dir, verify.Options{}))
		if report.Verdict != verify.Failed || report.Findings[0].Code != "baseline-changed" {
			t.Errorf("%s: %s, %+v", what, report.Verdict, report.Findings)
		}
		change(c.id, func(v *baseline.Version) { *v = was })
	}
	f.verified()
}

// A folder of runs that leads to another data folder's is not pruned: that one's
// log would know nothing of it (B8).
func TestRunsElsewhere(t *testing.T) {
	f, other := newFolder(t), newFolder(t)
	f.finished(0)
	id := other.finished(0)
	f.today(400)
	if err := os.RemoveAll(filepath.Join(f.dir, "runs")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(other.dir, "runs"), filepath.Join(f.dir, "runs")); err != nil {
		t.Fatal(err)
	}
	if report, err := f.keeper().Prune(t.Context(), order()); err == nil || !other.there(id) {
		t.Errorf("%+v, %v; there: %t", report.Deleted, err, other.there(id))
	}
}
