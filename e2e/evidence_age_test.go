package e2e_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

// filedAt makes runs in process, at another time than now: a binary has no other
// clock than the machine's.
func filedAt(t *testing.T, data string, at time.Time, n int) (ids []string) {
	t.Helper()
	store, err := evidence.Open(data, func() time.Time { at = at.Add(time.Millisecond); return at })
	must(t, err)
	for range n {
		run, err := store.Start(qa.TaskSpec{Goal: "be old"})
		must(t, err)
		_, err = run.SaveScreenshot("page", []byte("\x89PNG\r\n\x1a\n, the rest is of no matter"), 1, 1, 1)
		must(t, err)
		_, err = run.AddCheck(qa.Check{Kind: "element_exists", Subject: "heading", Passed: true, Source: qa.SourceTool})
		must(t, err)
		report, err := run.Finish("", qa.Environment{}, nil)
		must(t, err)
		if report.Status != qa.Passed {
			t.Fatalf("%s: %s", report.Status, report.StatusReason)
		}
		ids = append(ids, run.ID())
	}
	return ids
}

// B8: a clock that went back between two runs changes no verdict and no order,
// and is noted.
func TestEvidenceClockBack(t *testing.T) {
	t.Parallel()
	needsBinary(t)
	data := t.TempDir()
	later := filedAt(t, data, time.Now().Add(48*time.Hour), 1)
	f := serveOn(t, data, browserless(t)...).emptyRun()
	if f.status != "inconclusive" {
		t.Errorf("a run that looks at nothing is %s: %s", f.status, f.text)
	}
	v := verified(t, data, "--all")
	if !v.has("clock-back") {
		t.Errorf("nobody notes that the clock went back by two days: %s", v)
	}
	for _, run := range append(later, f.run) {
		verified(t, data, run)
	}
}

// pruned is what assay runs prune --json prints, as far as these tests look.
type pruned struct {
	Deleted []struct{ Run, ID string }
	raw     string
}

// prune deletes what is old enough.
func prune(t *testing.T, data string, arguments ...string) (p pruned, said string, code int) {
	t.Helper()
	out, said, code := command(t, data, append([]string{"runs", "prune", "--json", "--name", "Ada L.", "--reason", "kept long enough"}, arguments...)...)
	p.raw = out
	if code == 0 {
		if err := json.Unmarshal([]byte(out), &p); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return p, said, code
}

func present(t *testing.T, data, run string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(data, "runs", run))
	return err == nil
}

// B8: runs are deleted when they are old enough and nobody holds them, the log
// says so, and afterwards all is as verified as before.
func TestEvidencePruned(t *testing.T) {
	t.Parallel()
	needsBinary(t)
	data := t.TempDir()
	old := filedAt(t, data, time.Now().Add(-500*24*time.Hour), 40) // the log is longer than a tile
	young := filedAt(t, data, time.Now().Add(-300*24*time.Hour), 2)
	serveOn(t, data, browserless(t)...).emptyRun()
	verified(t, data, "--all")
	if out, said, code := command(t, data, "runs", "prune"); code != 2 {
		t.Errorf("pruned without name and reason: exit code %d: %s%s", code, out, said)
	}
	if out, said, code := command(t, data, "runs", "hold", old[0], "--name", "Ada L.", "--reason", "a question is open"); code != 0 {
		t.Fatalf("exit code %d: %s%s", code, out, said)
	}
	before := len(filesIn(t, data))
	if p, said, code := prune(t, data, "--dry-run"); code != 0 || !strings.Contains(p.raw, old[1]) || len(filesIn(t, data)) != before {
		t.Errorf("a dry run: exit code %d, %d files of %d: %s%s", code, len(filesIn(t, data)), before, p.raw, said)
	}
	if p, said, code := prune(t, data, "--older-than", "10d"); code == 0 && !present(t, data, young[0]) {
		t.Errorf("a young run is gone: %s%s", p.raw, said)
	}
	if p, said, code := prune(t, data); code != 0 {
		t.Fatalf("exit code %d: %s%s", code, p.raw, said)
	}
	for _, run := range append([]string{old[0]}, young...) {
		if !present(t, data, run) {
			t.Errorf("%s is gone: it is held or young", run)
		}
		verified(t, data, run)
	}
	for _, run := range old[1:] {
		if present(t, data, run) {
			t.Errorf("%s is still there", run)
		}
	}
	if v := verified(t, data, "--all"); v.Runs != 4 {
		t.Errorf("%d runs, want the held, the young and the new one: %s", v.Runs, v)
	}
	must(t, os.RemoveAll(filepath.Join(data, "runs", old[0]))) // by hand
	tampered(t, old[0], data, "--all")
}
