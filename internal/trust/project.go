package trust

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/assay-qa/assay/internal/disk"
)

// Folder is one that a person trusted whole: the tests that it has may be run.
type Folder struct {
	// Path without symbolic links.
	Path string
	// Tests are the files that decide what its tests run, as a person trusted them.
	Tests []File
	// Any says that these may be others now: whoever started a job chose what it runs.
	Any bool
}

// Bounds of the search for test projects below a folder. What lies deeper, or comes
// later, was not trusted with it.
const (
	maxProjectDepth   = 6
	maxProjectFolders = 2000
)

// projectFile reports whether a file decides what runs when the tests beside or below it
// are run: the runner's configuration, the scripts and the kind of modules, and which
// modules are installed.
func projectFile(name string) bool {
	switch name {
	case "package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb":
		return true
	}
	return strings.HasPrefix(name, "playwright.config.")
}

// tests returns the files of a folder and those below it that decide what their tests run.
func tests(folder string) (all []File, err error) {
	folders := 0
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil //nolint:nilerr // what can't be read is not trusted
		}
		rel, _ := filepath.Rel(folder, path) // one is below the other
		if path != folder && disk.HiddenOrInstalled(d.Name()) || strings.Count(rel, string(filepath.Separator)) >= maxProjectDepth {
			return fs.SkipDir
		}
		if folders++; folders > maxProjectFolders {
			return fs.SkipAll
		}
		some, err := testsIn(path)
		all = append(all, some...)
		return err
	})
	sort.Slice(all, func(i, j int) bool { return all[i].Path < all[j].Path })
	return all, err
}

// testsIn returns such files of one folder.
func testsIn(folder string) (out []File, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !projectFile(e.Name()) {
			continue
		}
		path := filepath.Join(folder, e.Name())
		f, err := digest(path)
		if errors.Is(err, errNoFile) { // a folder, or a link to nothing
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, File{Path: path, Sum: f.Sum})
	}
	return out, nil
}

// Changed returns a file that decides what the tests of a project run and is not what a
// person trusted; "" for none. The project is the trusted folder or lies below it.
func (f Folder) Changed(project string) (string, error) {
	if f.Any {
		return "", nil
	}
	for at := project; ; at = filepath.Dir(at) {
		now, err := testsIn(at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return at, err
		}
		kept := slices.DeleteFunc(slices.Clone(f.Tests), func(x File) bool { return filepath.Dir(x.Path) != at })
		for _, x := range append(slices.Clone(now), kept...) {
			if !slices.Contains(kept, x) || !slices.Contains(now, x) {
				return x.Path, nil
			}
		}
		if at == f.Path || at == filepath.Dir(at) {
			return "", nil
		}
	}
}

// SameTests reports whether a folder is the record's own, and was trusted with the same files that decide what its tests
// run.
func (r Record) SameTests(f Folder) bool {
	return f.Path == r.Folder && (f.Any || slices.Equal(f.Tests, r.Tests))
}

// Paths returns where folders are.
func Paths(folders []Folder) []string {
	out := make([]string, len(folders))
	for i, f := range folders {
		out[i] = f.Path
	}
	return out
}

// CheckTests says whether the tests of a project may be run: it lies in a folder that a
// person trusted, and what decides about them is as it was then. Otherwise changed names a
// file that is not. The project is given without symbolic links.
func CheckTests(project string, folders []Folder) (trusted bool, changed string, err error) {
	for _, f := range folders {
		if !Within(project, []string{f.Path}) {
			continue
		}
		if changed, err = f.Changed(project); err != nil || changed == "" {
			return err == nil, "", err
		}
	}
	return false, changed, nil
}
