// Package visual measures the comparison of pictures: ours, in process, against
// odiff, a process for each comparison as its users run it, on the same
// screenshots of Chromium in alternating order; what a comparison allocates; and
// what a picture of an unchanged page at rest costs, compared, against a bare
// screenshot. Like all benchmarks it fails for no figure, but it does where the
// two disagree about whether pictures differ.
package visual

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/visual"
)

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	f := flag.NewFlagSet("visual", flag.ContinueOnError)
	f.SetOutput(stderr)
	rounds := f.Int("n", 15, "rounds, at least 10")
	peer := f.String("odiff", "bench/node_modules/@odiff/linux-x64/odiff", "their program")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *rounds < 10 {
		return fmt.Errorf("-n %d must be at least 10", *rounds)
	}
	dir, err := os.MkdirTemp("", "assay-visual-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b, err := open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	pairs, err := b.pairs(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "| decode and compare | ours | odiff | ratio | allocated, of the raw picture |\n|---|--:|--:|--:|--:|")
	for _, p := range pairs {
		fmt.Fprintln(stderr, p.name)
		if err := p.measure(ctx, *peer, *rounds, stdout); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	fmt.Fprintln(stdout, "\n| figure | value | bar |\n|---|--:|--:|")
	if err := equalBytes(pairs, *rounds, stdout); err != nil {
		return err
	}
	return b.still(ctx, *rounds, stdout)
}

// pair names two pictures of one size, as files.
type pair struct {
	name          string
	before, after string
	differ        bool
}

func (p pair) compare() (visual.Diff, error) {
	before, err := os.ReadFile(p.before)
	if err != nil {
		return visual.Diff{}, err
	}
	after, err := os.ReadFile(p.after)
	if err != nil {
		return visual.Diff{}, err
	}
	return visual.Compare(before, after, visual.Options{Limit: maxPixels})
}

// measure prints one line: ours and theirs take turns, and turns at being first.
func (p pair) measure(ctx context.Context, peer string, rounds int, stdout io.Writer) error {
	t, err := turns(rounds, func() error {
		d, err := p.compare()
		return p.judged("assay", d.Changed > 0, err)
	}, func() error {
		differ, err := odiff(ctx, peer, p)
		return p.judged("odiff", differ, err)
	})
	if err != nil {
		return err
	}
	allocated, err := p.allocated()
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "| %s | %.1f ms | %.1f ms | %.2f× | %.2f× |\n", p.name, t.ours, t.theirs, t.ratio, allocated)
	return nil
}

// judged holds an answer against what is known of the pair.
func (p pair) judged(who string, differ bool, err error) error {
	if err == nil && differ != p.differ {
		err = fmt.Errorf("%s says that the pictures differ: %t", who, differ)
	}
	return err
}

// times holds medians, in milliseconds, and that of the ratios of pairs.
type times struct{ ours, theirs, ratio float64 }

// turns has two sides do the same job in turn, and take turns at being first,
// once more than rounds: the first time they get warm.
func turns(rounds int, ours, theirs func() error) (times, error) {
	sides := [2]func() error{ours, theirs}
	var took [2][]float64
	var ratios []float64
	for i := range rounds + 1 {
		var ms [2]float64
		for turn := range sides {
			side := (i + turn) % 2
			started := time.Now()
			if err := sides[side](); err != nil {
				return times{}, err
			}
			ms[side] = measure.MS(time.Since(started))
		}
		if i > 0 {
			took[0], took[1], ratios = append(took[0], ms[0]), append(took[1], ms[1]), append(ratios, ms[0]/ms[1])
		}
	}
	return times{measure.Median(took[0]), measure.Median(took[1]), measure.Median(ratios)}, nil
}

// allocated returns what one comparison allocates in all, relative to the raw
// size of one picture: four bytes a pixel.
func (p pair) allocated() (float64, error) {
	var was, is runtime.MemStats
	runtime.ReadMemStats(&was)
	d, err := p.compare()
	runtime.ReadMemStats(&is)
	files := int64(0)
	for _, name := range []string{p.before, p.after} {
		info, statErr := os.Stat(name)
		if err = errors.Join(err, statErr); err == nil {
			files += info.Size()
		}
	}
	if err != nil {
		return 0, err
	}
	return float64(int64(is.TotalAlloc-was.TotalAlloc)-files) / float64(4*d.Width*d.Height), nil
}

// equalBytes measures pairs whose files are equal.
func equalBytes(pairs []pair, rounds int, stdout io.Writer) error {
	for _, p := range pairs {
		if p.differ { // one pair of each size will do
			continue
		}
		before, err := os.ReadFile(p.before)
		if err != nil {
			return err
		}
		again := append([]byte(nil), before...)
		var took []float64
		var d visual.Diff
		for range rounds {
			started := time.Now()
			d, err = visual.Compare(before, again, visual.Options{Limit: maxPixels})
			took = append(took, float64(time.Since(started).Nanoseconds())/1e6)
			if err != nil || d.Raw > 0 {
				return fmt.Errorf("equal files of %s: %d pixels differ, %w", filepath.Base(p.before), d.Raw, err)
			}
		}
		fmt.Fprintf(stdout, "| equal files, %d×%d | %.3f ms | ≤ 1 ms |\n", d.Width, d.Height, measure.Median(took))
	}
	return nil
}
