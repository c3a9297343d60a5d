package watch_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/suite/watch"
)

// 33 E: a change is a file that is new, gone or has another content, in new folders, too. What an editor makes while it saves,
// a file that is written as it was, and what is left out are none.
func TestFolder(t *testing.T) {
	root := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.txt", "1")
	write("gone.txt", "1")
	write("data/log", "1")
	write("node_modules/x/y.js", "1")
	f, err := watch.Open(root, filepath.Join(root, "data"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { f.Collect(ctx); close(ended) }()
	next := func(want ...string) {
		t.Helper()
		changed, err := f.Next(t.Context())
		for i := range changed {
			changed[i], _ = filepath.Rel(root, changed[i])
		}
		if got := strings.Join(changed, " "); err != nil || got != strings.Join(want, " ") {
			t.Fatalf("%q changed (%v), want %q", got, err, want)
		}
	}
	write("a.txt", "2")
	next("a.txt")

	// each time something else marks the end of what is no change
	write("a.txt", "2")
	write("data/log", "2")
	write("node_modules/x/y.js", "2")
	write(".hidden", "2")
	write("a.txt~", "2")
	write("4913", "")
	if err := os.Remove(filepath.Join(root, "4913")); err != nil {
		t.Fatal(err)
	}
	write("end.txt", "1")
	next("end.txt")

	if err := os.Rename(filepath.Join(root, "end.txt"), filepath.Join(root, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	next("end.txt", "gone.txt")
	if err := os.Remove(filepath.Join(root, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	next("gone.txt")
	write("new/deep/b.txt", "1")
	next(filepath.Join("new", "deep", "b.txt"))
	write("new/deep/b.txt", "2")
	next(filepath.Join("new", "deep", "b.txt"))

	cancel()
	<-ended
	if _, err := f.Next(ctx); err == nil {
		t.Error("it goes on after its end")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
