package e2e_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// crime is something that is done to stored evidence.
type crime struct {
	name   string
	run    string // also found by looking at this run alone
	names  string // file or run that must be named
	commit func(t *testing.T, data string)
}

func (s filed) crimes(t *testing.T) []crime {
	return slices.Concat(s.crimesOnFiles(), s.crimesOnJournal(), s.crimesOnLog(), s.crimesOnBlobs(t))
}

// crimesOnFiles are about the files of a run, and about its folder.
func (s filed) crimesOnFiles() []crime {
	const first, second = "screenshots/001-report.png", "screenshots/002-whole.png"
	in := func(f func(t *testing.T, dir string)) func(*testing.T, string) {
		return func(t *testing.T, data string) { f(t, filepath.Join(data, "runs", s.failed)) }
	}
	other := func(name string) func(*testing.T, string) {
		return func(t *testing.T, data string) {
			writeFile(t, filepath.Join(data, "runs", s.failed, name), readFile(t, filepath.Join(data, "runs", s.passed, name)))
		}
	}
	edited := func(name string, edit func([]byte) []byte) func(*testing.T, string) {
		return in(func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			old := readFile(t, path)
			if edited := edit(bytes.Clone(old)); bytes.Equal(old, edited) {
				t.Fatalf("nothing to change in %s", name)
			} else {
				writeFile(t, path, edited)
			}
		})
	}
	passed := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("failed"), []byte("passed")) }
	gone := func(name string) func(*testing.T, string) {
		return in(func(t *testing.T, dir string) { must(t, os.RemoveAll(filepath.Join(dir, name))) })
	}
	return []crime{
		{"two pictures swapped", s.failed, first, in(func(t *testing.T, dir string) {
			one, two := readFile(t, filepath.Join(dir, first)), readFile(t, filepath.Join(dir, second))
			writeFile(t, filepath.Join(dir, first), two)
			writeFile(t, filepath.Join(dir, second), one)
		})},
		{"a picture deleted", s.failed, first, gone(first)},
		{"all pictures deleted", s.failed, second, gone("screenshots")},
		{"a picture that nobody took", s.failed, "screenshots/099-report.png", in(func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, "screenshots/099-report.png"), readFile(t, filepath.Join(dir, first)))
		})},
		{"a file in a new folder", s.failed, "more/notes.txt", in(func(t *testing.T, dir string) {
			must(t, os.Mkdir(filepath.Join(dir, "more"), 0o700))
			writeFile(t, filepath.Join(dir, "more/notes.txt"), []byte("it was fine"))
		})},
		{"a picture cut", s.failed, first, edited(first, func(b []byte) []byte { return b[:len(b)-1] })},
		{"a picture emptied", s.failed, first, edited(first, func([]byte) []byte { return nil })},
		{"a picture that got longer", s.failed, first, edited(first, func(b []byte) []byte { return append(b, 0) })},
		{"a link in the place of a picture", s.failed, first, in(func(t *testing.T, dir string) {
			elsewhere := filepath.Join(t.TempDir(), "same.png")
			must(t, os.Rename(filepath.Join(dir, first), elsewhere))
			must(t, os.Symlink(elsewhere, filepath.Join(dir, first)))
		})},
		{"the verdict edited", s.failed, "report.json", edited("report.json", passed)},
		{"the verdict edited everywhere", s.failed, "report.json", in(func(t *testing.T, dir string) {
			for _, name := range filesIn(t, dir) {
				if path := filepath.Join(dir, name); !strings.HasSuffix(name, ".png") && !strings.HasSuffix(name, ".zip") {
					writeFile(t, path, passed(readFile(t, path)))
				}
			}
		})},
		{"the JUnit file edited", s.failed, "junit.xml", edited("junit.xml", func(b []byte) []byte {
			return bytes.Replace(b, []byte("<failure"), []byte("<skipped"), 1)
		})},
		{"another run's report", s.failed, "report.json", other("report.json")},
		{"another run's evidence", s.failed, "evidence.json", other("evidence.json")},
		{"evidence deleted", s.failed, "evidence.json", gone("evidence.json")},
		{"report deleted", s.failed, "report.json", gone("report.json")},
		{"journal deleted", s.failed, "events.jsonl", gone("events.jsonl")},
		{"another run in its place", s.failed, s.failed, func(t *testing.T, data string) {
			dir := filepath.Join(data, "runs", s.failed)
			must(t, os.RemoveAll(dir))
			must(t, os.CopyFS(dir, os.DirFS(filepath.Join(data, "runs", s.passed))))
		}},
		{"a run that nobody made", "", "20260101T000000.000Z-aaaaaa", func(t *testing.T, data string) {
			must(t, os.CopyFS(filepath.Join(data, "runs", "20260101T000000.000Z-aaaaaa"), os.DirFS(filepath.Join(data, "runs", s.passed))))
		}},
		{"a failed run that vanished", "", s.failed, gone(".")},
		{"all runs vanished", "", s.passed, func(t *testing.T, data string) { must(t, os.RemoveAll(filepath.Join(data, "runs"))) }},
	}
}

