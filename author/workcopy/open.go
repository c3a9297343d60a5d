package workcopy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/disk"
)

// Options say what is copied, and where to.
type Options struct {
	Folder  string   // of the project: in a repository, or its root
	Cache   string   // folder of all copies
	Environ []string // git is given the PATH of it, and nothing else
	Rules   Rules
}

// Copy is a repository's last commit in a folder of its own.
type Copy struct {
	Dir    string // of the project in the copy
	Base   string // id of the commit
	Branch string // that the user is on; empty: none
	Home   string // an empty folder, for programs that want a home

	git     git
	rules   Rules
	user    string // root of the user's repository
	root    string // of the copy
	prefix  string // of the project in both, with a slash at its end unless it is empty
	folder  string // holds the copy, git's home and the lock
	release func()
	written map[string]bool
}

// The names within a copy's folder.
const (
	copyPrefix = "copy-"
	lockName   = "lock"
)

// Open makes a copy of the last commit. The caller closes it.
func Open(ctx context.Context, o Options) (*Copy, error) {
	if err := o.Rules.Valid(); err != nil {
		return nil, err
	}
	folder, release, err := newFolder(ctx, o.Cache)
	if err != nil {
		return nil, fmt.Errorf("make a folder for the working copy in %s: %w", o.Cache, err)
	}
	c := &Copy{rules: o.Rules, folder: folder, root: filepath.Join(folder, "repository"), release: release, written: map[string]bool{}}
	if err := c.fill(ctx, o); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *Copy) fill(ctx context.Context, o Options) (err error) {
	c.Home = filepath.Join(c.folder, "home")
	for _, dir := range []string{c.Home, c.root} {
		if err := os.Mkdir(dir, disk.DirPerm); err != nil {
			return err
		}
	}
	if c.git, err = newGit(o.Environ, c.Home); err != nil {
		return err
	}
	format, err := c.readUser(ctx, o.Folder)
	if err != nil {
		return err
	}
	if err := c.checkOut(ctx, format); err != nil {
		return fmt.Errorf("copy commit %.12s of %s: %w", c.Base, c.user, err)
	}
	c.Dir = filepath.Join(c.root, filepath.FromSlash(c.prefix))
	return nil
}

// newFolder removes what killed processes left, and makes a locked folder. One process
// does so at a time.
func newFolder(ctx context.Context, cache string) (folder string, release func(), err error) {
	done, err := disk.Lock(ctx, filepath.Join(cache, lockName))
	if err != nil {
		return "", nil, err
	}
	defer done()
	entries, err := os.ReadDir(cache)
	if err != nil {
		return "", nil, err
	}
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), copyPrefix) {
			if err := removeUnused(ctx, filepath.Join(cache, e.Name())); err != nil {
				return "", nil, fmt.Errorf("remove the copy that an earlier process left: %w", err)
			}
		}
	}
	folder, err = os.MkdirTemp(cache, copyPrefix)
	if err != nil {
		return "", nil, err
	}
	release, err = disk.Lock(ctx, filepath.Join(folder, lockName))
	return folder, release, err
}

// removeUnused removes a copy unless a process still holds its lock.
func removeUnused(ctx context.Context, folder string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Millisecond) // one attempt
	defer cancel()
	release, err := disk.Lock(ctx, filepath.Join(folder, lockName))
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	if err != nil {
		return err
	}
	defer release()
	return os.RemoveAll(folder)
}

