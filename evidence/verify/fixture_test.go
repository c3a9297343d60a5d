package verify_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

// folder is a data folder whose runs are made by hand, so that a test can make
// what the product would not.
type folder struct {
	t    *testing.T
	dir  string
	log  *ledger.Ledger
	now  time.Time
	made int
}

func newFolder(t *testing.T) *folder {
	t.Helper()
	f := &folder{t: t, dir: t.TempDir(), now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	f.log = ledger.Open(f.dir, f.clock, ledger.Options{})
	return f
}

func (f *folder) clock() time.Time {
	f.now = f.now.Add(10 * time.Millisecond)
	return f.now
}

// recipe is a run to be made. The zero value passes.
type recipe struct {
	events   int // lines between the first and the last
	pictures int
	size     int // bytes of a picture
	change   func(*qa.QAReport)
	written  func(report []byte) []byte // by another version
	files    map[string]string          // more files, which nobody lists in the journal
	key      *attest.Key                // signs the statement; nil: the log's
	started  func(*ledger.Event)
	finished func(*ledger.Event)
	result   func(*attest.Result)
}

// make makes a finished run and returns its id.
func (f *folder) make(r recipe) string {
	f.t.Helper()
	f.made++
	id := f.now.Format("20060102T150405.000Z") + "-" + strings.Repeat(string(rune('a'+f.made)), 6)
	w := &writer{folder: f, id: id, files: map[string][]byte{}, digests: map[string]qa.Artifact{}}
	task := qa.TaskSpec{Goal: "look at the sales page"}
	w.line(map[string]any{"event": "run.started", "task": task})
	begun := f.append(r.started, ledger.Event{Action: "run started", Record: id, Subject: []string{w.prev}, Options: fingerprint(f.t, task)})
	for i := range r.pictures {
		picture := append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{byte(i), byte(i * 7)}, max(r.size/2, 8))...)
		w.store(fmt.Sprintf("screenshots/%03d-page.png", i+1), "image/png", picture)
	}
	for i := range r.events {
		w.line(map[string]any{"event": "tool.called", "tool": "browser_click", "step": i + 1})
	}
	check := qa.Check{ID: "C1", Kind: "text_equals", Expected: "1", Observed: "1", Passed: true, Source: qa.SourceTool, Time: f.clock()}
	w.line(map[string]any{"event": "check.executed", "check": check})
	report := qa.QAReport{ID: "report-" + id, RunID: id, Task: task, StartedAt: f.now, FinishedAt: f.clock(), Status: qa.Passed, StatusReason: "1 check passed",
		Findings: []qa.Finding{}, Checks: []qa.Check{check}, KPITable: []qa.KPIRow{}, Visual: []qa.VisualRow{}, Artifacts: slices.Collect(maps.Values(w.digests)),
		Environment: qa.Environment{AssayVersion: "test", OS: "linux", Arch: "amd64"}, Evidence: f.block(begun.Seq-1, w.prev)}
	if r.change != nil {
		r.change(&report)
	}
	doc := indented(f.t, report)
	if r.written != nil {
		doc = r.written(doc)
	}
	docs := []qa.Artifact{w.add("report.html", "text/html", []byte("<p>"+id+"</p>\n")), w.add("report.json", "application/json", doc)}
	w.line(map[string]any{"event": "run.finished", "status": report.Status, "artifacts": docs})
	for name, data := range r.files {
		w.add(name, "text/plain", []byte(data))
	}
	w.seal(r, begun, report)
	return id
}

// writer makes the files of one run.
type writer struct {
	*folder
	id      string
	seq     int
	prev    string
	files   map[string][]byte
	digests map[string]qa.Artifact
}

func (w *writer) line(fields map[string]any) {
	w.t.Helper()
	w.seq++
	maps.Copy(fields, map[string]any{"seq": w.seq, "monoMs": w.seq * 10, "prev": w.prev, "time": w.clock(), "runId": w.id})
	data, err := json.Marshal(fields)
	if err != nil {
		w.t.Fatal(err)
	}
	w.prev = ledger.BlobDigest(data)
	w.files["events.jsonl"] = append(append(w.files["events.jsonl"], data...), '\n')
}

func (w *writer) store(name, mime string, data []byte) {
	w.line(map[string]any{"event": "artifact.stored", "artifacts": []qa.Artifact{w.add(name, mime, data)}})
}

