package ledger_test

import (
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

// Every entry is proved by the newest checkpoint, and every older checkpoint is
// the beginning of every newer one.
func TestProofs(t *testing.T) {
	l := ledger.Open(t.TempDir(), time.Now, ledger.Options{})
	var points []attest.Checkpoint
	for i := range 20 {
		if err := l.Update(t.Context(), func(tx *ledger.Tx) error { return add(tx, string(rune('a'+i))) }); err != nil {
			t.Fatal(err)
		}
		if err := l.View(t.Context(), func(tx *ledger.Tx) error {
			trust, err := l.Trust()
			if err != nil {
				return err
			}
			point, _, err := trust.OpenCheckpoint(tx.Checkpoint())
			if err != nil {
				return err
			}
			points = append(points, point)
			for at := range point.Size {
				entry, err := tx.Entry(at, point.Size)
				if err != nil {
					return err
				}
				if err := entry.Check(point); err != nil {
					t.Error(err)
				}
			}
			for _, older := range points {
				proof, err := tx.Growth(older.Size, point.Size)
				if err != nil {
					return err
				}
				if err := attest.CheckGrowth(older, point, proof); err != nil {
					t.Error(err)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}
