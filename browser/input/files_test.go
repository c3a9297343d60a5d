package input

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-qa/assay/browser/explain"
)

// wantRefused reports an error that is not INVALID_INPUT or does not say the word.
func wantRefused(t *testing.T, err error, word string) {
	t.Helper()
	if e, ok := errors.AsType[*explain.Error](err); !ok || e.Code != explain.InvalidInput || !strings.Contains(e.Error(), word) {
		t.Errorf("%v, want INVALID_INPUT about %s", err, word)
	}
}

// folderOf makes a folder with files of that content.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, tree := t.TempDir(), fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if err := os.CopyFS(dir, tree); err != nil {
		t.Fatal(err)
	}
	return dir
}

// B7: nothing outside of the roots is read, by whatever way; without roots
// there are no uploads.
func TestUploadRefused(t *testing.T) {
	t.Parallel()
	outside := folderOf(t, map[string]string{"secret.txt": "secret"})
	root := folderOf(t, map[string]string{"a.txt": "alpha", "sub/b.txt": "b"})
	big := filepath.Join(root, "big.bin")
	if err := os.WriteFile(big, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, maxUpload+1); err != nil { // sparse: refused before it is read
		t.Fatal(err)
	}
	secret := filepath.Join(outside, "secret.txt")
	rel, err := filepath.Rel(root, secret)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		files []string
		word  string
	}{
		"absolute":      {[]string{secret}, "not below network.upload_roots"},
		"dots":          {[]string{rel}, "not below network.upload_roots"},
		"dots inside":   {[]string{"sub/../" + rel}, "not below network.upload_roots"},
		"rooted dots":   {[]string{root + "/" + rel}, "not below network.upload_roots"},
		"sibling":       {[]string{root + "-other/a.txt"}, "not below network.upload_roots"},
		"missing":       {[]string{"none.txt"}, "none.txt"},
		"folder":        {[]string{"sub"}, "no regular file"},
		"the root":      {[]string{root}, "no regular file"},
		"empty":         {[]string{""}, "not below network.upload_roots"},
		"none":          {nil, "no file is named"},
		"too much":      {[]string{"a.txt", "big.bin"}, "1024 MB"},
		"one too many":  {[]string{"a.txt", secret}, "not below network.upload_roots"},
		"device":        {[]string{"/dev/zero"}, "not below network.upload_roots"},
		"file as a dir": {[]string{"a.txt/b"}, "a.txt/b"},
	}
	if runtime.GOOS != "windows" { // links need a privilege there
		for name, to := range map[string]string{"out.txt": secret, "outdir": outside, "deep": rel, "pipe": "/dev/zero"} {
			if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
				t.Fatal(err)
			}
			file := name
			if name == "outdir" {
				file += "/secret.txt"
			}
			cases["link "+name] = struct {
				files []string
				word  string
			}{[]string{file}, file}
		}
		if err := os.Symlink("a.txt", filepath.Join(root, "in.txt")); err != nil {
			t.Fatal(err)
		}
		if _, got, err := (&Files{}).Stage(t.Context(), t.TempDir(), "s-1", []string{root}, []string{"in.txt"}); err != nil || got[0].Size != int64(len("alpha")) {
			t.Errorf("a link that stays below the root: %v", err)
		}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			temp := t.TempDir()
			_, got, err := (&Files{}).Stage(t.Context(), temp, "s-1", []string{root}, c.files)
			wantRefused(t, err, c.word)
			if len(got) > 0 {
				t.Errorf("read %v", got)
			}
			if left, _ := filepath.Glob(filepath.Join(temp, "*", "*")); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
	_, _, err = (&Files{}).Stage(t.Context(), t.TempDir(), "s-1", nil, []string{filepath.Join(root, "a.txt")})
	wantRefused(t, err, "network.upload_roots")
}