func (w *writer) add(name, mime string, data []byte) qa.Artifact {
	w.files[name] = data
	w.digests[name] = qa.Artifact{Name: name, SHA256: ledger.BlobDigest(data), Size: int64(len(data)), MIMEType: mime}
	return w.digests[name]
}

// seal enters the end in the log and stores everything.
func (w *writer) seal(r recipe, begun ledger.Event, report qa.QAReport) {
	w.t.Helper()
	var subjects []attest.Subject
	for name, data := range w.files {
		subjects = append(subjects, attest.Subject{Name: name, SHA256: ledger.BlobDigest(data)})
	}
	result := attest.Result{Status: map[bool]string{true: "PASSED", false: "FAILED"}[report.Status == qa.Passed],
		Settings: []attest.Subject{{Name: "task", SHA256: fingerprint(w.t, report.Task)}, {Name: "environment", SHA256: fingerprint(w.t, report.Environment)}}}
	if r.result != nil {
		r.result(&result)
	}
	statement, err := attest.NewStatement(subjects, result)
	if err != nil {
		w.t.Fatal(err)
	}
	key := r.key
	if key == nil {
		if key, err = w.log.Key(); err != nil {
			w.t.Fatal(err)
		}
	}
	record := attest.Record{Format: attest.RecordFormat, RunID: w.id}
	if record.Envelope, err = key.Seal(statement); err != nil {
		w.t.Fatal(err)
	}
	ended := w.append(r.finished, ledger.Event{Action: "run finished", Record: w.id, Subject: []string{ledger.BlobDigest(statement)}, Reason: string(report.Status),
		Options: fingerprint(w.t, report.Task), Environment: fingerprint(w.t, report.Environment)})
	w.view(func(tx *ledger.Tx) {
		record.Checkpoint = string(tx.Checkpoint())
		record.Started = entry(w.t, tx, begun.Seq-1)
		record.Finished = entry(w.t, tx, ended.Seq-1)
	})
	w.files["evidence.json"] = indented(w.t, record)
	for name, data := range w.files {
		w.write("runs/"+w.id+"/"+name, data)
	}
}

func entry(t *testing.T, tx *ledger.Tx, index int64) attest.Entry {
	t.Helper()
	e, err := tx.Entry(index, tx.Size())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (f *folder) view(look func(*ledger.Tx)) {
	f.t.Helper()
	if err := f.log.View(f.t.Context(), func(tx *ledger.Tx) error { look(tx); return nil }); err != nil {
		f.t.Fatal(err)
	}
}

func (f *folder) append(change func(*ledger.Event), e ledger.Event) ledger.Event {
	f.t.Helper()
	if e.Actor.Kind == "" {
		e.Actor = ledger.Actor{Kind: "agent", ID: e.Record}
	}
	if change != nil {
		change(&e)
	}
	err := f.log.Update(f.t.Context(), func(tx *ledger.Tx) (err error) {
		e, err = tx.Append(e)
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return e
}

// block returns the report's own evidence.
func (f *folder) block(index int64, journal string) *qa.Evidence {
	f.t.Helper()
	e := &qa.Evidence{LogIndex: index, Journal: journal, Check: qa.EvidenceCheck{Time: f.now, Problems: []string{}}}
	f.view(func(tx *ledger.Tx) {
		c, err := attest.ReadCheckpoint(tx.Checkpoint())
		if err != nil {
			f.t.Fatal(err)
		}
		e.TreeSize, e.RootHash, e.Checkpoint = c.Size, hex.EncodeToString(c.Root[:]), string(tx.Checkpoint())
	})
	return e
}

func (f *folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *folder) write(name string, data []byte) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.path(name), data, 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f *folder) read(name string) []byte {
	f.t.Helper()
	data, err := os.ReadFile(f.path(name))
	if err != nil {
		f.t.Fatal(err)
	}
	return data
}

func (f *folder) run(id string, o verify.Options) verify.Report {
	f.t.Helper()
	r, err := verify.Run(f.t.Context(), f.dir, id, o)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// verifier returns the public half of the log's key.
func (f *folder) verifier() string {
	f.t.Helper()
	key, err := f.log.Key()
	if err != nil {
		f.t.Fatal(err)
	}
	return key.Verifier()
}

func indented(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(data, '\n')
}

func fingerprint(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return ledger.BlobDigest(data)
}
