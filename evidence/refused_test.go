package evidence_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

// refusal makes the log of a data folder refuse events, and returns what repairs
// it. earlier is a copy of assay.db from before the run's last event, if any.
type refusal struct {
	name, says string
	do         func(t *testing.T, dir string, earlier []byte) (repair func())
}

// aside moves a file of the data folder away, and what comes back puts it there again.
func aside(t *testing.T, dir, name string) (repair func()) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	away := filepath.Join(t.TempDir(), "away")
	if err := os.Rename(path, away); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return func() {
		if err := os.RemoveAll(path); err != nil {
			t.Error(err)
		}
		if err := os.Rename(away, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
}

func refusals() []refusal {
	return []refusal{
		{"locked", "another process holds the store", func(t *testing.T, dir string, _ []byte) func() {
			held := must[*bbolt.DB](t)(bbolt.Open(filepath.Join(dir, "assay.db"), 0o600, nil))
			return func() {
				if err := held.Close(); err != nil {
					t.Error(err)
				}
			}
		}},
		{"no file", "no regular file", func(t *testing.T, dir string, _ []byte) func() {
			repair := aside(t, dir, "assay.db")
			if err := os.Mkdir(filepath.Join(dir, "assay.db"), 0o700); err != nil {
				t.Fatal(err)
			}
			return repair
		}},
		{"key of somebody else's make", "PRIVATE+KEY+", func(t *testing.T, dir string, _ []byte) func() {
			repair := aside(t, dir, "log/key")
			write(t, filepath.Join(dir, "log/key"), []byte("-----BEGIN PRIVATE KEY-----\n"))
			return repair
		}},
		{"key of another log", "signing key can't be used", func(t *testing.T, dir string, _ []byte) func() {
			repair := aside(t, dir, "log/key")
			write(t, filepath.Join(dir, "log/key"), []byte(must[*attest.Key](t)(attest.NewKey(rand.Reader, "assay/other")).Secret()))
			return repair
		}},
		{"key lost", "signing key is missing", func(t *testing.T, dir string, _ []byte) func() {
			return aside(t, dir, "log/key")
		}},
		{"rolled back", "put back the newer assay.db", func(t *testing.T, dir string, earlier []byte) func() {
			repair := aside(t, dir, "assay.db")
			write(t, filepath.Join(dir, "assay.db"), earlier)
			return repair
		}},
		{"gone", "put back the newer assay.db", func(t *testing.T, dir string, _ []byte) func() {
			return aside(t, dir, "assay.db")
		}},
	}
}

// openImpatient opens a store whose log doesn't wait long for others.
func openImpatient(t *testing.T, dir string) *evidence.Store {
	t.Helper()
	s := must[*evidence.Store](t)(evidence.Open(dir, time.Now))
	s.Log = ledger.Open(dir, time.Now, ledger.Options{Wait: 100 * time.Millisecond})
	return s
}

// B8: a run that the log could not take when it began goes on and keeps what it
// is told, but can't pass; why is in its report. Its report is sealed as soon as
// the log can be written.
func TestLogRefusesTheStart(t *testing.T) {
	for _, refused := range refusals() {
		t.Run(refused.name, func(t *testing.T) {
			dir := t.TempDir()
			s := openImpatient(t, dir)
			var earlier []byte
			for range 2 { // there is a log already
				before := startRun(t, s)
				must[qa.Check](t)(before.AddCheck(look("visible", "a", true)))
				if earlier == nil {
					earlier = must[[]byte](t)(os.ReadFile(filepath.Join(dir, "assay.db")))
				}
			}
			repair := refused.do(t, dir, earlier)
			r := startRun(t, s)
			fill(t, r)
			report, err := r.Finish("", qa.Environment{}, views)
			if err == nil || !strings.Contains(err.Error(), refused.says) || report.Status != qa.Inconclusive || report.Evidence != nil {
				t.Errorf("refused: %s, %v", report.Status, err)
			}
			repair()
			report = must[qa.QAReport](t)(r.Finish("", qa.Environment{}, views))
			if report.Status != qa.Inconclusive || !strings.Contains(string(report.StatusReason), refused.says) || len(report.Checks) != 1 || len(report.Artifacts) != 3 {
				t.Errorf("repaired: %s: %s", report.Status, report.StatusReason)
			}
			if p := proofOf(t, s, r); p.finished.Reason != "inconclusive" {
				t.Errorf("sealed: %+v", p.finished)
			}
			requireVerified(t, dir, r, verify.Verified)
			requireChain(t, r)
		})
	}
}

// B8: without the log's word there is no report, under no name that somebody
// looks for, and nothing that says passed comes back, whether the log refuses
// when the report is begun or when it is to be sealed. The same run can be
// finished once the log can be written, and ends once.
func TestLogRefusesTheEnd(t *testing.T) {
	for _, refused := range refusals() {
		for _, late := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s late %v", refused.name, late), func(t *testing.T) {
				dir := t.TempDir()
				s := openImpatient(t, dir)
				before := startRun(t, s)
				must[qa.Check](t)(before.AddCheck(look("visible", "a", true)))
				earlier := must[[]byte](t)(os.ReadFile(filepath.Join(dir, "assay.db")))
				r := startRun(t, s)
				fill(t, r)
				for try := range 2 { // whoever tries again gets no other answer
					var repair func()
					refuse := func() { repair = refused.do(t, dir, earlier) }
					if !late || try > 0 {
						refuse()
					}
					report, err := r.Finish("", qa.Environment{}, func(report qa.QAReport) (map[string][]byte, error) {
						if repair == nil {
							refuse() // the report is passed, and no view knows better
						}
						return views(report)
					})
					repair()
					if err == nil || !strings.Contains(err.Error(), refused.says) || report.Status != qa.Inconclusive || !strings.Contains(string(report.StatusReason), refused.says) || report.Evidence != nil {
						t.Errorf("refused: %s: %s, %v", report.Status, report.StatusReason, err)
					}
					requireNoReport(t, s, r)
				}
				if report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, views)); report.Status != qa.Passed {
					t.Errorf("repaired: %s: %s", report.Status, report.StatusReason)
				}
				if p := proofOf(t, s, r); p.finished.Reason != "passed" {
					t.Errorf("sealed: %+v", p.finished)
				}
				requireOneEnd(t, s, r)
				requireVerified(t, dir, r, verify.Verified)
			})
		}
	}
}

