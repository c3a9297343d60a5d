package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pattern"
)

// ErrNoSuite says that no suite of that id is stored.
var ErrNoSuite = errors.New("no such suite")

// Store keeps suites in a folder each, so that one that was interrupted or has
// failed can be resumed.
type Store struct{ Dir string }

// idForm matches the ids of suites and runs; nothing else becomes a path.
var idForm = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// Folder returns the path of a suite's folder.
func (st Store) Folder(id string) string { return filepath.Join(st.Dir, id) }

// Write stores a suite as it is now. What was there before is replaced at once:
// a reader never sees half of it.
func (st Store) Write(s Suite) error {
	doc, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("suite %s: %w", s.ID, err)
	}
	dir := st.Folder(s.ID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("suite %s: %w", s.ID, err)
	}
	temp, err := os.CreateTemp(dir, "suite-*.tmp")
	if err != nil {
		return fmt.Errorf("suite %s: %w", s.ID, err)
	}
	_, err = temp.Write(append(doc, '\n'))
	err = errors.Join(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), filepath.Join(dir, "suite.json"))
	}
	if err != nil {
		return fmt.Errorf("suite %s: %w", s.ID, errors.Join(err, os.Remove(temp.Name())))
	}
	return nil
}

// Find finds a suite by its own id, or by that of a run in it; of several the
// newest. "latest" is the newest suite of assay run.
func (st Store) Find(id string) (Suite, error) {
	if id == "latest" {
		return st.Newest(OfFiles)
	}
	if !idForm.MatchString(id) {
		return Suite{}, fmt.Errorf("%q is no id of a suite or run: %w", id, ErrNoSuite)
	}
	s, err := st.read(id)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	s, err = st.Newest(func(s Suite) bool {
		return slices.ContainsFunc(s.Entries, func(c Entry) bool { return c.Result != nil && c.Result.RunID == id })
	})
	if errors.Is(err, ErrNoSuite) {
		err = fmt.Errorf("%s: %w", id, err)
	}
	return s, err
}

// Newest returns the newest suite that fits.
func (st Store) Newest(fits func(Suite) bool) (Suite, error) {
	entries, err := os.ReadDir(st.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Suite{}, fmt.Errorf("suites: %w", err)
	}
	slices.Reverse(entries) // ids sort by time
	for _, e := range entries {
		if s, err := st.read(e.Name()); err == nil && fits(s) {
			return s, nil
		}
	}
	return Suite{}, fmt.Errorf("%w in %s", ErrNoSuite, st.Dir)
}

// maxSuite bounds a stored suite, in bytes.
const maxSuite = 64 << 20

func (st Store) read(id string) (Suite, error) {
	var s Suite
	path := filepath.Join(st.Folder(id), "suite.json")
	doc, err := disk.ReadPath(path, maxSuite)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(doc, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}
