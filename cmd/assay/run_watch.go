package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/suite/watch"
)

// A file that changes whenever cases run is written by the site or by the run itself: it would start them for ever.
const (
	maxOwnChanges = 3           // rounds in a row that one file starts, by changing while cases run or right after
	rightAfter    = time.Second // how long after a round that is
)

// watchedRun is a suite that runs again with each change of a file.
type watchedRun struct {
	request runner.Request
	first   runner.Prepared
	flags   runFlags
	live    *terminal.Live

	app    *app
	runner *runner.Runner
	folder *watch.Folder
	root   string // absolute, of what is watched

	order   []suite.CaseID // of all cases that ran, as they came
	cases   map[suite.CaseID]watchedCase
	pending []string        // files whose cases are to run, and could not
	all     bool            // all cases are to run, and could not
	own     map[string]int  // rounds in a row that a file started by itself
	unseen  map[string]bool // files of cases whose changes are not told, which was said
	ended   time.Time       // of the newest round
}

// watchedCase is what is known of a case after its newest run.
type watchedCase struct {
	watch.Case
	entry suite.Entry
}

// watchFiles runs the suite, and again what a change can affect, until it is interrupted.
func watchFiles(ctx context.Context, a *app, rn *runner.Runner, w watchedRun) (err error) {
	w.app, w.runner = a, rn
	w.cases, w.own, w.unseen = map[suite.CaseID]watchedCase{}, map[string]int{}, map[string]bool{}
	if w.root, err = filepath.Abs(a.loaded.Place.Work); err != nil {
		return err
	}
	if w.folder, err = watch.Open(w.root, rn.DataDir); err != nil {
		return usage("%w", err)
	}
	defer func() { err = errors.Join(err, w.folder.Close()) }()
	go w.folder.Collect(ctx)
	if err := w.round(ctx, w.first); err != nil {
		return err
	}
	said := false
	for ctx.Err() == nil {
		if !said {
			fmt.Fprintf(a.stderr, "watching %s: save a file to run what it affects, Ctrl-C ends\n", w.root)
		}
		changed, err := w.folder.Next(ctx)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return usage("%w", err)
		}
		before := w.ended
		if err := w.run(ctx, changed); err != nil {
			return err
		}
		said = w.ended.Equal(before)
	}
	return w.verdict()
}

// run runs what changed files affect, and what changes meanwhile. The error ends the watch.
func (w *watchedRun) run(ctx context.Context, changed []string) error {
	late := w.app.now().Sub(w.ended) < rightAfter
	for ; len(changed) > 0 && ctx.Err() == nil; late = true {
		changed = w.without(changed, late)
		effect := watch.Affected(w.root, w.folder.Names(), changed, w.known(), load.Runnable)
		q, err := w.prepare(ctx, changed, effect)
		if err != nil {
			return err
		}
		if q != nil {
			if err := w.round(ctx, *q); err != nil {
				return err
			}
		}
		if changed, err = w.folder.Changed(); err != nil {
			return usage("%w", err)
		}
	}
	return nil
}

// without leaves files out that keep changing by themselves, and says so once. Those that changed now count, if they did so
// while cases ran or right after.
func (w *watchedRun) without(changed []string, late bool) []string {
	for file := range w.own {
		if !slices.Contains(changed, file) {
			delete(w.own, file)
		}
	}
	return slices.DeleteFunc(changed, func(file string) bool {
		if !late {
			w.own[file] = 0
			return false
		}
		if w.own[file]++; w.own[file] == maxOwnChanges+1 {
			fmt.Fprintf(w.app.stderr, "%s changed while cases ran or right after, %d times in a row: it starts no more runs until it changes at another time\n",
				w.name(file), maxOwnChanges)
		}
		return w.own[file] > maxOwnChanges
	})
}

