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

// D1: reports below a folder that was named holds no specs; one deeper, and one that
// nobody named the folder of, may.
func TestReportsAreNoSpecs(t *testing.T) {
	for _, c := range []struct {
		path  string
		named bool
		want  bool
	}{{"specs/reports", true, true}, {"specs/sales/reports", true, false}, {"specs/reports", false, false}, {"specs/report", true, false}} {
		if got := isReports("specs/", c.path, c.named); got != c.want {
			t.Errorf("%s, named %t: %t", c.path, c.named, got)
		}
	}
}
