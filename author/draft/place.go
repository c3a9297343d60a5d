package draft

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/workcopy"
)

var errNothing = errors.New("no file was written yet: write one with fs_write_patch")

// put writes content that was checked, and remembers it.
func (d *Draft) put(c *workcopy.Copy, path string, content []byte) error {
	if err := c.Write(path, content); err != nil {
		return err
	}
	if d.sums == nil {
		d.sums = map[string]string{}
	}
	d.sums[path] = sum(content)
	return nil
}

func sum(content []byte) string {
	s := sha256.Sum256(content)
	return hex.EncodeToString(s[:])
}

// Files returns the paths of all that was written, below the project's folder.
func (d *Draft) Files() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.copy == nil {
		return nil
	}
	return d.copy.Written()
}

// Tests returns the paths of the written tests, below the project's folder.
func (d *Draft) Tests() []string {
	return slices.DeleteFunc(d.Files(), func(path string) bool { return !workcopy.IsTest(path) })
}

// Copy returns the working copy; nil before the first file is written.
func (d *Draft) Copy() *workcopy.Copy {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.copy
}

// Folder returns the project's folder in the working copy; empty before the first file
// is written.
func (d *Draft) Folder() string {
	if c := d.Copy(); c != nil {
		return c.Dir
	}
	return ""
}

// Below returns a path in the working copy as the project has it; others stay.
func (d *Draft) Below(path string) string {
	folder := d.Folder()
	for _, f := range []func(string) (string, error){filepath.Abs, filepath.EvalSymlinks} {
		dir, err := f(folder)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(rel, "..") {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// Read returns a written file.
func (d *Draft) Read(path string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.copy == nil {
		return nil, errNothing
	}
	content, exists, err := d.copy.Read(path)
	if err == nil && !exists {
		err = fmt.Errorf("%s is gone from the working copy", path)
	}
	return content, err
}

// Diff returns how all that was written differs from the last commit.
func (d *Draft) Diff(ctx context.Context) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.copy == nil {
		return "", nil
	}
	return d.copy.Diff(ctx, d.copy.Written()...)
}

// AsWritten is an error where a file is not as it was written and checked: a program
// that ran since has changed it.
func (d *Draft) AsWritten() error {
	for path, want := range d.written() {
		content, err := d.Read(path)
		if err != nil {
			return err
		}
		if sum(content) != want {
			return fmt.Errorf("%s was changed by something that ran, so it is neither run nor proposed: write it again", path)
		}
	}
	return nil
}

func (d *Draft) written() map[string]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := map[string]string{}
	for path, s := range d.sums {
		out[path] = s
	}
	return out
}

// Reread takes over what a formatter made of files, if it may be run.
func (d *Draft) Reread(ctx context.Context, paths []string) error {
	for _, path := range paths {
		content, err := d.Read(path)
		if err != nil {
			return err
		}
		if sum(content) == d.written()[path] {
			continue
		}
		if err := d.check(ctx, path, content); err != nil {
			return fmt.Errorf("formatted, %w", err)
		}
		d.mu.Lock()
		d.sums[path] = sum(content)
		d.mu.Unlock()
	}
	return nil
}
