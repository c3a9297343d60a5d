// Package look measures how far verdicts on pages can be trusted: it puts a
// corpus of generated pages, each right or wrong by construction, before the
// built binary, by MCP and by "assay check". It counts what a verdict can get
// wrong: false greens (passed, and should not have), false reds (failed, and
// should have passed) and inconclusive ones.
//
// The corpus is ways to be unseen, ways to be late, broken and fine pages,
// figures, addresses and pictures. It does not use how assay looks, and no
// page is taken from its tests. With -speed it measures instead what looking
// costs: single checks, and assay check of a page that stands still.
//
// It never fails because of a figure; docs/benchmarks.md lists what is missed.
package look

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// options holds the command line.
type options struct {
	assay, against  string
	class, only     string
	sample, workers int
	all             bool
	asJSON, list    bool
	speed, quiet    bool
	serve           string
	temporary       string
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("look", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.assay, "assay", "bin/assay", "the program")
	f.StringVar(&o.against, "against", "", "with -speed: another build of the program, measured in turn")
	f.StringVar(&o.class, "class", "", "only these classes, parted by commas: seen, odd, late, health, figures, addresses, pictures, tokens, order, absence, ink, time, brought, made, noticed, causes")
	f.StringVar(&o.only, "only", "", "only cells whose name has this text, such as opacity or check_kpis")
	f.IntVar(&o.sample, "n", 0, "only so many cells of a class, spread over it")
	f.IntVar(&o.workers, "workers", 2, "servers side by side")
	f.BoolVar(&o.all, "all", false, "every way to be unseen by every tool, instead of some by turns")
	f.BoolVar(&o.asJSON, "json", false, "print every cell as JSON instead of the table")
	f.BoolVar(&o.list, "list", false, "after the table, list what went wrong")
	f.BoolVar(&o.speed, "speed", false, "measure what looking costs instead")
	f.BoolVar(&o.quiet, "q", false, "print no progress")
	f.StringVar(&o.serve, "serve", "", "only serve the pages, at this address, to look at them")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.workers < 1 || o.sample < 0 {
		return o, errors.New("-workers must be at least 1, -n at least 0")
	}
	return o, nil
}

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	progress := stderr
	if o.quiet {
		progress = io.Discard
	}
	all := corpus(o.all)
	s, err := startSite(o.serve, all.pages)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if o.serve != "" {
		return serve(ctx, s, all.cells, stdout)
	}
	for _, program := range []*string{&o.assay, &o.against} {
		if *program == "" {
			continue
		}
		if *program, err = filepath.Abs(*program); err != nil {
			return err
		}
		if _, err := os.Stat(*program); err != nil {
			return fmt.Errorf("%w; run: make build", err)
		}
	}
	if o.temporary, err = os.MkdirTemp("", "assay-look-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.temporary)) }()
	if o.speed {
		return measureSpeed(ctx, o, s.url, stdout, progress)
	}
	cells := choose(all.cells, o)
	if len(cells) == 0 {
		return errors.New("no cell is left: see -class, -only and -n")
	}
	if err := judgeAll(ctx, o, s.url, cells, progress); err != nil {
		return err
	}
	if o.asJSON {
		e := json.NewEncoder(stdout)
		e.SetIndent("", "  ")
		return e.Encode(cells)
	}
	return writeTables(stdout, cells, o.list)
}

// serve prints the addresses of the pages and stays until it is interrupted.
func serve(ctx context.Context, s *site, cells []*cell, stdout io.Writer) error {
	seen := map[string]bool{}
	for _, c := range cells {
		if !seen[c.Page] {
			seen[c.Page] = true
			fmt.Fprintf(stdout, "%s%s\t%s\n", s.url, c.Page, c.About)
		}
	}
	<-ctx.Done()
	return nil
}
