package runner

import (
	"context"
	"path/filepath"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/workers"
)

// NeedsHere says what case i needs that is on this machine alone; empty: a worker can
// run it.
func (p Prepared) NeedsHere(i int) string { return p.needsHere[i] }

// Here runs case i on this machine.
func (p Prepared) Here(i int) func(context.Context) (suite.Result, error) { return p.cases[i].Run }

// Elsewhere has case i run by run, and not here.
func (p Prepared) Elsewhere(i int, run func(context.Context) (suite.Result, error)) {
	p.cases[i].Run = run
}

// Work returns what a worker needs for case i. Files are named from root, and kept by
// keep; config is the configuration's file, or empty.
func (p Prepared) Work(i int, r Request, root, config string, keep func([]byte) (string, error)) (workers.Work, error) {
	e := p.Suite.Entries[i]
	w := workers.Work{Row: e.Row, Round: e.Round, BaseURL: p.Suite.Selection.BaseURL, Vars: r.Vars, Replay: r.Replay}
	paths := p.Files[i]
	if config != "" {
		paths = append(paths[:len(paths):len(paths)], config)
	}
	var err error
	if w.Files, err = workers.Pack(root, paths, keep); err != nil {
		return w, err
	}
	w.Path = workers.Name(root, e.File)
	if config != "" {
		w.Config = workers.Name(root, config)
	}
	return w, nil
}

// workRequest returns what a worker runs for a case whose files are in the working folder.
func workRequest(w workers.Work) Request {
	return Request{Paths: []string{filepath.FromSlash(w.Path)}, BaseURL: w.BaseURL, Vars: w.Vars, Replay: w.Replay, Parallel: 1}
}

// RunOne prepares and runs the one case that a worker has taken, of the files in the
// working folder.
func RunOne(ctx context.Context, rn *Runner, w workers.Work) (suite.Result, error) {
	own := *rn
	own.Config.Quarantines = nil // the coordinator's matter, which has their files
	p, err := own.Prepare(ctx, workRequest(w), suite.Suite{})
	if err != nil {
		return suite.Result{}, err
	}
	for i, e := range p.Suite.Entries {
		if e.Row == w.Row {
			return p.cases[i].Run(ctx)
		}
	}
	return suite.Result{}, config.Usage("%s has no case of row %d: the files are not those of the coordinator", w.Path, w.Row)
}
