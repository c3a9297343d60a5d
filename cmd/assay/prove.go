package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

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
	maxTime time.Duration
	resume  bool
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

Each outcome is kept as it comes. A proof that is interrupted, or ends by
--max-time, is filed with what is known; --resume goes on with it.

TESTS are Playwright tests (files, folders, or parts of paths), and flows and
recordings (.flow.toml, .flow.json), which run as the Playwright tests that say
the same.

Exit codes: 0 every test can fail; 1 one can't, nothing is known of it, or the
site was not set back (explore.reset); 2 a flag or a setting is wrong, or the
runner is not installed; 130 interrupted.`,
		RunE: func(cmd *cobra.Command, tests []string) error { return proveTests(a, cmd, tests, f) },
	}
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document with all results")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "address that relative ones in the tests belong to (default: base_url of the environment, else the project's own)")
	c.Flags().StringVar(&f.role, "role", "", "sign in as this role of the environment, as assay test does")
	c.Flags().StringVar(&f.grep, "grep", "", "prove only tests whose title this regular `PATTERN` matches")
	c.Flags().StringVar(&f.project, "project", "", "the project of Playwright's configuration (default: the first with Chromium)")
	c.Flags().Int64Var(&f.seed, "seed", 1, "which mutants are chosen: the same seed chooses the same")
	c.Flags().IntVar(&f.mutants, "mutants", 0, "faults that a test gets at most (default: 12, and up to 32 where it has many expectations and acts)")
	c.Flags().IntVar(&f.workers, "workers", 0, "how many tests run at a time (default: two for each processor, one where the configuration says so; tests that disturb each other run alone)")
	c.Flags().DurationVar(&f.maxTime, "max-time", 0, "end after this time with what is known by then (default: no bound)")
	c.Flags().BoolVar(&f.resume, "resume", false, "go on with a proof of these tests, with the same flags, that did not end")
	return c
}

func proveTests(a *app, cmd *cobra.Command, tests []string, f proveFlags) (err error) {
	if f.mutants < 0 || f.workers < 0 || f.maxTime < 0 {
		return usage("--mutants is %d, --workers %d and --max-time %s: use 0 or more", f.mutants, f.workers, f.maxTime)
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
	if err := desk.begin(cmd.Context(), a, f.resume); err != nil {
		return err
	}
	ctx := cmd.Context()
	if f.maxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.maxTime)
		defer cancel()
	}
	journal, err := prove.OpenJournal(filepath.Join(desk.dir, "proofs"), f.resume, []any{desk.runner.Folder, tests, desk.runner.BaseURL, f.role, f.grep, f.project, f.seed, f.mutants})
	if missing := (*prove.NoJournalError)(nil); errors.As(err, &missing) {
		return usage("%w", err)
	} else if err != nil {
		return err
	}
	flows := slices.DeleteFunc(slices.Clone(tests), func(path string) bool { return !prove.IsFlow(path) })
	tests = slices.DeleteFunc(slices.Clone(tests), prove.IsFlow)
	var report prove.Report
	if len(tests) > 0 {
		setup, err := desk.runner.Open(ctx, tests)
		if err != nil {
			return missingTools(err)
		}
		if report, err = f.prove(ctx, a, prove.Prover{Setup: setup, Patterns: tests, Journal: journal, Before: before}); err != nil {
			return err
		}
	}
	if len(flows) > 0 && !report.Interrupted {
		setup, err := desk.runner.OpenApart(ctx, flows, author.SecretVariables(ctx, desk.workspace))
		if err != nil {
			return missingTools(err)
		}
		made, err := prove.WriteFlows(flows, desk.runner.BaseURL, setup.Project.TestDir)
		if err != nil {
			return errors.Join(usage("%w", err), setup.Close())
		}
		own, err := f.prove(ctx, a, prove.Prover{Setup: setup, Flows: made, Journal: journal, Before: before})
		if err != nil {
			return err
		}
		report = report.With(own)
	}
	if err := tellProof(a, desk.filer, report, desk.runner.Folder, f.asJSON); err != nil || !report.Interrupted {
		return errors.Join(err, journal.Close(report))
	}
	code, why := exitFailed, "--max-time is over"
	if cmd.Context().Err() != nil {
		code, why = exitInterrupted, "interrupted"
	}
	return &exitError{code: code, err: fmt.Errorf("%s: %d mutants were not tried: go on with --resume", why, report.Open)}
}

// prove proves the tests of one setup, and closes it.
func (f proveFlags) prove(ctx context.Context, a *app, p prove.Prover) (report prove.Report, err error) {
	defer func() { err = errors.Join(err, p.Setup.Close()) }()
	p.Grep, p.Project, p.Seed, p.Mutants, p.Workers = f.grep, f.project, f.seed, f.mutants, f.workers
	p.Now = a.now
	p.Progress = func(text string) { fmt.Fprintln(a.stderr, "assay:", text) }
	return p.Prove(ctx)
}

// tellProof files and prints a report, and fails unless every test can fail.
func tellProof(a *app, filer testrun.Filer, report prove.Report, root string, asJSON bool) error {
	if len(report.Tests) == 0 && len(report.Errors) == 0 && !report.Interrupted {
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
	if err == nil && !report.AllCanFail() && !report.Interrupted {
		return &exitError{code: exitFailed}
	}
	return err
}
