package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/publish"
	"github.com/assay-qa/assay/suite/queue"
	"github.com/assay-qa/assay/suite/runner"
)

// maxWorkers bounds the processes of one machine.
const maxWorkers = 64

// runFlags holds the flags of assay run.
type runFlags struct {
	asJSON  bool
	comment bool
	watch   bool
	workers int
	lease   time.Duration
	shared  []string // flags that workers are given, too
	kept    string   // flags that a command after this one needs, too
	request runner.Request
}

func (f *runFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document with all results")
	c.Flags().StringVar(&f.request.BaseURL, "base-url", "", "address that relative ones in the files belong to (default: base_url of the environment)")
	c.Flags().IntVar(&f.request.Parallel, "parallel", 0, "how many run at a time (default agent.concurrency, at most limits.max_sessions)")
	c.Flags().StringVar(&f.request.Summary, "summary", "", "write a Markdown summary, as for a pull request, to this `FILE` ($GITHUB_STEP_SUMMARY gets one by itself)")
	c.Flags().StringVar(&f.request.JUnit, "junit", "", "write the suite as JUnit XML to this `FILE`")
	c.Flags().BoolVar(&f.comment, "comment", false, "comment on the pull request that the CI's run belongs to, or update that comment (GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_REF, GITHUB_API_URL)")
	c.Flags().StringVar(&f.request.ReportDir, "report-dir", "",
		"write a readable copy of the reports to this `FOLDER`: index.html, pages, pictures (default: reports in the folder that is named; \"\": none)")
	c.Flags().StringSliceVar(&f.request.Tags, "tags", nil, "run only what has one of these tags, with commas between them")
	c.Flags().StringVar(&f.request.Grep, "grep", "", "run only what this regular `PATTERN` matches, in its path or its name")
	c.Flags().BoolVar(&f.request.Failed, "last-failed", false, "run only what did not pass when it ran last")
	c.Flags().BoolVar(&f.request.List, "list", false, "print the cases that would run, and how each ended when it ran last; run none")
	c.Flags().IntVar(&f.request.Repeat, "repeat", 1, "run each case this often, and say how steady it is")
	c.Flags().BoolVar(&f.watch, "watch", false, "stay, and run again what a change of a file can affect, until interrupted")
	c.Flags().IntVar(&f.workers, "workers", 0, "have cases run by so many processes, each with its own browser and data folder, of which one that dies is replaced")
	c.Flags().DurationVar(&f.lease, "lease", queue.DefaultLease, "with --workers: "+leaseUsage)
	c.Flags().StringVar(&f.request.Shard, "shard", "", "run the i-th part of n of what is selected: `i/n`")
	c.Flags().StringVar(&f.request.Profile, "profile", "", "run every case in each cell of the matrix of [profile.`NAME`], with its budgets")
	c.Flags().StringArrayVar(&f.request.Vars, "var", nil, "value of a variable of specs, as `NAME=VALUE`; may be repeated")
	c.Flags().StringVar(&f.request.Replay, "replay", "", "when the recordings of specs are used: `auto|prefer|only|off` (default agent.replay)")
	c.Flags().BoolVar(&f.request.Update, "update-flows", false, "write the recordings of specs anew where they were healed or no longer fit")
	c.Flags().BoolVar(&f.request.Record, "record", false, "write the recordings of specs beside them (without it only where they are under version control)")
	c.Flags().BoolVar(&f.request.Tests, "write-tests", false, "write each recording that passed as a Playwright test, checkout.spec.ts beside checkout.md")
	c.Flags().StringVar(&f.request.Resume, "resume", "", "run again what did not pass in the suite with this `ID`, its own, that of one of its runs, or latest")
}

