package verify_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/evidence/verify"
)

// change is one file, changed.
type change struct {
	file string // from the data folder
	what string
	do   func(data []byte) []byte
}

// flips returns all bytes of a file, each changed in one bit: by turns a low one, and
// the one that makes capitals of letters, which lenient readers take for the same.
func flips(file string, size int) []change {
	all := make([]change, size)
	for at := range all {
		mask := [...]byte{0x20, 1, 0x20, 2, 4, 0x20, 16, 128}[at%8]
		all[at] = change{file, fmt.Sprintf("byte %d, bits %08b", at, mask), func(data []byte) []byte {
			data[at] ^= mask
			return data
		}}
	}
	return all
}

// cuts returns all lengths of a file that are shorter than it is.
func cuts(file string, size int) []change {
	all := make([]change, size)
	for length := range all {
		all[length] = change{file, fmt.Sprintf("cut to %d of %d bytes", length, size), func(data []byte) []byte { return data[:length] }}
	}
	return all
}

// tryAll makes each change alone, in copies of a data folder, and fails if check
// says that something is wrong. Every eleventh change is tried, each bit of flips
// among them; all of them by make soak.
func tryAll(t *testing.T, dir string, all []change, check func(dir string, c change) string) {
	t.Helper()
	var wg sync.WaitGroup
	every := 11
	if os.Getenv("SOAK") != "" {
		every = 1
	}
	next := make(chan change)
	for range runtime.GOMAXPROCS(0) {
		mine := filepath.Join(t.TempDir(), "copy")
		if err := os.CopyFS(mine, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for c := range next {
				if wrong := try(mine, c, check); wrong != "" {
					t.Errorf("%s %s: %s", c.file, c.what, wrong)
				}
			}
		})
	}
	tried := 0
	for i := 0; i < len(all); i += every {
		next <- all[i]
		tried++
	}
	close(next)
	wg.Wait()
	t.Logf("%d of %d changes", tried, len(all))
}

func try(dir string, c change, check func(dir string, c change) string) (wrong string) {
	defer func() {
		if r := recover(); r != nil {
			wrong = fmt.Sprintf("panic: %v", r)
		}
	}()
	path := filepath.Join(dir, filepath.FromSlash(c.file))
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if err := os.WriteFile(path, c.do(bytes.Clone(data)), 0o600); err != nil {
		return err.Error()
	}
	wrong = check(dir, c)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return err.Error()
	}
	return wrong
}

// blames reports what is wrong with a report about a changed file: that it is
// verified, or names another file.
func blames(r verify.Report, err error, file string) string {
	switch {
	case err != nil:
		return err.Error()
	case r.Verdict == verify.Verified:
		return "verified"
	}
	for _, f := range r.Findings {
		if f.Severity != verify.Note && f.File != file && !strings.HasSuffix(f.File, "/"+file) {
			return fmt.Sprintf("blames %+v", f)
		}
	}
	return ""
}

// B8: every byte of every file of a run, of the keys and of the checkpoint,
// changed alone, is found, and the file is named.
func TestFlips(t *testing.T) {
	f := newFolder(t)
	f.make(recipe{})
	id := f.make(recipe{events: 2, pictures: 1, size: 40})
	var all []change
	run := "runs/" + id + "/"
	for _, name := range []string{run + "evidence.json", run + "report.json", run + "events.jsonl", run + "report.html", run + "screenshots/001-page.png", "log/keys", "log/checkpoint"} {
		all = append(all, flips(name, len(f.read(name)))...)
	}
	tryAll(t, f.dir, all, func(dir string, c change) string {
		r, err := verify.Run(t.Context(), dir, id, verify.Options{})
		return blames(r, err, strings.TrimPrefix(c.file, run))
	})
}

// B8: a file cut at any length is found, and named.
func TestCuts(t *testing.T) {
	f := newFolder(t)
	id := f.make(recipe{})
	var all []change
	run := "runs/" + id + "/"
	for _, name := range []string{run + "evidence.json", run + "report.json", run + "events.jsonl", "log/keys", "log/checkpoint"} {
		all = append(all, cuts(name, len(f.read(name)))...)
	}
	tryAll(t, f.dir, all, func(dir string, c change) string {
		r, err := verify.Run(t.Context(), dir, id, verify.Options{})
		return blames(r, err, strings.TrimPrefix(c.file, run))
	})
}
