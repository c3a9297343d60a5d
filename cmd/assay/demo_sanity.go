package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/qa"
)

func demoSanityCommand(a *app) *cobra.Command {
	var parallel int
	c := &cobra.Command{
		Use:   "sanity [VARIANT...]",
		Short: "Run the sanity task on healthy and faulty variants of the dashboard",
		Long: `Run the sanity task by "assay serve --agent" on variants of the sample dashboard
(default: all of them), each with a process of its own, and compare what it
finds with what is seeded there. Exit code 1 if a fault is missed, or told of
a variant that does not have it.

Variants: ` + demo.VariantNames(),
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, names []string) error {
			if !cmd.Flags().Changed("parallel") {
				parallel = min(variantsPerCore*runtime.GOMAXPROCS(0), maxVariants)
			}
			if parallel < 1 || parallel > maxVariants {
				return usage("--parallel %d: use 1 to %d", parallel, maxVariants)
			}
			variants, err := demo.VariantsNamed(names)
			if err != nil {
				return usage("%w", err)
			}
			_, dir, err := a.dataFolder(cmd)
			if err != nil {
				return err
			}
			return demoSanity(cmd.Context(), a, dir, variants, parallel)
		},
	}
	c.Flags().IntVar(&parallel, "parallel", 0, "how many variants are looked at at a time (default: 3 a core)")
	return c
}

// A variant waits two thirds of its time for what the page may still do.
const (
	variantsPerCore = 3
	maxVariants     = 10
)

// demoSanity prints what the sanity task finds on variants of the demo.
func demoSanity(ctx context.Context, a *app, dir string, variants []demo.Variant, parallel int) error {
	c, err := demoChecker(a, dir)
	if err != nil {
		return err
	}
	missed := 0
	err = c.CheckVariants(ctx, variants, parallel, func(r demo.Result) {
		word := "ok"
		if len(r.Wrong) > 0 {
			word, missed = "MISSED", missed+1
		}
		fmt.Fprintf(a.stdout, "%-6s  %-15s %-12s %d checks in %.1f s  %s\n", word, r.Variant.Name, r.Report.Status, len(r.Report.Checks), r.Took.Seconds(), r.Variant.Description)
		for _, f := range r.Report.Findings {
			if f.Severity.Fails() || r.Report.Status == qa.Inconclusive {
				fmt.Fprintf(a.stdout, "          %s, %s: %s (expected %s)\n", f.Severity, f.Category, f.Headline(), f.Expected)
			}
		}
		for _, w := range r.Wrong {
			fmt.Fprintf(a.stdout, "          but %s\n", w)
		}
		if len(r.Wrong) > 0 {
			fmt.Fprintf(a.stdout, "          report: %s\n", r.Path)
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%d variants, %d judged as they must be\n", len(variants), len(variants)-missed)
	if missed > 0 {
		return &exitError{code: exitFailed}
	}
	return nil
}

// demoChecker checks the demo by processes of this program.
func demoChecker(a *app, dir string) (demo.Checker, error) {
	self, err := os.Executable()
	if err != nil {
		return demo.Checker{}, fmt.Errorf("find this program: %w", err)
	}
	c := demo.Checker{Program: self, Environ: a.environ, DataDir: dir, Now: a.now, Log: a.log}
	if a.verbose {
		c.Stderr = a.stderr
	}
	return c, nil
}
