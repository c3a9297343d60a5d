package ledger_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
)

// filled makes a log of so many events, thousands in an update.
func filled(b *testing.B, count int) *ledger.Ledger {
	b.Helper()
	dir := b.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{Wait: time.Minute})
	for left := count; left > 0; left -= 1 << 16 {
		many(b, l, min(left, 1<<16))
	}
	if info, err := os.Stat(filepath.Join(dir, "assay.db")); err == nil {
		b.Logf("%d events: assay.db has %d bytes", count, info.Size())
	}
	return l
}

// timed repeats f and reports the median of its times, in milliseconds.
func timed(b *testing.B, f func()) {
	b.Helper()
	var each []time.Duration
	for b.Loop() {
		begun := time.Now()
		f()
		each = append(each, time.Since(begun))
	}
	slices.Sort(each)
	b.ReportMetric(float64(each[len(each)/2])/float64(time.Millisecond), "median-ms")
}

// BenchmarkLog measures logs of several lengths: a look, an event with its proof,
// and another event, synced.
func BenchmarkLog(b *testing.B) {
	for _, count := range []int{0, 1e3, 1e5, 1e6} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			l := filled(b, count)
			b.Run("open", func(b *testing.B) {
				timed(b, func() { view(b, l, func(*ledger.Tx) error { return nil }) })
			})
			b.Run("append", func(b *testing.B) {
				timed(b, func() { many(b, l, 1) })
			})
			b.Run("prove", func(b *testing.B) {
				n := int64(0)
				timed(b, func() {
					view(b, l, func(tx *ledger.Tx) error {
						n = (n*31 + 7919) % tx.Size()
						_, err := tx.Entry(n, tx.Size())
						return err
					})
				})
			})
		})
	}
}
