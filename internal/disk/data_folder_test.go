package disk_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-qa/assay/internal/disk"
)

// A data folder that is made ignores itself; one that somebody else made, such as a
// project's own folder, gets no .gitignore that would hide all of it.
func TestDataFolderIgnoresItself(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b", ".assay")
	for range 2 {
		if err := disk.MakeDataFolder(dir); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, ".gitignore")); err != nil || string(text) != "*\n" {
		t.Errorf("%q, %v", text, err)
	}
	own := t.TempDir()
	if err := disk.MakeDataFolder(own); err != nil {
		t.Fatal(err)
	}
	if all, err := os.ReadDir(own); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	file := filepath.Join(own, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if disk.MakeDataFolder(file) == nil {
		t.Error("a file is no data folder")
	}
}

// A folder is tried without a trace, also one that is not there yet.
func TestFolderIsTried(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := disk.TryFolder(filepath.Join(dir, "not", "there")); err != nil {
		t.Error(err)
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := os.Stat("/proc/self"); err == nil && disk.TryFolder("/proc/self/data") == nil {
		t.Error("/proc takes no file")
	}
}
