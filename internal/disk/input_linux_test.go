package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/disk"
)

// B7: what a caller names is read through one door: no pipe, no device, no
// folder, nothing that is too large, and no link out of the folder.
func TestReadInput(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "good"), "good")
	write(filepath.Join(dir, "big"), "0123456789")
	write(filepath.Join(outside, "secret"), "out")
	for name, to := range map[string]string{"out": filepath.Join(outside, "secret"), "in": "good", "zero": "/dev/zero", "up": "../"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	huge, err := os.Create(filepath.Join(dir, "huge"))
	if err == nil {
		err = errors.Join(huge.Truncate(1<<40), huge.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for name, want := range map[string]string{"good": "good", "in": "good"} {
		if got, err := disk.ReadBelow(dir, name, 8); err != nil || string(got) != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	for _, name := range []string{"out", "pipe", "zero", "up", ".", "none", "../secret", "/etc/passwd", "big", "huge"} {
		got, err := disk.ReadBelow(dir, name, 8)
		if err == nil {
			t.Errorf("%s was read: %q", name, got)
		}
		if tooLarge := name == "big" || name == "huge"; errors.Is(err, disk.ErrTooLarge) != tooLarge {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, path := range []string{filepath.Join(dir, "pipe"), filepath.Join(dir, "zero"), "/dev/zero", dir} {
		if got, err := disk.ReadPath(path, 8); err == nil {
			t.Errorf("%s was read: %q", path, got)
		}
	}
	if got, err := disk.ReadPath(filepath.Join(dir, "out"), 8); err != nil || string(got) != "out" {
		t.Errorf("a person's own link: %q %v", got, err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

// B7: a file of /proc says that it is empty; what is read of it is bounded all the same.
func TestReadInputOfUnknownSize(t *testing.T) {
	if data, err := disk.ReadPath("/proc/self/status", 8); !errors.Is(err, disk.ErrTooLarge) {
		t.Errorf("%q %v", data, err)
	}
}
