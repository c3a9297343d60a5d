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

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/wiring"
)

// testFlags holds the flags of assay test.
type testFlags struct {
	asJSON  bool
	headed  bool
	baseURL string
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
There are no retries. The browser reaches only what the configuration lets it.
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
	c.Flags().StringVar(&f.request.Grep, "grep", "", "run only tests whose title this regular `PATTERN` matches")
	c.Flags().StringVar(&f.request.Name, "project", "", "run only the project of this `NAME` of Playwright's configuration")
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "bound on one test (default: that of Playwright's configuration)")
	c.Flags().IntVar(&f.request.Workers, "workers", 0, "how many tests run at a time (default: that of Playwright's configuration)")
	return c
}

// testAnswer is what assay test prints as JSON.
type testAnswer struct {
	Status qa.Status      `json:"status"`
	Passed int            `json:"passed"`
	Failed int            `json:"failed"`
	Flaky  int            `json:"flaky"` // always 0: nothing is repeated
	Tests  []testOutcome  `json:"tests"`
	Errors []string       `json:"errors,omitempty"`
	Suite  string         `json:"suite"`
	Report string         `json:"report"`
	Traces []string       `json:"traces"`
	Runner string         `json:"runner"`
	Result *qa.TestResult `json:"result"`
}

type testOutcome struct {
	Title      string `json:"title"`
	File       string `json:"file"`
	Line       int    `json:"line"`
	Project    string `json:"project,omitempty"`
	Status     string `json:"status"`
	DurationMS int64  `json:"duration_ms"`
	Error      string `json:"error,omitempty"`
	Locator    string `json:"locator,omitempty"`
}

// testDesk is what test and prove need: what runs tests, and what files their results.
type testDesk struct {
	runner testrun.Runner
	filer  testrun.Filer
}

func newTestDesk(a *app, cmd *cobra.Command, baseURL string, paths []string) (testDesk, error) {
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
	return t, nil
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
	desk, err := newTestDesk(a, cmd, f.baseURL, f.request.Patterns)
	if err != nil {
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
	sum := s.Sum()
	answer := testAnswer{Status: sum.Status.Verdict(), Passed: sum.Summary.Passed, Failed: sum.Summary.Failed, Suite: s.ID, Report: index, Runner: setup.Project.Describe(),
		Tests: []testOutcome{}, Traces: []string{}, Result: &sum}
	for _, t := range result.Tests {
		answer.Tests = append(answer.Tests, outcomeOf(t))
	}
	for _, e := range result.Mistakes() {
		answer.Errors = append(answer.Errors, e.Text())
	}
	for _, file := range sum.Artifacts.Traces {
		answer.Traces = append(answer.Traces, file.Path)
	}
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
		return &exitError{code: exitFailed, err: fmt.Errorf("inconclusive: no tests found in %s: name files, folders or parts of their paths; tests end in .spec.ts, .test.ts or the same with .js", setup.Project.TestDir)}
	case answer.Status != qa.Passed:
		return &exitError{code: exitFailed}
	}
	return nil
}

func outcomeOf(t testrun.Test) testOutcome {
	o := testOutcome{Title: t.Title(), File: t.Location.File, Line: t.Location.Line, Project: t.Project, Status: t.Status, DurationMS: t.DurationMS, Locator: t.Locator()}
	for _, e := range t.Errors {
		if o.Error == "" {
			o.Error = e.Text()
		}
	}
	return o
}

func printTests(a *app, r testAnswer) {
	out := masked{a, a.stdout, "text/plain"}
	for _, t := range r.Tests {
		status := qa.Passed
		switch t.Status {
		case "passed":
		case "skipped", "interrupted":
			status = qa.Inconclusive
		default:
			status = qa.Failed
		}
		fmt.Fprintf(out, "%s%s  %s  %s:%d  (%d ms)\n", a.mark(status), t.Status, t.Title, t.File, t.Line, t.DurationMS)
		if t.Error != "" {
			fmt.Fprintf(out, "    %s\n", t.Error)
		}
	}
	for _, e := range r.Errors {
		fmt.Fprintf(out, "%s%s\n", a.mark(qa.Failed), e)
	}
	fmt.Fprintf(out, "%s%s: %d passed, %d failed, by %s\nindex: %s\n", a.mark(r.Status), r.Status, r.Passed, r.Failed, r.Runner, r.Report)
}
