package heal

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/author/testrun"
)

// Bounds of a project that is copied to try heals in.
const (
	mostFiles    = 5000
	mostFileSize = 1 << 20 // larger files are linked to
)

// copyProject copies the files of a project into a folder, so that heals are tried
// without touching the project, and makes the setup run there.
func copyProject(s *testrun.Setup, skip string) (root string, err error) {
	root = s.Project.Root
	to, err := s.Folder()
	if err != nil {
		return "", err
	}
	if to, err = filepath.EvalSymlinks(to); err != nil { // as Node names files
		return "", err
	}
	files := 0
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		at := filepath.Join(to, rel)
		switch {
		case rel == ".":
			return nil
		case e.IsDir() && (path == skip || e.Name() == ".git" || e.Name() == "test-results" || e.Name() == "playwright-report"):
			return filepath.SkipDir
		case e.Name() == "node_modules":
			if err := os.Symlink(path, at); err != nil || !e.IsDir() {
				return err
			}
			return filepath.SkipDir
		case e.IsDir():
			return os.Mkdir(at, 0o700)
		}
		if files++; files > mostFiles {
			return fmt.Errorf("%s has more than %d files: name the tests in a smaller project, with a playwright.config or a package.json of its own", root, mostFiles)
		}
		return copyFile(path, at, e)
	})
	if err != nil {
		return "", fmt.Errorf("copy the project to try heals in: %w", err)
	}
	if _, err := os.Lstat(filepath.Join(to, "node_modules")); err != nil {
		if err := os.Symlink(s.Project.Modules, filepath.Join(to, "node_modules")); err != nil {
			return "", fmt.Errorf("link the runner's packages: %w", err)
		}
	}
	p := &s.Project
	p.Config, p.TestDir, p.Root = moved(p.Config, root, to), moved(p.TestDir, root, to), to
	return root, nil
}

// copyFile copies a regular file; a large one, and what is none, is linked to.
func copyFile(from, to string, e fs.DirEntry) error {
	info, err := e.Info()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() > mostFileSize {
		return os.Symlink(from, to)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// moved returns a path below one folder as the same below another.
func moved(path, from, to string) string {
	if rest, ok := strings.CutPrefix(path, from); ok && (rest == "" || rest[0] == filepath.Separator) {
		return to + rest
	}
	return path
}
