package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/pagehealth"
	"github.com/assay-qa/assay/tools/workspace"
	"github.com/assay-qa/assay/wiring"
)

func checkCommand(a *app) *cobra.Command {
	var asJSON bool
	var timeout time.Duration
	c := &cobra.Command{
		Use:   "check URL...",
		Short: "Check pages without any set-up: loads, console, requests, images",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, urls []string) error {
			for _, url := range urls {
				if err := browser.CheckURL(url); err != nil {
					return usage("%w", withHint(err))
				}
			}
			cfg, err := a.settings(cmd)
			if err != nil {
				return err
			}
			d, err := a.desk(cfg)
			if err != nil {
				return err
			}
			defer d.Pool.Close(wiring.CloseLimit)
			return checkPage(cmd.Context(), a, d, urls, timeout, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the reports as JSON, one a line")
	c.Flags().DurationVar(&timeout, "timeout", 10*time.Second, "bound on loading one page, retries included")
	return c
}

// withDecisionHint adds to a browser error what to do about it.
func withHint(err error) error {
	var be *browser.Error
	if errors.As(err, &be) && be.Hint != "" {
		return fmt.Errorf("%s (%s)", be.Message, be.Hint)
	}
	return err
}

// checkPage checks one page after the other, prints each verdict as it is there,
// and fails unless all passed.
func checkPage(ctx context.Context, a *app, d *workspace.Workspace, urls []string, timeout time.Duration, asJSON bool) error {
	allPassed := true
	for _, url := range urls {
		report, dir, err := pagehealth.CheckPage(ctx, d, url, timeout)
		if err != nil {
			return withHint(err)
		}
		allPassed = allPassed && report.Status == qa.Passed
		if asJSON {
			err = json.NewEncoder(a.stdout).Encode(report)
		} else {
			printReport(a, browser.ShownURL(url), report, dir)
		}
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if !allPassed {
		return &exitError{code: exitFailed}
	}
	return nil
}

func printReport(a *app, subject string, r qa.QAReport, dir string) {
	fmt.Fprintf(a.stdout, "%s  %s\n", r.Status, subject)
	for _, c := range r.Checks {
		sign, seen := "ok  ", c.Observed
		if c.Selector != "" {
			seen = c.Selector + ": " + seen
		}
		if !c.Passed {
			sign = "FAIL"
			seen += " (expected " + c.Expected + ")"
		}
		fmt.Fprintf(a.stdout, "  %s  %-16s %s\n", sign, c.Kind, seen)
	}
	for _, f := range r.Findings {
		if f.RepeatsCheck(r.Checks) {
			continue
		}
		fmt.Fprintf(a.stdout, "  %s: %s: %s\n", f.Severity, f.Assertion, f.Observed)
	}
	if r.Status != qa.Passed {
		fmt.Fprintf(a.stdout, "  why: %s\n", r.StatusReason)
	}
	fmt.Fprintf(a.stdout, "  report: %s\n", filepath.Join(dir, "report.html"))
}
