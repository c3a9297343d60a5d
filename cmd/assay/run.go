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
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/publish"
	"github.com/assay-qa/assay/tools"
)

// runFlags are the flags of assay run.
type runFlags struct {
	asJSON   bool
	baseURL  string
	parallel int
	resume   string
	summary  string
	tags     []string
	grep     string
	shard    string
	vars     []string
	replay   string
	update   bool
	tests    bool
}

func (f *runFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document with all results")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "address that relative ones in the files belong to (default: base_url of the environment)")
	c.Flags().IntVar(&f.parallel, "parallel", 0, "how many run at a time (default agent.concurrency, at most limits.max_sessions)")
	c.Flags().StringVar(&f.summary, "summary", "", "write a Markdown summary, as for a pull request, to this `FILE` ($GITHUB_STEP_SUMMARY gets one by itself)")
	c.Flags().StringSliceVar(&f.tags, "tags", nil, "run only what has one of these tags, with commas between them")
	c.Flags().StringVar(&f.grep, "grep", "", "run only what this regular `PATTERN` matches, in its path or its name")
	c.Flags().StringVar(&f.shard, "shard", "", "run the i-th part of n of what is selected: `i/n`")
	c.Flags().StringArrayVar(&f.vars, "var", nil, "value of a variable of specs, as `NAME=VALUE`; may be repeated")
	c.Flags().StringVar(&f.replay, "replay", "", "when the recordings of specs are used: `auto|prefer|only|off` (default agent.replay)")
	c.Flags().BoolVar(&f.update, "update-flows", false, "write the recordings of specs anew where they were healed or no longer fit")
	c.Flags().BoolVar(&f.tests, "write-tests", false, "write each recording that passed as a Playwright test, checkout.spec.ts beside checkout.md")
	c.Flags().StringVar(&f.resume, "resume", "", "run again what did not pass in the suite with this `ID`, its own or that of one of its runs")
}

func (a *app) runCommand() *cobra.Command {
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
	old, paths, err := a.takenUp(cfg, paths, flags)
	if err != nil {
		return err
	}
	d, err := a.desk(cfg)
	if err != nil {
		return err
	}
	q, err := a.queue(cmd.Context(), cfg, d, old, paths, flags)
	if err != nil {
		return err
	}
	defer d.Pool.Close(closeLimit)
	d.Pool.Warm()
	return a.runSuite(cmd.Context(), q, flags)
}

// takenUp is the suite that is run again, if one is, and the files to run. From
// then on the base address is that of the flags, or of that suite.
func (a *app) takenUp(cfg config.Config, paths []string, flags runFlags) (old suite.Suite, _ []string, err error) {
	if flags.resume != "" {
		dir, err := dataDir(cfg)
		if err != nil {
			return old, nil, err
		}
		if old, err = flags.resumed(bookIn(dir), paths); err != nil {
			return old, nil, err
		}
		paths = load.Relative(old.Paths)
	}
	a.baseURL = cmp.Or(flags.baseURL, old.BaseURL)
	return old, paths, nil
}

func bookIn(dir string) suite.Book { return suite.Book{Dir: filepath.Join(dir, "suites")} }

// queued is a suite that is good to run.
type queued struct {
	suite suite.Suite
	cases []suite.Case
	book  suite.Book
	to    publish.Publisher
}

// queue reads the files at paths, and makes a suite of what is selected. Nothing
// runs yet.
func (a *app) queue(ctx context.Context, cfg config.Config, d *tools.Desk, old suite.Suite, paths []string, flags runFlags) (q queued, err error) {
	dir, err := dataDir(cfg)
	if err != nil {
		return q, err
	}
	q.book = bookIn(dir)
	d.Target.BaseURL = cmp.Or(a.baseURL, d.Target.BaseURL)
	p := plan{flags: flags, selection: old.Selection}
	if err := a.plan(ctx, cfg, d, paths, dir, &p); err != nil {
		return q, err
	}
	q.cases = a.cases(cfg, d, p)
	asked, err := load.Absolute(paths)
	if err != nil {
		return q, err
	}
	q.suite = suite.Queue(a.suiteID(), d.Target.BaseURL, asked, q.cases)
	q.suite.Selection = p.selection
	if flags.resume != "" {
		q.suite = suite.Resume(q.suite, old)
		recheck(ctx, dir, cfg.Compliance.TrustedKeys, q.suite.Entries)
		rerunSignIns(q.suite.Entries, p.files)
	}
	q.to = publish.Publisher{Store: d.Store, Folder: q.book.Folder(q.suite.ID), Summary: flags.summary, StepSummary: a.getenv("GITHUB_STEP_SUMMARY"),
		Webhook: string(cfg.Notify.Webhook), Format: cfg.Notify.Format, Mask: a.mask, Log: a.log}
	return q, nil
}

