package workers

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/suite"
)

// Runs makes a folder of the run in a verified bundle, below a folder, and returns the result
// with the paths that its files have there.
type Runs struct{ Folder string }

// Unpack unpacks a bundle.
func (u Runs) Unpack(ctx context.Context, r suite.Result, bundle string) (suite.Result, error) {
	if !ledger.ValidRun(r.RunID) {
		return r, fmt.Errorf("its run has the id %.100q, which is none", r.RunID)
	}
	z, err := zip.OpenReader(bundle)
	if err != nil {
		return r, fmt.Errorf("open its run: %w", err)
	}
	defer z.Close()
	folder := filepath.Join(u.Folder, r.RunID)
	if err := os.MkdirAll(u.Folder, disk.DirPerm); err != nil {
		return r, disk.Explain(err)
	}
	if err := os.Mkdir(folder, disk.DirPerm); errors.Is(err, fs.ErrExist) {
		return r, fmt.Errorf("its run %s is another case's already", r.RunID)
	} else if err != nil {
		return r, disk.Explain(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return r, disk.Explain(err)
	}
	defer root.Close()
	for _, f := range z.File {
		name, ok := strings.CutPrefix(f.Name, attest.BundleRun)
		if !ok || name == "" || strings.HasSuffix(name, "/") {
			continue
		}
		if err := write(ctx, root, name, f); err != nil {
			return r, fmt.Errorf("unpack %s: %w", name, err)
		}
	}
	r = r.Moved(u.Folder)
	for i := range r.Before {
		r.Before[i].Report = "" // those runs were the worker's
	}
	if len(r.Before) > 0 {
		r.Notes = append(slices.Clone(r.Notes), "the runs of its earlier attempts were the worker's, and went with it")
	}
	return r, nil
}

func write(ctx context.Context, root *os.Root, name string, f *zip.File) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return disk.ErrOutside
	}
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	data, err := io.ReadAll(disk.Reader(ctx, io.LimitReader(from, ledger.MaxBlob+1)))
	if err != nil {
		return err
	}
	if len(data) > ledger.MaxBlob {
		return fmt.Errorf("it has more than %d bytes", ledger.MaxBlob)
	}
	return disk.WriteUnsynced(root, name, data)
}