// prepare makes the suite of what a change affects; nil where that is nothing, or can't run as its files are now.
func (w *watchedRun) prepare(ctx context.Context, changed []string, e watch.Effect) (*runner.Prepared, error) {
	if len(changed) == 0 {
		return nil, nil
	}
	if slices.Contains(changed, w.settings()) {
		fmt.Fprintf(w.app.stderr, "%s changed: settings are read at the start, so end this and start it again\n", w.name(w.settings()))
	}
	for _, file := range e.Unused {
		fmt.Fprintf(w.app.stdout, "changed: %s: no case loaded it\n", w.name(file))
	}
	r := w.request
	r.Only = slices.Concat(w.pending, e.Files)
	all := e.All || w.all
	switch {
	case all:
		r.Only = nil
	case len(r.Only) == 0:
		return nil, nil
	}
	q, err := w.runner.Prepare(ctx, r, suite.Suite{})
	var wrong *config.UsageError
	if errors.As(err, &wrong) {
		fmt.Fprintln(masked{w.app, w.app.stderr, "text/plain"}, "assay:", explained(wrong))
		w.pending, w.all = slices.Compact(slices.Sorted(slices.Values(r.Only))), all
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	w.pending, w.all = nil, false
	w.forget(q, r.Only)
	if len(q.Suite.Entries) == 0 {
		return nil, nil
	}
	affected := text.Count(len(q.Suite.Entries), "case")
	if all {
		affected += ", as what it affects is not known"
	}
	fmt.Fprintf(w.app.stdout, "changed: %s: %s\n", strings.Join(w.names(changed), ", "), affected)
	return &q, nil
}

// round runs a suite, and keeps what is known of its cases.
func (w *watchedRun) round(ctx context.Context, q runner.Prepared) error {
	s, err := runSuite(ctx, w.app, w.runner, q, w.flags, w.live)
	w.ended = w.app.now()
	if err != nil {
		return err
	}
	for i, e := range s.Entries {
		c := watchedCase{Case: watch.Case{File: e.File, Files: q.Files[i]}, entry: e}
		w.sayUnseen(c.Files)
		if e.Result != nil && e.Result.RunID != "" {
			if c.Loaded, err = watch.LoadedBy(w.runner.Desk.Store, e.Result.RunID); err != nil {
				fmt.Fprintln(masked{w.app, w.app.stderr, "text/plain"}, "assay:", err, "– a change of what it loaded runs all cases")
			}
		}
		if old, known := w.cases[e.ID()]; !known {
			w.order = append(w.order, e.ID())
		} else if c.Loaded == nil {
			c.Loaded = old.Loaded // a run that got to no page says nothing of what it would load
		}
		w.cases[e.ID()] = c
	}
	w.printState()
	return nil
}

// forget drops the cases of files that were to run and have no case any more.
func (w *watchedRun) forget(q runner.Prepared, only []string) {
	w.order = slices.DeleteFunc(w.order, func(id suite.CaseID) bool {
		gone := (only == nil || slices.Contains(only, id.File)) && !slices.ContainsFunc(q.Suite.Entries, func(e suite.Entry) bool { return e.ID() == id })
		if gone {
			delete(w.cases, id)
		}
		return gone
	})
}

// printState prints how all cases ended when they ran last, where the newest round had not all of them.
func (w *watchedRun) printState() {
	if w.flags.asJSON {
		return
	}
	var bad []string
	sum := w.sum()
	for i, c := range sum.TestCases {
		switch {
		case c.Quarantine != "":
			bad = append(bad, w.cases[w.order[i]].entry.Path+" in quarantine")
		case c.Status != qa.TestPassed:
			bad = append(bad, fmt.Sprintf("%s %s", w.cases[w.order[i]].entry.Path, c.Status.Verdict()))
		}
	}
	status := sum.Status.Verdict()
	line := fmt.Sprintf("%sof all %s, each as it ran last: %d passed", w.app.mark(status), text.Count(len(w.order), "case"), len(w.order)-len(bad))
	if len(bad) > 0 {
		line += "; " + strings.Join(slices.Compact(bad), ", ")
	}
	fmt.Fprintln(w.app.stdout, line)
}

// sum returns the outcome of all cases, each as it ran last.
func (w *watchedRun) sum() qa.TestResult {
	s := suite.Suite{FinishedAt: w.ended}
	for _, id := range w.order {
		s.Entries = append(s.Entries, w.cases[id].entry)
	}
	return s.Sum()
}

// verdict returns the error that ends the watch with the exit code of all cases. What is still to run is told, and is no pass.
func (w *watchedRun) verdict() error {
	if w.all || len(w.pending) > 0 {
		return &exitError{code: exitFailed, err: errors.New("what changed last was not run, as its files are not right: see above")}
	}
	return verdictError(w.sum().Status.Verdict())
}

// sayUnseen names the files of cases whose changes are not told: they lie outside of what is watched.
func (w *watchedRun) sayUnseen(files []string) {
	for _, file := range files {
		if !w.folder.Sees(file) && !w.unseen[file] {
			w.unseen[file] = true
			fmt.Fprintf(w.app.stderr, "%s is hidden, or outside of %s: a change of it starts nothing\n", file, w.root)
		}
	}
}

// known returns what is known of the cases.
func (w *watchedRun) known() (all []watch.Case) {
	for _, id := range w.order {
		all = append(all, w.cases[id].Case)
	}
	return all
}

// settings returns the absolute path of the configuration; "" without one.
func (w *watchedRun) settings() string {
	path := w.app.loaded.Path
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		return abs
	}
	return path
}

func (w *watchedRun) names(files []string) (names []string) {
	for _, file := range files {
		names = append(names, w.name(file))
	}
	return names
}

// name returns a file as it is called in messages.
func (w *watchedRun) name(file string) string {
	if name, inside := disk.Inside(w.root, file); inside {
		return name
	}
	return file
}
