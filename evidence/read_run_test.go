package evidence_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

// finishedRun stores a small finished run and returns it.
func finishedRun(t *testing.T) (*evidence.Store, *evidence.Run) {
	t.Helper()
	s, _ := openStore(t)
	r := startRun(t, s)
	must[qa.Artifact](t)(r.SaveScreenshot("a", []byte(png), 1, 1, 1))
	must[qa.Check](t)(r.AddCheck(look("visible", "a", true)))
	must[qa.QAReport](t)(r.Finish("", qa.Environment{}, views))
	return s, r
}

// TestEveryFlippedByteIsFound (B8): change any byte of an artefact, a report
// or a view, and reading it says which file it is.
func TestEveryFlippedByteIsFound(t *testing.T) {
	s, r := finishedRun(t)
	for _, name := range []string{"screenshots/001-a.png", "report.json", "report.html", "report.md"} {
		path := filepath.Join(r.Dir(), name)
		good := must[[]byte](t)(os.ReadFile(path))
		flipEach(t, path, good, func(int) { requireCorrupt(t, s, r.ID(), name, "SHA-256 was") })
		for n := len(good) - 1; n >= 0; n-- { // every shorter file
			if err := os.Truncate(path, int64(n)); err != nil {
				t.Fatal(err)
			}
			requireCorrupt(t, s, r.ID(), name, "SHA-256 was")
		}
		write(t, path, append(slices.Clone(good), 'x'))
		requireCorrupt(t, s, r.ID(), name, "SHA-256 was")
		write(t, path, good)
		if _, _, err := s.Artifact(r.ID(), name); err != nil {
			t.Errorf("%s restored: %v", name, err)
		}
	}
}

// TestEveryFlippedByteOfTheJournal (B8): a line that was changed is found, but for
// the last, which evidence.json covers. None makes reading panic or hand out
// an artefact with other bytes.
func TestEveryFlippedByteOfTheJournal(t *testing.T) {
	s, r := finishedRun(t)
	path := filepath.Join(r.Dir(), "events.jsonl")
	good := must[[]byte](t)(os.ReadFile(path))
	last := bytes.LastIndexByte(good[:len(good)-1], '\n') + 1
	flipEach(t, path, good, func(i int) {
		data, _, err := s.Artifact(r.ID(), "001-a.png")
		if err == nil && string(data) != png {
			t.Errorf("byte %d flipped: other bytes were handed out", i)
		}
		if i < last && !errors.Is(err, evidence.ErrCorrupt) {
			t.Errorf("byte %d flipped: %v", i, err)
		}
		if i%16 != 0 {
			return
		}
		if runs, err := s.Runs(); err != nil || len(runs) != 1 || i < last && runs[0].State != evidence.Damaged {
			t.Errorf("byte %d flipped: Runs = %v, %v", i, runs, err)
		}
	})
}

