package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/qa"
)

// verifyRun looks at all files of one run.
func (v *verification) verifyRun(ctx context.Context, f runFiles) error {
	v.report.Runs++
	for _, name := range slices.Sorted(maps.Keys(f.odd)) {
		v.fault("file-irregular", name, "find out who put it there, and remove it", "%s where only plain files belong", f.odd[name])
	}
	if !f.regular[ledger.Evidence] && f.odd[ledger.Evidence] == "" {
		return v.verifyUnsealed(ctx, f)
	}
	s, ok := v.readEvidence(ctx, f)
	report := readReport(ctx, v.findings, f, s)
	events, err := readEventLog(ctx, v.findings, f, s, report)
	if err != nil || !ok {
		return err
	}
	if err := compareFiles(ctx, v.findings, v.ring, f, s, events); err != nil {
		return err
	}
	checkEventLogDigest(v.findings, s, events)
	if report.readable {
		v.checkReport(ctx, s, events, report)
		checkCIFiles(ctx, v.findings, f, report)
	}
	v.checkRunInLog(ctx, s)
	if len(v.ring.pinned) > 0 && !v.anchored {
		v.fault("key-not-pinned", ledger.Evidence, "find out whose key it is: pin it with --key if it is yours", "no pinned key signed this run")
	}
	return ctx.Err()
}

// verifyUnsealed looks at a run without evidence.json: one that goes on, one whose
// program was killed, one of an older version, or one that somebody stripped.
func (v *verification) verifyUnsealed(ctx context.Context, f runFiles) error {
	story, err := v.readRunEvents(ctx)
	if err != nil {
		return err
	}
	if !story.started && !f.regular[ledger.EventsFile] && f.odd[ledger.EventsFile] == "" && !f.regular[ledger.Report] {
		v.add(Finding{Code: "run-unfinished", Severity: v.unfinishedSeverity(), File: ledger.EventsFile,
			Problem: "the run has kept nothing yet: it begins this moment, or its program was killed", Next: "repeat the run if its program is gone"})
		return nil
	}
	j, err := readEventLog(ctx, v.findings, f, provenEvidence{}, document{})
	if err != nil {
		return err
	}
	switch {
	case story.deleted && v.whole && !f.regular[ledger.Report]: // already reported; it claims nothing
	case story.deleted:
		if !v.whole {
			v.note("run-deleted", ledger.RunsFolder+"/"+v.run, "assay runs prune finishes it", "its deletion is in the log, and its folder is not gone yet")
		}
		v.unseen("evidence-none", ledger.Evidence, "there is nothing to be done", "what proves the run was deleted")
	case story.finished && f.regular[ledger.Report+ledger.Pending]:
		v.unseen("run-unfinished", ledger.Evidence, "repeat the run: this one was not sealed",
			"the log says that the run ended (%s), and what proves it is not there: the program was killed in that moment, or somebody made it look so", story.status)
	case story.finished:
		v.fault("evidence-missing", ledger.Evidence, restore, "the log says that the run ended (%s), and what proves it was removed", story.status)
	case f.regular[ledger.Report] && (story.started || j.chained):
		v.fault("evidence-missing", ledger.Evidence, restore, "there is a report, and what proves it is missing")
	case f.regular[ledger.Report]:
		v.unseen("evidence-none", ledger.Evidence, "repeat the run with this version: what an older one has written can't be proved", "a version of assay that sealed nothing has made this run")
	default:
		v.add(Finding{Code: "run-unfinished", Severity: v.unfinishedSeverity(), File: ledger.EventsFile,
			Problem: "the run has no report: it is going on, or its program was killed", Next: "wait for its end; if its program is gone, repeat the run"})
	}
	if story.started && story.first != "" && j.first != "" && story.first != j.first {
		v.add(Finding{Code: "journal-broken", Severity: Fault, File: ledger.EventsFile, Line: 1,
			Expected: story.first, Found: j.first, Problem: "the first line is not the one that the log has", Next: restore})
	}
	return nil
}

// unfinishedSeverity returns how grave it is that a run has no end: a caller who names it needs
// proof; in a whole folder a run may be going on.
func (v *verification) unfinishedSeverity() Severity {
	if v.whole {
		return Note
	}
	return Unseen
}

// document holds report.json.
type document struct {
	qa.QAReport
	readable bool
	genuine  bool // its bytes are those that were signed
	parts    map[string]json.RawMessage
}

// digestOf returns the digest of a part of the report. Another version of assay may know
// other fields of it than this one: then what it wrote counts.
func (d document) digestOf(part, want string) string {
	if digestJSON(d.parts[part]) == want {
		return want
	}
	if part == "task" {
		return digestJSON(d.Task)
	}
	return digestJSON(d.Environment)
}

// readReport reads report.json.
func readReport(ctx context.Context, found *findings, f runFiles, s provenEvidence) document {
	var d document
	data, err := f.read(ctx, ledger.Report)
	if err != nil {
		return d // is reported as a subject
	}
	if err := errors.Join(json.Unmarshal(data, &d.QAReport), json.Unmarshal(data, &d.parts)); err != nil {
		found.fault("report-wrong", ledger.Report, restore, "the report can't be understood: %v", err)
		return d
	}
	d.readable, d.genuine = true, s.subjects[ledger.Report] == ledger.BlobDigest(data)
	return d
}

func digestJSON(value any) string {
	doc, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("no JSON: %v", err)
	}
	return ledger.BlobDigest(doc)
}