// resumed is the suite that is taken up again, with its own files and selection.
func (f runFlags) resumed(book suite.Book, paths []string) (suite.Suite, error) {
	if len(paths) > 0 {
		return suite.Suite{}, usage("--resume runs the files of that suite: leave %s out", strings.Join(paths, " "))
	}
	if len(f.tags) > 0 || f.grep != "" || f.shard != "" {
		return suite.Suite{}, usage("--resume runs what was selected for that suite: leave --tags, --grep and --shard out")
	}
	old, err := book.Find(f.resume)
	if err != nil {
		return old, usage("--resume: %w", err)
	}
	return old, nil
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
	if modes := []string{"", "auto", "prefer", "only", "off"}; !slices.Contains(modes, f.replay) {
		return usage("--replay %q: use auto, prefer, only or off", f.replay)
	}
	return checkBaseURL(f.baseURL)
}

// suiteID names a suite. Ids sort by time.
func (a *app) suiteID() string {
	return a.now().UTC().Format("20060102T150405.000Z") + "-" + strings.ToLower(rand.Text()[:6])
}

// cases are the files as cases that can be run.
func (a *app) cases(cfg config.Config, d *tools.Desk, p plan) []suite.Case {
	files, models := p.files, p.models
	logins := signIns(files)
	var writing sync.Mutex
	out := make([]suite.Case, len(files))
	for i, f := range files {
		progress := func(string) {}
		if isTerminal(a.stderr) {
			progress = func(message string) {
				writing.Lock()
				defer writing.Unlock()
				fmt.Fprintf(a.stderr, "[%d/%d] %s: %s\n", i+1, len(files), f.Path, message)
			}
		}
		c := suite.Case{Path: f.Path, File: f.File}
		again := a.again(d.Target.Name, f.Path)
		switch t := f.Task; {
		case f.Spec != nil:
			c.Name, c.Hash, c.Row, c.Tags = f.Spec.Name(), f.Spec.Hash, f.Spec.Row, f.Spec.Tags
			c.Run = func(ctx context.Context) (suite.Result, error) {
				return a.runSpec(ctx, cfg, d, models, specCase{*f.Spec, logins[f.Spec], logins[f.Spec.SignedInBy]}, again+quotedVars(p.vars), func(e agent.Event) { progress(progressOf(e)) })
			}
		case t != nil:
			t.Metadata = maps.Clone(t.Metadata)
			if t.Metadata == nil {
				t.Metadata = map[string]string{}
			}
			t.Metadata[qa.CommandKey] = again
			c.Name, c.Hash, c.Tags = t.ID, t.Hash, t.Tags
			c.Run = func(ctx context.Context) (suite.Result, error) {
				return a.runTask(ctx, cfg, d, models, *t, func(e agent.Event) { progress(progressOf(e)) })
			}
		default:
			c.Name, c.Hash = f.Flow.Name, f.Flow.Hash
			f.Flow.Command = again
			c.Run = func(ctx context.Context) (suite.Result, error) {
				return runFlow(ctx, d, *f.Flow, progress)
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

// perform runs a suite, keeps its books and tells its audience. watch is told
// the suite whenever something has changed, one change at a time.
func (a *app) perform(ctx context.Context, q queued, parallel int, watch func(suite.Suite)) (suite.Suite, error) {
	q.suite.StartedAt = a.now()
	a.log.Info("run.started", "event", "run.started", "suite", q.suite.ID, "cases", len(q.cases), "parallel", parallel)
	changed := func(s suite.Suite, i int) error {
		if i >= 0 && s.Entries[i].State == suite.Done {
			e := s.Entries[i]
			a.log.Info("case finished", "specPath", e.Path, "status", string(e.Result.Status), "runId", e.Result.RunID, "tookMs", e.Result.DurationMS)
		}
		watch(s)
		q.to.Publish(ctx, s)
		return q.book.Write(s)
	}
	s, err := suite.Run(ctx, q.suite, q.cases, suite.Options{Parallel: parallel, Now: a.now, Changed: changed})
	if err != nil {
		return s, noDriver(hinted(err), err)
	}
	return s, nil
}

// runSuite runs a suite, prints each verdict in the order of the files, and
// fails unless all passed.
func (a *app) runSuite(ctx context.Context, q queued, flags runFlags) error {
	printed := 0
	s, err := a.perform(ctx, q, flags.parallel, func(s suite.Suite) {
		for ; !flags.asJSON && printed < len(s.Entries) && s.Entries[printed].Over(); printed++ {
			a.printCase(s.Entries[printed])
		}
	})
	if err != nil {
		return err
	}
	result := s.Sum()
	if flags.asJSON {
		if err := json.NewEncoder(a.stdout).Encode(result); err != nil {
			return err
		}
	} else {
		n := result.Summary
		fmt.Fprintf(a.stdout, "%s: %s, %d passed, %d failed, %d error, %d skipped\n", result.Status, counted(s), n.Passed, n.Failed, n.Error, n.Skipped)
		fmt.Fprintf(a.stdout, "index: %s\n", filepath.Join(q.to.Folder, "index.html"))
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

// noDriver makes a missing driver what it is: a matter of the set-up.
func noDriver(said, cause error) error {
	var be *browser.Error
	if errors.As(cause, &be) && be.Code == browser.DriverMissing {
		return usage("%w", said)
	}
	return said
}
