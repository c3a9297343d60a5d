package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/pagehealth"
	"github.com/assay-qa/assay/tools/workspace"
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
			if _, err := wiring.WritableDataDir(cfg); err != nil {
				return err
			}
			live := a.goLive()
			defer live.Close()
			d, err := a.desk(cfg)
			if err != nil {
				return err
			}
			defer d.Pool.Close(wiring.CloseLimit)
			return checkPages(cmd.Context(), a, d, live, checkRequest{urls, timeout, asJSON})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the reports as JSON, one a line")
	c.Flags().DurationVar(&timeout, "timeout", 10*time.Second, "bound on loading one page, retries included")
	return c
}

// withHint adds to a browser error what to do about it, and what the page has to say to
// that, such as names that are near the one that was not found.
func withHint(err error) error {
	var be *explain.Error
	if !errors.As(err, &be) || be.Hint == "" && len(be.Page) == 0 {
		return err
	}
	if be.Code == explain.DriverMissing { // a matter of the set-up
		return usage("%s; %s", be.Message.Line(), be.Hint)
	}
	said := be.Message.Line()
	if be.Hint != "" {
		said += " (" + be.Hint + ")"
	}
	for _, words := range be.Page {
		said += "\n  " + pagetext.Terminal(words)
	}
	return errors.New(said)
}

// checkRequest says which pages assay check looks at, and how.
type checkRequest struct {
	urls    []string
	timeout time.Duration
	asJSON  bool
}

// checkPages checks one page after the other, prints each verdict as it is there,
// and fails unless all passed.
func checkPages(ctx context.Context, a *app, d *workspace.Workspace, live *terminal.Live, r checkRequest) error {
	whole := qa.Passed
	for i, url := range r.urls {
		shown := browser.ShownURL(url)
		live.Set(url, pagetext.Text("checking "+shown))
		report, dir, err := pagehealth.CheckPage(ctx, d, url, r.timeout)
		live.Done(url, fmt.Sprintf("%d of %d done", i+1, len(r.urls)))
		if err != nil {
			return withHint(err)
		}
		whole = whole.Worse(report.Status)
		if r.asJSON {
			err = json.NewEncoder(a.stdout).Encode(report)
		} else {
			printReport(a, shown, report, dir)
		}
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return verdictError(whole)
}
