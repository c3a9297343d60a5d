package evidence

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/qa"
)

// timestampTimeout says how long an authority has to tell the time.
const timestampTimeout = 10 * time.Second

// pendingReport holds a report whose documents do not have their names yet.
type pendingReport struct {
	report    qa.QAReport
	viewErr   error
	docs      map[string][]byte // by name, report.json among them
	seq       int64             // of the journal's last line, which lists them
	statement []byte
	entry     ledger.Event // of the log: the run ended so
	revealed  bool         // a try was made to give the documents their names
}

// evidenceBlock returns what the log says of the run before its report is made.
func (r *Run) evidenceBlock(check qa.EvidenceCheck) (*qa.Evidence, error) {
	e := &qa.Evidence{LogIndex: r.entry.Seq - 1, Journal: r.chain.prev, Check: check}
	err := r.store.Log.View(context.Background(), func(tx *ledger.Tx) error {
		if tx.Size() < r.entry.Seq {
			return errOther
		}
		c, err := attest.ReadCheckpoint(tx.Checkpoint())
		if err != nil {
			return err
		}
		e.TreeSize, e.RootHash, e.Checkpoint = c.Size, hex.EncodeToString(c.Root[:]), string(tx.Checkpoint())
		_, err = provenEntry(tx, r.entry, c.Size)
		return err
	})
	return e, err
}

// buildStatement returns the statement about the run's files: all of them but the one that
// will hold it.
func (r *Run) buildStatement(report qa.QAReport, docs []qa.Artifact) ([]byte, error) {
	subjects := []attest.Subject{{Name: ledger.EventsFile, SHA256: r.chain.sum()}}
	for _, a := range docs {
		subjects = append(subjects, attest.Subject{Name: a.Name, SHA256: a.SHA256})
	}
	for _, a := range r.artifacts.list() {
		if !r.store.NoPictureHashes || !strings.HasPrefix(a.MIMEType, "image/") {
			subjects = append(subjects, attest.Subject{Name: a.Name, SHA256: a.SHA256})
		}
	}
	result := attest.Result{Status: qa.Told(report.Status, "PASSED", "FAILED", "FAILED"), Settings: []attest.Subject{
		{Name: "task", SHA256: fingerprint(report.Task)}, {Name: "environment", SHA256: fingerprint(report.Environment)},
	}}
	for setting, off := range map[string]bool{attest.NoPictures: r.store.NoPictureHashes, attest.NoAudit: r.store.NoAudit} {
		if off {
			result.Settings = append(result.Settings, attest.Subject{Name: setting, SHA256: ledger.BlobDigest([]byte(setting))})
		}
	}
	for _, c := range report.Checks {
		list := qa.Told(c.Status(), &result.Passed, &result.Failed, &result.Warned)
		if c.Status() == qa.Passed && c.Source == qa.SourceModel { // its word alone proves nothing
			list = &result.Warned
		}
		*list = append(*list, c.ID)
	}
	for _, f := range report.Findings {
		if f.Severity.Fails() {
			result.Failed = append(result.Failed, f.ID)
		} else {
			result.Warned = append(result.Warned, f.ID)
		}
	}
	return attest.NewStatement(subjects, result)
}

// seal enters the run's end in the log, stores what proves it, and gives the
// documents their names, report.json last: where it is, everything is.
func (r *Run) seal(s *pendingReport) error {
	key, err := r.store.Log.Key()
	if err != nil {
		return err
	}
	record := attest.Record{Format: attest.RecordFormat, RunID: r.id}
	if record.Envelope, err = key.Seal(s.statement); err != nil {
		return err
	}
	if s.entry.Action == "" {
		s.entry = ledger.Event{Actor: r.actor(), Action: ledger.RunFinished, Record: r.id, Subject: []string{ledger.BlobDigest(s.statement)}, Reason: string(s.report.Status),
			Options: fingerprint(s.report.Task), Environment: fingerprint(s.report.Environment)}
	}
	if err := r.store.Log.Update(context.Background(), func(tx *ledger.Tx) error { return appendOnce(tx, &s.entry) }); err != nil {
		return err
	}
	if err := r.addProofs(s, &record); err != nil {
		return err
	}
	if r.store.Stamp != nil {
		ctx, cancel := context.WithTimeout(context.Background(), timestampTimeout)
		stamp := r.store.Stamp(ctx, []byte(record.Checkpoint))
		cancel()
		record.Timestamp = &stamp
	}
	doc, err := record.Encode()
	if err != nil {
		return err
	}
	return r.publish(s, doc)
}

// addProofs adds the run's entries, with the newest checkpoint that covers them.
func (r *Run) addProofs(s *pendingReport, record *attest.Record) error {
	return r.store.Log.View(context.Background(), func(tx *ledger.Tx) error {
		record.Checkpoint = string(tx.Checkpoint())
		c, err := attest.ReadCheckpoint(tx.Checkpoint())
		if err != nil {
			return err
		}
		if record.Started, err = provenEntry(tx, r.entry, c.Size); err != nil {
			return err
		}
		record.Finished, err = provenEntry(tx, s.entry, c.Size)
		return err
	})
}

func (r *Run) publish(s *pendingReport, evidence []byte) error {
	docs := slices.Sorted(maps.Keys(s.docs))
	if s.revealed {
		for _, name := range docs {
			if err := r.folder.writePending(name, s.docs[name]); err != nil {
				return err
			}
		}
	}
	if err := r.folder.writePending(ledger.Evidence, evidence); err != nil {
		return err
	}
	if err := r.folder.sync(); err != nil {
		return err
	}
	s.revealed = true
	docs = append(slices.DeleteFunc(docs, func(name string) bool { return name == ledger.Report }), ledger.Report)
	if err := r.folder.publish(append([]string{ledger.Evidence}, docs...)...); err != nil {
		return err
	}
	return r.folder.sync()
}

// fingerprint returns the SHA-256 of a value's JSON, as it is after it was read from
// JSON: only then will a reader of the report get the same.
func fingerprint[T any](v T) string {
	var read T
	doc, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(doc, &read)
	}
	if err == nil {
		doc, err = json.Marshal(read)
	}
	if err != nil {
		return "" // the report can't be stored either, which says why
	}
	return ledger.BlobDigest(doc)
}
