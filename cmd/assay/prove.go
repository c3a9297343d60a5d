package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/tools/author"
)

// proveFlags holds the flags of assay prove.
type proveFlags struct {
	asJSON  bool
	baseURL string
	role    string
	grep    string
	project string
	seed    int64
	mutants int
	workers int
}

func proveCommand(a *app) *cobra.Command {
	var f proveFlags
	c := &cobra.Command{
		Use:   "prove TESTS...",
		Short: "Find out which of your tests can't fail",
		Args:  cobra.MinimumNArgs(1),
		Long: `Run each test on the page as it is, then with one fault at a time: elements that
are gone, acts without effect, wrong texts and numbers, wrong answers, wrong
pages, failing scripts. A test that stays green under all of them can't fail.
Each fault must have reached the page, and the test must be green without it
before and after. Changes that nobody would call a fault are tried, too: they
must not turn a test red. An act that meets another control than in the newest
proof of the test in the data folder is named: that is a finding, too.

TESTS are Playwright tests (files, folders, or parts of paths), and flows and
recordings (.flow.toml, .flow.json), which run as the Playwright tests that say
the same.

Exit codes: 0 every test can fail; 1 one can't, or nothing is known of it; 2 a
flag or a setting is wrong, or the runner is not installed; 130 interrupted.`,
		RunE: func(cmd *cobra.Command, tests []string) error { return proveTests(a, cmd, tests, f) },
	}
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document with all results")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "address that relative ones in the tests belong to (default: base_url of the environment, else the project's own)")
	c.Flags().StringVar(&f.role, "role", "", "sign in as this role of the environment, as assay test does")
	c.Flags().StringVar(&f.grep, "grep", "", "prove only tests whose title this regular `PATTERN` matches")
	c.Flags().StringVar(&f.project, "project", "", "the project of Playwright's configuration (default: the first with Chromium)")
	c.Flags().Int64Var(&f.seed, "seed", 1, "which mutants are chosen: the same seed chooses the same")
	c.Flags().IntVar(&f.mutants, "mutants", 0, "faults that a test gets at most (default: 12, and up to 32 where it has many expectations and acts)")
	c.Flags().IntVar(&f.workers, "workers", 1, "how many tests run at a time: more than one only if they don't disturb each other")
	return c
}

func proveTests(a *app, cmd *cobra.Command, tests []string, f proveFlags) (err error) {
	if f.mutants < 0 || f.workers < 1 {
		return usage("--mutants is %d and --workers %d: use numbers of 0 or more, and of 1 or more", f.mutants, f.workers)
	}
	desk, err := newTestDesk(a, cmd, f.baseURL, f.role, tests)
	if err != nil {
		return err
	}
	defer desk.close()
	before, err := earlierProofs(a, cmd, nil)
	if err != nil {
		return err
	}
	flows := slices.DeleteFunc(slices.Clone(tests), func(path string) bool { return !prove.IsFlow(path) })
	tests = slices.DeleteFunc(slices.Clone(tests), prove.IsFlow)
	var report prove.Report
	if len(tests) > 0 {
		setup, err := desk.runner.Open(cmd.Context(), tests)
		if err != nil {
			return missingTools(err)
		}
		if report, err = f.prove(cmd.Context(), a, prove.Prover{Setup: setup, Patterns: tests, Before: before}); err != nil {
			return err
		}
	}
	if len(flows) > 0 && !report.Interrupted {
		setup, err := desk.runner.OpenApart(cmd.Context(), flows, author.SecretVariables(cmd.Context(), desk.workspace))
		if err != nil {
			return missingTools(err)
		}
		made, err := prove.WriteFlows(flows, desk.runner.BaseURL, setup.Project.TestDir)
		if err != nil {
			return errors.Join(usage("%w", err), setup.Close())
		}
		own, err := f.prove(cmd.Context(), a, prove.Prover{Setup: setup, Flows: made, Before: before})
		if err != nil {
			return err
		}
		report = report.With(own)
	}
	return tellProof(a, desk.filer, report, desk.runner.Folder, f.asJSON)
}

// prove proves the tests of one setup, and closes it.
func (f proveFlags) prove(ctx context.Context, a *app, p prove.Prover) (report prove.Report, err error) {
	defer func() { err = errors.Join(err, p.Setup.Close()) }()
	p.Grep, p.Project, p.Seed, p.Mutants, p.Workers = f.grep, f.project, f.seed, f.mutants, f.workers
	p.Progress = func(text string) { fmt.Fprintln(a.stderr, "assay:", text) }
	return p.Prove(ctx)
}

// tellProof files and prints a report, and fails unless every test can fail.
func tellProof(a *app, filer testrun.Filer, report prove.Report, root string, asJSON bool) error {
	if report.Interrupted {
		return &exitError{code: exitInterrupted, err: errors.New("interrupted: nothing is proved")}
	}
	if len(report.Tests) == 0 && len(report.Errors) == 0 {
		return &exitError{code: exitFailed, err: errors.New("inconclusive: no tests found: name files or folders of Playwright tests, or flows")}
	}
	filed, err := report.File(filer, root)
	if err != nil {
		return err
	}
	if asJSON {
		err = json.NewEncoder(masked{a, a.stdout, "application/json"}).Encode(struct {
			prove.Report
			Run prove.Filed `json:"run"`
		}{report, filed})
	} else {
		_, err = fmt.Fprintf(masked{a, a.stdout, "text/plain"}, "%s%s%s\nreport: %s\n", report.Text(root), a.mark(filed.State), filed.State, filepath.Join(filed.Dir, "report.html"))
	}
	if err == nil && !report.AllCanFail() {
		return &exitError{code: exitFailed}
	}
	return err
}