func runCommand(a *app) *cobra.Command {
	var flags runFlags
	c := &cobra.Command{
		Use:   "run [PATH...]",
		Short: "Run user flows, tasks and Markdown specs from files",
		Args:  cobra.ArbitraryArgs,
		Long: `Run user flows, tasks and specs: files whose names end in .flow.toml, .flow.json,
.task.toml, .task.json or .md, or all of them in folders (default: the current
one, of whose .md files only those with a heading Steps are specs). Each has a
browser context and a run folder with its reports. All files are checked before
the first one runs. Flows need no model, tasks none either (agent.provider
"rules"); specs need one, or a recording.

Exit codes: 0 all passed; 1 something failed or was inconclusive; 2 a file, a
flag or a setting is wrong; 130 interrupted, with what was done until then.`,
		RunE: func(cmd *cobra.Command, paths []string) error { return runFiles(a, cmd, paths, flags) },
	}
	flags.register(c)
	sameEverywhere(c)
	return c
}

// runFiles runs the files at paths as one suite.
func runFiles(a *app, cmd *cobra.Command, paths []string, flags runFlags) error {
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	name, _, err := a.program().Environment(cfg)
	if err == nil {
		err = a.program().Folder.CheckRun(name)
	}
	if err != nil {
		return err
	}
	if err := flags.settle(cmd, cfg, paths); err != nil {
		return err
	}
	if !flags.request.ReportForced {
		if err := a.program().Folder.CheckReports(flags.request.ReportDir); err != nil {
			return err
		}
	}
	dir, err := wiring.WritableDataDir(cfg)
	if err != nil {
		return err
	}
	old, request, err := flags.request.Previous(dir)
	if err != nil {
		return err
	}
	if a.profile, err = request.MatrixProfile(cfg, a.envName); err != nil {
		return err
	}
	if len(a.profile.Environments) == 0 {
		a.baseURL = cmp.Or(request.BaseURL, old.BaseURL)
	}
	live := a.goLive()
	defer live.Close()
	d, err := a.desk(cfg)
	if err != nil {
		return err
	}
	rn, err := a.program().Runner(cfg, d, dir, inCI(a))
	if err != nil {
		return err
	}
	rn.Progress = func(_, _ int, path string, message pagetext.Text) { live.Set(path, pagetext.Text(path+"  ")+message) }
	defer d.Pool.Close(wiring.CloseLimit)
	p, err := rn.Prepare(cmd.Context(), request, old)
	if err != nil {
		return err
	}
	if request.List {
		return listCases(a, p.Suite, dir, flags.asJSON)
	}
	d.Pool.Warm()
	if flags.watch {
		return watchFiles(cmd.Context(), a, rn, watchedRun{request: request, first: p, flags: flags, live: live})
	}
	if flags.workers > 0 && p.Suite.Selection.Profile != "" {
		return usage("--workers: this suite has the cells of profile %s, which run on one machine: leave --workers out", p.Suite.Selection.Profile)
	}
	if flags.workers > 0 {
		end, err := distribute(cmd.Context(), a, rn, p, flags)
		if err != nil {
			return err
		}
		defer end()
		flags.request.Parallel = len(p.Suite.Entries) // all wait in the queue
	}
	s, err := runSuite(cmd.Context(), a, rn, p, flags, live)
	if err != nil {
		return err
	}
	return verdictError(s.Sum().Status.Verdict())
}

