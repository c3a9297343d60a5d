package heal

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/internal/disk"
)

// Bounds of a project that is copied to try heals in.
const (
	mostFiles    = 5000
	mostFileSize = 1 << 20 // larger files are linked to
)

// copied says where a project was, and where it is tried in: folders that have all
// files of its tests.
type copied struct{ from, to string }

// owner returns the path of a copied file as its owner knows it.
func (c copied) owner(path string) string { return moved(path, c.to, c.from) }

// path returns the path of an owner's file in the copy.
func (c copied) path(owners string) string { return moved(owners, c.from, c.to) }

// left reports whether a folder of a project is not copied.
func left(path, name, skip string) bool {
	return path == skip || name == ".git" || name == "test-results" || name == "playwright-report" || name == "node_modules"
}

// copyProject copies the files of a project into a folder, and those elsewhere that its
// scripts import, so that heals are tried without touching them. It makes the setup run
// there.
func copyProject(s *testrun.Setup, skip string) (c copied, err error) {
	to, err := s.Folder()
	if err != nil {
		return c, err
	}
	if to, err = filepath.EvalSymlinks(to); err != nil { // as Node names files
		return c, err
	}
	root := s.Project.Root
	own, err := readImports(root, skip)
	if err != nil {
		return c, fmt.Errorf("read what the tests import: %w", err)
	}
	outside := own.outside(root)
	c = copied{from: root, to: to}
	for _, file := range outside {
		for !within(c.from, file) {
			c.from = filepath.Dir(c.from)
		}
	}
	if err := os.MkdirAll(c.path(root), 0o700); err != nil {
		return c, err
	}
	if err := copyTree(c, root, skip); err != nil {
		return c, fmt.Errorf("copy the project to try heals in: %w", err)
	}
	if err := copyOutside(c, root, outside); err != nil {
		return c, fmt.Errorf("copy what the tests import: %w", err)
	}
	if _, err := os.Lstat(filepath.Join(c.path(root), "node_modules")); err != nil {
		if err := os.Symlink(s.Project.Modules, filepath.Join(c.path(root), "node_modules")); err != nil {
			return c, fmt.Errorf("link the runner's packages: %w", err)
		}
	}
	p := &s.Project
	p.Config, p.TestDir, p.Root = c.path(p.Config), c.path(p.TestDir), c.path(root)
	return c, nil
}

func within(folder, path string) bool {
	_, inside := disk.Inside(folder, path)
	return inside
}

func copyTree(c copied, root, skip string) error {
	files := 0
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := c.path(path)
		switch {
		case path == root:
			return nil
		case e.Name() == "node_modules":
			if err := os.Symlink(path, at); err != nil || !e.IsDir() {
				return err
			}
			return filepath.SkipDir
		case e.IsDir() && left(path, e.Name(), skip):
			return filepath.SkipDir
		case e.IsDir():
			return os.Mkdir(at, 0o700)
		}
		if files++; files > mostFiles {
			return fmt.Errorf("%s has more than %d files: name the tests in a smaller project, with a playwright.config or a package.json of its own", root, mostFiles)
		}
		return copyFile(path, at, e)
	})
}

// copyOutside copies files that lie outside of a project, with what says how those of
// their folders, and of the folders above the project, are read.
func copyOutside(c copied, root string, files []string) error {
	folders := []string{}
	for _, from := range append([]string{root}, files...) {
		for dir := filepath.Dir(from); within(c.from, dir) && len(files) > 0; dir = filepath.Dir(dir) {
			if !slices.Contains(folders, dir) && dir != root {
				folders = append(folders, dir)
			}
		}
	}
	for _, dir := range folders {
		if err := os.MkdirAll(c.path(dir), 0o700); err != nil {
			return err
		}
		for _, name := range []string{"package.json", "tsconfig.json", "jsconfig.json", "node_modules"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				if err := os.Symlink(filepath.Join(dir, name), filepath.Join(c.path(dir), name)); err != nil {
					return err
				}
			}
		}
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err == nil {
			err = copyFile(file, c.path(file), fs.FileInfoToDirEntry(info))
		}
		if err != nil {
			return err
		}
	}
	return nil
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
