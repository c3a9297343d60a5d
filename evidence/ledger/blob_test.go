package ledger_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/evidence/ledger"
)

func put(t *testing.T, s *ledger.BlobStore, data string) string {
	t.Helper()
	digest, err := s.Put([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

func place(dir, digest string) string {
	return filepath.Join(dir, "blobs", "sha256", digest[:2], digest[2:])
}

// What is put comes back, is there once, and is nobody else's (B8).
func TestPut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := ledger.OpenBlobs(dir)
	for _, data := range []string{"", "a", strings.Repeat("\x00\xff", 1<<20)} {
		digest := put(t, s, data)
		info, err := os.Stat(place(dir, digest))
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", digest, info.Mode(), err)
		}
		if again := put(t, s, data); again != digest || digest != ledger.BlobDigest([]byte(data)) {
			t.Errorf("digests %s and %s", digest, again)
		}
		if got, err := s.Get(digest); err != nil || !bytes.Equal(got, []byte(data)) {
			t.Errorf("%d bytes, %v; want %d", len(got), err, len(data))
		}
	}
	if files := count(t, dir); files != 3 {
		t.Errorf("%d files, want 3", files)
	}
}

func count(t *testing.T, dir string) int {
	t.Helper()
	files := 0
	if err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files++
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// Many at once keep the same and other blobs.
func TestPutAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			data := []byte(strings.Repeat(string(rune('a'+i%4)), 1<<16))
			s := ledger.OpenBlobs(dir)
			digest, err := s.Put(data)
			if err != nil {
				t.Error(err)
			}
			if got, err := s.Get(digest); err != nil || !bytes.Equal(got, data) {
				t.Error("it is another one:", err)
			}
		})
	}
	all.Wait()
	if files := count(t, dir); files != 4 {
		t.Errorf("%d files, want 4", files)
	}
}

// Nothing comes back but what was stored, and what was damaged is replaced when
// it is put again (B8).
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	s := ledger.OpenBlobs(dir)
	digest := put(t, s, "a picture")
	file := place(dir, digest)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("a picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func() error{
		"changed":   func() error { return os.WriteFile(file, []byte("a pictvre"), 0o600) },
		"cut":       func() error { return os.Truncate(file, 8) },
		"emptied":   func() error { return os.Truncate(file, 0) },
		"longer":    func() error { return os.WriteFile(file, []byte("a picture "), 0o600) },
		"missing":   func() error { return os.Remove(file) },
		"all gone":  func() error { return os.RemoveAll(dir) },
		"a link":    func() error { return errors.Join(os.Remove(file), os.Symlink(outside, file)) },
		"a folder":  func() error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o700)) },
		"too large": func() error { return os.Truncate(file, ledger.MaxBlob+1) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		got, err := s.Get(digest)
		if !errors.Is(err, ledger.ErrBlobCorrupt) || !strings.Contains(err.Error(), digest[2:]) {
			t.Errorf("%s: %q, %v; want ErrCorrupt that names the file", what, got, err)
		}
		if what == "a folder" {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
		put(t, s, "a picture")
		if _, err := s.Get(digest); err != nil {
			t.Errorf("%s, put again: %v", what, err)
		}
	}
}

// What is no digest leads nowhere.
func TestNoDigest(t *testing.T) {
	dir := t.TempDir()
	s := ledger.OpenBlobs(filepath.Join(dir, "data"))
	put(t, s, "x")
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "..", "../../../secret", strings.Repeat("../", 22)[:64], strings.Repeat("A", 64), strings.Repeat("0", 63), strings.Repeat("0", 64) + "\n"} {
		if got, err := s.Get(text); err == nil {
			t.Errorf("%q gives %q", text, got)
		}
	}
}