// flipEach calls look with each byte of a file flipped in turn, in its place: to
// write the whole file anew takes longer than all else.
func flipEach(t *testing.T, path string, good []byte, look func(i int)) {
	t.Helper()
	file := must[*os.File](t)(os.OpenFile(path, os.O_WRONLY, 0))
	defer file.Close()
	put := func(i int, b byte) {
		if _, err := file.WriteAt([]byte{b}, int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	for i, b := range good {
		put(i, b^1)
		look(i)
		put(i, b)
	}
}

// B8: lines that were taken out, doubled, swapped or put after the end are found,
// and the first that does not fit is named.
func TestChainOfTheJournal(t *testing.T) {
	s, r := finishedRun(t)
	path := filepath.Join(r.Dir(), "events.jsonl")
	good := strings.SplitAfter(strings.TrimSuffix(string(must[[]byte](t)(os.ReadFile(path))), "\n"), "\n")
	good[len(good)-1] += "\n"
	for i := range good {
		for what, lines := range map[string][]string{
			"out":     slices.Delete(slices.Clone(good), i, i+1),
			"doubled": slices.Insert(slices.Clone(good), i, good[i]),
			"first":   append([]string{good[i]}, slices.Delete(slices.Clone(good), i, i+1)...),
		} {
			want := fmt.Sprintf("line %d does not follow", i+1)
			switch {
			case what == "doubled":
				want = fmt.Sprintf("line %d does not follow", i+2)
			case what == "first" && i == 0:
				continue
			case what == "first":
				want = "line 1 does not follow"
			case i == len(good)-1: // the report is there, and its digest is gone
				want = "its digest is missing"
			}
			write(t, path, []byte(strings.Join(lines, "")))
			requireCorrupt(t, s, r.ID(), "report.json", want)
		}
	}
	write(t, path, []byte(strings.Join(good, "")+"{"))
	requireCorrupt(t, s, r.ID(), "report.json", fmt.Sprintf("line %d: there is more after the run's end", len(good)+1))
}

func TestDamageIsNamed(t *testing.T) {
	tests := []struct {
		name   string
		damage func(t *testing.T, r *evidence.Run)
		file   string // that can't be read any more
		why    string
		listed evidence.State
	}{
		{"screenshot is missing", func(t *testing.T, r *evidence.Run) { remove(t, r, "screenshots/001-a.png") }, "001-a.png", "is missing", evidence.Finished},
		{"report is missing", func(t *testing.T, r *evidence.Run) { remove(t, r, "report.json") }, "report.json", "is missing", evidence.Damaged},
		{"journal is missing", func(t *testing.T, r *evidence.Run) { remove(t, r, "events.jsonl") }, "report.json", "digest is missing", evidence.Damaged},
		{"journal is garbage in the middle", func(t *testing.T, r *evidence.Run) {
			path := filepath.Join(r.Dir(), "events.jsonl")
			data := must[[]byte](t)(os.ReadFile(path))
			write(t, path, append([]byte("{garbage}\n"), data...))
		}, "report.json", "line 1", evidence.Damaged},
		{"journal is another run's", func(t *testing.T, r *evidence.Run) {
			path := filepath.Join(r.Dir(), "events.jsonl")
			data := must[[]byte](t)(os.ReadFile(path))
			write(t, path, []byte(strings.ReplaceAll(string(data), r.ID(), "20200101T000000.000Z-aaaaaa")))
		}, "report.json", "is of run", evidence.Damaged},
		{"screenshot is a folder", func(t *testing.T, r *evidence.Run) {
			remove(t, r, "screenshots/001-a.png")
			if err := os.Mkdir(filepath.Join(r.Dir(), "screenshots/001-a.png"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "001-a.png", "no regular file", evidence.Finished},
		{"screenshot is a link to the same bytes", func(t *testing.T, r *evidence.Run) {
			outside := filepath.Join(t.TempDir(), "a.png")
			write(t, outside, []byte(png))
			link(t, r, outside, "screenshots/001-a.png")
		}, "001-a.png", "no regular file", evidence.Finished},
		{"the screenshots' folder is a link outside", func(t *testing.T, r *evidence.Run) {
			outside := t.TempDir()
			write(t, filepath.Join(outside, "001-a.png"), []byte(png))
			remove(t, r, "screenshots/001-a.png")
			link(t, r, outside, "screenshots")
		}, "001-a.png", "escapes", evidence.Finished},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, r := finishedRun(t)
			tt.damage(t, r)
			requireCorrupt(t, s, r.ID(), tt.file, tt.why)
			runs := must[[]evidence.RunSummary](t)(s.Runs())
			if len(runs) != 1 || runs[0].State != tt.listed {
				t.Fatalf("listed as %+v, want %s", runs, tt.listed)
			}
			if tt.listed == evidence.Damaged && !strings.Contains(runs[0].Problem, tt.why) {
				t.Errorf("problem is %q, want …%s…", runs[0].Problem, tt.why)
			}
		})
	}
}

func TestARunThatIsALinkIsDamaged(t *testing.T) {
	s, r := finishedRun(t)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(r.Dir(), elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, r.Dir()); err != nil {
		t.Fatal(err)
	}
	requireCorrupt(t, s, r.ID(), "report.json", "no folder")
	if runs := must[[]evidence.RunSummary](t)(s.Runs()); runs[0].State != evidence.Damaged {
		t.Errorf("listed as %+v", runs)
	}
}

// B7, E6: no id and no name leads out of the run.
func TestNoNameLeadsOutside(t *testing.T) {
	s, r := finishedRun(t)
	write(t, filepath.Join(filepath.Dir(r.Dir()), "secret"), []byte("secret"))
	for _, id := range []string{"", ".", "..", "../..", "../data/runs/" + r.ID(), r.ID() + "/", "/etc", r.ID() + "\x00", "20261121T055036.123Z-aaaaaa", strings.ToUpper(r.ID())} {
		if _, err := s.Report(id); !errors.Is(err, evidence.ErrNotFound) {
			t.Errorf("Report(%q): %v, want ErrNotFound", id, err)
		}
		if _, _, err := s.Artifact(id, "report.md"); !errors.Is(err, evidence.ErrNotFound) {
			t.Errorf("Artifact of run %q: %v, want ErrNotFound", id, err)
		}
	}
	for _, name := range []string{"", ".", "..", "../secret", "screenshots/../../secret", "/etc/passwd", "screenshots", "events.jsonl", "./report.md", `..\secret`} {
		if data, _, err := s.Artifact(r.ID(), name); !errors.Is(err, evidence.ErrNotFound) {
			t.Errorf("Artifact(%q) = %q, %v; want ErrNotFound", name, data, err)
		}
	}
	empty, _ := openStore(t)
	if _, err := empty.Report(r.ID()); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("Report from an empty store: %v", err)
	}
}

// A event log that was tampered with can't lead outside either.
func TestNoJournalLeadsOutside(t *testing.T) {
	s, r := finishedRun(t)
	write(t, filepath.Join(filepath.Dir(r.Dir()), "secret"), []byte("secret"))
	path := filepath.Join(r.Dir(), "events.jsonl")
	data := must[[]byte](t)(os.ReadFile(path))
	// SHA-256 of "secret"
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	sum := sha256.Sum256([]byte(lines[len(lines)-1]))
	line := fmt.Sprintf(`{"seq":%d,"prev":"%x",`, len(lines)+1, sum) + `"runId":"` + r.ID() + `","event":"artifact.stored","artifacts":[{"name":"../secret","sha256":"2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b","size":6}]}` + "\n"
	write(t, path, append(data, line...))
	requireCorrupt(t, s, r.ID(), "../secret", "escapes")
}

func TestRunsList(t *testing.T) {
	s, dir := openStore(t)
	done, crashed := startRun(t, s), startRun(t, s)
	must[qa.Check](t)(done.AddCheck(look("visible", "a", true)))
	must[qa.QAReport](t)(done.Finish("", qa.Environment{}, nil))

	// The process dies while it writes a line.
	must[qa.Artifact](t)(crashed.SaveScreenshot("a", []byte(png), 1, 1, 1))
	must[qa.Check](t)(crashed.AddCheck(look("visible", "a", true)))
	must[qa.Finding](t)(crashed.AddFinding(qa.Finding{Severity: qa.Info, Category: qa.Visual, Assertion: "a"}))
	path := filepath.Join(crashed.Dir(), "events.jsonl")
	data := must[[]byte](t)(os.ReadFile(path))
	write(t, path, append(data, `{"time":"2026-11-21T05:50:36Z","runId":"`...))

	if err := os.Mkdir(filepath.Join(dir, "runs", "20261121T060000.000Z-aaaaaa"), 0o700); err != nil { // dies before its first line
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "runs", ".DS_Store"), nil)

	runs := must[[]evidence.RunSummary](t)(s.Runs())
	if len(runs) != 3 || runs[0].ID != "20261121T060000.000Z-aaaaaa" || runs[1].ID != crashed.ID() || runs[2].ID != done.ID() {
		t.Fatalf("Runs = %+v, want three, newest first", runs)
	}
	if r := runs[0]; r.State != evidence.Unfinished || r.StartedAt.IsZero() {
		t.Errorf("run without a line: %+v", r)
	}
	if r := runs[1]; r.State != evidence.Unfinished || r.Status != "" || r.Goal != "check the cart" || r.Checks != 1 || r.Findings != 1 || !r.FinishedAt.IsZero() {
		t.Errorf("crashed run: %+v", r)
	}
	if r := runs[2]; r.State != evidence.Finished || r.Status != qa.Passed || r.Checks != 1 || r.FinishedAt.IsZero() || r.Problem != "" {
		t.Errorf("finished run: %+v", r)
	}
	if _, err := s.Report(crashed.ID()); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("report of a crashed run: %v", err)
	}
	if data, mime, err := s.Artifact(crashed.ID(), "001-a.png"); err != nil || string(data) != png || mime != "image/png" {
		t.Errorf("screenshot of a crashed run: %q, %q, %v", data, mime, err)
	}
}

