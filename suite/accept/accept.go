package accept

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools/rules"
)

// Finder finds the readings that the runs of a file propose.
type Finder struct {
	DataDir string // absolute
	Suites  suite.Store
	Reader  load.Reader // with the environment under test as its target
	Report  func(run string) (qa.QAReport, error)
	Trusted []string // keys that runs must be signed with; none: any
	Run     string   // id of the run that is meant; empty: those of the newest suite
	BaseURL string   // wins over that of the run
}

// Proposals holds the readings that runs propose for a file.
type Proposals struct {
	Path     string
	Readings spec.Readings // that it has
	Open     []Sentence    // sentences that are not understood
}

// Sentence holds a sentence of a file, with the readings that checks made of
// it.
type Sentence struct {
	Text, Run string
	Readings  []qa.Proposal
}

// Find returns what the runs of a file propose, after they were verified.
func (f Finder) Find(ctx context.Context, path string) (p Proposals, err error) {
	p.Path = path
	if !spec.IsSpec(path) && !spec.IsTask(path) {
		return p, config.Usage("%s is no spec and no task: readings belong to .md, .task.toml and .task.json", path)
	}
	entries, base, err := f.entries(path)
	if err != nil {
		return p, err
	}
	r := f.Reader
	r.BaseURL = cmp.Or(f.BaseURL, base)
	r.Target.BaseURL = cmp.Or(r.BaseURL, r.Target.BaseURL)
	files, err := r.Load([]string{path})
	if err != nil {
		return p, err
	}
	var changed []string
	for _, e := range entries {
		report, err := f.report(ctx, e.Result.RunID)
		if err != nil {
			return p, err
		}
		i := slices.IndexFunc(files, func(c load.Case) bool { return c.Task != nil || c.Spec != nil && c.Spec.Row == e.Row })
		if i < 0 {
			continue
		}
		changed = append(changed, p.add(files[i], report)...)
	}
	if len(p.Open) == 0 {
		why := "no check of it proposes a reading of a sentence that is not understood"
		if len(changed) > 0 {
			why = "the file has changed since: " + strings.Join(changed, "; ") + "; run it again"
		}
		return p, fmt.Errorf("%s: there is nothing to accept in run %s: %s", path, entries[0].Result.RunID, why)
	}
	return p, nil
}

// entries returns the cases of the newest suite that ran a file, or of the run
// that the finder names, and the suite's base address.
func (f Finder) entries(path string) (of []suite.Entry, base string, err error) {
	file, err := filepath.Abs(path)
	if err != nil {
		return nil, "", config.Usage("%s: %w", path, err)
	}
	mine := func(e suite.Entry) bool {
		return e.File == file && e.Result != nil && e.Result.RunID != "" && (f.Run == "" || e.Result.RunID == f.Run)
	}
	found, err := f.Suites.Newest(func(b suite.Suite) bool { return slices.ContainsFunc(b.Entries, mine) })
	switch {
	case errors.Is(err, suite.ErrNoSuite) && f.Run != "":
		return nil, "", config.Usage("--run %s is no run of %s here", f.Run, path)
	case errors.Is(err, suite.ErrNoSuite):
		return nil, "", config.Usage("%s has no run here: run it first: assay run %s", path, filepath.ToSlash(path))
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

// report returns the report of a run that is as it was signed.
func (f Finder) report(ctx context.Context, id string) (qa.QAReport, error) {
	found, err := verify.Run(ctx, f.DataDir, id, verify.Options{Trusted: f.Trusted})
	switch {
	case errors.Is(err, verify.ErrPin):
		return qa.QAReport{}, err
	case err != nil:
		return qa.QAReport{}, fmt.Errorf("run %s can't be verified, so nothing of it is accepted: %w", id, err)
	case found.Verdict != verify.Verified:
		f := found.Findings[0]
		return qa.QAReport{}, fmt.Errorf("run %s is not verified, so nothing of it is accepted: %s: %s; see: assay verify %s", id, f.Code, f.Problem, id)
	}
	return f.Report(id)
}

// add adds what a run proposes for sentences that the file still has, to the
// character. changed are those that it has no longer.
func (p *Proposals) add(f load.Case, report qa.QAReport) (changed []string) {
	var task qa.TaskSpec
	of := func(e qa.Expectation) string { return e.Text }
	if f.Spec != nil {
		task, of, p.Readings = f.Spec.Task(), f.Spec.Sentence, f.Spec.Readings
	} else {
		task, p.Readings = f.Task.TaskSpec, f.Task.Readings
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
		own := Sentence{Text: of(e), Run: report.RunID}
		for _, r := range u.Proposals {
			if (e.Assertion == nil || *e.Assertion != r.Assertion || e.Selector != r.Selector) && qa.CheckReading(own.Text, r.Assertion, r.Selector) == nil {
				own.Readings = append(own.Readings, r)
			}
		}
		if len(own.Readings) > 0 && !slices.ContainsFunc(p.Open, func(o Sentence) bool { return o.Text == own.Text }) {
			p.Open = append(p.Open, own)
		}
	}
	return changed
}

// Keep adds the chosen readings and writes the readings file, whole or not at all.
func (p Proposals) Keep(chosen []spec.Reading) (err error) {
	file := spec.ReadingsFile(p.Path)
	text := p.Readings.With(chosen).Text(p.Path)
	if _, problems := spec.LoadReadings(file, text, rules.Flows()); len(problems) > 0 {
		return fmt.Errorf("nothing was written: %w", problems)
	}
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file: move it away", file)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return fmt.Errorf("write the readings: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return disk.Write(root, filepath.Base(file), text)
}
