package bundle_test

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/bundle"
	"github.com/assay-qa/assay/evidence/ledger"
)

// contents returns the files of a zip by name.
func contents(t *testing.T, path string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if _, twice := out[f.Name]; twice {
			t.Errorf("%s is there twice", f.Name)
		}
		out[f.Name] = string(data)
	}
	return out
}

// B8: a bundle has every file of the run as it is, what the log says of it, and
// nothing of another run. The same log gives the same bytes.
func TestWrite(t *testing.T) {
	f := newFixture(t)
	first, second := f.write(), f.write()
	if first.SHA256 != second.SHA256 || len(first.Left) != 0 {
		t.Errorf("%+v and %+v", first, second)
	}
	if a, b := read(t, "/", first.Path), read(t, "/", second.Path); a != b || int64(len(a)) != first.Bytes {
		t.Errorf("%d and %d bytes, or others; told: %d", len(a), len(b), first.Bytes)
	}
	got := contents(t, first.Path)
	if len(got) != first.Files {
		t.Errorf("%d files, told: %d", len(got), first.Files)
	}
	for name, text := range f.files {
		if got["run/"+name] != text {
			t.Errorf("%s: %q", name, got["run/"+name])
		}
	}
	if got["log/checkpoint"] != f.checkpoint() || strings.Count(got["log/entries.jsonl"], "\n") != 4 || strings.Contains(got["log/entries.jsonl"], "zzzzzz") {
		t.Errorf("the log: %s\n%s", got["log/checkpoint"], got["log/entries.jsonl"])
	}
	z, err := zip.OpenReader(first.Path)
	f.must(err)
	for _, file := range z.File {
		if want := time.Date(2026, 1, 2, 3, 5, 6, 0, time.UTC); !file.Modified.Equal(want) {
			t.Errorf("%s is of %s, the run ended at %s", file.Name, file.Modified, want)
		}
	}
	f.must(z.Close())
	for name := range got {
		if path.IsAbs(name) || path.Clean(name) != name || strings.ContainsAny(name, `\:`) {
			t.Errorf("%q is no plain name", name)
		}
	}
	if strings.Count(got["README.md"], "\n```sh\n") != strings.Count(got["README.md"], "\n```\n") || strings.Contains(got["README.md"], "\nfalse\n") {
		t.Error("the task's words became commands of the instructions")
	}
	f.log(ledger.Event{Action: "run started", Record: "20260102T030405.000Z-xxxxxx"})
	if grown := f.write(); grown.SHA256 == first.SHA256 {
		t.Error("a longer log, and the same bundle")
	}
}

// B8: what nobody signed and what is no file is named and not packed, and the
// signing key never is, wherever a link leads.
func TestLeftOut(t *testing.T) {
	f := newFixture(t)
	key := filepath.Join(f.dir, "log", "key")
	f.put("notes.txt", read(t, "/", key))
	f.put("screenshots/002-new.png", "unsigned")
	f.must(errors.Join(os.Symlink(filepath.Dir(key), f.path("log")), os.Link(key, f.path("hard"))))
	left := []string{"log", "hard", "notes.txt", "screenshots/002-new.png"}
	f.leavesOut(left...)
	// Names that the run stored files under, and that now are others'.
	for _, name := range []string{"report.html", "downloads/übersicht 1.csv"} {
		f.must(os.Remove(f.path(name)))
	}
	f.must(errors.Join(os.Symlink(key, f.path("report.html")), os.Symlink("../report.json", f.path("downloads/übersicht 1.csv")), os.Remove(f.path("screenshots/001-login.png"))))
	left = append(left, "report.html", "downloads/übersicht 1.csv", "screenshots/001-login.png")
	f.leavesOut(left...)
	f.must(os.Remove(f.path("evidence.json"))) // and the journal's list alone
	f.put("events.jsonl", f.files["events.jsonl"]+`{"artifacts":[{"name":"..\\up.txt"},{"name":"C:x"},{"name":"a\nb"}]}`+"\n")
	for _, name := range []string{`..\up.txt`, "C:x", "a\nb"} {
		f.put(name, "x")
		left = append(left, name)
	}
	f.leavesOut(left...)
}

// leavesOut makes a bundle in which these files of the run must not be.
func (f *fixture) leavesOut(names ...string) {
	t := f.t
	t.Helper()
	b := f.write()
	got := contents(t, b.Path)
	for _, name := range names {
		start := strconv.Quote("run/"+name) + ": "
		if !slices.ContainsFunc(b.Left, func(line string) bool { return strings.HasPrefix(line, start) }) || !strings.Contains(got["README.md"], "\n    "+start) {
			t.Errorf("%q is not named: %q", name, b.Left)
		}
		if _, in := got["run/"+name]; in {
			t.Errorf("%q is in the bundle", name)
		}
	}
	secret := strings.TrimSpace(read(t, f.dir, "log/key"))
	for name, text := range got {
		if strings.Contains(text, "PRIVATE+KEY") || strings.Contains(text, secret[len(secret)-20:]) {
			t.Errorf("%s holds the key", name)
		}
	}
}