// A event log may break off anywhere: the run is listed, and what was whole stays.
func TestJournalTornAnywhere(t *testing.T) {
	s, _ := openStore(t)
	r := startRun(t, s)
	must[qa.Check](t)(r.AddCheck(look("visible", "a", true)))
	path := filepath.Join(r.Dir(), "events.jsonl")
	data := must[[]byte](t)(os.ReadFile(path))
	for n := range data {
		write(t, path, data[:n])
		runs := must[[]evidence.RunSummary](t)(s.Runs())
		if len(runs) != 1 || runs[0].State != evidence.Unfinished {
			t.Fatalf("broken off after %d bytes: %+v", n, runs)
		}
	}
}

func requireCorrupt(t *testing.T, s *evidence.Store, id, name, why string) {
	t.Helper()
	data, _, err := s.Artifact(id, name)
	if !errors.Is(err, evidence.ErrCorrupt) || data != nil {
		t.Fatalf("Artifact(%s) = %d bytes, %v; want ErrCorrupt", name, len(data), err)
	}
	var damaged *evidence.CorruptError
	if !errors.As(err, &damaged) || !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), id) {
		t.Fatalf("Artifact(%s): %v; want the run and …%s…", name, err, why)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, r *evidence.Run, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(r.Dir(), name)); err != nil {
		t.Fatal(err)
	}
}

// link puts a symbolic link to target in the place of a file or an empty folder.
func link(t *testing.T, r *evidence.Run, target, name string) {
	t.Helper()
	remove(t, r, name)
	if err := os.Symlink(target, filepath.Join(r.Dir(), name)); err != nil {
		t.Fatal(err)
	}
}

// TestStrippedRun (B8): a run of which somebody took away what proves it, so
// that its event log and report could be written anew, is not handed out as passed.
func TestStrippedRun(t *testing.T) {
	s, r := finishedRun(t)
	if err := os.Remove(filepath.Join(r.Dir(), "evidence.json")); err != nil {
		t.Fatal(err)
	}
	if report, err := s.Report(r.ID()); !errors.Is(err, evidence.ErrCorrupt) || report.Status != "" {
		t.Errorf("%q, %v", report.Status, err)
	}
	if runs := must[[]evidence.RunSummary](t)(s.Runs()); runs[0].State != evidence.Damaged || runs[0].Status != "" {
		t.Errorf("%+v", runs)
	}
}
