package evidence_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

// A try that fails after the log has taken the run's end is finished by the next
// one with the same report (B8).
func TestFinishGoesOnWhereItFailed(t *testing.T) {
	s, dir := openStore(t)
	r := startRun(t, s)
	fill(t, r)
	inTheWay := filepath.Join(r.Dir(), "evidence.json.tmp")
	if err := os.Mkdir(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	if report, err := r.Finish("", qa.Environment{}, views); err == nil || report.Status != qa.Inconclusive {
		t.Errorf("%s, %v", report.Status, err)
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	end := logged(t, s, r)[1]
	inTheWay = filepath.Join(r.Dir(), "report.json")
	if err := os.MkdirAll(filepath.Join(inTheWay, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if report, err := r.Finish("", qa.Environment{}, views); err == nil || report.Status != qa.Inconclusive {
		t.Errorf("%s, %v", report.Status, err)
	}
	if err := os.RemoveAll(inTheWay); err != nil {
		t.Fatal(err)
	}
	report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, views))
	if report.Status != qa.Passed {
		t.Errorf("%s: %s", report.Status, report.StatusReason)
	}
	if p := proofOf(t, s, r); !cmp.Equal(p.finished, end) {
		t.Errorf("another end: %s", cmp.Diff(end, p.finished))
	}
	requireOneEnd(t, s, r)
	requireVerified(t, dir, r, verify.Verified)
	if got := files(t, r.Dir()); got["report.json.tmp"] != "" || got["report.html"] == "" {
		t.Errorf("left: %v", got)
	}
}

// What is recorded between two tries to finish is in the report: the log has two
// ends then, and the last counts.
func TestRunGoesOnAfterAFailedFinish(t *testing.T) {
	s, dir := openStore(t)
	r := startRun(t, s)
	fill(t, r)
	inTheWay := filepath.Join(r.Dir(), "evidence.json.tmp")
	if err := os.Mkdir(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	if report, err := r.Finish("", qa.Environment{}, views); err == nil || report.Status != qa.Inconclusive {
		t.Errorf("%s, %v", report.Status, err)
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	must[qa.Check](t)(r.AddCheck(look("visible", "b", false)))
	report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, views))
	if report.Status != qa.Failed || len(report.Checks) != 2 {
		t.Errorf("%s with %d checks", report.Status, len(report.Checks))
	}
	if all := logged(t, s, r); len(all) != 3 || all[1].Reason != "passed" || all[2].Reason != "failed" {
		t.Errorf("the log has %+v", all)
	}
	if p := proofOf(t, s, r); p.finished.Reason != "failed" {
		t.Errorf("sealed: %+v", p.finished)
	}
	requireVerified(t, dir, r, verify.Verified)
	if stored := must[qa.QAReport](t)(s.Report(r.ID())); stored.Status != qa.Failed {
		t.Errorf("stored: %s", stored.Status)
	}
}

// B8: whenever a process is killed while it finishes a run, its folder tells the
// truth: not finished until all is there.
func TestKilledWhileItFinishes(t *testing.T) {
	dir, copies := t.TempDir(), t.TempDir()
	n := 0
	snapshot := func() {
		n++
		if err := os.CopyFS(filepath.Join(copies, string(rune('a'+n))), os.DirFS(dir)); err != nil {
			t.Error(err)
		}
	}
	s := must[*evidence.Store](t)(evidence.Open(dir, time.Now))
	key := must[*attest.Key](t)(s.Log.Key())
	s.Log = ledger.Open(dir, time.Now, ledger.Options{Key: func() (string, error) { snapshot(); return key.Secret(), nil }})
	s.Stamp = func(context.Context, []byte) attest.Timestamp {
		snapshot()
		return attest.Timestamp{}
	}
	r := startRun(t, s)
	fill(t, r)
	n = 0 // copies of before are overwritten: what counts is the end
	if err := os.RemoveAll(copies); err != nil {
		t.Fatal(err)
	}
	report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, func(report qa.QAReport) (map[string][]byte, error) {
		snapshot()
		return views(report)
	}))
	if report.Status != qa.Passed || n < 4 {
		t.Fatalf("%s after %d looks", report.Status, n)
	}
	for i := range n {
		copied := filepath.Join(copies, string(rune('a'+i+1)))
		left := openImpatient(t, copied)
		if again, err := os.ReadDir(filepath.Join(copied, "runs", r.ID())); err != nil || len(again) == 0 {
			t.Fatal(err)
		}
		requireUnfinished(t, left, r.ID(), i)
	}
	// What follows is one rename after the other.
	docs := []string{"report.json", "test-result.json", "report.md", "report.html", "checkpoint.json", "evidence.json"}
	for i, name := range docs {
		path := filepath.Join(r.Dir(), name)
		if err := os.Rename(path, path+".tmp"); err != nil {
			t.Fatal(err)
		}
		requireUnfinished(t, s, r.ID(), n+i)
	}
	// A report that somebody takes away is not one that never was.
	for _, name := range docs {
		if err := os.Remove(filepath.Join(r.Dir(), name+".tmp")); err != nil {
			t.Fatal(err)
		}
	}
	if runs := must[[]evidence.RunSummary](t)(s.Runs()); runs[0].State != evidence.Damaged || !strings.Contains(runs[0].Problem, "report.json") {
		t.Errorf("without its report: %+v", runs)
	}
}

func requireUnfinished(t *testing.T, s *evidence.Store, id string, look int) {
	t.Helper()
	runs := must[[]evidence.RunSummary](t)(s.Runs())
	if len(runs) != 1 || runs[0].ID != id || runs[0].State != evidence.Unfinished || runs[0].Problem != "" || runs[0].Checks != 1 {
		t.Errorf("look %d: listed as %+v", look, runs)
	}
	if _, err := s.Report(id); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("look %d: Report: %v", look, err)
	}
	if data, _, err := s.Artifact(id, "001-a.png"); err != nil || string(data) != png {
		t.Errorf("look %d: picture: %v", look, err)
	}
}

// requireVerified: the verifier, which knows nothing of this package, agrees.
func requireVerified(t *testing.T, dir string, r *evidence.Run, want verify.Verdict) {
	t.Helper()
	got, err := verify.Run(t.Context(), dir, r.ID(), verify.Options{})
	if err != nil || got.Verdict != want {
		t.Errorf("verified: %+v, %v", got, err)
	}
}
