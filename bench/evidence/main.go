// Package evidence measures what evidence costs: an entry of the log, a log of a
// million entries, verifying a big run, and the share that filing a flow's run
// has in the time that the flow takes. Like all benchmarks it fails for no
// figure, but it does where something that was measured is not in order.
package evidence

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/bench/measure"
)

// bench holds what all measurements share.
type bench struct {
	assay, dir string
	rounds     int
	entries    int64 // of the long log
	stdout     io.Writer
}

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	b := bench{stdout: stdout}
	f := flag.NewFlagSet("evidence", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&b.rounds, "n", 15, "`rounds` of each measurement, at least 10; medians are shown")
	f.Int64Var(&b.entries, "entries", 1_000_000, "`length` of the long log, at least 1: a million take minutes and half a gigabyte of the temp folder")
	program := f.String("assay", "bin/assay", "the `program` that verifies, as make build makes it")
	f.Usage = func() {
		fmt.Fprintln(stderr, `What evidence costs, as a table: an entry of the log, a long log, filing and verifying a run of
500 events and 50 pictures, and the share of a flow's time (a browser is needed for that).`)
		f.PrintDefaults()
	}
	err = f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if b.rounds < 10 || b.entries < 1 {
		return fmt.Errorf("-n %d and -entries %d must be at least 10 and 1", b.rounds, b.entries)
	}
	if b.assay, err = filepath.Abs(*program); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "assay-evidence-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	fmt.Fprintln(stdout, "| figure | value | bar |\n|---|--:|--:|")
	for _, part := range []struct {
		name    string
		measure func(context.Context) error
	}{{"a synced write", b.disk}, {"the log", b.log}, {"a big run", b.bigRun}, {"a flow", b.flow}} {
		fmt.Fprintln(stderr, part.name)
		if err := part.measure(ctx); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

// row prints a figure.
func (b bench) row(bar, format string, value any, name string, args ...any) {
	fmt.Fprintf(b.stdout, "| %s | "+format+" | %s |\n", fmt.Sprintf(name, args...), value, bar)
}

// median returns how many milliseconds a job takes; the first time it gets warm.
func median(rounds int, job func() error) (float64, error) {
	var took []float64
	for i := range rounds + 1 {
		started := time.Now()
		if err := job(); err != nil {
			return 0, err
		}
		if i > 0 {
			took = append(took, measure.MS(time.Since(started)))
		}
	}
	return measure.Median(took), nil
}

// disk measures what this disk takes to store a page of 4 KB for good: what other
// figures are made of.
func (b bench) disk(context.Context) error {
	file, err := os.Create(filepath.Join(b.dir, "page"))
	if err != nil {
		return err
	}
	defer file.Close()
	page := make([]byte, 4<<10)
	ms, err := median(10*b.rounds, func() error {
		if _, err := file.WriteAt(page, 0); err != nil {
			return err
		}
		return file.Sync()
	})
	if err == nil {
		b.row("", "%.2f ms", ms, "a write of 4 KB with fsync, on this disk")
	}
	return err
}
