package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/author/heal"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/tools/author"
)

// healFlags holds the flags of assay heal.
type healFlags struct {
	asJSON, write bool
	plan          string
	results       []string
	baseURL, role string
	grep, project string
	attempts      int
	workers       int
	seed          int64
	resume        []string
	limit         time.Duration
}

func healCommand(a *app) *cobra.Command {
	var f healFlags
	c := &cobra.Command{
		Use:   "heal TESTS...",
		Short: "Find what broke in failing tests, and heal locators that have moved",
		Args:  cobra.MinimumNArgs(1),
		Long: `Run tests, and look at those that fail: where the element of an act is not found,
or is another one than it was, the page is searched for it. Only locators of
acts and waits for elements change: expectations, data, order, titles and
addresses stay, which is held by comparing normal forms.

A test is healed once it is green 10 times in a row and notices every fault
that it noticed before (see assay prove). What is not sure is a numbered
proposal with pictures, and an element that nothing comes near to is gone. What
was another control when the test was proved is never taken for it, and a green
test that acts on another control than it was proved on is named.

What an element was is known from the newest proof of the test in the data
folder, or from --results; else from --plan.

TESTS are Playwright tests (files, folders, or parts of paths), and flows and
recordings (.flow.toml, .flow.json). Without --write nothing is changed, and the
diff is printed.

Exit codes: 0 every test is green, or is with the diff; 1 one is not, or acts on
another control than it was proved on, no test was found, or the site was not set
back (explore.reset); 2 a flag or a setting is wrong, or the runner is not installed;
130 interrupted: what is known by then is printed and kept as a run, heals that
are held are written with --write, and --resume goes on.`,
		RunE: func(cmd *cobra.Command, tests []string) error { return healTests(a, cmd, tests, f) },
	}
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document with all results")
	c.Flags().BoolVar(&f.write, "write", false, "write the healed files")
	c.Flags().StringVar(&f.plan, "plan", "", "`FILE` that the tests were made of: test-plan.md or site.json")
	c.Flags().StringArrayVar(&f.results, "results", nil, "`PROOF` of the tests when they were green: a proof.json, or the folder of its run; may be repeated (default: the newest in the data folder)")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "address that relative ones in the tests belong to (default: base_url of the environment, else the project's own)")
	c.Flags().StringVar(&f.role, "role", "", "sign in as this role of the environment")
	c.Flags().StringVar(&f.grep, "grep", "", "heal only tests whose title this regular `PATTERN` matches")
	c.Flags().StringVar(&f.project, "project", "", "the project of Playwright's configuration (default: the first with Chromium)")
	c.Flags().IntVar(&f.attempts, "max-attempts", 3, "how many locators of one test are healed at most")
	c.Flags().IntVar(&f.workers, "workers", 1, "how many tests run at a time: more than one only if they don't disturb each other")
	c.Flags().DurationVar(&f.limit, "max-time", 0, "stop after this time, and tell what is known (0: no limit)")
	c.Flags().StringArrayVar(&f.resume, "resume", nil, "`RUN` that was stopped, by its folder: what came of tests there is kept; may be repeated")
	c.Flags().Int64Var(&f.seed, "seed", 1, "which mutants are chosen: the same seed chooses the same")
	return c
}

func healTests(a *app, cmd *cobra.Command, tests []string, f healFlags) (err error) {
	if f.attempts < 1 || f.workers < 1 {
		return usage("--max-attempts is %d and --workers %d: use numbers of 1 or more", f.attempts, f.workers)
	}
	desk, err := newTestDesk(a, cmd, f.baseURL, f.role, tests)
	if err != nil {
		return err
	}
	defer desk.close()
	h, err := f.healer(a, cmd)
	if err != nil {
		return err
	}
	if err := desk.begin(cmd.Context(), a, len(f.resume) > 0); err != nil {
		return err
	}
	ctx := cmd.Context()
	if f.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.limit)
		defer cancel()
	}
	report, err := h.All(ctx, desk.runner, tests, author.SecretVariables(cmd.Context(), desk.workspace))
	var unreadable *heal.UnreadableError
	switch {
	case errors.As(err, &unreadable):
		return usage("%w", err)
	case err != nil:
		return missingTools(err)
	}
	err = tellHealed(a, desk, report, f)
	var exit *exitError
	if report.Interrupted && cmd.Context().Err() != nil && errors.As(err, &exit) {
		exit.code = exitInterrupted // beside --max-time, somebody stopped it
	}
	return err
}

// healer returns what heals, with what is known of the tests.
func (f healFlags) healer(a *app, cmd *cobra.Command) (heal.Healer, error) {
	h := heal.Healer{Grep: f.grep, Project: f.project, Attempts: f.attempts, Workers: f.workers, Seed: f.seed, Now: a.now}
	h.Progress = func(text string) { fmt.Fprintln(a.stderr, "assay:", text) }
	cfg, err := a.settings(cmd)
	if err != nil {
		return h, err
	}
	if h.DataDir, err = wiring.DataDir(cfg); err != nil {
		return h, err
	}
	if h.Destructive, err = wiring.Destructive(cfg.Guard); err != nil {
		return h, err
	}
	if h.Memory.Proofs, err = earlierProofs(a, cmd, f.results); err != nil {
		return h, err
	}
	for _, path := range f.resume {
		old, err := heal.ReadReport(path)
		if err != nil {
			return h, usage("--resume: %w", err)
		}
		h.Resume = append(h.Resume, old)
	}
	if f.plan != "" {
		p, err := heal.ReadPlan(f.plan)
		if err != nil {
			return h, usage("--plan: %w", err)
		}
		h.Memory.Plans = []plan.Plan{p}
	}
	return h, nil
}

// earlierProofs reads proofs that are named, or else the newest in the data folder.
func earlierProofs(a *app, cmd *cobra.Command, named []string) ([]prove.Report, error) {
	cfg, err := a.settings(cmd)
	if err != nil {
		return nil, err
	}
	dir, err := wiring.DataDir(cfg)
	if err != nil {
		return nil, err
	}
	proofs, err := heal.ReadProofs(named, filepath.Join(dir, ledger.RunsFolder))
	if err != nil {
		return nil, usage("--results: %w", err)
	}
	return proofs, nil
}

// tellHealed writes, files and prints a report, and fails unless every test is green.
func tellHealed(a *app, desk testDesk, report heal.Report, f healFlags) error {
	if report.Empty() && report.Interrupted {
		return &exitError{code: exitFailed, err: errors.New("stopped before a test ended: nothing is known")}
	}
	if report.Empty() {
		return &exitError{code: exitFailed, err: errors.New("inconclusive: no tests found: name files or folders of Playwright tests, or flows")}
	}
	if f.write {
		if err := report.Write(); err != nil {
			return err
		}
	}
	filed, err := report.File(desk.filer, desk.runner.Folder)
	if err != nil {
		return err
	}
	if f.asJSON {
		err = json.NewEncoder(masked{a, a.stdout, "application/json"}).Encode(struct {
			heal.Report
			Run prove.Filed `json:"run"`
		}{report, filed})
	} else {
		_, err = fmt.Fprintf(masked{a, a.stdout, "text/plain"}, "%s%s%s\nreport: %s\n", report.Text(desk.runner.Folder), a.mark(filed.State), filed.State, filepath.Join(filed.Dir, "report.html"))
	}
	if err == nil && !report.AllGreen() {
		return &exitError{code: exitFailed}
	}
	return err
}
