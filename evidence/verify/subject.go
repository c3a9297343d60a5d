package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/text"
)

// subjectError says why a subject is none; it is an ErrNoSubject.
type subjectError struct{ err error }

func (e *subjectError) Error() string        { return e.err.Error() }
func (e *subjectError) Unwrap() error        { return e.err }
func (e *subjectError) Is(target error) bool { return target == ErrNoSubject }

func noSubject(format string, args ...any) error {
	return &subjectError{fmt.Errorf(format, args...)}
}

// Subject verifies what a person names: "" the data folder, a run of it by its id
// or as the latest, or a zip.
func Subject(ctx context.Context, dir, subject string, o Options) (Report, error) {
	if subject == "" {
		return All(ctx, dir, o)
	}
	ids, err := ledger.Runs(dir)
	if err != nil {
		return Report{}, err
	}
	if subject == ledger.LatestRun {
		for _, id := range ids {
			if ended(dir, id) {
				return Run(ctx, dir, id, o)
			}
			// One that goes on is passed over. One that somebody stripped of its end is not.
			if r, err := Run(ctx, dir, id, o); err == nil && r.Verdict == Failed || ctx.Err() != nil {
				return r, err
			}
		}
		return Report{}, noSubject("no finished run is stored in %s; see: assay runs list", dir)
	}
	for _, id := range ids {
		if id == subject {
			return Run(ctx, dir, id, o)
		}
	}
	info, err := os.Stat(subject)
	if err == nil && info.IsDir() {
		return Report{}, noSubject("%s is a folder: a data folder is verified with --all --data-dir %s, a run by its id", subject, subject)
	}
	if strings.EqualFold(filepath.Ext(subject), ".zip") || err == nil && info.Mode().IsRegular() {
		if err != nil {
			return Report{}, noSubject("bundle: %w", err)
		}
		return Bundle(ctx, subject, o)
	}
	return Report{}, noSubject("there is no run %q in %s%s; see: assay runs list", subject, dir, text.HintID(subject, ids, ledger.LatestRun))
}

// ended reports whether a run has come to its end, as far as its files tell.
func ended(dir, id string) bool {
	for _, name := range []string{ledger.Report, ledger.Evidence} {
		if _, err := os.Lstat(filepath.Join(dir, ledger.RunsFolder, id, name)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}
