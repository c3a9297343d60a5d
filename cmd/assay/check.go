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
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/runner"
)

// checkFlags holds the flags of assay check.
type checkFlags struct {
	asJSON   bool
	parallel int
	pages    runner.Pages
}

func checkCommand(a *app) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check URL...",
		Short: "Check pages without any set-up: loads, console, requests, images",
		Args:  cobra.MinimumNArgs(1),
		Long: `Check pages without any set-up: each has a browser context and a run folder with
its reports; all of them have an index and a JUnit file in suites/ID of the data
folder. Of several pages a summary comes at the end.

Exit codes: 0 all passed; 1 a page failed or was inconclusive; 2 a flag or a
setting is wrong; 130 interrupted, with what was done until then.`,
		RunE: func(cmd *cobra.Command, urls []string) error { return runCheck(a, cmd, urls, f) },
	}
	c.Flags().BoolVar(&f.asJSON, "json", false, "print the reports as JSON, one a line")
	c.Flags().DurationVar(&f.pages.Timeout, "timeout", 10*time.Second, "bound on loading one page, retries included")
	c.Flags().IntVar(&f.parallel, "parallel", 0, "how many are checked at a time (default agent.concurrency, at most limits.max_sessions)")
	c.Flags().StringVar(&f.pages.Device, "device", "", "check the pages on the device of this `NAME`, such as \"Pixel 7\", or at a size, such as 390x844")
	c.Flags().StringSliceVar(&f.pages.IgnoreHosts, "ignore-hosts", nil,
		"failed requests to these `HOSTS` are no fault of a page: names, *.domain or IP addresses, with commas between them")
	c.Flags().StringVar(&f.pages.JUnit, "junit", "", "write the pages as JUnit XML to this `FILE`")
	windowless(c)
	return c
}

// runCheck checks pages as one suite.
func runCheck(a *app, cmd *cobra.Command, urls []string, f checkFlags) error {
	for _, url := range urls {
		if err := browser.CheckURL(url); err != nil {
			return usage("%w", withHint(err))
		}
	}
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	if !cmd.Flags().Changed("parallel") {
		f.parallel = min(cfg.Agent.Concurrency, cfg.Limits.MaxSessions)
	}
	if err := runner.CheckParallel(f.parallel, cfg.Limits.MaxSessions); err != nil {
		return err
	}
	dir, err := wiring.WritableDataDir(cfg)
	if err != nil {
		return err
	}
	live := a.goLive()
	defer live.Close()
	d, err := a.desk(cfg)
	if err != nil {
		return err
	}
	defer d.Pool.Close(wiring.CloseLimit)
	rn, err := a.program().Runner(cfg, d, dir, inCI(a))
	if err != nil {
		return err
	}
	rn.Progress = func(_, _ int, path string, message pagetext.Text) { live.Set(path, message+pagetext.Text(" "+path)) }
	checked := make([]checkedPage, len(urls)) // each is written before its case is over
	f.pages.URLs = urls
	f.pages.Checked = func(i int, r qa.QAReport, dir string, err error) { checked[i] = checkedPage{r, dir, err} }
	p, err := rn.PreparePages(cmd.Context(), f.pages)
	if err != nil {
		return err
	}
	return checkPages(cmd.Context(), a, rn, p, checked, f, live)
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

// checkedPage holds the report of a page, the folder of its run, and what could not be kept.
type checkedPage struct {
	report qa.QAReport
	dir    string
	err    error
}

// checkPages checks the pages, prints each verdict in their order and of several a
// summary, and fails unless all passed.
func checkPages(ctx context.Context, a *app, rn *runner.Runner, p runner.Prepared, checked []checkedPage, f checkFlags, live *terminal.Live) error {
	printed := 0
	var printing error
	s, err := rn.Run(ctx, p, f.parallel, func(s suite.Suite) {
		showProgress(live, s)
		for ; printed < len(s.Entries) && s.Entries[printed].State.Over(); printed++ {
			printing = errors.Join(printing, printPage(a, s.Entries[printed], checked[printed], f.asJSON))
		}
	})
	if err := errors.Join(err, printing); err != nil {
		return err
	}
	live.Close()
	if !f.asJSON && len(s.Entries) > 1 {
		printSuite(a, s, p.Index())
		for _, e := range s.Entries {
			if e.Result == nil || e.Result.Status != qa.TestPassed {
				fmt.Fprintf(a.stdout, "  %s  %s\n", statusOf(e), e.Path)
			}
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return verdictError(s.Sum().Status.Verdict())
}

// printPage prints the report of a page. One without a report has a reason, as cases have.
func printPage(a *app, e suite.Entry, page checkedPage, asJSON bool) error {
	if page.err != nil {
		fmt.Fprintln(masked{a, a.stderr, "text/plain"}, "assay:", explained(withHint(page.err)))
	}
	switch {
	case page.report.RunID == "" && !asJSON:
		printCase(a, e)
	case page.report.RunID == "": // there is no report to print
	case asJSON:
		return json.NewEncoder(a.stdout).Encode(page.report)
	default:
		printReport(a, e.Path, page.report, page.dir)
	}
	return nil
}

// statusOf returns the verdict on a case, or that it was skipped.
func statusOf(e suite.Entry) string {
	if e.Result == nil {
		return string(qa.TestSkipped)
	}
	return string(e.Result.Status.Verdict())
}
