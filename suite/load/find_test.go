package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A15: the flow that signs a role in is no case of a folder; whoever names it runs it.
func TestLoginFlowsAreNoCases(t *testing.T) {
	dir := t.TempDir()
	login := filepath.Join(dir, "login.flow.toml")
	for _, name := range []string{login, filepath.Join(dir, "pay.flow.toml")} {
		if err := os.WriteFile(name, []byte("name = 'a'"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := Reader{DataDir: filepath.Join(dir, ".assay"), LoginFlows: []string{login}}
	for path, want := range map[string][]string{dir: {"pay.flow.toml"}, login: {"login.flow.toml"}} {
		files, err := r.find([]string{path})
		var names []string
		for _, f := range files {
			names = append(names, f.name)
		}
		if err != nil || !slices.Equal(names, want) {
			t.Errorf("%s: %v, %v; want %v", path, names, err, want)
		}
	}
	if err := os.Remove(filepath.Join(dir, "pay.flow.toml")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.find([]string{dir}); err == nil || !strings.Contains(err.Error(), "assay run "+login) {
		t.Errorf("a folder with nothing but the login flow: %v", err)
	}
}
