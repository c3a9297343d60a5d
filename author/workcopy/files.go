package workcopy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/disk"
)

// Read returns a file of the project that may be written; exists is false for a new one.
func (c *Copy) Read(name string) (content []byte, exists bool, err error) {
	root, full, err := c.place(name)
	if err != nil {
		return nil, false, err
	}
	defer closeRoot(root, &err)
	content, err = root.ReadFile(full)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return content, err == nil, err
}

// Write writes a file of the project in the copy.
func (c *Copy) Write(name string, content []byte) (err error) {
	root, full, err := c.place(name)
	if err != nil {
		return err
	}
	defer closeRoot(root, &err)
	if len(content) > MaxBytes {
		return fmt.Errorf("%s: the file would have %d bytes, more than %d", name, len(content), MaxBytes)
	}
	if !c.written[name] && len(c.written) >= MaxFiles {
		return fmt.Errorf("%d files were written already: propose them first", len(c.written))
	}
	if err := root.MkdirAll(path.Dir(full), disk.DirPerm); err != nil {
		return err
	}
	if err := root.WriteFile(full, content, disk.FilePerm); err != nil {
		return err
	}
	c.written[name] = true
	return nil
}

// Written returns the files that were written, in order.
func (c *Copy) Written() []string {
	out := make([]string, 0, len(c.written))
	for name := range c.written {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// place finds where a file belongs in the copy. On the way there are folders alone, no
// links, and no name that differs from one that is there by the case of letters only.
func (c *Copy) place(name string) (root *os.Root, full string, err error) {
	if err := c.rules.CheckPath(name); err != nil {
		return nil, "", err
	}
	if root, err = os.OpenRoot(c.root); err != nil {
		return nil, "", err
	}
	full = c.prefix + name
	if err := plainWay(root, full); err != nil {
		return nil, "", errors.Join(err, root.Close())
	}
	return root, full, nil
}

func plainWay(root *os.Root, full string) error {
	parts := strings.Split(full, "/")
	for i := range parts {
		at := path.Join(parts[:i+1]...)
		info, err := root.Lstat(at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("look at %s: %w", at, err)
		}
		switch {
		case err != nil:
			return sameName(root, path.Join(parts[:i]...), parts[i])
		case i < len(parts)-1 && !info.IsDir():
			return fmt.Errorf("%s: %s is no folder but a link or a file, so nothing is written below it", full, at)
		case i == len(parts)-1 && !info.Mode().IsRegular():
			return fmt.Errorf("%s is no regular file, so it is not written", full)
		case i == len(parts)-1 && info.Mode().Perm()&0o111 != 0:
			return fmt.Errorf("%s is a program, so it is not written", full)
		}
		if err := sameName(root, path.Join(parts[:i]...), parts[i]); err != nil {
			return err
		}
	}
	return nil
}

// sameName refuses a name where a folder has it in other letters.
func sameName(root *os.Root, folder, name string) error {
	if folder == "" {
		folder = "."
	}
	entries, err := fs.ReadDir(root.FS(), folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != name && strings.EqualFold(e.Name(), name) {
			return fmt.Errorf("%s has %s already, which differs from %s by the case of letters only", folder, e.Name(), name)
		}
	}
	return nil
}

func closeRoot(root *os.Root, err *error) { *err = errors.Join(*err, root.Close()) }

// CheckPatch lets git judge a patch that was taken apart already: it has to see the same
// files, and it has to fit. Nothing is written.
func (c *Copy) CheckPatch(ctx context.Context, text string, paths []string) error {
	apply := func(args ...string) (string, error) { // at the root: below it git passes over files outside of its folder
		return c.git.run(ctx, c.root, text, append([]string{"apply", "--directory=" + c.prefix}, args...)...)
	}
	out, err := apply("--numstat", "-z", "-")
	if err != nil {
		return fmt.Errorf("the patch does not parse: %w", err)
	}
	var seen []string
	for _, entry := range strings.Split(strings.TrimRight(out, "\x00"), "\x00") {
		_, name, _ := strings.Cut(entry, "\t")
		_, name, _ = strings.Cut(name, "\t")
		seen = append(seen, name)
	}
	wanted := c.inCopy(paths)
	slices.Sort(seen)
	slices.Sort(wanted)
	if !slices.Equal(seen, wanted) {
		return fmt.Errorf("git reads other files in the patch (%s) than it names (%s)", strings.Join(seen, ", "), strings.Join(wanted, ", "))
	}
	if _, err := apply("--check", "-"); err != nil {
		return fmt.Errorf("the patch does not fit: %w; read the file again, or send the whole file as content", err)
	}
	return nil
}

// Diff returns how files in the copy differ from the commit.
func (c *Copy) Diff(ctx context.Context, paths ...string) (string, error) {
	if err := c.stage(ctx, paths); err != nil {
		return "", err
	}
	return c.git.run(ctx, c.root, "",
		append([]string{"diff", "--cached", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--text", "--relative=" + c.prefix, c.Base, "--"}, c.inCopy(paths)...)...)
}

// stage makes the copy's index the commit with some files as they are now.
func (c *Copy) stage(ctx context.Context, paths []string) error {
	for _, p := range paths {
		root, _, err := c.place(p)
		if err != nil {
			return err
		}
		if err := root.Close(); err != nil {
			return err
		}
	}
	if _, err := c.git.run(ctx, c.root, "", "read-tree", c.Base); err != nil {
		return err
	}
	_, err := c.git.run(ctx, c.root, "", append([]string{"add", "--force", "--"}, c.inCopy(paths)...)...)
	return err
}

// inCopy returns paths of the project as the copy's root sees them.
func (c *Copy) inCopy(paths []string) []string {
	out := make([]string, 0, len(paths))
	for _, p := range paths {
		out = append(out, c.prefix+p)
	}
	return out
}
