// Package truth measures what a passed expectation is worth.
//
// Part "sentences" has the reader of expectations (qa/claim) read 300 that are
// worded as people word them, and holds each reading against its meaning, which
// is written beside it: understood, misread or unread, by language and split.
//
// Part "cells" has pages on which a sentence is so and pages on which it is not
// (another state, another count, a part of another word, a hidden text, a text
// in an attribute), and has each judged in several ways: by a task file with the
// rules, by a client that makes the check a tester would make, by one that makes
// checks to please, by scripted models that do the same over every wire, and by
// what was recorded of them. It counts false greens and false reds.
//
// Part "figures" has pages whose own Intl writes compact figures in a hundred
// languages, right ones and wrong ones, and counts what check_kpis says of each.
//
// It does not use how assay judges, and no page or sentence is taken from its
// tests. It never fails because of a figure.
package truth

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
	assay, part     string
	split           string
	public          string
	way, class      string
	only            string
	sample, workers int
	all             bool
	asJSON, list    bool
	quiet           bool
	serve           string
	temporary       string
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("truth", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.assay, "assay", "bin/assay", "the program")
	f.StringVar(&o.part, "part", "sentences", "sentences, cells or figures")
	f.StringVar(&o.split, "split", "", "with sentences: only dev or held-out")
	f.StringVar(&o.public, "public", "", "with sentences: a file of JSON lines {sentence, sha}, the public ones of public_sentences.tsv, to count those that are read")
	f.StringVar(&o.way, "way", "", "with cells: only these ways, parted by commas: rules, mcp, pleasing, wires, replay")
	f.StringVar(&o.class, "class", "", "with cells: only these classes, parted by commas")
	f.StringVar(&o.only, "only", "", "with cells: only those whose name has this text")
	f.IntVar(&o.sample, "n", 0, "with cells: only so many of a way, spread over it; with figures: of about so many languages")
	f.IntVar(&o.workers, "workers", 2, "servers side by side")
	f.BoolVar(&o.all, "all", false, "with cells: every check to please for every fact, instead of some by turns")
	f.BoolVar(&o.asJSON, "json", false, "print everything as JSON instead of the table")
	f.BoolVar(&o.list, "list", false, "after the table, list what is not right; of sentences those of split dev alone")
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
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	progress := stderr
	if o.quiet {
		progress = io.Discard
	}
	switch o.part {
	case "sentences":
		return sentences(o, stdout)
	case "cells":
		return cells(ctx, o, stdout, progress)
	case "figures":
		return figures(ctx, o, stdout, progress)
	default:
		return fmt.Errorf("-part is %q: use sentences, cells or figures", o.part)
	}
}

// cells judges the cells that the command line asks for.
func cells(ctx context.Context, o options, stdout, progress io.Writer) (err error) {
	all, pages := corpus(o.all)
	s, err := startSite(o.serve, pages)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if o.serve != "" {
		return serve(ctx, s, all, stdout)
	}
	if o.assay, err = filepath.Abs(o.assay); err != nil {
		return err
	}
	if _, err := os.Stat(o.assay); err != nil {
		return fmt.Errorf("%w; run: make build", err)
	}
	if o.temporary, err = os.MkdirTemp("", "assay-truth-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.temporary)) }()
	chosen := choose(all, o)
	fmt.Fprintf(progress, "%d of %d cells\n", len(chosen), len(all))
	if len(chosen) == 0 {
		return errors.New("no cell is left: see -way, -class, -only and -n")
	}
	if s.terms, err = termsOf(ctx, o); err != nil {
		return err
	}
	judged := judgeAll(ctx, o, s, chosen, progress)
	if o.asJSON {
		return errors.Join(judged, writeJSON(stdout, chosen))
	}
	return errors.Join(judged, writeTables(stdout, chosen, o.list))
}

// serve prints the addresses of the pages and stays until it is interrupted.
func serve(ctx context.Context, s *site, all []*cell, stdout io.Writer) error {
	seen := map[string]bool{}
	for _, c := range all {
		if !seen[c.Page] {
			seen[c.Page] = true
			fmt.Fprintf(stdout, "%s%s\t%s\t%s\n", s.url, c.Page, c.Truth, c.About)
		}
	}
	<-ctx.Done()
	return nil
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
