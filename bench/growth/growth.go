// Package growth measures how costs grow: of a click and of a snapshot with the
// elements of a page, beside Playwright's own; of a call with the calls of its run;
// of a flow with the flows of its suite; of a run with the runs of its store.
//
// The pages are made here. A click by a snapshot line and Playwright's getByRole
// click press the same buttons of the same page in two browsers of the same kind,
// in alternating order. Like all benchmarks it fails for no figure.
package growth

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/bench/wire"
	"github.com/assay-qa/assay/browser/driver"
)

// bench holds what all curves are measured with.
type bench struct {
	assay, temporary string
	site             string
	found            driver.Installation
	stdout, stderr   io.Writer
}

// Run measures the curves that the arguments name and prints a table of each.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	f := flag.NewFlagSet("growth", flag.ContinueOnError)
	f.SetOutput(stderr)
	pairs := f.Int("n", 7, "pairs of clicks and of snapshots for each size of page")
	sizes := f.String("elements", "1000,10000,40000", "elements of the pages")
	calls := f.Int("calls", 300, "calls of the run")
	flows := f.String("flows", "1,5,20", "flows of the suites")
	runs := f.Int("runs", 200, "runs of the store")
	only := f.String("only", "elements,calls,flows,runs", "the curves")
	program := f.String("assay", "bin/assay", "our program")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *pairs < 1 || *calls < parts || *runs < parts {
		return fmt.Errorf("-n %d must be at least 1, -calls %d and -runs %d at least %d", *pairs, *calls, *runs, parts)
	}
	elements, err := numbers(*sizes)
	if err != nil {
		return fmt.Errorf("-elements: %w", err)
	}
	suites, err := numbers(*flows)
	if err != nil {
		return fmt.Errorf("-flows: %w", err)
	}
	b := bench{stdout: stdout, stderr: stderr}
	if b.temporary, err = os.MkdirTemp("", "assay-growth-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.temporary)) }()
	if err := b.find(ctx, *program); err != nil {
		return err
	}
	site := httptest.NewServer(pages())
	defer site.Close()
	b.site = site.URL
	for curve := range strings.SplitSeq(*only, ",") {
		switch curve {
		case "elements":
			err = b.elements(ctx, elements, *pairs)
		case "calls":
			err = b.calls(ctx, *calls)
		case "flows":
			err = b.flows(ctx, suites)
		case "runs":
			err = b.runs(ctx, *runs)
		default:
			err = fmt.Errorf("-only: no curve is called %q", curve)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func numbers(list string) (out []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no number of at least 1", text)
		}
		out = append(out, n)
	}
	return out, nil
}

// find locates our program, and the browser and the Node that it would take.
func (b *bench) find(ctx context.Context, program string) error {
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	if b.found, err = driver.Locate(ctx, driver.Options{CacheDir: filepath.Join(cache, "assay"), HomeDir: home, Getenv: os.Getenv}); err != nil {
		return fmt.Errorf("find driver and browser: %w; run: make install", err)
	}
	if b.assay, err = filepath.Abs(program); err != nil {
		return err
	}
	if _, err := os.Stat(b.assay); err != nil {
		return fmt.Errorf("%w; run: make build", err)
	}
	return nil
}

// serve starts our server with a data folder of its own.
func (b *bench) serve(ctx context.Context, name string) (*wire.Process, error) {
	dir := filepath.Join(b.temporary, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	p, err := wire.Program{Name: "assay", Dir: dir, Argv: []string{b.assay, "serve", "--data-dir", filepath.Join(dir, "data"),
		"--browser-executable-path", b.found.Browser.Path}}.Start(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := p.Within(p.Client.Initialize); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

// call makes one call, which must succeed.
func call(p *wire.Process, tool string, arguments map[string]any) (time.Duration, error) {
	a, err := p.Within(func() (wire.Answer, error) { return p.Client.Tool(wire.Call{Name: tool, Arguments: arguments}) })
	if err == nil && a.Failed {
		err = fmt.Errorf("%s: %.500s", tool, a.Text)
	}
	return a.Took, err
}

// parts sets how many parts a curve over calls or runs is shown in.
const parts = 4

// curve prints the medians of equal parts of a series, each against the first.
func (b *bench) curve(title, unit string, took []float64) {
	fmt.Fprintf(b.stdout, "\n%s\n\n| %s | median | against the first |\n|---|--:|--:|\n", title, unit)
	first := measure.Median(took[:len(took)/parts])
	for i := range parts {
		from, to := i*len(took)/parts, (i+1)*len(took)/parts
		m := measure.Median(took[from:to])
		fmt.Fprintf(b.stdout, "| %d to %d | %.1f ms | %.2f× |\n", from+1, to, m, m/first)
	}
}
