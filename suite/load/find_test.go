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

// The file of a run that tells what a flow came to is no flow; what is one is named.
func TestResultsOfRunsAreNoFlows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, told := range map[string]bool{"runs/r-1/flow.json": true, "runs/r-1/flow-12.json": true, "runs/r-1/site.json": false, "elsewhere/r-1/flow.json": false} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := (Reader{}).find([]string{path}); err == nil || strings.Contains(err.Error(), "assay export --flow r-1") != told {
			t.Errorf("%s: %v", name, err)
		}
	}
}
