package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-qa/assay/internal/disk"
)

// A file is written whole or not at all, never through a link, and nothing is
// left beside it (B8).
func TestWrite(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := errors.Join(os.WriteFile(outside, []byte("theirs"), 0o600), os.Symlink(outside, filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "folder"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "a", "b/c/d", "link"} {
		if err := disk.Write(root, name, []byte("ours, in "+name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if data, err := disk.Read(root, name, 100); err != nil || string(data) != "ours, in "+name {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "theirs" {
		t.Errorf("written through the link: %q, %v", data, err)
	}
	for _, name := range []string{"folder", "../x", "a/b"} {
		if err := disk.Write(root, name, nil); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.tmp")); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// What is no file of the expected kind is not read.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "a"), []byte("12345"), 0o600), os.Symlink("a", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	if data, err := disk.Read(root, "a", 5); err != nil || string(data) != "12345" {
		t.Errorf("%q, %v", data, err)
	}
	for name, want := range map[string]error{"link": disk.ErrNotRegular, ".": disk.ErrNotRegular, "a": disk.ErrTooLong, "b": os.ErrNotExist} {
		if data, err := disk.Read(root, name, 4); !errors.Is(err, want) {
			t.Errorf("%s: %q, %v; want %v", name, data, err, want)
		}
	}
}
