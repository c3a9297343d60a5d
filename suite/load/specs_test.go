package load

import (
	"os"
	"path/filepath"
	"testing"
)

// A15: only what is surely no spec is left out of a folder without a word.
func TestIsCase(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]bool{"README.md": false, "readme.de.md": false, "CHANGELOG.md": false, "SECURITY.md": false, "security.md": true, "license.md": true, "cart.md": true} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("Open it.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := isCase(filepath.Join(dir, name), true); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	// What can't be read is no reason to leave it out.
	if !isCase(filepath.Join(dir, "gone.md"), false) || isCase(filepath.Join(dir, "cart.md"), false) {
		t.Error("where nobody named the folder")
	}
}
