package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools"
)

// runFlags are the flags of assay run.
type runFlags struct {
	asJSON   bool
	baseURL  string
	parallel int
}

func (a *app) runCommand() *cobra.Command {
	var flags runFlags
	c := &cobra.Command{
		Use:   "run [PATH...]",
		Short: "Run user flows from files, without a model",
		Args:  cobra.ArbitraryArgs,
		Long: `Run user flows: files whose names end in .flow.toml or .flow.json, or all of
them in folders (default: the current one). Each flow has a browser context and
a run folder with its reports. All files are checked before the first one runs.

Exit codes: 0 all passed; 1 something failed or was inconclusive; 2 a file, a
flag or a setting is wrong; 130 interrupted, with what was done until then.`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			cfg, err := a.settings(cmd)
			if err != nil {
				return err
			}
			if flags.parallel < 1 || flags.parallel > cfg.Limits.MaxSessions {
				return usage("--parallel %d: use 1 to %d (limits.max_sessions)", flags.parallel, cfg.Limits.MaxSessions)
			}
			if base, err := url.Parse(flags.baseURL); flags.baseURL != "" && (err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https") {
				return usage("--base-url %q: give a full http or https address", flags.baseURL)
			}
			flows, err := loadFlows(paths, flags.baseURL)
			if err != nil {
				return err
			}
			d, err := a.desk(cfg)
			if err != nil {
				return err
			}
			defer d.Pool.Close(closeLimit)
			return a.runFlows(cmd.Context(), d, flows, flags)
		},
	}
	c.Flags().BoolVar(&flags.asJSON, "json", false, "print one JSON document with all results")
	c.Flags().StringVar(&flags.baseURL, "base-url", "", "address that relative ones in the files belong to")
	c.Flags().IntVar(&flags.parallel, "parallel", 1, "how many flows run at a time")
	return c
}

// ran is the outcome of one flow.
type ran struct {
	qa.TestCase
	err error
}

// runFlows runs all flows, prints each verdict in the order of the files, and
// fails unless all passed.
func (a *app) runFlows(ctx context.Context, d *tools.Desk, flows []loadedFlow, flags runFlags) error {
	started := a.now()
	results := make([]chan ran, len(flows))
	places := make(chan struct{}, flags.parallel)
	for i := range flows {
		results[i] = make(chan ran, 1)
	}
	go func() { // in order, so that the first verdict is there first
		for i, f := range flows {
			places <- struct{}{}
			go func() {
				defer func() { <-places }()
				results[i] <- a.runOne(ctx, d, f, i, len(flows))
			}()
		}
	}()
	var cases []qa.TestCase
	for i, f := range flows {
		r := <-results[i]
		if r.err != nil {
			return hinted(r.err)
		}
		cases = append(cases, r.TestCase)
		if !flags.asJSON {
			a.printCase(f, r.TestCase)
		}
	}
	result := qa.SumUp(runID(cases), started, a.now(), cases)
	if flags.asJSON {
		if err := json.NewEncoder(a.stdout).Encode(result); err != nil {
			return err
		}
	} else {
		s := result.Summary
		fmt.Fprintf(a.stdout, "%s: %d flows, %d passed, %d failed, %d error, %d skipped\n", result.Status, s.Total, s.Passed, s.Failed, s.Error, s.Skipped)
	}
	switch {
	case ctx.Err() != nil:
		return &exitError{code: exitInterrupted, err: fmt.Errorf("interrupted")}
	case result.Status != qa.TestPassed:
		return &exitError{code: exitFailed}
	}
	return nil
}

// runID names the whole by its first flow: runs sort by time.
func runID(cases []qa.TestCase) string {
	for _, c := range cases {
		if c.RunID != "" {
			return c.RunID
		}
	}
	return ""
}

// runOne runs one flow, unless everything was interrupted before.
func (a *app) runOne(ctx context.Context, d *tools.Desk, f loadedFlow, i, total int) ran {
	if ctx.Err() != nil {
		return ran{TestCase: qa.TestCase{Name: f.Name, Status: qa.TestSkipped, Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{}, FailureReason: "interrupted before it began"}}
	}
	progress := func(string) {}
	if isTerminal(a.stderr) {
		progress = func(message string) { fmt.Fprintf(a.stderr, "[%d/%d] %s: %s\n", i+1, total, f.path, message) }
	}
	started := a.now()
	c, err := d.RunFlow(ctx, f.Flow, progress)
	a.log.Info("flow finished", "flow", f.path, "status", c.Status, "took", a.now().Sub(started).Round(time.Millisecond).String())
	return ran{c, err}
}

func (a *app) printCase(f loadedFlow, c qa.TestCase) {
	fmt.Fprintf(a.stdout, "%-7s %s  %q (steps: %d) in %d ms\n", c.Status, f.path, c.Name, len(f.Steps), c.DurationMS)
	if c.Flaky {
		fmt.Fprintf(a.stdout, "  flaky: passed at attempt %d\n", c.Attempts)
	}
	if c.FailureReason != "" {
		fmt.Fprintf(a.stdout, "  why: %s\n", c.FailureReason)
	}
	if c.Report != "" {
		fmt.Fprintf(a.stdout, "  report: %s\n", c.Report)
	}
}
