package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/suite"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools"
)

// runFlags are the flags of assay run.
type runFlags struct {
	asJSON   bool
	baseURL  string
	parallel int
	resume   string
	summary  string
}

func (f *runFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document with all results")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "address that relative ones in the files belong to (default: base_url of the environment)")
	c.Flags().IntVar(&f.parallel, "parallel", 0, "how many run at a time (default agent.concurrency, at most limits.max_sessions)")
	c.Flags().StringVar(&f.summary, "summary", "", "write a Markdown summary, as for a pull request, to this `FILE` ($GITHUB_STEP_SUMMARY gets one by itself)")
	c.Flags().StringVar(&f.resume, "resume", "", "run again what did not pass in the suite with this `ID`, its own or that of one of its runs")
}

func (a *app) runCommand() *cobra.Command {
	var flags runFlags
	c := &cobra.Command{
		Use:   "run [PATH...]",
		Short: "Run user flows and tasks from files, without a model",
		Args:  cobra.ArbitraryArgs,
		Long: `Run user flows and tasks: files whose names end in .flow.toml, .flow.json,
.task.toml or .task.json, or all of them in folders (default: the current one).
Each has a browser context and a run folder with its reports. All files are
checked before the first one runs.

Exit codes: 0 all passed; 1 something failed or was inconclusive; 2 a file, a
flag or a setting is wrong; 130 interrupted, with what was done until then.`,
		RunE: func(cmd *cobra.Command, paths []string) error { return a.runFiles(cmd, paths, flags) },
	}
	flags.register(c)
	return c
}

// runFiles runs the files at paths as one suite.
func (a *app) runFiles(cmd *cobra.Command, paths []string, flags runFlags) error {
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	if err := flags.settle(cmd, cfg); err != nil {
		return err
	}
	dir, err := dataDir(cfg)
	if err != nil {
		return err
	}
	book := suite.Book{Dir: filepath.Join(dir, "suites")}
	var old suite.Suite
	if flags.resume != "" {
		if len(paths) > 0 {
			return usage("--resume runs the files of that suite: leave %s out", strings.Join(paths, " "))
		}
		if old, err = book.Find(flags.resume); err != nil {
			return usage("--resume: %w", err)
		}
		paths = nearby(old.Paths)
	}
	a.baseURL = cmp.Or(flags.baseURL, old.BaseURL)
	d, err := a.desk(cfg)
	if err != nil {
		return err
	}
	d.Target.BaseURL = cmp.Or(flags.baseURL, old.BaseURL, d.Target.BaseURL)
	files, err := loadFiles(paths, d.Target, cfg.Network.AllowedHosts)
	if err != nil {
		return err
	}
	if err := checkProvider(agentOf(cfg, d), files); err != nil {
		return err
	}
	defer d.Pool.Close(closeLimit)
	d.Pool.Warm()
	cases := a.cases(cfg, d, files)
	asked, err := absolute(paths)
	if err != nil {
		return err
	}
	s := suite.Queue(a.suiteID(), d.Target.BaseURL, asked, cases)
	if flags.resume != "" {
		s = suite.Resume(s, old)
		recheck(cmd.Context(), dir, cfg.Compliance.TrustedKeys, s.Entries)
	}
	to := audience{store: d.Store, folder: book.Folder(s.ID), summary: flags.summary, step: a.getenv("GITHUB_STEP_SUMMARY"),
		webhook: string(cfg.Notify.Webhook), format: cfg.Notify.Format}
	return a.runSuite(cmd.Context(), book, s, cases, flags, to)
}

// settle checks the flags against the configuration and fills in what was left
// out.
func (f *runFlags) settle(cmd *cobra.Command, cfg config.Config) error {
	if !cmd.Flags().Changed("parallel") {
		f.parallel = min(cfg.Agent.Concurrency, cfg.Limits.MaxSessions)
	}
	if f.parallel < 1 || f.parallel > cfg.Limits.MaxSessions {
		return usage("--parallel %d: use 1 to %d (limits.max_sessions)", f.parallel, cfg.Limits.MaxSessions)
	}
	if err := checkBaseURL(f.baseURL); err != nil {
		return err
	}
	return nil
}

// suiteID names a suite. Ids sort by time.
func (a *app) suiteID() string {
	return a.now().UTC().Format("20060102T150405.000Z") + "-" + strings.ToLower(rand.Text()[:6])
}

// cases are the files as cases that can be run.
func (a *app) cases(cfg config.Config, d *tools.Desk, files []loaded) []suite.Case {
	var writing sync.Mutex
	out := make([]suite.Case, len(files))
	for i, f := range files {
		progress := func(string) {}
		if isTerminal(a.stderr) {
			progress = func(message string) {
				writing.Lock()
				defer writing.Unlock()
				fmt.Fprintf(a.stderr, "[%d/%d] %s: %s\n", i+1, len(files), f.path, message)
			}
		}
		c := suite.Case{Path: f.path, File: f.file}
		again := a.again(d.Target.Name, f.path)
		if t := f.task; t != nil {
			t.Metadata = maps.Clone(t.Metadata)
			if t.Metadata == nil {
				t.Metadata = map[string]string{}
			}
			t.Metadata[qa.CommandKey] = again
			c.Name, c.Hash, c.Tags = t.ID, t.Hash, t.Tags
			c.Run = func(ctx context.Context) (suite.Result, error) {
				return a.runTask(ctx, cfg, d, *t, func(e agent.Event) { progress(progressOf(e)) })
			}
		} else {
			c.Name, c.Hash = f.flow.Name, f.flow.hash
			f.flow.Command = again
			c.Run = func(ctx context.Context) (suite.Result, error) {
				return runFlow(ctx, d, *f.flow, progress)
			}
		}
		out[i] = c
	}
	return out
}

