package evidence

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
)

// batch sets how many entries are written at once where a log is only filled.
const batch = 5000

// event returns one as runs append them.
func event(i int64) ledger.Event {
	digest := strings.Repeat("0123456789abcdef", 4)
	return ledger.Event{
		Actor: ledger.Actor{Kind: "agent", ID: fmt.Sprintf("20261122T030402.%03dZ-bench", i%1000)}, Action: "measured",
		Record: fmt.Sprintf("record-%d", i), Subject: []string{digest}, Previous: []string{digest}, Options: digest, Environment: digest,
	}
}

func appendOne(ctx context.Context, l *ledger.Ledger) func() error {
	return func() error {
		return l.Update(ctx, func(tx *ledger.Tx) error {
			_, err := tx.Append(event(tx.Size()))
			return err
		})
	}
}

// log compares a log that is empty with one of a million entries.
func (b bench) log(ctx context.Context) error {
	empty := ledger.Open(filepath.Join(b.dir, "empty"), time.Now, ledger.Options{})
	dir := filepath.Join(b.dir, "long")
	long := ledger.Open(dir, time.Now, ledger.Options{Wait: time.Minute})
	started := time.Now()
	for size := int64(0); size < b.entries; size += batch {
		if err := long.Update(ctx, func(tx *ledger.Tx) error {
			for i := range min(batch, b.entries-size) {
				if _, err := tx.Append(event(size + i)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	b.row("", "%.0f s", time.Since(started).Seconds(), "%d entries appended, %d at a time", b.entries, batch)
	var took [2][]float64
	var ratios []float64
	for range 20 * b.rounds { // in turn, as other work on the machine slows both
		var ms [2]float64
		for side, l := range []*ledger.Ledger{empty, long} {
			began := time.Now()
			if err := appendOne(ctx, l)(); err != nil {
				return err
			}
			ms[side] = measure.MS(time.Since(began))
			took[side] = append(took[side], ms[side])
		}
		ratios = append(ratios, ms[1]/ms[0])
	}
	b.row("≤ 2 ms", "%.2f ms", measure.Median(took[0]), "an entry appended and synced, to a log of some hundred")
	b.row("≤ 2 ms", "%.2f ms", measure.Median(took[1]), "the same to the long log, in turn")
	b.row("≈ 1×", "%.2f×", measure.Median(ratios), "their ratio")
	return b.longLog(ctx, dir)
}

// longLog measures reading a long log.
func (b bench) longLog(ctx context.Context, dir string) error {
	opened, err := median(b.rounds, func() error {
		return ledger.Open(dir, time.Now, ledger.Options{}).View(ctx, func(tx *ledger.Tx) error {
			if tx.Size() < b.entries {
				return fmt.Errorf("it has %d entries", tx.Size())
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	b.row("≤ 50 ms", "%.1f ms", opened, "opening it, checked")
	at := int64(0)
	proved, err := median(b.rounds, func() error {
		at = (at*31 + 7919) % b.entries
		return ledger.Open(dir, time.Now, ledger.Options{}).View(ctx, func(tx *ledger.Tx) error {
			_, err := tx.Entry(at, tx.Size())
			return err
		})
	})
	if err != nil {
		return err
	}
	b.row("", "%.1f ms", proved, "opening it and proving an entry")
	started := time.Now()
	found, err := verify.All(ctx, dir, verify.Options{})
	if err != nil || found.Verdict != verify.Verified || found.Entries < b.entries {
		return fmt.Errorf("verify: %s, %d entries, %v, %w", found.Verdict, found.Entries, found.Findings, err)
	}
	b.row("", "%.1f s", time.Since(started).Seconds(), "verifying all of it, once")
	info, err := os.Stat(filepath.Join(dir, "assay.db"))
	if err != nil {
		return err
	}
	b.row("", "%.0f KB", float64(info.Size())/1e3, "its database")
	whole, err := size(dir)
	if err != nil {
		return err
	}
	b.row("", "%.0f MB", float64(whole)/1e6, "all its files")
	return nil
}
