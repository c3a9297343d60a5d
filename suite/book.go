package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/assay-qa/assay/qa"
)

// ErrNoSuite says that no suite of that name is in the books.
var ErrNoSuite = errors.New("no such suite")

// Book keeps suites in a folder each, so that one that was interrupted or has
// failed can be taken up again.
type Book struct{ Dir string }

// idForm is what suites and runs are called; nothing else becomes a path.
var idForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// Folder is where a suite is kept.
func (b Book) Folder(id string) string { return filepath.Join(b.Dir, id) }

// Write keeps a suite as it is now. What was there before is replaced at once:
// a reader never sees half of it.
func (b Book) Write(s Suite) error {
	doc, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("suite %s: %w", s.ID, err)
	}
	dir := b.Folder(s.ID)
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
// newest.
func (b Book) Find(id string) (Suite, error) {
	if !idForm.MatchString(id) {
		return Suite{}, fmt.Errorf("%q is no id of a suite or run: %w", id, ErrNoSuite)
	}
	s, err := b.read(id)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	s, err = b.Newest(func(s Suite) bool {
		return slices.ContainsFunc(s.Entries, func(c Entry) bool { return c.Result != nil && c.Result.RunID == id })
	})
	if errors.Is(err, ErrNoSuite) {
		err = fmt.Errorf("%s: %w", id, err)
	}
	return s, err
}

// Newest is the newest suite that fits.
func (b Book) Newest(fits func(Suite) bool) (Suite, error) {
	entries, err := os.ReadDir(b.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Suite{}, fmt.Errorf("suites: %w", err)
	}
	slices.Reverse(entries) // ids sort by time
	for _, e := range entries {
		if s, err := b.read(e.Name()); err == nil && fits(s) {
			return s, nil
		}
	}
	return Suite{}, fmt.Errorf("%w in %s", ErrNoSuite, b.Dir)
}

func (b Book) read(id string) (Suite, error) {
	var s Suite
	path := filepath.Join(b.Folder(id), "suite.json")
	doc, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(doc, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Queue makes a suite of the cases, all of them yet to run.
func Queue(id, base string, paths []string, cases []Case) Suite {
	s := Suite{ID: id, BaseURL: base, Paths: paths}
	for _, c := range cases {
		s.Entries = append(s.Entries, Entry{Path: c.Path, File: c.File, Name: c.Name, Hash: c.Hash, Row: c.Row, Tags: c.Tags, State: Queued})
	}
	return s
}

// Resume makes a queued suite take up an older one: what passed there, and whose
// file is the same, is kept; everything else runs again, with a note that says
// why. Against another base address nothing is kept.
func Resume(s, old Suite) Suite {
	s.Resumes = old.ID
	for i := range s.Entries {
		e := &s.Entries[i]
		j := slices.IndexFunc(old.Entries, func(o Entry) bool { return o.File == e.File && o.Row == e.Row && (e.File != "" || o.Path == e.Path) })
		switch {
		case j < 0:
			e.Note = "it is new"
		case old.BaseURL != s.BaseURL:
			e.Note = "the base address is another one"
		case old.Entries[j].Hash != e.Hash:
			e.Note = "its file was changed"
		case old.Entries[j].Result == nil:
			e.Note = "it was not run"
		case old.Entries[j].Result.Status != qa.TestPassed:
			e.Note = "it had not passed: " + string(old.Entries[j].Result.Status)
		default:
			e.State, e.Result = Kept, old.Entries[j].Result
		}
	}
	return s
}
