// Package peer measures assay against npm's @playwright/mcp: one job, one
// machine, one browser executable, one Node, in one run.
//
// The job is a tester's: open the sign-in page of the sample dashboard, look,
// fill two fields, sign in, look, check that the heading is there, choose
// another range, look, read the console, take a picture. That is eleven calls on
// both sides, one after the other, each taking its elements from the last look,
// as a model would; steps.go has them, ours.go and theirs.go what they are called on
// either side. Both servers run with their defaults; theirs also gets --headless
// and --isolated (what ours does anyway), --caps=testing (for its check of the
// heading), the browser, and --no-sandbox where ours has none either.
//
// A round starts both servers afresh, one after the other, in alternating
// order: ready is from the start of the process to the answer to initialize, the
// job from there to its last answer, memory is read after it. Then both servers
// run side by side and each warm call is made on one and at once on the other, in
// alternating order. A ratio is the median of the pairs' ratios, so that what else
// the machine does falls on both. Bytes are those of the answers' lines, as they
// are on the wire; what a server sends besides isn't counted.
//
// Then both servers do eight jobs of a tester (job_list.go): a form, figures, a button that
// comes late with the console, two tabs with an upload and a dialog, a sign-in by a window that
// closes itself, card fields in a frame of another site, a drag, and a file that is dropped. Each side is
// called as a model calls it: it takes an outline where it needs elements that it has
// not seen, and ends with a check of the outcome. Our server offers page_drag, of the full set, in the jobs.
// A dead end is an answer that is an error: the call is made once more. Ours is then worked as a run and exported
// as a Playwright test, which assay test runs on the site, and on the site with its fault, where it must fail on the outcome.
//
// It never fails because of a figure: a wall time is no test. A missed bar is
// printed as such, and docs/benchmarks.md says why.
package peer

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/assay-qa/assay/internal/demo"
)

// options holds the command line.
type options struct {
	rounds, pairs int
	jobsOnly      bool
	showCalls     bool
	asJSON, quiet bool
	assay, peer   string
	browser       string // the configured one, empty to find one
	temporary     string // folder for everything that both sides write
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("peer", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&o.rounds, "n", 7, "rounds, each with a fresh process of both")
	f.IntVar(&o.pairs, "warm", 15, "pairs of each warm call")
	f.BoolVar(&o.jobsOnly, "jobs", false, "take the eight jobs alone")
	f.BoolVar(&o.showCalls, "calls", false, "print each answer of the jobs, and the exported tests, to stderr")
	f.BoolVar(&o.asJSON, "json", false, "print JSON instead of Markdown")
	f.BoolVar(&o.quiet, "q", false, "print no progress")
	f.StringVar(&o.assay, "assay", "bin/assay", "our program")
	f.StringVar(&o.peer, "peer", "bench/node_modules/@playwright/mcp/cli.js", "their program")
	f.StringVar(&o.browser, "browser", "", "browser executable for both (default: the one assay finds)")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.rounds < 1 || o.pairs < 1 {
		return o, fmt.Errorf("-n %d and -warm %d must be at least 1", o.rounds, o.pairs)
	}
	return o, nil
}

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.temporary, err = os.MkdirTemp("", "assay-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.temporary)) }()
	site, err := demo.Start(ctx, demo.Options{Clock: time.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	found, err := setUp(ctx, o)
	if err != nil {
		return err
	}
	progress := stderr
	if o.quiet {
		progress = io.Discard
	}
	m := measurement{setup: found, site: site.URL(), temporary: o.temporary, progress: progress, calls: io.Discard}
	if o.showCalls {
		m.calls = stderr
	}
	take := func() error { return m.take(ctx, o.rounds, o.pairs) }
	if o.jobsOnly {
		take = func() error { return m.takeJobs(ctx, o.rounds) }
	}
	if err := take(); err != nil {
		return err
	}
	result := result{About: found.about, Rounds: o.rounds, Pairs: o.pairs, Fresh: m.fresh(), Exports: m.exports}
	if o.jobsOnly {
		result.Figures = m.jobFigures()
	} else {
		result.Figures, result.Steps = m.figures(), m.steps()
	}
	if o.asJSON {
		e := json.NewEncoder(stdout)
		e.SetIndent("", "  ")
		return e.Encode(result)
	}
	return result.markdown(stdout)
}
