package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/tools/workspace"
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

// A20: a spec that says it changes its account's state has an account: what does nothing is
// refused.
func TestChangesStateNeedsAnAccount(t *testing.T) {
	target := workspace.Target{Name: "shop", BaseURL: "http://shop.test", Roles: map[string]workspace.Role{"admin": {}}}
	for front, why := range map[string]string{"changesState: true": "signs in as nobody", "changesState: true\nauth: none": "signs in as nobody", "changesState: true\nauth: admin": "", "auth: none": ""} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "cart.md"), []byte("---\n"+front+"\n---\n# Cart\nOpen /cart. Verify that \"Cart\" is shown.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		cases, err := Reader{Target: target}.Load([]string{filepath.Join(dir, "cart.md")})
		if why == "" && (err != nil || len(cases) != 1) || why != "" && (err == nil || !strings.Contains(err.Error(), why)) {
			t.Errorf("%q: %d cases, %v", front, len(cases), err)
		}
	}
}
