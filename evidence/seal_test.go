package evidence_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

func sumJSON(t *testing.T, v any) string {
	t.Helper()
	return sum(must[[]byte](t)(json.Marshal(v)))
}

// proof holds what evidence.json of a run says, after its signatures and proofs
// were checked with the keys that the data folder names.
type proof struct {
	attest.Record
	subjects          map[string]string
	result            attest.Result
	started, finished ledger.Event
}

func proofOf(t *testing.T, s *evidence.Store, r *evidence.Run) proof {
	t.Helper()
	data, _, err := s.Artifact(r.ID(), "evidence.json")
	if err != nil {
		t.Fatal(err)
	}
	p := proof{subjects: map[string]string{}}
	if err := json.Unmarshal(data, &p.Record); err != nil {
		t.Fatal(err)
	}
	trust := must[attest.Trust](t)(s.Log.Trust())
	c, _, err := trust.OpenCheckpoint([]byte(p.Checkpoint))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []struct {
		attest.Entry
		event *ledger.Event
	}{{p.Started, &p.started}, {p.Finished, &p.finished}} {
		if err := errors.Join(e.Check(c), json.Unmarshal([]byte(e.Leaf), e.event)); err != nil {
			t.Error(err)
		}
		if e.event.Record != r.ID() || e.event.Actor != (ledger.Actor{Kind: "agent", ID: r.ID()}) {
			t.Errorf("entry is of %q by %v", e.event.Record, e.event.Actor)
		}
	}
	statement := must[[]byte](t)(trust.OpenEnvelope(p.Envelope))
	if !slices.Equal(p.finished.Subject, []string{sum(statement)}) {
		t.Errorf("the log names statement %v, the envelope holds %s", p.finished.Subject, sum(statement))
	}
	subjects, result, err := attest.ParseStatement(statement)
	if err != nil {
		t.Fatal(err)
	}
	for _, subject := range subjects {
		p.subjects[subject.Name] = subject.SHA256
	}
	p.result = result
	return p
}

