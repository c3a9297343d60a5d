package bundle

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that takes no more, or nothing, leaves no half file and says what to
// do about this file, not about the data folder.
func TestRefusedByDisk(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "b.zip")
	fill := func(file *os.File) (Bundle, error) {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer full.Close()
		z := newArchive(t.Context(), &destination{file: full, sum: sha256.New()}, runRecord{}.finished)
		if err := z.add("a", strings.NewReader(strings.Repeat("a", 1<<20))); err != nil {
			return Bundle{}, err
		}
		return Bundle{}, z.zip.Close()
	}
	if _, err := writeAside(out, fill); err == nil || !strings.Contains(err.Error(), "disk is full") || !strings.Contains(err.Error(), "--out") || strings.Contains(err.Error(), "--data-dir") {
		t.Errorf("a full disk: %v", err)
	}
	if _, err := writeAside("/sys/b.zip", fill); err == nil || !strings.Contains(err.Error(), "can't be written") || !strings.Contains(err.Error(), "--out") {
		t.Errorf("a folder that nobody can write to: %v", err)
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Error(err)
		}
	}()
	// Not below what go test itself writes of this process.
	const most = 8 << 20
	_, err := writeAside(out, func(file *os.File) (Bundle, error) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: old.Max}); err != nil {
			return Bundle{}, err
		}
		_, err := (&destination{file: file, sum: sha256.New()}).Write(make([]byte, most+1))
		return Bundle{}, err
	})
	if err == nil {
		t.Error("a file longer than any may be")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// What comes to the place meanwhile stays.
func TestTakenMeanwhile(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "b.zip")
	_, err := writeAside(out, func(*os.File) (Bundle, error) { return Bundle{}, os.WriteFile(out, []byte("theirs"), 0o600) })
	if err == nil || !strings.Contains(err.Error(), ErrTarget.Error()) {
		t.Errorf("%v", err)
	}
	if data, err := os.ReadFile(out); err != nil || string(data) != "theirs" {
		t.Errorf("%q, %v", data, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}