// again is the command that runs one file again.
func (a *app) again(env, path string) string {
	line := "assay run"
	if env != "" {
		line += " --env " + env
	}
	if a.baseURL != "" {
		line += " --base-url '" + strings.ReplaceAll(a.baseURL, "'", "%27") + "'"
	}
	return line + " " + filepath.ToSlash(path)
}

// runSuite runs a suite, prints each verdict in the order of the files, and
// fails unless all passed.
func (a *app) runSuite(ctx context.Context, book suite.Book, s suite.Suite, cases []suite.Case, flags runFlags, to audience) error {
	s.StartedAt = a.now()
	a.log.Info("run.started", "event", "run.started", "suite", s.ID, "cases", len(cases), "parallel", flags.parallel)
	printed := 0
	changed := func(s suite.Suite, i int) error {
		if i >= 0 && s.Entries[i].State == suite.Done {
			e := s.Entries[i]
			a.log.Info("case finished", "specPath", e.Path, "status", string(e.Result.Status), "runId", e.Result.RunID, "tookMs", e.Result.DurationMS)
		}
		for ; !flags.asJSON && printed < len(s.Entries) && s.Entries[printed].Over(); printed++ {
			a.printCase(s.Entries[printed])
		}
		a.announce(ctx, s, to)
		return book.Write(s)
	}
	s, err := suite.Run(ctx, s, cases, suite.Options{Parallel: flags.parallel, Now: a.now, Changed: changed})
	if err != nil {
		return noDriver(hinted(err), err)
	}
	result := s.Sum()
	if flags.asJSON {
		if err := json.NewEncoder(a.stdout).Encode(result); err != nil {
			return err
		}
	} else {
		n := result.Summary
		fmt.Fprintf(a.stdout, "%s: %s, %d passed, %d failed, %d error, %d skipped\n", result.Status, counted(s), n.Passed, n.Failed, n.Error, n.Skipped)
		fmt.Fprintf(a.stdout, "index: %s\n", filepath.Join(to.folder, "index.html"))
		if result.Status != qa.TestPassed {
			fmt.Fprintf(a.stdout, "run again what did not pass: assay run --resume %s\n", s.ID)
		}
	}
	switch {
	case ctx.Err() != nil:
		return &exitError{code: exitInterrupted, err: errors.New("interrupted")}
	case result.Status != qa.TestPassed:
		return &exitError{code: exitFailed}
	}
	return nil
}

// counted is how many cases of which kind there are.
func counted(s suite.Suite) string {
	tasks := 0
	for _, e := range s.Entries {
		if suite.IsTask(e.Path) {
			tasks++
		}
	}
	var parts []string
	for _, kind := range []struct {
		noun string
		n    int
	}{{"flow", len(s.Entries) - tasks}, {"task", tasks}} {
		switch kind.n {
		case 0:
		case 1:
			parts = append(parts, "1 "+kind.noun)
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", kind.n, kind.noun))
		}
	}
	return strings.Join(parts, " and ")
}

func (a *app) printCase(e suite.Entry) {
	if e.Result == nil {
		fmt.Fprintf(a.stdout, "%-7s %s  %q\n", qa.TestSkipped, e.Path, e.Name)
		return
	}
	c, note := e.Result, ""
	if e.State == suite.Kept {
		note = "  (kept from the suite before)"
	} else if e.Note != "" {
		note = "  (run again: " + e.Note + ")"
	}
	size := fmt.Sprintf("steps: %d", c.Steps)
	if suite.IsTask(e.Path) {
		size = fmt.Sprintf("checks: %d", c.Checks)
	}
	fmt.Fprintf(a.stdout, "%-7s %s  %q (%s) in %d ms%s\n", c.Status, e.Path, c.Name, size, c.DurationMS, note)
	if c.Flaky {
		fmt.Fprintf(a.stdout, "  flaky: passed at attempt %d\n", c.Attempts)
	}
	if c.FailureReason != "" {
		fmt.Fprintf(a.stdout, "  why: %s\n", c.FailureReason)
	}
	for _, f := range c.Findings {
		if suite.IsTask(e.Path) { // a flow's reason tells its step
			fmt.Fprintf(a.stdout, "  %s: %s: expected %s, observed %s\n", f.Severity, f.Assertion, f.Expected, f.Observed)
		}
		if f.Category == qa.Visual && f.Source == qa.SourceTool && f.SuggestedFix != "" {
			fmt.Fprintf(a.stdout, "  next: %s\n", f.SuggestedFix)
		}
	}
	if c.Report != "" {
		fmt.Fprintf(a.stdout, "  report: %s\n", c.Report)
	}
}

// noDriver makes a missing driver what it is: a matter of the set-up.
func noDriver(said, cause error) error {
	var be *browser.Error
	if errors.As(cause, &be) && be.Code == browser.DriverMissing {
		return usage("%w", said)
	}
	return said
}