// crimesOnJournal are about the lines of events.jsonl.
func (s filed) crimesOnJournal() []crime {
	edited := func(edit func(lines [][]byte) [][]byte) func(*testing.T, string) {
		return func(t *testing.T, data string) {
			path := filepath.Join(data, "runs", s.failed, "events.jsonl")
			lines := bytes.SplitAfter(bytes.TrimSuffix(readFile(t, path), []byte("\n")), []byte("\n"))
			if len(lines) < 6 {
				t.Fatalf("only %d lines", len(lines))
			}
			lines[len(lines)-1] = append(bytes.Clone(lines[len(lines)-1]), '\n')
			writeFile(t, path, bytes.Join(edit(lines), nil))
		}
	}
	var all []crime
	edits := map[string]func([][]byte) [][]byte{
		"a line deleted":      func(l [][]byte) [][]byte { return append(l[:3:3], l[4:]...) },
		"the first deleted":   func(l [][]byte) [][]byte { return l[1:] },
		"the last deleted":    func(l [][]byte) [][]byte { return l[:len(l)-1] },
		"a line twice":        func(l [][]byte) [][]byte { return append(append(l[:4:4], l[3]), l[4:]...) },
		"two lines swapped":   func(l [][]byte) [][]byte { l[3], l[4] = l[4], l[3]; return l },
		"a line cut":          func(l [][]byte) [][]byte { l[3] = append(bytes.Clone(l[3][:len(l[3])/2]), '\n'); return l },
		"a line in the place": func(l [][]byte) [][]byte { l[4] = l[3]; return l },
	}
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		all = append(all, crime{"journal: " + name, s.failed, "events.jsonl", edited(edits[name])})
	}
	return all
}

// crimesOnLog are about the database, the log beside it, and the blobs.
func (s filed) crimesOnLog() []crime {
	inDB := func(old, replaced string) func(*testing.T, string) {
		return func(t *testing.T, data string) {
			path := filepath.Join(data, "assay.db")
			db := readFile(t, path)
			if len(old) != len(replaced) || !bytes.Contains(db, []byte(old)) {
				t.Fatalf("the database holds no %q", old)
			}
			writeFile(t, path, bytes.ReplaceAll(db, []byte(old), []byte(replaced)))
		}
	}
	return []crime{
		{"an entry edited", "", "assay.db", inDB(`"run finished","record":"`+s.failed, `"run finished","record":"`+s.passed)},
		{"a verdict in the log edited", "", "assay.db", inDB(`"reason":"failed"`, `"reason":"passed"`)},
		{"the database cut", "", "assay.db", func(t *testing.T, data string) { must(t, os.Truncate(filepath.Join(data, "assay.db"), 9000)) }},
		{"the database emptied", "", "assay.db", func(t *testing.T, data string) { must(t, os.Truncate(filepath.Join(data, "assay.db"), 0)) }},
		{"noise in the place of the database", "", "assay.db", func(t *testing.T, data string) {
			writeFile(t, filepath.Join(data, "assay.db"), bytes.Repeat([]byte("noise"), 9999))
		}},
		{"the database gone", "", "assay.db", func(t *testing.T, data string) { must(t, os.Remove(filepath.Join(data, "assay.db"))) }},
		{"the checkpoint edited", "", "log/checkpoint", func(t *testing.T, data string) {
			path := filepath.Join(data, "log/checkpoint")
			lines := strings.SplitN(string(readFile(t, path)), "\n", 3)
			writeFile(t, path, []byte(lines[0]+"\n2\n"+lines[2]))
		}},
	}
}

// crimesOnBlobs are about pictures of baselines, and about tiles of the log.
func (s filed) crimesOnBlobs(t *testing.T) []crime {
	t.Helper()
	blobs := filesIn(t, filepath.Join(s.data, "blobs"))
	if len(blobs) < 3 { // a picture, its map, and a tile
		t.Fatalf("only %d blobs", len(blobs))
	}
	var all []crime
	for i, name := range blobs {
		name, next := "blobs/"+name, "blobs/"+blobs[(i+1)%len(blobs)]
		all = append(all, crime{fmt.Sprintf("blob %d gone", i), "", name, func(t *testing.T, data string) {
			must(t, os.Remove(filepath.Join(data, name)))
		}}, crime{fmt.Sprintf("another blob in the place of %d", i), "", name, func(t *testing.T, data string) {
			must(t, os.Remove(filepath.Join(data, name))) // it may be read-only
			writeFile(t, filepath.Join(data, name), readFile(t, filepath.Join(data, next)))
		}})
	}
	return all
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
