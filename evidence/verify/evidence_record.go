package verify

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

const restore = "restore the run's folder from a copy, or don't rely on this run"

// provenEvidence holds the parts of a run's evidence.json that were verified.
type provenEvidence struct {
	record     attest.Record
	checkpoint openedCheckpoint
	covers     bool          // the checkpoint's signature is good
	started    *ledger.Event // nil: not proved
	finished   *ledger.Event
	subjects   map[string]string // digest by name; nil: no statement can be believed
	result     attest.Result
}

// readEvidence reads evidence.json and checks it in itself.
func (v *verification) readEvidence(ctx context.Context, f runFiles) (provenEvidence, bool) {
	var s provenEvidence
	data, err := f.read(ctx, ledger.Evidence)
	if err != nil {
		v.unreadable(ledger.Evidence, err)
		return s, false
	}
	var format struct{ Format string }
	if json.Unmarshal(data, &format) == nil && format.Format != attest.RecordFormat {
		v.unseen("evidence-format", ledger.Evidence, "verify with the version of assay that wrote it, or a newer one",
			"its format is %q: this version knows %q only", format.Format, attest.RecordFormat)
		return s, false
	}
	if s.record, err = attest.ParseRecord(data); err != nil {
		v.fault("evidence-form", ledger.Evidence, restore, "it is not as it was written: %v", err)
		return s, false
	}
	v.same("evidence-run", ledger.Evidence, v.run, s.record.RunID, "it is the evidence of another run")
	s.checkpoint, s.covers = v.ring.open(v.findings, []byte(s.record.Checkpoint), ledger.Evidence, "its checkpoint")
	if s.covers {
		s.started = v.entry(s, s.record.Started, ledger.RunStarted)
		s.finished = v.entry(s, s.record.Finished, ledger.RunFinished)
	}
	s.checkStatement(v.findings, v.ring)
	v.report.Checkpoint = cmp.Or(v.report.Checkpoint, s.record.Checkpoint)
	s.checkTimestamp(v.findings, v.options.Authorities)
	return s, true
}

// entry returns the event of an entry that the checkpoint covers.
func (v *verification) entry(s provenEvidence, e attest.Entry, action string) *ledger.Event {
	if err := e.Check(s.checkpoint.Checkpoint); err != nil {
		v.entryFault(e.Index, "entry-unproved", "", "", fmt.Sprintf("the signed checkpoint does not cover the entry %q: %v", action, err))
		return nil
	}
	if v.packed == nil || v.packed.entries[e.Index] != e.Leaf { // those of a bundle were counted there
		v.report.Entries++
	}
	event, problem := parseLeaf(e.Leaf, e.Index)
	switch {
	case problem != "":
		v.entryFault(e.Index, "entry-wrong", "", "", problem)
		return nil
	case event.Action != action:
		v.entryFault(e.Index, "entry-wrong", action, event.Action, "the entry tells of something else")
		return nil
	case event.Record != v.run:
		v.entryFault(e.Index, "entry-wrong", v.run, event.Record, "the entry is about another run")
		return nil
	}
	return &event
}

func parseLeaf(leaf string, index int64) (event ledger.Event, problem string) {
	if err := json.Unmarshal([]byte(leaf), &event); err != nil || strings.ContainsRune(leaf, '\n') {
		return event, "the entry is no line of JSON"
	}
	if event.Seq != index+1 {
		return event, fmt.Sprintf("the entry says that it is number %d", event.Seq)
	}
	return event, ""
}

// checkStatement accepts the statement that a known key signed, or whose digest is
// in an entry that is proved.
func (s *provenEvidence) checkStatement(found *findings, ring *keyRing) {
	e := s.record.Envelope
	payload, err := ring.trust.OpenEnvelope(e)
	signed := err == nil
	switch {
	case ring.empty(): // already reported with the checkpoint
	case err != nil:
		found.fault("envelope-signature", ledger.Evidence, restore, "the statement is not signed by a key that is known here: %v", err)
	case len(e.Signatures) != 1:
		found.fault("envelope-signature", ledger.Evidence, restore, "the envelope has signatures of others, which could say anything")
		signed = false
	}
	if payload == nil {
		if payload, err = e.DecodeB64Payload(); err != nil {
			return
		}
	}
	inLog := s.finished != nil && len(s.finished.Subject) == 1 && s.finished.Subject[0] == ledger.BlobDigest(payload)
	if s.finished != nil && !inLog && signed {
		found.entryFault(s.record.Finished.Index, "entry-wrong", ledger.BlobDigest(payload), strings.Join(s.finished.Subject, " "), "the log has another statement about this run")
	}
	if !signed && !inLog {
		return
	}
	subjects, result, err := attest.ParseStatement(payload)
	if err != nil {
		found.fault("statement-wrong", ledger.Evidence, restore, "the statement can't be understood: %v", err)
		return
	}
	s.result, s.subjects = result, map[string]string{}
	for _, subject := range subjects {
		if subject.Name == ledger.Evidence { // all others are files of a run, once
			found.fault("statement-wrong", ledger.Evidence, restore, "the statement has a subject that is no file of a run: %q", subject.Name)
			continue
		}
		s.subjects[subject.Name] = subject.SHA256
	}
}
