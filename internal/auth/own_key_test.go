package auth_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/assay-qa/assay/internal/auth"
)

// B7: sign-ins are sealed where no key is configured, with one key however many
// processes need it first at the same time.
func TestOwnKey(t *testing.T) {
	dir := t.TempDir()
	keys := make([][]byte, 8)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			key, err := auth.OwnKey(dir)()
			if err != nil {
				t.Error(err)
			}
			keys[i] = key
		})
	}
	all.Wait()
	for _, key := range keys {
		if len(key) < 32 || !bytes.Equal(key, keys[0]) {
			t.Fatalf("keys %q and %q", keys[0], key)
		}
	}
	left, err := os.ReadDir(filepath.Join(dir, "auth"))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the key there are %v, %v", left, err)
	}
	path := auth.Path(dir, "shop", "admin")
	state := []byte(`{"cookies":[{"name":"sid","value":"sesame-7719"}],"origins":[]}`)
	if err := auth.New("shop", "admin", path, auth.OwnKey(dir)).Write(state); err != nil {
		t.Fatal(err)
	}
	if stored, err := os.ReadFile(path); err != nil || bytes.Contains(stored, []byte("sesame")) {
		t.Errorf("stored: %.80q, %v", stored, err)
	}
	if got, err := auth.New("shop", "admin", path, auth.OwnKey(dir)).Read(); err != nil || !bytes.Equal(got, state) {
		t.Errorf("read: %q, %v", got, err)
	}
	if got, err := auth.New("shop", "admin", path, auth.OwnKey(t.TempDir())).Read(); err == nil {
		t.Errorf("with the key of another folder: %q", got)
	}
	if runtime.GOOS != "windows" {
		file := filepath.Join(dir, "auth", ".key")
		if err := os.Chmod(file, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := auth.OwnKey(dir)(); err == nil {
			t.Error("a key that others may read is taken")
		}
	}
}
