package author_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

// C5, A16: only tests of the project and of explorations are run, by no link either, and
// what is wrong with a request is said before anything runs.
func TestHealingRefuses(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	for _, dir := range []string{"tests", "elsewhere"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, dir, "a.spec.ts"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "elsewhere"), filepath.Join(root, "tests", "link")); err != nil {
		t.Fatal(err)
	}
	h := &author.Healing{DataDir: data, Root: root, TestDir: "tests"}
	for path, want := range map[string]string{"": "empty", "elsewhere/a.spec.ts": "lies neither", "tests/link/a.spec.ts": "lies neither", "../a.spec.ts": "no such file", "/etc/hostname": "lies neither"} {
		r := workspace.HealRequest{Tests: []string{path}}
		if path == "" {
			r.Tests = nil
		}
		if _, err := h.Start(t.Context(), &workspace.Workspace{}, r); !errors.Is(err, workspace.ErrHealRefused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", path, err)
		}
	}
	if _, err := h.Start(t.Context(), &workspace.Workspace{}, workspace.HealRequest{Tests: []string{"tests"}, Plan: "elsewhere/a.spec.ts"}); !errors.Is(err, workspace.ErrHealRefused) {
		t.Errorf("a plan elsewhere: %v", err)
	}
	if _, err := h.Status(t.Context(), "none"); !errors.Is(err, workspace.ErrHealRefused) {
		t.Errorf("an unknown id: %v", err)
	}
}