// readUser reads where the user's repository stands.
func (c *Copy) readUser(ctx context.Context, folder string) (format string, err error) {
	folder, err = filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s is no folder: [author] root names the project's", folder)
	}
	if inside, err := c.git.line(ctx, folder, "rev-parse", "--is-inside-work-tree"); err != nil || inside != "true" {
		why := "it has no files of its own (a bare repository, or a .git folder)"
		if err != nil {
			why = err.Error()
		}
		return "", fmt.Errorf("%s is in no git repository that an author can copy: %s; begin one with git init and a commit, or set [author] root", folder, why)
	}
	for _, q := range []struct {
		to   *string
		args []string
	}{
		{&c.user, []string{"rev-parse", "--show-toplevel"}},
		{&c.prefix, []string{"rev-parse", "--show-prefix"}},
		{&format, []string{"rev-parse", "--show-object-format"}},
	} {
		if *q.to, err = c.git.line(ctx, folder, q.args...); err != nil {
			return "", err
		}
	}
	if c.Base, err = c.git.line(ctx, c.user, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return "", fmt.Errorf("%s has no commit yet: commit the project once, the author works on a copy of the last commit", c.user)
	}
	if c.Branch, err = c.git.line(ctx, c.user, "symbolic-ref", "--quiet", "--short", "HEAD"); err != nil {
		c.Branch = "" // a detached head
	}
	return format, nil
}

// checkOut makes a repository that borrows the user's objects, and checks the commit
// out.
func (c *Copy) checkOut(ctx context.Context, format string) error {
	objects, err := c.git.line(ctx, c.user, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return err
	}
	if strings.ContainsAny(objects, "\n\"") {
		return fmt.Errorf("the path %q can't be borrowed from", objects)
	}
	if _, err := c.git.run(ctx, c.root, "", "init", "--quiet", "--template=", "--object-format="+format, "--initial-branch=copy", "."); err != nil {
		return err
	}
	own := filepath.Join(c.root, ".git")
	if err := os.MkdirAll(filepath.Join(own, "objects", "info"), disk.DirPerm); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(own, "objects", "info", "alternates"), []byte(objects+"\n"), disk.FilePerm); err != nil {
		return err
	}
	shallow, err := c.git.line(ctx, c.user, "rev-parse", "--path-format=absolute", "--git-path", "shallow")
	if err != nil {
		return err
	}
	switch text, err := os.ReadFile(shallow); {
	case err == nil:
		if err := os.WriteFile(filepath.Join(own, "shallow"), text, disk.FilePerm); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	_, err = c.git.run(ctx, c.root, "", "checkout", "--quiet", "--detach", c.Base)
	return err
}

// Root is the folder of the whole copy, which has the project's folder.
func (c *Copy) Root() string { return c.root }

// LinkPackages lets the copy see the packages that are installed in the user's folders,
// which no commit has. It returns the folders that it leads to.
func (c *Copy) LinkPackages() (folders []string, err error) {
	for _, prefix := range slices.Compact([]string{"", c.prefix}) {
		of := filepath.Join(c.user, filepath.FromSlash(prefix), packages)
		link := filepath.Join(c.root, filepath.FromSlash(prefix), packages)
		if info, err := os.Stat(of); err != nil || !info.IsDir() {
			continue
		}
		switch _, err := os.Lstat(link); {
		case errors.Is(err, fs.ErrNotExist):
			if err := os.Symlink(of, link); err != nil {
				return nil, fmt.Errorf("let the working copy see the installed packages: %w", err)
			}
		case err != nil:
			return nil, err
		}
		folders = append(folders, of)
	}
	return folders, nil
}

// OfferPackages lets tests in the copy find packages that the project lacks, such as
// those of the pinned runner: in a folder above the copy, where Node looks last.
func (c *Copy) OfferPackages(modules string) error {
	err := os.Symlink(modules, filepath.Join(c.folder, packages))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// Around is the folder that holds the copy and what was offered to it.
func (c *Copy) Around() string { return c.folder }

// packages is the folder of packages that npm installs.
const packages = "node_modules"

// Close removes the copy. What was proposed stays in the user's repository.
func (c *Copy) Close() error {
	err := os.RemoveAll(c.folder)
	if c.release != nil {
		c.release()
		c.release = nil
	}
	if err != nil {
		return fmt.Errorf("remove the working copy: %w", err)
	}
	return nil
}
