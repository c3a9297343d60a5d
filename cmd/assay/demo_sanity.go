package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/demo"
	"github.com/assay-qa/assay/qa"
)

func (a *app) demoSanityCommand() *cobra.Command {
	parallel := 2
	c := &cobra.Command{
		Use:   "sanity [VARIANT...]",
		Short: "Run the sanity task on healthy and faulty variants of the dashboard",
		Long: `Run the sanity task by "assay serve --agent" on variants of the sample dashboard
(default: all of them), each with a process of its own, and compare what it
finds with what is seeded there. Exit code 1 if a fault is missed, or told of
a variant that does not have it.

Variants: ` + variantNames(),
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, names []string) error {
			if parallel < 1 || parallel > 10 {
				return usage("--parallel %d: use 1 to 10", parallel)
			}
			variants, err := variantsNamed(names)
			if err != nil {
				return err
			}
			cfg, err := a.settings(cmd)
			if err != nil {
				return err
			}
			dir, err := dataDir(cfg)
			if err != nil {
				return err
			}
			return a.demoSanity(cmd.Context(), dir, variants, parallel)
		},
	}
	c.Flags().IntVar(&parallel, "parallel", parallel, "how many variants are looked at at a time")
	return c
}

// variantResult holds what the sanity task found on one variant of the demo.
type variantResult struct {
	variant demo.Variant
	report  qa.QAReport
	path    string // of report.html
	took    time.Duration
	wrong   []string // what was not found, or found where nothing is wrong
	err     error
}

// demoSanity runs the sanity task by "assay serve --agent" on variants of the
// demo, each with a process and a dashboard of its own, and compares what it
// finds with what is seeded there: every fault, and nothing but that.
func (a *app) demoSanity(ctx context.Context, dir string, variants []demo.Variant, parallel int) error {
	places := make(chan struct{}, parallel)
	results := make([]chan variantResult, len(variants))
	for i, v := range variants {
		results[i] = make(chan variantResult, 1)
		go func() {
			places <- struct{}{}
			defer func() { <-places }()
			results[i] <- a.checkVariant(ctx, v, dir)
		}()
	}
	missed := 0
	for i := range variants {
		r := <-results[i]
		if r.err != nil {
			return fmt.Errorf("demo variant %s: %w", r.variant.Name, r.err)
		}
		word := "ok"
		if len(r.wrong) > 0 {
			word, missed = "MISSED", missed+1
		}
		fmt.Fprintf(a.stdout, "%-6s  %-15s %-12s %d checks in %.1f s  %s\n", word, r.variant.Name, r.report.Status, len(r.report.Checks), r.took.Seconds(), r.variant.Description)
		for _, f := range r.report.Findings {
			if f.Severity.Fails() || r.report.Status == qa.Inconclusive {
				fmt.Fprintf(a.stdout, "          %s, %s: %s: expected %s, observed %s\n", f.Severity, f.Category, f.Assertion, f.Expected, f.Observed)
			}
		}
		for _, w := range r.wrong {
			fmt.Fprintf(a.stdout, "          but %s\n", w)
		}
		if len(r.wrong) > 0 {
			fmt.Fprintf(a.stdout, "          report: %s\n", r.path)
		}
	}
	fmt.Fprintf(a.stdout, "%d variants, %d judged as they must be\n", len(variants), len(variants)-missed)
	if missed > 0 {
		return &exitError{code: exitFailed}
	}
	return nil
}

// checkVariant runs the sanity task on one variant.
func (a *app) checkVariant(ctx context.Context, v demo.Variant, dir string) (r variantResult) {
	r.variant = v
	site, err := demo.Start(ctx, demo.Options{Variant: v.Name})
	if err != nil {
		r.err = err
		return r
	}
	defer func() { r.err = errors.Join(r.err, site.Close()) }()
	files, err := os.MkdirTemp("", "assay-demo-")
	if err != nil {
		r.err = err
		return r
	}
	defer func() { r.err = errors.Join(r.err, os.RemoveAll(files)) }()
	for name, data := range demo.Tasks(site.URL()) {
		if r.err = os.WriteFile(filepath.Join(files, name), data, 0o600); r.err != nil {
			return r
		}
	}
	started := a.now()
	result, err := a.serveAgent(ctx, "--config", filepath.Join(files, "mcp.toml"), "--data-dir", dir, "--json", filepath.Join(files, "sanity.task.toml"))
	r.took = a.now().Sub(started)
	if err != nil {
		r.err = err
		return r
	}
	if len(result.TestCases) != 1 || result.TestCases[0].Report == "" {
		r.err = fmt.Errorf("the task left no report: %+v", result)
		return r
	}
	r.path = result.TestCases[0].Report
	doc, err := os.ReadFile(filepath.Join(filepath.Dir(r.path), "report.json"))
	if err == nil {
		err = json.Unmarshal(doc, &r.report)
	}
	r.err, r.wrong = err, mismatches(v.Expect, r.report)
	return r
}

