// Package sanity measures the sanity run of the sample dashboard as a CI job
// makes it: one task by "assay serve --agent", with and without its trace, five
// of them side by side, and what making the reports costs. Like all benchmarks
// it fails for no figure, but it does for a run that does not pass.
package sanity

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/qa"
)

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	f := flag.NewFlagSet("sanity", flag.ContinueOnError)
	f.SetOutput(stderr)
	rounds := f.Int("n", 5, "rounds")
	program := f.String("assay", "bin/assay", "the program")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *rounds < 1 {
		return fmt.Errorf("-n %d must be at least 1", *rounds)
	}
	b := bench{stderr: stderr}
	if b.assay, err = filepath.Abs(*program); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "assay-sanity-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	site, err := demo.Start(ctx, demo.Options{Clock: time.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	if err := b.prepare(site.URL()); err != nil {
		return err
	}
	return b.measure(ctx, *rounds, stdout)
}

// sideBySide sets how many runs the contract has side by side.
const sideBySide = 5

// bench runs the program on the demo's task.
type bench struct {
	assay, dir string
	one, five  string // folders of tasks
	stderr     io.Writer
}

// prepare writes the task once, and as often as it runs side by side.
func (b *bench) prepare(url string) error {
	b.one, b.five = filepath.Join(b.dir, "one"), filepath.Join(b.dir, "five")
	var errs []error
	put := func(folder, name string, data []byte) {
		errs = append(errs, os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, name), data, 0o600))
	}
	for name, data := range demo.Tasks(url) {
		if name != "sanity.task.toml" {
			put(b.dir, name, data)
			continue
		}
		put(b.one, name, data)
		for i := range sideBySide {
			put(b.five, fmt.Sprintf("sanity-%d.task.toml", i+1), data)
		}
	}
	return errors.Join(errs...)
}

// suite runs the tasks of a folder, and returns how long that took from start to
// exit, with the result.
func (b *bench) suite(ctx context.Context, folder string, flags ...string) (time.Duration, qa.TestResult, error) {
	var answer bytes.Buffer
	c := exec.CommandContext(ctx, b.assay, append([]string{"serve", "--agent", "--json", "--config", filepath.Join(b.dir, "mcp.toml"), "--data-dir", filepath.Join(b.dir, "data"), folder}, flags...)...)
	c.Stdout, c.Stderr = &answer, b.stderr
	started := time.Now()
	runErr := c.Run()
	took := time.Since(started)
	var result qa.TestResult
	if err := json.Unmarshal(answer.Bytes(), &result); err != nil {
		return took, result, errors.Join(runErr, err)
	}
	if result.Status != qa.TestPassed {
		return took, result, fmt.Errorf("the suite has %s: %s", result.Status, answer.String())
	}
	return took, result, nil
}

// measure prints one line a figure, with its bar. What is compared alternates.
func (b *bench) measure(ctx context.Context, rounds int, stdout io.Writer) error {
	if _, _, err := b.suite(ctx, b.one); err != nil { // signs in once
		return err
	}
	var alone, bare, five, views []float64
	checks := 0
	for i := range rounds {
		fmt.Fprintf(b.stderr, "round %d of %d\n", i+1, rounds)
		for _, m := range []struct {
			folder string
			flags  []string
			into   *[]float64
		}{{b.one, nil, &alone}, {b.one, []string{"--browser-trace=false"}, &bare}, {b.five, nil, &five}} {
			took, result, err := b.suite(ctx, m.folder, m.flags...)
			if err != nil {
				return err
			}
			*m.into = append(*m.into, measure.MS(took))
			if m.into == &alone {
				cost, n, err := reportCost(result)
				if err != nil {
					return err
				}
				views, checks = append(views, measure.MS(cost)), n
			}
		}
	}
	one, without, many, documents := measure.Median(alone), measure.Median(bare), measure.Median(five), measure.Median(views)
	fmt.Fprintln(stdout, "| figure | value | bar |\n|---|--:|--:|")
	fmt.Fprintf(stdout, "| sanity run of %d checks, from start to exit | %.1f s | ≤ 10 s |\n", checks, one/1000)
	fmt.Fprintf(stdout, "| %d of them side by side, against one | %.2f× (%.1f s) | ≤ 2.5× |\n", sideBySide, many/one, many/1000)
	fmt.Fprintf(stdout, "| trace and reports, against the run without | +%.0f %% (trace %.0f ms, reports %.0f ms of %.0f ms) | ≤ 30 %% |\n",
		100*(one-without+documents)/(without-documents), one-without, documents, one)
	return nil
}

// reportCost makes the documents of a run's report again, and returns how long
// that took and how many checks it has.
func reportCost(result qa.TestResult) (time.Duration, int, error) {
	doc, err := os.ReadFile(filepath.Join(filepath.Dir(result.TestCases[0].Report), "report.json"))
	if err != nil {
		return 0, 0, err
	}
	var r qa.QAReport
	if err := json.Unmarshal(doc, &r); err != nil {
		return 0, 0, err
	}
	started := time.Now()
	_, err = report.JSON(r)
	_, viewErr := report.Views(r)
	return time.Since(started), len(r.Checks), errors.Join(err, viewErr)
}
