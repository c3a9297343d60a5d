package verify_test

import (
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
)

// unsigned changes records of the database, as somebody can who has no key.
func (f *folder) unsigned(change func(*ledger.Tx) error) {
	f.t.Helper()
	if err := ledger.Open(f.dir, time.Now, ledger.Options{}).Update(f.t.Context(), change); err != nil {
		f.t.Fatal(err)
	}
}

// B8: a log that somebody replaced by an empty one is no log that agrees.
func TestEmptied(t *testing.T) {
	f := newFolder(t)
	id := f.make(recipe{})
	f.remove("assay.db")
	note := f.read("log/checkpoint")
	f.remove("log/checkpoint")
	f.unsigned(func(tx *ledger.Tx) error { return tx.Put("holds", id, []byte("{}")) })
	f.wants(id, verify.Options{}, told{"log-rolled-back", "report.json", 0}, told{"log-rolled-back", "evidence.json", 0})
	if r := f.all(verify.Options{}); r.Verdict != verify.Failed {
		t.Errorf("all: %+v", r)
	}
	f.write("log/checkpoint", note)
	f.wants(id, verify.Options{}, told{"log-rolled-back", "log/checkpoint", 0}, told{"log-rolled-back", "report.json", 0}, told{"log-rolled-back", "evidence.json", 0})
}