// serveAgent runs this program as "assay serve --agent" and reads its answer.
func (a *app) serveAgent(ctx context.Context, args ...string) (result qa.TestResult, err error) {
	self, err := os.Executable()
	if err != nil {
		return result, fmt.Errorf("find this program: %w", err)
	}
	var answer, said bytes.Buffer
	c := exec.CommandContext(ctx, self, append([]string{"serve", "--agent"}, args...)...)
	c.Env, c.Stdout, c.Stderr = a.environ, &answer, &said
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // it ends its browser itself
	c.WaitDelay = 10 * time.Second
	runErr := c.Run()
	if a.verbose {
		_, _ = a.stderr.Write(said.Bytes())
	}
	var exit *exec.ExitError
	if runErr != nil && (!errors.As(runErr, &exit) || exit.ExitCode() != exitFailed) {
		return result, fmt.Errorf("serve --agent: %w\n%s", runErr, strings.TrimSpace(said.String()))
	}
	if err := json.Unmarshal(answer.Bytes(), &result); err != nil {
		return result, fmt.Errorf("the answer of serve --agent: %w", err)
	}
	return result, nil
}

// mismatches returns what a report has other than expected: faults it does not name,
// and faults it tells of what is right.
func mismatches(want demo.Expect, got qa.QAReport) []string {
	var wrong []string
	if string(got.Status) != want.Status {
		wrong = append(wrong, fmt.Sprintf("the verdict is %s (%s), and must be %s", got.Status, got.StatusReason, want.Status))
	}
	for _, row := range got.KPITable {
		here := len(want.Ranges) == 0 || slices.Contains(want.Ranges, row.Range)
		seeded := here && (want.Unread || slices.Contains(want.KPIs, row.Label))
		switch {
		case seeded && want.Cause != "" && (row.Status == qa.KPIOk || string(row.Cause) != want.Cause):
			wrong = append(wrong, fmt.Sprintf("%s (%s) is %s %s, and must be %s", row.Label, row.Range, row.Status, row.Cause, want.Cause))
		case seeded && want.Unread && row.Status == qa.KPIOk:
			wrong = append(wrong, fmt.Sprintf("%s (%s) is ok, and its data never came", row.Label, row.Range))
		case !seeded && row.Status != qa.KPIOk:
			wrong = append(wrong, fmt.Sprintf("%s (%s) is %s %s, and is right", row.Label, row.Range, row.Status, row.Cause))
		}
	}
	if want.Check != "" && !slices.ContainsFunc(got.Checks, func(c qa.Check) bool { return c.Kind == want.Check && !c.Passed }) {
		wrong = append(wrong, "no check "+want.Check+" has failed")
	}
	found := slices.ContainsFunc(got.Findings, func(f qa.Finding) bool {
		named := len(want.KPIs) == 0 || slices.ContainsFunc(want.KPIs, func(kpi string) bool { return strings.Contains(f.Assertion, kpi) })
		return f.Severity.Fails() && string(f.Category) == want.Category && named
	})
	if want.Category != "" && !found {
		wrong = append(wrong, fmt.Sprintf("no finding of category %s names %s", want.Category, strings.Join(want.KPIs, ", ")))
	}
	return wrong
}

// variantsNamed returns the demo's variants of these names, or all of them.
func variantsNamed(names []string) ([]demo.Variant, error) {
	if len(names) == 0 {
		return demo.Variants(), nil
	}
	var out []demo.Variant
	for _, name := range names {
		if err := knownVariant(name); err != nil {
			return nil, err
		}
		for _, v := range demo.Variants() {
			if v.Name == name {
				out = append(out, v)
			}
		}
	}
	return out, nil
}
