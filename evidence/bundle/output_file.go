package bundle

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/internal/disk"
)

// checkTarget refuses what is there already, and what would become part of a run.
func checkTarget(runs, out string) error {
	if _, err := os.Lstat(out); err == nil {
		return fmt.Errorf("%w: %s exists already, and nothing is overwritten: remove it, or name another file with --out", ErrTarget, out)
	}
	abs, err := filepath.Abs(out)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrTarget, out, err)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return fmt.Errorf("%w: the folder of %s can't be looked at: make it, or name a file elsewhere with --out (%w)", ErrTarget, out, err)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%w: %s is no folder: name a file elsewhere with --out", ErrTarget, folder)
	}
	kept, err := os.Stat(runs)
	if err != nil {
		return nil //nolint:nilerr // the caller that opens the run reports that there is none
	}
	for above := folder; ; above = filepath.Dir(above) {
		if info, err := os.Stat(above); err == nil && os.SameFile(info, kept) {
			return fmt.Errorf("%w: %s is among the stored runs, where it would look like a part of one: name a file elsewhere with --out", ErrTarget, out)
		}
		if above == filepath.Dir(above) {
			return nil
		}
	}
}

// writeAside lets f write a new file beside its place, and puts it there when it is
// whole and on the disk.
func writeAside(out string, f func(*os.File) (Bundle, error)) (made Bundle, err error) {
	temp := out + "." + strings.ToLower(rand.Text()[:8]) + ".tmp"
	file, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, disk.FilePerm)
	if err != nil {
		return Bundle{}, explainTarget(err)
	}
	defer func() {
		if gone := os.Remove(temp); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}()
	made, err = f(file)
	if err == nil {
		err = explainTarget(file.Sync())
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return Bundle{}, err
	}
	return made, publish(temp, out)
}

// publish gives a file its name, if that is free. A link never replaces a file;
// where the file system has no links, looking first has to do.
func publish(temp, out string) error {
	if err := os.Link(temp, out); err == nil {
		return nil
	}
	if _, err := os.Lstat(out); err == nil {
		return fmt.Errorf("%w: a file of that name has come meanwhile, and nothing is overwritten", ErrTarget)
	}
	return explainTarget(os.Rename(temp, out))
}

// explainTarget says what to do about what the bundle's disk refused: its place is not
// chosen with the data folder's flag.
func explainTarget(err error) error {
	switch explained := disk.Explain(err); {
	case errors.Is(explained, disk.ErrFull):
		return fmt.Errorf("the disk is full: free some space, or name a file on another one with --out (%w)", err)
	case errors.Is(explained, disk.ErrReadOnly):
		return fmt.Errorf("the folder can't be written: fix its permissions, or name a file elsewhere with --out (%w)", err)
	default:
		return err
	}
}
