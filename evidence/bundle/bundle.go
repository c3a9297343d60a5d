// Package bundle packs a finished run into one zip, with all that is needed to
// check it elsewhere: the signed statement about its files, the log's entries
// of it, proofs, keys, and instructions for doing it by hand.
//
// It packs a damaged run as it is: a check of the bundle shows the damage.
// Files that no statement covers are not packed, but named.
package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
)

// ErrTarget marks a path to which no bundle can be written.
var ErrTarget = errors.New("the bundle is not written there")

// Log holds the part of a data folder's log that a bundle is made from.
type Log interface {
	View(ctx context.Context, f func(*ledger.Tx) error) error
	// Trust returns the verifier keys that the data folder itself names.
	Trust() (attest.Trust, error)
}

// Source names a run and the log with its entries.
type Source struct {
	Dir    string // data folder
	Run    string // id of a finished run
	Ledger Log    // of the data folder
}

// Bundle describes the zip that was written.
type Bundle struct {
	Path   string
	Files  int
	Bytes  int64    // of the zip
	SHA256 string   // of the zip, hexadecimal
	Left   []string // what is not in it, though it is in the run's folder or should be, and why
}

// Write packs a run into the new file out. The same run and the same log give
// the same bytes. On an error, or when the context ends, no file is left.
func Write(ctx context.Context, from Source, out string) (Bundle, error) {
	runs := filepath.Join(from.Dir, ledger.RunsFolder)
	if err := checkTarget(runs, out); err != nil {
		return Bundle{}, err
	}
	failed := func(err error) (Bundle, error) { return Bundle{}, fmt.Errorf("export run %s: %w", from.Run, err) }
	if !ledger.ValidRun(from.Run) {
		return failed(errors.New("it is no run id; see: assay runs list"))
	}
	dir := filepath.Join(runs, from.Run)
	info, err := os.Lstat(dir)
	if err != nil {
		return failed(disk.Explain(err))
	}
	if !info.IsDir() {
		return failed(fmt.Errorf("%s is no folder: restore it from a copy", dir))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return failed(disk.Explain(err))
	}
	defer root.Close()
	p := &pack{run: from.Run, root: root, runRecord: readRunRecord(root, from.Run)}
	if err := p.readLog(ctx, from.Ledger); err != nil {
		return failed(err)
	}
	made, err := writeAside(out, func(file *os.File) (Bundle, error) { return p.write(ctx, file) })
	if err != nil {
		return failed(fmt.Errorf("write %s: %w", out, err))
	}
	made.Path = out
	return made, nil
}
