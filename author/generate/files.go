package generate

import (
	"cmp"
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

// Ending is how the names of generated tests end, and DraftEnding those of drafts: no runner
// takes them for tests unless it is told to.
const (
	Ending      = ".spec.ts"
	DraftEnding = ".draft.ts"
)

// Options say how tests are made.
type Options struct {
	Source        string // name of the plan or the site, in the tests
	Describe      string // name of the block around each test; empty: the site's host
	BaseURL       string // of the site
	Width, Height int    // of the viewport
	Cookies       []testfile.Cookie
	Unverified    string // why nothing was verified on the live site; empty: it was
	Draft         bool   // no runner has run them
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
	acts    []testfile.Lines // of each step what it does
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
		f, unsaid, err := makeSayable(p, o)
		dropped = append(dropped, unsaid...)
		var unsayable *testfile.UnsayableError
		if errors.As(err, &unsayable) {
			dropped = append(dropped, Dropped{Flow: p.Name, What: "test", Reason: err.Error()})
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		f.Name = fileName(p.Name, o.ending(), names)
		files = append(files, f)
	}
	return files, dropped, nil
}

func (o Options) ending() string {
	if o.Draft {
		return DraftEnding
	}
	return Ending
}

// with returns the file of a path that has fewer steps, without the assertions for which drop has
// a reason, and what it lost. It has no text where no assertion is left.
func (f File) with(p Path, o Options, drop func(placed) (cause, reason string)) (File, []Dropped, error) {
	p.Steps = slices.Clone(p.Steps)
	var dropped []Dropped
	for i := range p.Steps {
		s := &p.Steps[i]
		var kept []Expect
		for n, e := range s.Expects {
			at := slices.IndexFunc(f.asserts, func(a placed) bool { return a.step == i && a.expect == n })
			if cause, reason := drop(f.asserts[at]); reason != "" {
				dropped = append(dropped, Dropped{Flow: p.Name, Step: s.Name, Where: s.Where, What: e.Name(), Reason: reason, Cause: cause})
				continue
			}
			kept = append(kept, e)
		}
		s.Expects = kept
	}
	if p.Asserts() == 0 {
		return File{}, dropped, nil
	}
	dropped = append(dropped, p.cutTail()...)
	cut, err := makeFile(p, o)
	if err != nil {
		return f, nil, fmt.Errorf("%s without %s: %w", f.Name, text.Count(len(dropped), "assertion"), err)
	}
	cut.Name = f.Name
	return cut, dropped, nil
}

// makeSayable makes the file of a path without the assertions that a test can't say.
func makeSayable(p Path, o Options) (f File, dropped []Dropped, err error) {
	for {
		f, err = makeFile(p, o)
		var unsayable *testfile.UnsayableError
		if !errors.As(err, &unsayable) {
			return f, dropped, err
		}
		step, expect, ok := p.expectAt(unsayable.Step - 1)
		if !ok || p.Asserts() == 1 {
			return f, dropped, err
		}
		p.Steps = slices.Clone(p.Steps)
		s := &p.Steps[step]
		dropped = append(dropped, Dropped{Flow: p.Name, Step: s.Name, Where: s.Where, What: s.Expects[expect].Name(), Reason: unsayable.Why})
		s.Expects = slices.Delete(slices.Clone(s.Expects), expect, expect+1)
	}
}

// expectAt returns the expectation that a step of [Path.Flow] is.
func (p Path) expectAt(flowStep int) (step, expect int, ok bool) {
	at := 0
	for i, s := range p.Steps {
		if n := flowStep - at - 1; n >= 0 && n < len(s.Expects) {
			return i, n, true
		}
		at += 1 + len(s.Expects)
		if s.Loads {
			at++
		}
	}
	return 0, 0, false
}

// makeFile makes the file of a path, which has no name yet.
func makeFile(p Path, o Options) (File, error) {
	var notes []string
	if o.Unverified != "" {
		notes = append(notes, "Not verified: "+o.Unverified)
	}
	if p.Left {
		notes = append(notes, "Each run leaves behind on the server what it makes.")
	}
	text, lines, err := testfile.PlainWithLines(p.Flow(),
		testfile.PlainOptions{Source: o.Source, Notes: notes, Describe: o.Describe, BaseURL: o.BaseURL, Width: o.Width, Height: o.Height, Cookies: o.Cookies, Draft: o.Draft, Nobody: o.Nobody})
	if err != nil {
		return File{}, err
	}
	f := File{Flow: p.Name, Steps: len(p.Steps), Asserts: p.Asserts(), Text: text, path: p}
	at := 0
	for i, s := range p.Steps {
		f.acts = append(f.acts, lines[at])
		at++ // what the step does
		for n := range s.Expects {
			f.asserts = append(f.asserts, placed{i, n, lines[at]})
			at++
		}
		if s.Loads {
			at++
		}
	}
	return f, nil
}

// fileName returns a name that no other file has.
func fileName(flow, ending string, taken map[string]bool) string {
	stem := cmp.Or(text.FileStem(flow), "flow")
	name := stem
	for n := 2; taken[name+ending]; n++ {
		name = fmt.Sprintf("%s-%d", stem, n)
	}
	taken[name+ending] = true
	return name + ending
}

// maxFile bounds the test files that are read.
const maxFile = 4 << 20

// put writes a file into a folder, unless it is only compared with what is there. kept says that
// another one was left as it is: a person wrote it, or edited it.
func put(dir string, f File, force, compare bool) (_ File, kept bool, err error) {
	there, err := disk.ReadBelow(dir, f.Name, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.State = New
	case err != nil:
		return f, false, fmt.Errorf("read %s: %w", filepath.Join(dir, f.Name), err)
	default:
		f.State = stateOf(string(there), f.Text)
	}
	switch {
	case compare || f.State == Unchanged:
		return f, false, nil
	case f.State == Foreign || f.State == EditedNow && !force:
		return f, true, nil
	}
	return f, false, write(dir, f.Name, []byte(f.Text))
}

// write writes a file into a folder, which it makes.
func write(dir, name string, data []byte) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := disk.Write(root, name, data); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Join(dir, name), err)
	}
	return nil
}

// stale returns the files in a folder that were generated from a source, and are none of those
// made now. Of drafts tests are no stale ones.
func stale(dir, source string, made []File, draft bool) ([]File, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	ours := map[string]bool{}
	for _, f := range made {
		ours[f.Name] = true
	}
	endings := []string{DraftEnding}
	if !draft {
		endings = append(endings, Ending)
	}
	return staleIn(root, source, ours, endings)
}

// staleIn returns the files that were generated from a source, and are none of ours.
func staleIn(root *os.Root, source string, ours map[string]bool, endings []string) (stale []File, err error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		ending := slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(e.Name(), ending) })
		if !ending || ours[e.Name()] || !e.Type().IsRegular() {
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
