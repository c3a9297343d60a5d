package runner

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
)

// testPath returns the path of a spec's Playwright test: checkout.spec.ts
// beside checkout.md, checkout.row-2.spec.ts for a row of its data.
func testPath(s spec.Spec) string {
	name := strings.TrimSuffix(s.File, filepath.Ext(s.File))
	if s.Row > 0 {
		name = fmt.Sprintf("%s.row-%d", name, s.Row)
	}
	return name + ".spec.ts"
}

// writeTest writes the recording of a spec that passed as a Playwright test.
// note reports the result; it is empty where no test was requested.
func (c recordings) writeTest(s load.Spec, kept recording, r suite.Result, replayed bool) (note string) {
	if !c.tests {
		return ""
	}
	path := testPath(s.Spec)
	written, err := func() (bool, error) {
		if r.Status != qa.TestPassed {
			return false, errors.New("the spec did not pass")
		}
		if kept.err != nil || kept.misfit != "" {
			return false, cmp.Or(kept.err, errors.New(kept.misfit))
		}
		if !replayed && !r.Recorded {
			return false, errors.New("the recording was not replayed, so it may no longer hold")
		}
		if r.Healed && !c.update {
			return false, errors.New("the recording was healed: keep that with --update-flows")
		}
		o := testfile.Options{Source: filepath.Base(s.Recording()), SignedIn: s.SignedInBy != nil, NumberLocale: c.numberLocale}
		if s.Viewport != nil {
			o.Width, o.Height = s.Viewport.Width, s.Viewport.Height
		}
		text, err := testfile.Of(kept.asWritten, o)
		if err != nil {
			return false, err
		}
		return writeGenerated(path, []byte(text))
	}()
	switch name := load.Relative([]string{path})[0]; {
	case err != nil:
		return fmt.Sprintf("no test written to %s: %v", name, err)
	case written:
		return "test written to " + name
	default:
		return "" // it is there already
	}
}

// maxGenerated bounds a file that a generated one may take the place of, in bytes.
const maxGenerated = 4 << 20

// writeGenerated writes a file, whole or not at all, but over none that a person wrote.
func writeGenerated(path string, text []byte) (written bool, err error) {
	old, err := disk.ReadPath(path, maxGenerated)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	case err == nil && bytes.Equal(old, text):
		return false, nil
	case err == nil && !bytes.HasPrefix(old, []byte(testfile.Mark)):
		return false, errors.New("what is there was not made by assay: move it away")
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return true, disk.Write(root, filepath.Base(path), text)
}
