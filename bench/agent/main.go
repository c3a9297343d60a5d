// Package agent measures what it costs to have a model's turns between the tools
// and the verdict. The model is the scripted provider, which answers at once:
//
//   - one conversation of 20 calls through each wire: what the run took beyond
//     its tools;
//   - 20 specs, five at a time and one after the other: whether the cores wait;
//   - a recorded spec replayed, against its recording run as a plain flow.
//
// Like all benchmarks it fails for no figure, but it does for a run that does not
// pass, a request that breaks its wire's protocol, and a replay that asks a model.
package agent

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/internal/demo"
)

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	f := flag.NewFlagSet("agent", flag.ContinueOnError)
	f.SetOutput(stderr)
	rounds := f.Int("n", 5, "rounds of the conversations and of the replays")
	suites := f.Int("suites", 3, "rounds of the specs side by side")
	program := f.String("assay", "bin/assay", "the program")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *rounds < 1 || *suites < 1 {
		return fmt.Errorf("-n %d and -suites %d must be at least 1", *rounds, *suites)
	}
	b := bench{stderr: stderr}
	if b.assay, err = filepath.Abs(*program); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "assay-agent-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	began := time.Now() // stands still: a recording names the row of an order by its text, which has the time
	site, err := demo.Start(ctx, demo.Options{Clock: func() time.Time { return began }})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	b.site = site.URL()
	if err := b.prepare(); err != nil {
		return err
	}
	fmt.Fprintln(stdout, "| figure | value | bar |\n|---|--:|--:|")
	return errors.Join(b.overhead(ctx, *rounds, stdout), b.sideBySide(ctx, *suites, stdout), b.replay(ctx, *rounds, stdout))
}
