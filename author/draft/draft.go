package draft

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/author/workcopy"
	"github.com/assay-qa/assay/browser/driver"
)

// Draft holds the working copy of one author. Its calls take turns.
type Draft struct {
	Project    workcopy.Options
	Prefix     string // of the branches that are proposed
	Mask       func(string) string
	TestRunner func(context.Context) (driver.TestRunner, error)
	Reader     *script.Reader // of the tests that are written; whoever made it closes it

	mu   sync.Mutex
	copy *workcopy.Copy
	sums map[string]string // of what was written, by path
}

// Change is one file, whole or as a patch of it.
type Change struct {
	Path    string
	Content *string
	Patch   *string
}

// Written says what became of a change.
type Written struct {
	Path   string `json:"path"`
	Diff   string `json:"diff" jsonschema:"from the last commit"`
	SHA256 string `json:"sha256"`
	Folder string `json:"folder" jsonschema:"of the project in the working copy"`
}

// open returns the working copy, which the first call makes.
func (d *Draft) open(ctx context.Context) (*workcopy.Copy, error) {
	if d.copy == nil {
		c, err := workcopy.Open(ctx, d.Project)
		if err != nil {
			return nil, err
		}
		d.copy = c
	}
	return d.copy, nil
}

// Close removes the working copy. Proposed branches stay.
func (d *Draft) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.copy == nil {
		return nil
	}
	err := d.copy.Close()
	d.copy, d.sums = nil, nil
	return err
}

// Write writes a file of the project into the working copy, if it may be run.
func (d *Draft) Write(ctx context.Context, change Change) (Written, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.Project.Rules.CheckPath(change.Path); err != nil {
		return Written{}, err
	}
	if (change.Content == nil) == (change.Patch == nil) {
		return Written{}, errors.New("give the whole file as content, or a patch of it, and not both")
	}
	c, err := d.open(ctx)
	if err != nil {
		return Written{}, err
	}
	var content []byte
	if change.Content != nil {
		content = []byte(*change.Content)
	} else if content, err = d.patched(ctx, c, change); err != nil {
		return Written{}, err
	}
	if err := d.check(ctx, change.Path, content); err != nil {
		return Written{}, err
	}
	if err := d.put(c, change.Path, content); err != nil {
		return Written{}, err
	}
	out := Written{Path: change.Path, SHA256: sum(content), Folder: c.Dir}
	out.Diff, err = c.Diff(ctx, change.Path)
	return out, err
}

// patched returns what a patch makes of its file.
func (d *Draft) patched(ctx context.Context, c *workcopy.Copy, change Change) ([]byte, error) {
	files, err := d.Project.Rules.Parse(*change.Patch)
	if err != nil {
		return nil, err
	}
	if len(files) != 1 || files[0].Path != change.Path {
		return nil, fmt.Errorf("the patch has to change %s, and no other file", change.Path)
	}
	old, exists, err := c.Read(change.Path)
	switch {
	case err != nil:
		return nil, err
	case exists && files[0].New:
		return nil, fmt.Errorf("%s is there already: patch what it holds", change.Path)
	case !exists && !files[0].New:
		return nil, fmt.Errorf("%s is not there: send it as content", change.Path)
	}
	if err := c.CheckPatch(ctx, *change.Patch, []string{change.Path}); err != nil {
		return nil, err
	}
	return files[0].Apply(old)
}

// check refuses content that may not be written, or not be run.
func (d *Draft) check(ctx context.Context, path string, content []byte) error {
	text := string(content)
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("%s would be empty: files are not emptied", path)
	case !utf8.Valid(content) || strings.ContainsRune(text, 0):
		return fmt.Errorf("%s would be no text in UTF-8", path)
	case d.Mask(text) != text:
		return fmt.Errorf("%s would hold the value of a secret in clear: sign in by a role's stored sign-in, and write no password down", path)
	}
	if !workcopy.IsTest(path) {
		return nil
	}
	problems, err := d.Reader.Check(ctx, script.Source{Name: path, Text: content})
	if len(problems) == 0 || err != nil {
		return err
	}
	lines := make([]string, 0, len(problems))
	for _, p := range problems {
		lines = append(lines, p.Error())
	}
	return fmt.Errorf("%s may not be run, so it is not written:\n%s", path, strings.Join(lines, "\n"))
}

// Linted says what formatting changed, and what is wrong.
type Linted struct {
	Changed  []string      `json:"changed" jsonschema:"files that were formatted"`
	Problems []LintProblem `json:"problems"`
}

// Lint formats files that were written, and judges their style; no paths: all of them.
func (d *Draft) Lint(ctx context.Context, paths []string) (Linted, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := Linted{Changed: []string{}, Problems: []LintProblem{}}
	if d.copy == nil {
		return out, errNothing
	}
	if len(paths) == 0 {
		paths = d.copy.Written()
	}
	var files []LintedFile
	for _, path := range paths {
		if !slices.Contains(d.copy.Written(), path) {
			return out, fmt.Errorf("%s was not written here, so it stays as it is", path)
		}
		content, _, err := d.copy.Read(path)
		if err != nil {
			return out, err
		}
		files = append(files, LintedFile{Path: path, Text: string(content)})
	}
	runner, err := d.TestRunner(ctx)
	if err != nil {
		return out, err
	}
	checked, err := Check(ctx, runner, d.copy.Home, searchPath(d.Project.Environ), files)
	if err != nil {
		return out, err
	}
	for i, f := range checked {
		out.Problems = append(out.Problems, f.Problems...)
		if f.Text == files[i].Text {
			continue
		}
		if err := d.check(ctx, f.Path, []byte(f.Text)); err != nil {
			return out, fmt.Errorf("formatted, %w", err)
		}
		if err := d.put(d.copy, f.Path, []byte(f.Text)); err != nil {
			return out, err
		}
		out.Changed = append(out.Changed, f.Path)
	}
	return out, nil
}

func searchPath(environ []string) string {
	for _, entry := range environ {
		if name, value, _ := strings.Cut(entry, "="); strings.EqualFold(name, "PATH") {
			return value
		}
	}
	return ""
}

// Propose makes a branch of the files that were written.
func (d *Draft) Propose(ctx context.Context, p workcopy.Proposal) (workcopy.Proposed, error) {
	if err := d.AsWritten(); err != nil {
		return workcopy.Proposed{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	p.Prefix = d.Prefix
	if d.copy == nil {
		return workcopy.Proposed{}, errors.New("no file was written yet, so there is nothing to propose: write one with fs_write_patch")
	}
	for what, text := range map[string]string{"branch": p.Branch, "title": p.Title, "body": p.Body} {
		if d.Mask(text) != text {
			return workcopy.Proposed{}, fmt.Errorf("the %s holds the value of a secret in clear: leave it out", what)
		}
	}
	return d.copy.Propose(ctx, p)
}