// settle fills in what was left out, and checks the flags against the configuration.
func (f *runFlags) settle(cmd *cobra.Command, cfg config.Config, paths []string) error {
	f.request.Paths, f.kept = paths, keptFlags(cmd, "env", "config", "data-dir")
	switch {
	case f.watch && (f.request.Resume != "" || f.request.Shard != "" || f.request.List || f.request.Failed || f.request.Repeat > 1 || f.comment):
		return usage("--watch runs again what a change affects, each case once: leave --resume, --shard, --list, --last-failed, --repeat and --comment out")
	case f.watch && (f.request.JUnit != "" || f.request.Summary != "" || f.request.ReportDir != ""):
		return usage("--watch has a suite for each change, and a file would hold the newest one alone: leave --junit, --summary and --report-dir out")
	case f.workers < 0 || f.workers > maxWorkers:
		return usage("--workers %d: use 1 to %d, or 0 for none", f.workers, maxWorkers)
	case f.lease < time.Second:
		return usage("--lease %s: use 1s or more", f.lease)
	case f.workers > 0 && f.request.Shard != "":
		return usage("--workers: assay merge looks for the runs of a shard in its data folder, where those of workers are not: leave --shard or --workers out")
	case f.workers > 0 && f.request.Profile != "":
		return usage("--workers: the cells of --profile run on one machine: leave one of the two out")
	case f.workers > 0 && (f.watch || f.request.List || f.request.Record || f.request.Update || f.request.Tests):
		return usage("--workers: each worker has a copy of the files, so nothing can be written beside them: leave --watch, --list, --record, --update-flows and --write-tests out")
	case f.request.List && (f.request.Resume != "" || f.request.Repeat > 1):
		return usage("--list prints each case that is selected: leave --resume and --repeat out")
	}
	if !cmd.Flags().Changed("parallel") {
		f.request.Parallel = min(cfg.Agent.Concurrency, cfg.Limits.MaxSessions)
		if f.workers > 0 {
			f.request.Parallel = min(f.workers, cfg.Limits.MaxSessions)
		}
	}
	f.shared = sharedFlags(cmd)
	f.request.ReportForced = f.request.ReportDir != ""
	if info, err := os.Stat(strings.Join(paths, "")); len(paths) == 1 && err == nil && info.IsDir() && !cmd.Flags().Changed("report-dir") && !f.watch {
		f.request.ReportDir = filepath.Join(paths[0], "reports")
	}
	return f.request.Check(cfg.Limits.MaxSessions)
}

// runSuite runs a suite, and prints each verdict in the order of the files.
func runSuite(ctx context.Context, a *app, rn *runner.Runner, p runner.Prepared, flags runFlags, live *terminal.Live) (suite.Suite, error) {
	printed := 0
	s, err := rn.Run(ctx, p, flags.request.Parallel, func(s suite.Suite) {
		showProgress(live, s)
		for ; !flags.asJSON && printed < len(s.Entries) && s.Entries[printed].State.Over(); printed++ {
			printCase(a, s.Entries[printed])
		}
	})
	if err != nil {
		return s, err
	}
	live.Close()
	result := s.Sum()
	stability := s.Stability()
	if flags.asJSON {
		if err := json.NewEncoder(a.stdout).Encode(struct {
			qa.TestResult
			Stability []suite.Stability `json:"stability,omitempty"`
		}{result, stability}); err != nil {
			return s, err
		}
	} else {
		printStability(a, stability)
		printSuite(a, s, p.Index())
		if dir := p.ReportDir(); dir != "" {
			fmt.Fprintf(a.stdout, "reports: %s\n", filepath.Join(dir, "index.html"))
		}
		if result.Status != qa.TestPassed {
			fmt.Fprintf(a.stdout, "run again what did not pass: assay run --resume %s%s\n", s.ID, flags.kept)
		}
	}
	if flags.comment {
		postComment(ctx, a, p.Publisher(), s)
	}
	if ctx.Err() != nil {
		return s, &exitError{code: exitInterrupted, err: errors.New("interrupted")}
	}
	return s, nil
}

// showProgress takes the lines of cases that are over away, and shows how many are.
func showProgress(live *terminal.Live, s suite.Suite) {
	over := 0
	for _, e := range s.Entries {
		if e.State.Over() {
			over++
		}
	}
	for _, e := range s.Entries {
		if e.State.Over() {
			live.Done(e.Path, fmt.Sprintf("%d of %d done", over, len(s.Entries)))
		}
	}
}

// postComment comments on the pull request of the CI's run, and prints where, or why
// not. It changes neither the verdict nor the exit code.
func postComment(ctx context.Context, a *app, p publish.Publisher, s suite.Suite) {
	to, job, err := a.program().PullRequest()
	at := ""
	if err == nil {
		at, err = p.Comment(ctx, to, job, s)
	}
	if err != nil {
		fmt.Fprintln(masked{a, a.stderr, "text/plain"}, "assay: no comment was posted:", err)
		return
	}
	fmt.Fprintln(a.stderr, "comment:", at)
}
