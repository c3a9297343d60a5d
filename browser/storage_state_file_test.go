package browser

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
)

// A storage state is read from a regular file of a bounded size below one of the
// folders for it. A device, a pipe, a folder or a link that leads out are refused
// at once, and nothing is read of them.
func TestStateFiles(t *testing.T) {
	t.Parallel()
	root, other := t.TempDir(), t.TempDir()
	write := func(folder, name, text string) string {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write(root, "state.json", `{"cookies": []}`)
	outside := write(other, "outside.json", `{"cookies": []}`)
	huge := write(root, "huge.json", "")
	if err := os.Truncate(huge, maxState+1); err != nil {
		t.Fatal(err)
	}
	link, zero := filepath.Join(root, "link.json"), filepath.Join(root, "zero.json")
	for name, to := range map[string]string{link: outside, zero: "/dev/zero"} {
		if err := os.Symlink(to, name); err != nil {
			t.Skip(err)
		}
	}
	pipe := filepath.Join(root, "pipe.json")
	if err := exec.CommandContext(t.Context(), "mkfifo", pipe).Run(); err != nil {
		t.Skip(err)
	}
	folder := filepath.Join(root, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	roots := []string{root, t.TempDir()}
	for _, path := range []string{good, "state.json", "./state.json"} {
		if state, _, err := readStorageState(t.Context(), roots, path); err != nil || state == nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if state, _, err := readStorageState(t.Context(), append(roots, other), outside); err != nil || state == nil {
		t.Errorf("below the last root: %v", err)
	}
	for path, why := range map[string]string{
		"/dev/zero": "not below", outside: "not below", "../" + filepath.Base(other) + "/outside.json": "not below",
		link: "escapes", zero: "escapes", pipe: "no regular file", folder: "no regular file", huge: "more than 16 MB", "none.json": "no such file",
	} {
		_, _, err := readStorageState(within30s(t), roots, path)
		wantCode(t, err, explain.InvalidInput, why, "storage state")
		if e := asError(err, ""); !strings.Contains(e.Hint, root) || !strings.Contains(e.Hint, "network.state_roots") {
			t.Errorf("%s: hint %q", path, e.Hint)
		}
	}
	if _, _, err := readStorageState(t.Context(), nil, good); err == nil {
		t.Error("without a folder for states one was read")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := readStorageState(ended, nil, good); err == nil {
		t.Error("a call that was cancelled has read a state")
	}
}
