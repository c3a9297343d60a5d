package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/author/prove"
)

// proveFlags holds the flags of assay prove.
type proveFlags struct {
	asJSON  bool
	baseURL string
	grep    string
	project string
	seed    int64
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
must not turn a test red.

TESTS are Playwright tests (files, folders, or parts of paths).

Exit codes: 0 every test can fail; 1 one can't, or nothing is known of it; 2 a
flag or a setting is wrong, or the runner is not installed; 130 interrupted.`,
		RunE: func(cmd *cobra.Command, tests []string) error { return proveTests(a, cmd, tests, f) },
	}
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document with all results")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "address that relative ones in the tests belong to (default: base_url of the environment, else the project's own)")
	c.Flags().StringVar(&f.grep, "grep", "", "prove only tests whose title this regular `PATTERN` matches")
	c.Flags().StringVar(&f.project, "project", "", "the project of Playwright's configuration (default: the first with Chromium)")
	c.Flags().Int64Var(&f.seed, "seed", 1, "which mutants are chosen: the same seed chooses the same")
	c.Flags().IntVar(&f.workers, "workers", 1, "how many tests run at a time: more than one only if they don't disturb each other")
	return c
}

func proveTests(a *app, cmd *cobra.Command, tests []string, f proveFlags) (err error) {
	setup, filer, err := openTests(a, cmd, f.baseURL, tests)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, setup.Close()) }()
	p := prove.Prover{Setup: setup, Patterns: tests, Grep: f.grep, Project: f.project, Seed: f.seed, Workers: f.workers,
		Progress: func(text string) { fmt.Fprintln(a.stderr, "assay:", text) }}
	report, err := p.Prove(cmd.Context())
	if err != nil {
		return err
	}
	if report.Interrupted {
		return &exitError{code: exitInterrupted, err: errors.New("interrupted: nothing is proved")}
	}
	if len(report.Tests) == 0 && len(report.Errors) == 0 {
		return &exitError{code: exitFailed, err: fmt.Errorf("inconclusive: no tests found in %s", setup.Project.TestDir)}
	}
	root := setup.Project.Root
	filed, err := report.File(filer, root)
	if err != nil {
		return err
	}
	if f.asJSON {
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
