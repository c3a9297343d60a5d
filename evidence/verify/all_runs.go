package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/wait"
)

// All verifies a whole data folder: every entry of its log, every run, and the
// pictures of every baseline. The error is for what is no data folder.
func All(ctx context.Context, dataDir string, o Options) (Report, error) {
	v, err := newVerification("data folder "+dataDir, o)
	if err != nil {
		return Report{}, err
	}
	v.whole = true
	root, err := os.OpenRoot(dataDir)
	if err != nil {
		return Report{}, fmt.Errorf("%w: data folder %s: %w", ErrNoSubject, dataDir, err)
	}
	defer root.Close()
	ids, err := ledger.Runs(dataDir) // before the log, which has them all then
	if err != nil {
		return Report{}, err
	}
	if err := v.dataFolder(ctx, root, dataDir); err != nil {
		return Report{}, err
	}
	if v.log != nil && v.log.signed && len(v.ring.pinned) > 0 && !v.log.newest.pinned {
		v.fault("key-not-pinned", ledger.Database, "find out whose key it is: pin it with --key if it is yours", "no pinned key signed the newest entries of the log")
	}
	p, err := readLog(ctx, v.findings, v.ring, v.log)
	if err != nil {
		return Report{}, err
	}
	v.stories = maps.Clone(p.runs)
	seen, err := v.verifyRuns(ctx, root, ids)
	if err != nil {
		return Report{}, err
	}
	if err := v.compareRunsWithLog(ctx, root, p, seen); err != nil {
		return Report{}, err
	}
	if err := (&baselineCheck{v.findings, p}).check(ctx, root); err != nil {
		return Report{}, err
	}
	v.report.conclude()
	return *v.report, nil
}

// verifyRuns verifies the runs, several at once, and returns what each came to.
func (v *verification) verifyRuns(ctx context.Context, root *os.Root, ids []string) (map[string]*Report, error) {
	var mu sync.Mutex
	seen := map[string]*Report{}
	err := forEachParallel(ctx, ids, func(id string) error {
		one := &verification{findings: newFindings(""), options: v.options, ring: v.ring, log: v.log, whole: true, stories: v.stories}
		one.run = id
		if err := one.runFolder(ctx, root, id); err != nil {
			return err
		}
		if v.stories[id].deleted { // that says nothing of what lies there now
			if _, err := root.Lstat(ledger.RunsFolder + "/" + id); errors.Is(err, fs.ErrNotExist) {
				return nil // it went meanwhile
			}
			one.note("run-deleted", ledger.RunsFolder+"/"+id, "assay runs prune finishes it, unless somebody has put it back", "its deletion is in the log, and its folder is there")
		}
		mu.Lock()
		defer mu.Unlock()
		seen[id] = one.report
		return nil
	})
	return seen, err
}

// forEachParallel calls f for each name, as many at once as there are processors.
func forEachParallel(ctx context.Context, names []string, f func(string) error) error {
	errs := wait.SideBySide(ctx, runtime.GOMAXPROCS(0), len(names), func(i int) error { return f(names[i]) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errors.Join(errs...)
}

// compareRunsWithLog compares the runs on the disk with those in the log, and
// takes over what was found in them. A run that is deleted meanwhile is
// skipped.
func (v *verification) compareRunsWithLog(ctx context.Context, root *os.Root, p *logEntries, seen map[string]*Report) error {
	var missing []string
	for id, s := range p.runs {
		if _, err := root.Lstat(ledger.RunsFolder + "/" + id); errors.Is(err, fs.ErrNotExist) && !s.deleted {
			missing = append(missing, id)
		}
	}
	faulty := slices.ContainsFunc(slices.Collect(maps.Values(seen)), func(r *Report) bool { return len(r.Findings) > 0 })
	if len(missing) > 0 || faulty {
		if err := p.readAppended(ctx, v.findings); err != nil {
			return err
		}
	}
	slices.Sort(missing)
	for _, id := range missing {
		if s := p.runs[id]; !s.deleted {
			reportMissingRun(v.findings, id, s)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		if p.runs[id].deleted && !v.stories[id].deleted {
			continue
		}
		if v.log != nil {
			seen[id].Entries = 0 // they were counted with the log
		}
		v.report.merge(seen[id])
	}
	return nil
}

// reportMissingRun reports a run that the log has and the folder has not.
func reportMissingRun(found *findings, id string, s runEvents) {
	index := s.index
	f := Finding{Code: "run-missing", Severity: Fault, Run: id, File: ledger.RunsFolder + "/" + id, Entry: &index,
		Next: "restore the folder from a copy, or find out who removed it: assay removes no run without an entry"}
	if s.finished {
		f.Problem = fmt.Sprintf("the log says that the run ended (%s), and its folder is gone", s.status)
	} else {
		f.Problem = "the log says that the run began, and its folder is gone: somebody removed it, or the power was cut before the folder was on the disk"
	}
	found.add(f)
}
