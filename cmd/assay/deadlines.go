package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/tools/pagehealth"
)

// deadline says how long a command may take for all that it does.
type deadline struct {
	limit time.Duration                                         // unless of says so
	of    func(cmd *cobra.Command, args []string) time.Duration // 0: there is none
	why   string                                                // what it leaves room for, or why there is none
}

// Limits of commands. They are there for what hangs: the budgets of what a command does
// are shorter.
const (
	filesLimit   = time.Hour   // files of the data folder are read and written
	startLimit   = time.Minute // driver and browser are started
	minutesLimit = 10 * time.Minute
	installLimit = time.Hour      // hundreds of megabytes are fetched
	budgetsLimit = 24 * time.Hour // as long as any budget of mcp.toml can be
)

// deadlines returns the deadline of each command, by its path below assay.
func deadlines() map[string]deadline {
	none := func(*cobra.Command, []string) time.Duration { return 0 }
	files := deadline{limit: filesLimit, why: "it works on files alone"}
	out := map[string]deadline{
		"":        {of: none, why: "the same as serve"},
		"serve":   {of: none, why: "it ends with its client; each call has a deadline"},
		"worker":  {of: none, why: "who started it ends it; each case has its own budgets"},
		"check":   {of: checkLimit, why: "each page has its own, pagehealth.PageLimit"},
		"login":   {limit: minutesLimit, why: "a person has personLimit to sign in"},
		"record":  {limit: budgetsLimit, why: "a person ends it, or a flow takes no more steps"},
		"demo":    {of: demoLimit, why: "a page or two; with --serve it ends by an interruption"},
		"doctor":  {limit: minutesLimit, why: "it starts the browser, and asks a provider once"},
		"install": {limit: installLimit, why: "it fetches a driver, a browser and a test runner, each within its own limit"},

		"run":         {of: runLimit, why: "cases end by their budgets: time-outs of flows, max_time_ms of tasks; with --watch it ends by an interruption"},
		"explore":     {limit: budgetsLimit, why: "explore.limits bound it"},
		"generate":    {limit: budgetsLimit, why: "with --check the tests are run, each with its own time-out"},
		"test":        {limit: budgetsLimit, why: "each test has its own time-out"},
		"prove":       {limit: budgetsLimit, why: "each test has its own time-out, and is run once a fault"},
		"heal":        {limit: budgetsLimit, why: "each test has its own time-out, and is run once an attempt"},
		"author":      {limit: budgetsLimit, why: "author.max_time_ms bounds it"},
		"demo sanity": {limit: budgetsLimit, why: "each variant is a task with its own budget"},
	}
	for _, path := range []string{"accept", "baseline", "baseline list", "baseline show", "baseline approve", "baseline reject", "baseline export", "baseline import",
		"export", "help", "init", "key", "key show", "key rotate", "log", "merge", "metrics", "report", "runs", "runs list", "runs prune", "runs hold", "runs release",
		"licenses", "schema", "tools", "trust", "verify", "version"} {
		out[path] = files
	}
	return out
}

func runLimit(cmd *cobra.Command, _ []string) time.Duration {
	if watch, err := cmd.Flags().GetBool("watch"); err == nil && watch {
		return 0
	}
	return budgetsLimit
}

func checkLimit(cmd *cobra.Command, urls []string) time.Duration {
	timeout, err := cmd.Flags().GetDuration("timeout")
	if err != nil {
		return filesLimit // there is such a flag
	}
	return startLimit + time.Duration(len(urls))*(pagehealth.PageLimit(timeout, longestWatch)+pagehealth.FilingLimit)
}

// longestWatch is the largest browser.watch_ms.
const longestWatch = time.Minute

func demoLimit(cmd *cobra.Command, _ []string) time.Duration {
	if serve, err := cmd.Flags().GetBool("serve"); err == nil && serve {
		return 0
	}
	return minutesLimit
}

// errOverdue ends the context of a command whose deadline has come.
var errOverdue = errors.New("the time of this command is over")

// pathOf returns the path of a command below assay.
func pathOf(cmd *cobra.Command) string {
	return strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "assay"), " ")
}

// bound gives a command its deadline: that of --time-limit, or its own.
func (a *app) bound(cmd *cobra.Command, args []string) error {
	limit := a.timeLimit
	switch {
	case limit < 0:
		return usage("--time-limit %s: use a time above 0, such as 10m", limit)
	case limit == 0:
		d := deadlines()[pathOf(cmd)]
		if limit = d.limit; d.of != nil {
			limit = d.of(cmd, args)
		}
	}
	if limit <= 0 {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(cmd.Context(), limit, fmt.Errorf("%w: it was not done in %s; --time-limit gives it more", errOverdue, limit))
	a.bounded, a.unbound = ctx, cancel
	cmd.SetContext(ctx)
	return nil
}

// overdue returns why a command was ended; nil if it ended by itself.
func (a *app) overdue() error {
	if a.bounded == nil {
		return nil
	}
	defer a.unbound()
	if err := context.Cause(a.bounded); errors.Is(err, errOverdue) {
		return err
	}
	return nil
}
