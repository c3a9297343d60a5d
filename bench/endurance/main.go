// Package endurance measures what only time and numbers show, on the built
// program over the wire: flows side by side, the server's memory over a soak of
// flows, and screenshots by the thousand. It works on the sample dashboard and
// reports figures with their bars; like all benchmarks it fails for none of them,
// but it does for a flow that does not pass.
package endurance

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/bench/wire"
	"github.com/assay-qa/assay/internal/demo"
)

// options holds the command line.
type options struct {
	rounds, soak, shots int
	assay               string
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("endurance", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&o.rounds, "n", 7, "rounds of flows side by side")
	f.IntVar(&o.soak, "soak", 1000, "flows of the soak, at least 200")
	f.IntVar(&o.shots, "shots", 10_000, "screenshots")
	f.StringVar(&o.assay, "assay", "bin/assay", "the program")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.rounds < 1 || o.soak < 200 || o.shots < 1 {
		return o, fmt.Errorf("-n %d, -soak %d and -shots %d must be at least 1, 200 and 1", o.rounds, o.soak, o.shots)
	}
	return o, nil
}

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	assay, err := filepath.Abs(o.assay)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "assay-endurance-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	site, err := demo.Start(ctx, demo.Options{Clock: time.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	program := wire.Program{Name: "assay", Dir: dir, Argv: []string{assay, "serve", "--data-dir", filepath.Join(dir, "data")}}
	fmt.Fprintln(stdout, "| figure | value | bar |\n|---|--:|--:|")
	m := measurement{program: program, site: site.URL(), stdout: stdout, stderr: stderr}
	return errors.Join(
		m.with(ctx, func(p *wire.Process) error { return m.sideBySide(p, o.rounds) }),
		m.with(ctx, func(p *wire.Process) error { return m.soak(p, o.soak) }),
		m.with(ctx, func(p *wire.Process) error { return m.screenshots(p, o.shots) }))
}