// A14: what is damaged is packed as it is, also without a statement, and the
// instructions say what they can.
func TestDamaged(t *testing.T) {
	for name, damage := range map[string]func(*fixture){
		"no statement":       func(f *fixture) { f.must(os.Remove(f.path("evidence.json"))) },
		"statement is noise": func(f *fixture) { f.put("evidence.json", "{") },
		"report is noise":    func(f *fixture) { f.put("report.json", "{") },
		"report is empty":    func(f *fixture) { f.put("report.json", "{}") },
		"log is damaged":     func(f *fixture) { f.must(os.Truncate(filepath.Join(f.dir, "assay.db"), 5000)) },
		"log is gone":        func(f *fixture) { f.must(os.Remove(filepath.Join(f.dir, "assay.db"))) },
		"log is rolled back": func(f *fixture) {
			older := read(f.t, f.dir, "assay.db")
			f.log(ledger.Event{Action: "run held", Record: runID})
			f.must(os.WriteFile(filepath.Join(f.dir, "assay.db"), []byte(older), 0o600))
		},
		"log is another": func(f *fixture) {
			f.must(os.WriteFile(filepath.Join(f.dir, "assay.db"), []byte(read(f.t, newFixture(f.t).dir, "assay.db")), 0o600))
		},
		"keys are gone": func(f *fixture) { f.must(os.Remove(filepath.Join(f.dir, "log", "keys"))) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			damage(f)
			b, err := bundle.Write(t.Context(), f.source(), filepath.Join(t.TempDir(), "b.zip"))
			if err != nil {
				t.Fatal(err)
			}
			got := contents(t, b.Path)
			if got["run/screenshots/001-login.png"] != f.files["screenshots/001-login.png"] || !strings.Contains(got["README.md"], runID) {
				t.Errorf("the bundle has only %q", slices.Collect(maps.Keys(got)))
			}
			if lost := name == "no statement" || strings.Contains(name, "log") || strings.Contains(name, "keys"); lost != (len(b.Left) > 0) {
				t.Errorf("left out: %q", b.Left)
			}
		})
	}
}

// A bundle never takes the place of something, and never becomes a part of a run.
func TestTarget(t *testing.T) {
	f, elsewhere := newFixture(t), t.TempDir()
	taken, link := filepath.Join(elsewhere, "taken.zip"), filepath.Join(elsewhere, "link")
	f.must(os.WriteFile(taken, []byte("theirs"), 0o600))
	f.must(os.Symlink(filepath.Join(f.dir, "runs", runID), link))
	f.must(os.Symlink("nowhere", filepath.Join(elsewhere, "dangling.zip")))
	before := listed(t, f.dir)
	for _, out := range []string{taken, elsewhere, filepath.Join(elsewhere, "dangling.zip"), f.path("b.zip"), f.path("screenshots/b.zip"), filepath.Join(f.dir, "runs", "b.zip"),
		filepath.Join(link, "b.zip"), filepath.Join(elsewhere, "no", "b.zip"), filepath.Join(taken, "b.zip")} {
		if _, err := bundle.Write(t.Context(), f.source(), out); !errors.Is(err, bundle.ErrTarget) || !strings.Contains(err.Error(), "--out") {
			t.Errorf("%s: %v", out, err)
		}
	}
	if got := read(t, elsewhere, "taken.zip"); got != "theirs" {
		t.Errorf("the file that was there: %q", got)
	}
	if after := listed(t, f.dir); !slices.Equal(before, after) {
		t.Errorf("the data folder has %q, had %q", after, before)
	}
	for _, id := range []string{"", "..", "20260102T030405.678Z-abcdef/..", "20260102T030405.678Z-abcdeg"} {
		from := f.source()
		from.Run = id
		if _, err := bundle.Write(t.Context(), from, filepath.Join(elsewhere, "b.zip")); err == nil {
			t.Errorf("run %q was exported", id)
		}
	}
	if got := listed(t, elsewhere); !slices.Equal(got, []string{"dangling.zip", "link", "taken.zip"}) {
		t.Errorf("left: %q", got)
	}
}

func listed(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	if err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, path); rel != "." {
			names = append(names, rel)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return names
}

// A large trace goes through, not into memory; and whoever stops half-way has
// no half bundle.
func TestLarge(t *testing.T) {
	const size = 200 << 20
	f := newFixture(t)
	f.must(os.Remove(f.path("evidence.json"))) // which doesn't list it
	f.put("events.jsonl", `{"artifacts":[{"name":"trace.zip"}]}`+"\n")
	f.put("trace.zip", "")
	f.must(os.Truncate(f.path("trace.zip"), size))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b := f.write()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 32<<20 {
		t.Errorf("%d MiB of memory for a file of %d MiB", got>>20, size>>20)
	}
	if z, err := zip.OpenReader(b.Path); err != nil || !slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == "run/trace.zip" && f.UncompressedSize64 == size }) {
		t.Errorf("the trace is not in there: %v", err)
	} else {
		z.Close()
	}

	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := bundle.Write(ctx, f.source(), filepath.Join(dir, "b.zip"))
		done <- err
	}()
	looks := time.NewTicker(time.Millisecond)
	defer looks.Stop()
	for begun := false; !begun; {
		select {
		case err := <-done:
			t.Fatalf("it was over before anything was seen of it: %v", err)
		case <-looks.C:
			entries, err := os.ReadDir(dir)
			begun = err == nil && len(entries) > 0
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if left := listed(t, dir); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}

// Who asks while another process writes is told to try again.
func TestLocked(t *testing.T) {
	f := newFixture(t)
	dir := t.TempDir()
	f.must(f.ledger.Update(t.Context(), func(*ledger.Tx) error {
		from := f.source()
		from.Ledger = ledger.Open(f.dir, time.Now, ledger.Options{Wait: time.Millisecond})
		if _, err := bundle.Write(t.Context(), from, filepath.Join(dir, "b.zip")); !errors.Is(err, ledger.ErrLocked) {
			t.Errorf("a log that is being written: %v", err)
		}
		return nil
	}))
	if left := listed(t, dir); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}