// files returns the SHA-256 of a folder's files, by their names in it.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		all[filepath.ToSlash(must[string](t)(filepath.Rel(dir, path)))] = sum(must[[]byte](t)(os.ReadFile(path)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// logged returns the events of the log about a run, oldest first.
func logged(t *testing.T, s *evidence.Store, r *evidence.Run) []ledger.Event {
	t.Helper()
	var all []ledger.Event
	err := s.Log.View(context.Background(), func(tx *ledger.Tx) error {
		for line, err := range tx.Leaves() {
			var e ledger.Event
			if err := errors.Join(err, json.Unmarshal(line, &e)); err != nil {
				return err
			}
			if e.Record == r.ID() {
				all = append(all, e)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// fill records something of every kind in a run that will pass.
func fill(t *testing.T, r *evidence.Run) {
	t.Helper()
	must[qa.Artifact](t)(r.SaveScreenshot("a", []byte(png), 1, 1, 1))
	must[qa.Artifact](t)(r.SaveFile("console.jsonl", "application/jsonl", []byte("{}\n"), 1))
	must[qa.Artifact](t)(r.SaveDownload("figures.csv", "text/csv", []byte("a,b\n"), 1))
	if err := r.Event(evidence.Event{Step: 1, Tool: "page_click"}); err != nil {
		t.Fatal(err)
	}
	must[qa.Check](t)(r.AddCheck(look("visible", "a", true)))
}

// B8, A14: evidence.json covers every file of the run, and the log covers it.
func TestSealedRun(t *testing.T) {
	s, dir := openStore(t)
	r := startRun(t, s)
	fill(t, r)
	must[qa.Check](t)(r.AddCheck(qa.Check{Kind: "said", Passed: true, Source: qa.SourceModel}))
	env := qa.Environment{AssayVersion: "1", Browser: "chromium\xff"} // what is no UTF-8 is spelt otherwise once it was read
	report := must[qa.QAReport](t)(r.Finish("well", env, views))
	if report.Status != qa.Passed {
		t.Fatalf("%s: %s", report.Status, report.StatusReason)
	}
	requireVerified(t, dir, r, verify.Verified)
	p := proofOf(t, s, r)
	want := files(t, r.Dir())
	delete(want, "evidence.json")
	if diff := cmp.Diff(want, p.subjects); diff != "" {
		t.Errorf("files (-there +stated):\n%s", diff)
	}
	stored := must[qa.QAReport](t)(s.Report(r.ID()))
	settings := []attest.Subject{{Name: "environment", SHA256: sumJSON(t, stored.Environment)}, {Name: "task", SHA256: sumJSON(t, stored.Task)}}
	if diff := cmp.Diff(attest.Result{Status: "PASSED", Passed: []string{"C1"}, Warned: []string{"C2"}, Settings: settings}, p.result); diff != "" {
		t.Errorf("result (-want +stated):\n%s", diff)
	}
	if p.Format != attest.RecordFormat || p.RunID != r.ID() || p.Timestamp != nil {
		t.Errorf("record: %+v", p.Record)
	}
	if e := p.finished; e.Action != "run finished" || e.Reason != "passed" || e.Options != settings[1].SHA256 || e.Environment != settings[0].SHA256 {
		t.Errorf("finished: %+v", e)
	}
	lines := requireChain(t, r)
	if e := p.started; e.Action != "run started" || !slices.Equal(e.Subject, []string{sum([]byte(lines[0]))}) || e.Options != settings[1].SHA256 || e.Seq != 1 {
		t.Errorf("started: %+v", e)
	}
	e := stored.Evidence
	c := must[attest.Checkpoint](t)(attest.ReadCheckpoint([]byte(e.Checkpoint)))
	if e.LogIndex != p.Started.Index || e.TreeSize != c.Size || e.RootHash != hex.EncodeToString(c.Root[:]) || c.Size != 1 {
		t.Errorf("evidence of the report: %+v", e)
	}
	if e.Journal != sum([]byte(lines[len(lines)-2])) { // before the line that tells of the report
		t.Errorf("the report names line %s of the journal", e.Journal)
	}
	if e.Check.Files != 4 || e.Check.Bytes == 0 || e.Check.Time.IsZero() || len(e.Check.Problems) != 0 {
		t.Errorf("check: %+v", e.Check)
	}
}

// requireChain returns the lines of a run's event log, each of which names the one
// before.
func requireChain(t *testing.T, r *evidence.Run) []string {
	t.Helper()
	data := must[[]byte](t)(os.ReadFile(filepath.Join(r.Dir(), "events.jsonl")))
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	prev, mono := "", int64(-1)
	for i, line := range lines {
		var e struct {
			Seq    int64
			MonoMS *int64
			Prev   *string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Prev == nil || e.MonoMS == nil {
			t.Fatalf("line %d: %s, %v", i+1, line, err)
		}
		if e.Seq != int64(i)+1 || *e.Prev != prev || *e.MonoMS < mono {
			t.Errorf("line %d: %s", i+1, line)
		}
		prev, mono = sum([]byte(line)), *e.MonoMS
	}
	return lines
}

// B8: of a run that fails or is inconclusive the statement says so. The
// predicate has no third word.
func TestSealTellsTheOutcome(t *testing.T) {
	s, _ := openStore(t)
	failed, open := startRun(t, s), startRun(t, s, "it holds")
	must[qa.Check](t)(failed.AddCheck(look("visible", "a", false)))
	must[qa.Finding](t)(failed.AddFinding(qa.Finding{Severity: qa.Major, Category: qa.Visual, Assertion: "a"}))
	must[qa.Finding](t)(failed.AddFinding(qa.Finding{Severity: qa.Minor, Category: qa.Visual, Assertion: "b"}))
	for _, r := range []*evidence.Run{failed, open} {
		must[qa.QAReport](t)(r.Finish("", qa.Environment{}, nil))
	}
	if p := proofOf(t, s, failed); p.result.Status != "FAILED" || p.finished.Reason != "failed" || !slices.Equal(p.result.Failed, []string{"C1", "F1", "F2"}) || !slices.Equal(p.result.Warned, []string{"F3"}) {
		t.Errorf("failed: %+v, %+v", p.result, p.finished)
	}
	if p := proofOf(t, s, open); p.result.Status != "FAILED" || p.finished.Reason != "inconclusive" || !slices.Equal(p.result.Warned, []string{"U1"}) {
		t.Errorf("inconclusive: %+v, %+v", p.result, p.finished)
	}
}

// B8: a file that is not as it was stored when the run ends keeps it from
// passing, is named, and is in the statement as it was stored.
func TestChangedFilesKeepARunFromPassing(t *testing.T) {
	for _, name := range []string{"screenshots/001-a.png", "console.jsonl", "downloads/d001-figures.csv", "trace.zip", "events.jsonl"} {
		for what, damage := range map[string]func(t *testing.T, path string, data []byte){
			"flipped": func(t *testing.T, path string, data []byte) { data[0] ^= 1; write(t, path, data) },
			"cut":     func(t *testing.T, path string, data []byte) { write(t, path, data[:len(data)-1]) },
			"longer":  func(t *testing.T, path string, data []byte) { write(t, path, append(data, 'x')) },
			"empty":   func(t *testing.T, path string, _ []byte) { write(t, path, nil) },
			"a link": func(t *testing.T, path string, data []byte) {
				other := filepath.Join(t.TempDir(), "other")
				write(t, other, data)
				if err := errors.Join(os.Remove(path), os.Symlink(other, path)); err != nil {
					t.Fatal(err)
				}
			},
			"gone": func(t *testing.T, path string, _ []byte) {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			},
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				s, _ := openStore(t)
				r := startRun(t, s)
				fill(t, r)
				must[qa.Artifact](t)(r.SaveStream("trace.zip", "application/zip", 1, zipped))
				path := filepath.Join(r.Dir(), name)
				was := must[[]byte](t)(os.ReadFile(path))
				damage(t, path, slices.Clone(was))
				report, err := r.Finish("", qa.Environment{}, views)
				if outside := name == "events.jsonl" && what == "a link"; outside != (err != nil) {
					t.Fatal(err)
				} else if outside { // nothing is appended to what lies elsewhere
					if runs := must[[]evidence.RunSummary](t)(s.Runs()); report.Status != qa.Inconclusive || runs[0].State == evidence.Finished {
						t.Errorf("%s, %+v", report.Status, runs)
					}
					return
				}
				if report.Status != qa.Inconclusive || !strings.Contains(string(report.StatusReason), name) {
					t.Errorf("%s: %s", report.Status, report.StatusReason)
				}
				if e := report.Evidence; len(e.Check.Problems) != 1 || !strings.HasPrefix(e.Check.Problems[0], name+" ") {
					t.Errorf("check: %+v", e.Check)
				}
				if p := proofOf(t, s, r); p.finished.Reason != "inconclusive" || name != "events.jsonl" && p.subjects[name] != sum(was) {
					t.Errorf("sealed: %+v, %s", p.finished, p.subjects[name])
				}
			})
		}
	}
}

func zipped(w io.Writer) error {
	_, err := io.WriteString(w, "PK")
	return err
}

// A changed file is a fault of the tester: a run that failed has failed.
func TestChangedFilesOfAFailedRun(t *testing.T) {
	s, dir := openStore(t)
	r := startRun(t, s)
	fill(t, r)
	must[qa.Check](t)(r.AddCheck(look("visible", "b", false)))
	remove(t, r, "console.jsonl")
	report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, nil))
	requireVerified(t, dir, r, verify.Failed)
	if report.Status != qa.Failed || len(report.Evidence.Check.Problems) != 1 || len(report.Findings) != 2 { // the check's, and that of the file
		t.Errorf("%s, %+v, %+v", report.Status, report.Evidence.Check, report.Findings)
	}
}

// E5, B12: what is switched off is not done, and the statement says so.
func TestSettingsAreStated(t *testing.T) {
	s, _ := openStore(t)
	s.NoPictureHashes, s.NoAudit = true, true
	r := startRun(t, s)
	fill(t, r)
	if err := r.Event(evidence.Event{Name: evidence.FlowStepped, Step: 1, Input: json.RawMessage(`{"index": 1}`)}); err != nil {
		t.Fatal(err)
	}
	report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, nil))
	if report.Status != qa.Passed || len(report.Timeline) != 2 {
		t.Errorf("%s, %+v", report.Status, report.Timeline)
	}
	p := proofOf(t, s, r)
	var off []string
	for _, s := range p.result.Settings {
		off = append(off, s.Name)
	}
	if !slices.Equal(off, []string{"audit_logging=false", "environment", "screenshot_hashing=false", "task"}) {
		t.Errorf("settings: %v", off)
	}
	if _, there := p.subjects["screenshots/001-a.png"]; there || p.subjects["console.jsonl"] == "" {
		t.Errorf("subjects: %v", slices.Sorted(maps.Keys(p.subjects)))
	}
	requireEvents(t, r, "run.started", "artifact.stored", "artifact.stored", "artifact.stored", "check.executed", "run.finished")
}

// B8: the authority is asked for the time of the checkpoint that is stored; what
// it can't tell is noted, and changes no verdict.
func TestStamp(t *testing.T) {
	for _, want := range []attest.Timestamp{{Token: []byte("token")}, {Problem: "it does not answer"}} {
		s, _ := openStore(t)
		var asked []byte
		s.Stamp = func(ctx context.Context, checkpoint []byte) attest.Timestamp {
			if until, ok := ctx.Deadline(); !ok || time.Until(until) > 10*time.Second {
				t.Errorf("it has until %v", until)
			}
			asked = checkpoint
			return want
		}
		r := startRun(t, s)
		fill(t, r)
		if report := must[qa.QAReport](t)(r.Finish("", qa.Environment{}, nil)); report.Status != qa.Passed {
			t.Errorf("%s: %s", report.Status, report.StatusReason)
		}
		p := proofOf(t, s, r)
		if diff := cmp.Diff(&want, p.Timestamp); diff != "" || string(asked) != p.Checkpoint {
			t.Errorf("time-stamp over %q:\n%s", asked, diff)
		}
	}
}
