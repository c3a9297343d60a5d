package generate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/text"
)

// Ending is how the names of generated tests end.
const Ending = ".spec.ts"

// Options say how tests are made.
type Options struct {
	Source        string // name of the plan or the site, in the tests
	Describe      string // name of the block around each test; empty: the site's host
	BaseURL       string // of the site
	Width, Height int    // of the viewport
	Cookies       []testfile.Cookie
	Unverified    string // why nothing was verified on the live site; empty: it was
	Nobody        bool   // the tests begin signed out, whatever they are run with
}

// File is one generated test.
type File struct {
	Name    string `json:"name"`
	Flow    string `json:"flow"`
	Steps   int    `json:"steps"`
	Asserts int    `json:"asserts"`
	State   State  `json:"state"`
	Proof   *Proof `json:"proof,omitempty"` // nil: it was not asked for
	Text    string `json:"-"`

	path    Path
	asserts []placed
}

// placed is an assertion of a path, and where it stands in the file.
type placed struct {
	step, expect int
	lines        testfile.Lines
}

// State says what is to be done with a file, or was.
type State string

// The states of a file.
const (
	New       State = "new"
	Unchanged State = "unchanged"
	Changed   State = "changed" // it was generated before, and is another one now
	EditedNow State = "edited"  // a person changed it since it was generated
	Foreign   State = "foreign" // a person wrote it
	Stale     State = "stale"   // it was generated from the same source, which has no such flow any more
)

// Files makes the test files of paths, with names that are not taken. Paths without an
// assertion are dropped.
func Files(paths []Path, names map[string]bool, o Options) (files []File, dropped []Dropped, err error) {
	for _, p := range paths {
		cut := p.cutTail()
		if p.Asserts() == 0 {
			dropped = append(dropped, Dropped{Flow: p.Name, What: "test", Reason: "nothing is left that it could assert, so it could not fail"})
			continue
		}
		dropped = append(dropped, cut...)
		f, err := makeFile(p, o)
		var unsayable *testfile.UnsayableError
		if errors.As(err, &unsayable) {
			dropped = append(dropped, Dropped{Flow: p.Name, What: "test", Reason: err.Error()})
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		f.Name = fileName(p.Name, names)
		files = append(files, f)
	}
	return files, dropped, nil
}

// makeFile makes the file of a path, which has no name yet.
func makeFile(p Path, o Options) (File, error) {
	var notes []string
	if o.Unverified != "" {
		notes = append(notes, "Not verified: "+o.Unverified)
	}
	text, lines, err := testfile.PlainWithLines(p.Flow(),
		testfile.PlainOptions{Source: o.Source, Notes: notes, Describe: o.Describe, BaseURL: o.BaseURL, Width: o.Width, Height: o.Height, Cookies: o.Cookies, Nobody: o.Nobody})
	if err != nil {
		return File{}, err
	}
	f := File{Flow: p.Name, Steps: len(p.Steps), Asserts: p.Asserts(), Text: text, path: p}
	at := 0
	for i, s := range p.Steps {
		at++ // what the step does
		for n := range s.Expects {
			f.asserts = append(f.asserts, placed{i, n, lines[at]})
			at++
		}
	}
	return f, nil
}

// fileName returns a name that no other file has.
func fileName(flow string, taken map[string]bool) string {
	var b strings.Builder
	for _, r := range strings.ToLower(flow) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	stem := strings.Trim(text.Bytes(strings.Trim(b.String(), "-"), 60), "-")
	if stem == "" {
		stem = "flow"
	}
	name := stem
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", stem, n)
	}
	taken[name] = true
	return name + Ending
}

// maxFile bounds the test files that are read.
const maxFile = 4 << 20

// Compare sets the state of each file by what is in a folder, and adds those that are
// stale.
func Compare(dir, source string, files []File) ([]File, error) {
	files = slices.Clone(files)
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		for i := range files {
			files[i].State = New
		}
		return files, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	ours := map[string]bool{}
	for i := range files {
		f := &files[i]
		ours[f.Name] = true
		text, err := disk.ReadInput(root, f.Name, maxFile)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			f.State = New
		case err != nil:
			return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, f.Name), err)
		default:
			f.State = stateOf(string(text), f.Text)
		}
	}
	stale, err := staleIn(root, source, ours)
	return append(files, stale...), err
}

// staleIn returns the files that were generated from a source, and are none of ours.
func staleIn(root *os.Root, source string, ours map[string]bool) (stale []File, err error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), Ending) || ours[e.Name()] || !e.Type().IsRegular() {
			continue
		}
		text, err := disk.ReadInput(root, e.Name(), maxFile)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", e.Name(), err)
		}
		if origin, from := testfile.OriginOf(string(text)); origin != testfile.ByHand && from == source {
			stale = append(stale, File{Name: e.Name(), State: Stale})
		}
	}
	return stale, nil
}

// stateOf compares a file with what is generated now.
func stateOf(there, now string) State {
	origin, _ := testfile.OriginOf(there)
	switch {
	case origin == testfile.ByHand:
		return Foreign
	case origin == testfile.Edited:
		return EditedNow
	case strings.ReplaceAll(there, "\r\n", "\n") == now:
		return Unchanged
	}
	return Changed
}

// Write writes the files that are new or changed, and with force those that a person
// edited. It returns the names of those that it left as they are: a person wrote them,
// or edited them.
func Write(dir string, files []File, force bool) (kept []string, err error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, f := range files {
		switch {
		case f.State == Unchanged || f.State == Stale:
			continue
		case f.State == Foreign || f.State == EditedNow && !force:
			kept = append(kept, f.Name)
			continue
		}
		if err := disk.Write(root, f.Name, []byte(f.Text)); err != nil {
			return kept, fmt.Errorf("write %s: %w", filepath.Join(dir, f.Name), err)
		}
	}
	return kept, nil
}
