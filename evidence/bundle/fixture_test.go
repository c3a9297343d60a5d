package bundle_test

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/bundle"
	"github.com/assay-qa/assay/evidence/ledger"
)

const runID = "20260102T030405.678Z-abcdef"

// fixture is a data folder with one finished run, sealed as runs are.
type fixture struct {
	t      *testing.T
	dir    string
	ledger *ledger.Ledger
	files  map[string]string
	stamp  func(checkpoint string) []byte // nil: no authority is configured
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	return sealed(t, false, nil)
}

// sealed makes one whose statement leaves pictures out, if so set.
func sealed(t *testing.T, noPictures bool, stamp func(string) []byte) *fixture {
	t.Helper()
	f := &fixture{t: t, dir: t.TempDir(), stamp: stamp}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f.ledger = ledger.Open(f.dir, func() time.Time { now = now.Add(time.Second); return now }, ledger.Options{Wait: time.Minute})
	f.key()
	agent, other := ledger.Actor{Kind: "agent", ID: runID}, ledger.Actor{Kind: "agent", ID: "20260102T030405.000Z-zzzzzz"}
	f.log(ledger.Event{Actor: other, Action: "run started", Record: "20260102T030405.000Z-zzzzzz"})
	started := f.log(ledger.Event{Actor: agent, Action: "run started", Record: runID})
	f.log(ledger.Event{Actor: ledger.Actor{Kind: "human", ID: "Ada Lovelace"}, Action: "baseline approved", Record: "b-17", Reason: "new colour"})
	f.files = map[string]string{
		"report.html":               "<p>passed</p>",
		"screenshots/001-login.png": "\x89PNG\r\n\x1a\n and so on",
		"downloads/übersicht 1.csv": "a,b\n",
		"report.json": f.json(map[string]any{"runId": runID, "status": "passed", "statusReason": "all checks held", "task": map[string]any{"goal": "see ``` the\n```sh\nfalse\n```\nsales"},
			"startedAt": "2026-01-02T03:04:05.678Z", "finishedAt": "2026-01-02T03:05:06.7Z", "checks": []any{map[string]any{"id": "C1"}, map[string]any{"id": "C2"}}, "findings": []any{},
			"visual": []any{map[string]any{"baselineId": "b-17"}}, "evidence": map[string]any{"checkpoint": f.checkpoint(), "logIndex": started}}),
	}
	journal := `{"event":"run.started"}` + "\n"
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		journal += `{"event":"artifact.stored","artifacts":[{"name":"` + name + `","sha256":"` + digest(f.files[name]) + `"}]}` + "\n"
	}
	f.files["events.jsonl"] = journal
	var subjects []attest.Subject
	for name, text := range f.files {
		f.put(name, text)
		if !noPictures || path.Ext(name) != ".png" {
			subjects = append(subjects, attest.Subject{Name: name, SHA256: digest(text)})
		}
	}
	result := attest.Result{Status: "PASSED", Passed: []string{"C1"}}
	if noPictures {
		result.Settings = []attest.Subject{{Name: "screenshot_hashing=false", SHA256: digest("screenshot_hashing=false")}}
	}
	statement, err := attest.NewStatement(subjects, result)
	f.must(err)
	f.log(ledger.Event{Actor: other, Action: "run started", Record: "20260102T030405.000Z-yyyyyy"})
	finished := f.log(ledger.Event{Actor: agent, Action: "run finished", Record: runID, Subject: []string{digest(string(statement))}, Reason: "passed"})
	f.seal(statement, started, finished)
	for _, record := range []string{"20260102T030405.000Z-zzzzzz", "20260102T030405.000Z-yyyyyy", "b-18"} { // the log goes on
		f.log(ledger.Event{Actor: other, Action: "run finished", Record: record})
	}
	f.log(ledger.Event{Actor: ledger.Actor{Kind: "human", ID: "Ada Lovelace"}, Action: "run held", Record: runID, Reason: "audit"})
	return f
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// key makes one whose public half, in base64, has the sign that stands between a
// key's parts.
func (f *fixture) key() {
	f.t.Helper()
	key, err := attest.NewKey(rand.Reader, "assay/fixture")
	for err == nil && strings.Count(key.Verifier(), "+") < 3 {
		key, err = attest.NewKey(rand.Reader, "assay/fixture")
	}
	f.must(err)
	f.must(os.Mkdir(filepath.Join(f.dir, "log"), 0o700))
	f.must(os.WriteFile(filepath.Join(f.dir, "log", "key"), []byte(key.Secret()+"\n"), 0o600))
	f.must(os.WriteFile(filepath.Join(f.dir, "log", "keys"), []byte(key.Verifier()+"\n"), 0o600))
}

// seal writes evidence.json.
func (f *fixture) seal(statement []byte, started, finished int64) {
	f.t.Helper()
	key, err := f.ledger.Key()
	f.must(err)
	record := attest.Record{Format: attest.RecordFormat, RunID: runID, Checkpoint: f.checkpoint()}
	record.Envelope, err = key.Seal(statement)
	f.must(err)
	f.must(f.ledger.View(f.t.Context(), func(tx *ledger.Tx) (err error) {
		if record.Started, err = tx.Entry(started, tx.Size()); err == nil {
			record.Finished, err = tx.Entry(finished, tx.Size())
		}
		return err
	}))
	if f.stamp != nil {
		record.Timestamp = &attest.Timestamp{Authority: "http://stamp.example/`x`", Over: digest(record.Checkpoint), Token: f.stamp(record.Checkpoint)}
	}
	f.put("evidence.json", f.json(record))
}

// log appends an event and returns its index.
func (f *fixture) log(e ledger.Event) int64 {
	f.t.Helper()
	var index int64
	f.must(f.ledger.Update(f.t.Context(), func(tx *ledger.Tx) error {
		e, err := tx.Append(e)
		index = e.Seq - 1
		return err
	}))
	return index
}

func (f *fixture) checkpoint() (text string) {
	f.t.Helper()
	f.must(f.ledger.View(f.t.Context(), func(tx *ledger.Tx) error { text = string(tx.Checkpoint()); return nil }))
	return text
}

func (f *fixture) json(v any) string {
	f.t.Helper()
	data, err := json.MarshalIndent(v, "", "  ")
	f.must(err)
	return string(data) + "\n"
}

// path returns the path of a file of the run.
func (f *fixture) path(name string) string {
	return filepath.Join(f.dir, "runs", runID, filepath.FromSlash(name))
}

func (f *fixture) put(name, text string) {
	f.t.Helper()
	f.must(os.MkdirAll(filepath.Dir(f.path(name)), 0o700))
	f.must(os.WriteFile(f.path(name), []byte(text), 0o600))
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) source() bundle.Source {
	return bundle.Source{Dir: f.dir, Run: runID, Ledger: f.ledger}
}

// write makes a bundle in a new folder.
func (f *fixture) write() bundle.Bundle {
	f.t.Helper()
	b, err := bundle.Write(f.t.Context(), f.source(), filepath.Join(f.t.TempDir(), "bundle.zip"))
	f.must(err)
	return b
}
