package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/disk"
)

// A path lies in a folder by its parts, and not by the letters that both begin with.
func TestInside(t *testing.T) {
	for _, c := range []struct {
		folder, path, name string
		ok                 bool
	}{
		{"/a/b", "/a/b/c", "c", true}, {"/a/b", "/a/b", ".", true}, {"/a/b/", "/a/b/c/../d", "d", true}, {"/", "/x", "x", true},
		{"/a/b", "/a/bc", "", false}, {"/a/b", "/a", "", false}, {"/a/b", "/a/b/../c", "", false}, {"/a/b", "c", "", false},
		{"a", "a/..b", "..b", true}, {"a", "b", "", false}, {".", "x/y", "x/y", true}, {".", "../x", "", false},
	} {
		if name, ok := disk.Inside(filepath.FromSlash(c.folder), filepath.FromSlash(c.path)); ok != c.ok || ok && filepath.ToSlash(name) != c.name {
			t.Errorf("%s in %s: %q, %v, want %q, %v", c.path, c.folder, name, ok, c.name, c.ok)
		}
	}
}

// A link that leads out is refused as a name that does.
func TestCheckInside(t *testing.T) {
	folder, outside := t.TempDir(), t.TempDir()
	for _, err := range []error{os.Mkdir(filepath.Join(folder, "sub"), 0o700), os.WriteFile(filepath.Join(outside, "x"), nil, 0o600),
		os.Symlink(outside, filepath.Join(folder, "out")), os.Symlink("sub", filepath.Join(folder, "in"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"sub": "", "in": "", ".": "", "../x": "leads out", "sub/../..": "leads out", "/etc": "leads out", "out": "by a link", "out/x": "by a link"} {
		if err := disk.CheckInside(folder, name); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	for _, name := range []string{"none", "out/none", "sub/none/x"} {
		if err := disk.CheckInside(folder, name); err == nil || strings.HasPrefix(name, "sub") && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
