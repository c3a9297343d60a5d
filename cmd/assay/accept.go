package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools"
)

// acceptFlags are the flags of assay accept.
type acceptFlags struct {
	by      string
	all     bool
	run     string
	baseURL string
	vars    []string
}

func (a *app) acceptCommand() *cobra.Command {
	var flags acceptFlags
	c := &cobra.Command{
		Use:   "accept FILE...",
		Short: "Accept what checks took a spec's or a task's sentences for",
		Long: `Accept readings: the assertions that checks of the newest run made for sentences
of a spec or a task that are not understood. Each is shown, and a person at a
terminal says yes or no. What is accepted is kept in FILE.readings.toml beside
the file, for review with it, and is used as it stands from then on. A sentence
that changes by one character, or another assertion, is to be accepted again.

No tool and no model can accept, and nothing is accepted where CI is set. The
run is verified first.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error { return a.accept(cmd, paths, flags) },
	}
	c.Flags().StringVar(&flags.by, "name", "", "printed name of the person who accepts")
	c.Flags().BoolVar(&flags.all, "all", false, "show all of them, and ask once")
	c.Flags().StringVar(&flags.run, "run", "", "`ID` of the run whose readings are meant (default: the newest run of the file)")
	c.Flags().StringVar(&flags.baseURL, "base-url", "", "address that relative ones in the files belong to (default: that of the run)")
	c.Flags().StringArrayVar(&flags.vars, "var", nil, "value of a variable of specs, as `NAME=VALUE`; may be repeated")
	return c
}

// accept shows the readings of each file and keeps those that a person accepts.
func (a *app) accept(cmd *cobra.Command, paths []string, flags acceptFlags) error {
	name := strings.TrimSpace(flags.by)
	switch {
	case a.inCI():
		return usage("nothing is accepted where CI is set: a person accepts readings at a terminal, and commits the file")
	case name == "":
		return usage(`--name is missing: who accepts signs with a printed name, such as --name "Ada Lovelace"`)
	case strings.ContainsFunc(name, unicode.IsControl):
		return usage("--name holds control characters: give a printed name")
	case !isTerminal(a.stdin):
		return usage("a person accepts readings: run it at a terminal, with no pipe before it")
	}
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	s, err := a.acceptance(cfg, flags)
	if err != nil {
		return err
	}
	s.by, s.all = name, flags.all
	accepted := 0
	for _, path := range paths {
		found, err := s.proposed(cmd.Context(), path)
		if err != nil {
			return err
		}
		chosen := s.ask(found)
		if len(chosen) == 0 {
			fmt.Fprintf(a.stdout, "%s: nothing is accepted\n", path)
			continue
		}
		if err := keepReadings(found, chosen); err != nil {
			return err
		}
		accepted += len(chosen)
		fmt.Fprintf(a.stdout, "accepted: %d in %s; commit it with %s\n", len(chosen), spec.ReadingsFile(path), filepath.Base(path))
	}
	if accepted == 0 {
		return &exitError{code: exitFailed}
	}
	return nil
}

// inCI reports whether nobody sits before the terminal.
func (a *app) inCI() bool {
	ci := a.getenv("CI")
	return ci != "" && ci != "0" && ci != "false"
}

// acceptance is what readings are accepted with.
type acceptance struct {
	*app
	flags  acceptFlags
	cfg    config.Config
	dir    string
	store  *evidence.Store
	reader load.Reader
	target tools.Target
	stored suite.Store
	in     *bufio.Reader
	by     string
	all    bool
}

func (a *app) acceptance(cfg config.Config, flags acceptFlags) (*acceptance, error) {
	dir, err := dataDir(cfg)
	if err != nil {
		return nil, err
	}
	d, err := a.desk(cfg)
	if err != nil {
		return nil, err
	}
	r := reader(cfg, dir)
	r.Vars, err = load.Vars(flags.vars)
	if err != nil {
		return nil, err
	}
	return &acceptance{app: a, flags: flags, cfg: cfg, dir: dir, store: d.Store, target: d.Target, stored: runner.Store(dir), in: bufio.NewReader(a.stdin),
		reader: r}, nil
}

// proposals are the readings that runs propose for a file.
type proposals struct {
	path     string
	readings spec.Readings // that it has
	open     []sentence
}

// sentence is a sentence of a file with what checks took it for.
type sentence struct {
	text, run string
	readings  []qa.Proposal
}

// proposed finds what the runs of a file propose, after they were verified.
func (s *acceptance) proposed(ctx context.Context, path string) (p proposals, err error) {
	p.path = path
	if !spec.IsSpec(path) && !spec.IsTask(path) {
		return p, usage("%s is no spec and no task: readings belong to .md, .task.toml and .task.json", path)
	}
	entries, base, err := s.entries(path)
	if err != nil {
		return p, err
	}
	r := s.reader
	r.Target, r.BaseURL = s.target, cmp.Or(s.flags.baseURL, base)
	r.Target.BaseURL = cmp.Or(r.BaseURL, r.Target.BaseURL)
	files, err := r.Load([]string{path})
	if err != nil {
		return p, err
	}
	var changed []string
	for _, e := range entries {
		report, err := s.report(ctx, e.Result.RunID)
		if err != nil {
			return p, err
		}
		i := slices.IndexFunc(files, func(f load.Case) bool { return f.Task != nil || f.Spec != nil && f.Spec.Row == e.Row })
		if i < 0 {
			continue
		}
		changed = append(changed, p.add(files[i], report)...)
	}
	if len(p.open) == 0 {
		why := "no check of it proposes a reading of a sentence that is not understood"
		if len(changed) > 0 {
			why = "the file has changed since: " + strings.Join(changed, "; ") + "; run it again"
		}
		return p, fmt.Errorf("%s: there is nothing to accept in run %s: %s", path, entries[0].Result.RunID, why)
	}
	return p, nil
}

// entries are the cases of the newest suite that ran a file, or of the run that
// was asked for, and the suite's base address.
func (s *acceptance) entries(path string) (of []suite.Entry, base string, err error) {
	file, err := filepath.Abs(path)
	if err != nil {
		return nil, "", usage("%s: %w", path, err)
	}
	mine := func(e suite.Entry) bool {
		return e.File == file && e.Result != nil && e.Result.RunID != "" && (s.flags.run == "" || e.Result.RunID == s.flags.run)
	}
	found, err := s.stored.Newest(func(b suite.Suite) bool { return slices.ContainsFunc(b.Entries, mine) })
	switch {
	case errors.Is(err, suite.ErrNoSuite) && s.flags.run != "":
		return nil, "", usage("--run %s is no run of %s here", s.flags.run, path)
	case errors.Is(err, suite.ErrNoSuite):
		return nil, "", usage("%s has no run here: run it first: assay run %s", path, filepath.ToSlash(path))
	case err != nil:
		return nil, "", err
	}
	for _, e := range found.Entries {
		if mine(e) {
			of = append(of, e)
		}
	}
	return of, found.BaseURL, nil
}

// report is the report of a run that is as it was signed.
func (s *acceptance) report(ctx context.Context, id string) (qa.QAReport, error) {
	found, err := verify.Run(ctx, s.dir, id, verify.Options{Trusted: s.cfg.Compliance.TrustedKeys})
	switch {
	case errors.Is(err, verify.ErrPin):
		return qa.QAReport{}, badPin(err)
	case err != nil:
		return qa.QAReport{}, fmt.Errorf("run %s can't be verified, so nothing of it is accepted: %w", id, err)
	case found.Verdict != verify.Verified:
		f := found.Findings[0]
		return qa.QAReport{}, fmt.Errorf("run %s is not verified, so nothing of it is accepted: %s: %s; see: assay verify %s", id, f.Code, f.Problem, id)
	}
	return s.store.Report(id)
}

// add takes what a run proposes for sentences that the file still has, to the
// character. changed are those that it has no longer.
func (p *proposals) add(f load.Case, report qa.QAReport) (changed []string) {
	var task qa.TaskSpec
	of := func(e qa.Expectation) string { return e.Text }
	if f.Spec != nil {
		task, of, p.readings = f.Spec.Task(), f.Spec.Sentence, f.Spec.Readings
	} else {
		task, p.readings = f.Task.TaskSpec, f.Task.Readings
	}
	for _, u := range report.Understanding() {
		if len(u.Proposals) == 0 {
			continue
		}
		i := slices.IndexFunc(task.Expectations, func(e qa.Expectation) bool { return e.Text == u.Text })
		if i < 0 || f.Spec != nil && f.Spec.ByTitle && task.Goal != report.Task.Goal {
			changed = append(changed, fmt.Sprintf("it no longer says %q", u.Text))
			continue
		}
		e := task.Expectations[i]
		if e.Assertion != nil && e.AcceptedBy == "" {
			continue // its author has written it meanwhile
		}
		own := sentence{text: of(e), run: report.RunID}
		for _, r := range u.Proposals {
			if (e.Assertion == nil || *e.Assertion != r.Assertion || e.Selector != r.Selector) && qa.CheckReading(own.text, r.Assertion, r.Selector) == nil {
				own.readings = append(own.readings, r)
			}
		}
		if len(own.readings) > 0 && !slices.ContainsFunc(p.open, func(o sentence) bool { return o.text == own.text }) {
			p.open = append(p.open, own)
		}
	}
	return changed
}