// requireNoReport: the run is not finished, and nothing looks as if it were.
func requireNoReport(t *testing.T, s *evidence.Store, r *evidence.Run) {
	t.Helper()
	runs := must[[]evidence.RunSummary](t)(s.Runs())
	at := slices.IndexFunc(runs, func(sum evidence.RunSummary) bool { return sum.ID == r.ID() })
	if at < 0 || runs[at].State != evidence.Unfinished || runs[at].Status != "" || runs[at].Checks != 1 {
		t.Errorf("listed as %+v", runs)
	}
	if _, err := s.Report(r.ID()); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("Report: %v, want ErrNotFound", err)
	}
	for _, name := range []string{"report.json", "report.html", "report.md", "test-result.json", "checkpoint.json", "evidence.json"} {
		if data, _, err := s.Artifact(r.ID(), name); !errors.Is(err, evidence.ErrNotFound) {
			t.Errorf("%s: %d bytes, %v; want ErrNotFound", name, len(data), err)
		}
		if _, err := os.Lstat(filepath.Join(r.Dir(), name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there (%v)", name, err)
		}
	}
	if data, _, err := s.Artifact(r.ID(), "001-a.png"); err != nil || string(data) != png {
		t.Errorf("the picture is lost: %v", err)
	}
}

// requireOneEnd: the log has the run's beginning and its end, once.
func requireOneEnd(t *testing.T, s *evidence.Store, r *evidence.Run) {
	t.Helper()
	var actions []string
	for _, e := range logged(t, s, r) {
		actions = append(actions, e.Action)
	}
	if !slices.Equal(actions, []string{"run started", "run finished"}) {
		t.Errorf("the log has %v", actions)
	}
}

// Several servers on one folder, each with a log of its own opening: all runs
// pass, and the log has each of them once (B8).
func TestStoresShareALog(t *testing.T) {
	dir := t.TempDir()
	const stores = 6
	var runs [stores]*evidence.Run
	var each sync.WaitGroup
	for i := range stores {
		s := must[*evidence.Store](t)(evidence.Open(dir, time.Now))
		s.Log = ledger.Open(dir, time.Now, ledger.Options{Wait: time.Minute}) // the machine may be busy
		runs[i] = startRun(t, s)
		each.Go(func() {
			if _, err := runs[i].AddCheck(look("visible", "a", true)); err != nil {
				t.Error(err)
			}
			if report, err := runs[i].Finish("", qa.Environment{}, nil); err != nil || report.Status != qa.Passed {
				t.Errorf("%s: %s, %v", report.Status, report.StatusReason, err)
			}
		})
	}
	each.Wait()
	s := openImpatient(t, dir)
	for _, r := range runs {
		requireOneEnd(t, s, r)
		if p := proofOf(t, s, r); p.finished.Reason != "passed" || p.started.Writer != p.finished.Writer {
			t.Errorf("%+v", p.finished)
		}
	}
}

// A14: a clock that goes back reorders nothing: lines are numbered, and the time
// since the run began never falls.
func TestClockGoesBack(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	s := must[*evidence.Store](t)(evidence.Open(t.TempDir(), func() time.Time { now = now.Add(-time.Minute); return now }))
	r := startRun(t, s)
	fill(t, r)
	report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, nil))
	if report.Status != qa.Passed || report.Costs.DurationMS != 0 {
		t.Errorf("%s after %d ms: %s", report.Status, report.Costs.DurationMS, report.StatusReason)
	}
	requireChain(t, r)
	if p := proofOf(t, s, r); p.started.Seq+1 != p.finished.Seq || !p.finished.UTC.Before(p.started.UTC) {
		t.Errorf("%+v, %+v", p.started, p.finished)
	}
}

// A run of a version that had no log is listed and read as it was.
func TestRunOfAnOlderVersion(t *testing.T) {
	s, r := finishedRun(t)
	var old []byte
	for _, line := range requireChain(t, r) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		delete(e, "seq")
		delete(e, "monoMs")
		delete(e, "prev")
		old = append(append(old, must[[]byte](t)(json.Marshal(e))...), '\n')
	}
	write(t, filepath.Join(r.Dir(), "events.jsonl"), old)
	remove(t, r, "evidence.json")
	if report, err := s.Report(r.ID()); err != nil || report.Status != qa.Passed {
		t.Errorf("%s, %v", report.Status, err)
	}
	if runs := must[[]evidence.RunSummary](t)(s.Runs()); runs[0].State != evidence.Finished || runs[0].Status != qa.Passed {
		t.Errorf("%+v", runs)
	}
	if _, _, err := s.Artifact(r.ID(), "evidence.json"); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("evidence.json: %v", err)
	}
}
