package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/author/reset"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

// testFlags holds the flags of assay test.
type testFlags struct {
	asJSON  bool
	headed  bool
	baseURL string
	role    string
	timeout time.Duration
	request testrun.Request
}

func testCommand(a *app) *cobra.Command {
	var f testFlags
	c := &cobra.Command{
		Use:   "test [PATTERN...]",
		Short: "Run Playwright tests behind the gate, and keep the evidence",
		Args:  cobra.ArbitraryArgs,
		Long: `Run Playwright tests: files, folders or parts of paths (default: all of the
project). The project's own @playwright/test and configuration are used, where
there are any, else the runner that assay install --test-runner has installed.
There are no retries. With --role the tests begin signed in: the storage state
is that of STORAGE_STATE, which lasts as long as the run, and of each test that
names no other. The browser reaches only what the configuration lets it.
Each test becomes a run with evidence, all of them an index and a JUnit file.

Exit codes: 0 all passed; 1 a test failed, or no test was found; 2 a flag or a
setting is wrong, or the runner is not installed; 130 interrupted.`,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			f.request.Patterns, f.request.Timeout, f.request.Headed = patterns, f.timeout, f.headed
			return runTests(a, cmd, f)
		},
	}
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document with all results")
	c.Flags().BoolVar(&f.headed, "headed", false, "show the browser")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "address that relative ones in the tests belong to (default: base_url of the environment, else the project's own)")
	c.Flags().StringVar(&f.role, "role", "", "sign in as this role of the environment")
	c.Flags().StringVar(&f.request.Grep, "grep", "", "run only tests whose title this regular `PATTERN` matches")
	c.Flags().StringVar(&f.request.Name, "project", "", "run only the project of this `NAME` of Playwright's configuration")
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "bound on one test (default: that of Playwright's configuration)")
	c.Flags().IntVar(&f.request.Workers, "workers", 0, "how many tests run at a time (default: that of Playwright's configuration)")
	return c
}

// testDesk is what test and prove need: what runs tests, and what files their results.
type testDesk struct {
	runner    testrun.Runner
	filer     testrun.Filer
	workspace *workspace.Workspace
	dir       string // of the data
	cfg       config.Config
	role      string // that tests are signed in as; empty: nobody
}

func (t testDesk) close() { t.workspace.Pool.Close(wiring.CloseLimit) }

// newTestDesk makes it. The caller calls begin or signIn, and close.
func newTestDesk(a *app, cmd *cobra.Command, baseURL, role string, paths []string) (testDesk, error) {
	var t testDesk
	if baseURL != "" {
		if err := runner.CheckBaseURL(baseURL); err != nil {
			return t, err
		}
		a.baseURL = baseURL
	}
	cfg, err := a.settings(cmd)
	if err != nil {
		return t, err
	}
	dir, err := wiring.WritableDataDir(cfg)
	if err != nil {
		return t, err
	}
	d, err := a.desk(cfg)
	if err != nil {
		return t, err
	}
	if t.runner, err = a.program().TestRunner(cfg, a.environ); err != nil {
		return t, err
	}
	t.runner.BaseURL = cmp.Or(t.runner.BaseURL, d.Target.BaseURL)
	t.filer = a.program().TestFiler(cfg, d, dir, commandLine(cmd, paths))
	t.workspace, t.dir, t.cfg, t.role = d, dir, cfg, role
	if role == "" {
		return t, nil
	}
	if err := d.KnowsRole(role); err != nil {
		return t, usage("%w", withHint(err))
	}
	return t, nil
}

// begin sets the site back, unless earlier work goes on, and signs in.
func (t *testDesk) begin(ctx context.Context, a *app, goesOn bool) error {
	if goesOn {
		return t.signIn(ctx)
	}
	way, site, err := wiring.ResetOf(a.program(), t.cfg, t.runner.BaseURL)
	if err != nil {
		return err
	}
	once := reset.Once{Way: way, Tell: tellReset(a, false)}
	if _, err := once.Site(ctx, site); err != nil {
		return err
	}
	return t.signIn(ctx)
}

func (t *testDesk) signIn(ctx context.Context) error {
	return withHint(author.SignTestsIn(ctx, t.workspace, &t.runner, t.role))
}

// tellReset says by what a site was set back, and which one where there are several.
func tellReset(a *app, several bool) func(site, by string) {
	return func(site, by string) {
		which := "the site"
		if several {
			which = browser.ShownURL(site)
		}
		fmt.Fprintf(masked{a, a.stderr, "text/plain"}, "assay: set %s back by %s\n", which, by)
	}
}

// missingTools makes a usage error of one that says what has to be installed first.
func missingTools(err error) error {
	if testrun.Missing(err) {
		return config.Usage("%w", err)
	}
	return err
}

// commandLine returns the command that repeats this one.
func commandLine(cmd *cobra.Command, args []string) string {
	return strings.TrimSpace(cmd.CommandPath() + " " + strings.Join(args, " "))
}

func runTests(a *app, cmd *cobra.Command, f testFlags) (err error) {
	desk, err := newTestDesk(a, cmd, f.baseURL, f.role, f.request.Patterns)
	if err != nil {
		return err
	}
	defer desk.close()
	if err := desk.signIn(cmd.Context()); err != nil {
		return err
	}
	setup, err := desk.runner.Open(cmd.Context(), f.request.Patterns)
	if err != nil {
		return missingTools(err)
	}
	defer func() { err = errors.Join(err, setup.Close()) }()
	started := a.now()
	result, err := setup.Run(cmd.Context(), f.request)
	if err != nil {
		return err
	}
	s, index, err := desk.filer.File(context.WithoutCancel(cmd.Context()), result, setup.Project.Root, started)
	if err != nil {
		return err
	}
	answer := testrun.NewAnswer(result, setup.Project, s, index)
	if f.asJSON {
		err = json.NewEncoder(masked{a, a.stdout, "application/json"}).Encode(answer)
	} else {
		printTests(a, answer)
	}
	switch {
	case err != nil:
		return err
	case result.Interrupted:
		return &exitError{code: exitInterrupted, err: errors.New("interrupted")}
	case result.NoTests():
		return &exitError{code: exitFailed,
			err: fmt.Errorf("inconclusive: no tests found in %s: name files, folders or parts of their paths; tests end in .spec.ts, .test.ts or the same with .js", setup.Project.TestDir)}
	}
	return verdictError(answer.Status)
}

func printTests(a *app, r testrun.Answer) {
	out := masked{a, a.stdout, "text/plain"}
	for _, t := range r.Tests {
		status := map[string]qa.Status{"passed": qa.Passed, "skipped": qa.Inconclusive, "interrupted": qa.Inconclusive}[t.Status]
		fmt.Fprintf(out, "%s%s  %s  %s:%d  (%d ms)\n", a.mark(cmp.Or(status, qa.Failed)), strings.Replace(t.Status, "timedOut", "timed out", 1), t.Title, t.File, t.Line, t.DurationMS)
		if t.Error != "" {
			fmt.Fprintf(out, "    %s\n", t.Error)
		}
	}
	for _, e := range r.Errors {
		fmt.Fprintf(out, "%s%s\n", a.mark(qa.Failed), e)
	}
	if r.Writes != nil {
		fmt.Fprintf(out, "asked the site to change: %s\n", writesLine(r.Writes))
	}
	fmt.Fprintf(out, "%s%s: %d passed, %d failed, by %s\nindex: %s\n", a.mark(r.Status), r.Status, r.Passed, r.Failed, r.Runner, r.Report)
}

// maxWrites bounds how many requests a line names.
const maxWrites = 10

// writesLine names the requests that asked a site to change something.
func writesLine(all []qa.RequestRef) string {
	if len(all) == 0 {
		return "nothing, no request had another method than GET, HEAD, OPTIONS or TRACE"
	}
	var named []string
	for _, w := range all[:min(len(all), maxWrites)] {
		named = append(named, w.String())
	}
	if more := len(all) - maxWrites; more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(named, ", ")
}
