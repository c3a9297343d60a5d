package verify

import (
	"context"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/qa"
)

// checkEventLogDigest compares the event log with the log and with the statement.
func checkEventLogDigest(found *findings, s provenEvidence, j eventLog) {
	if s.started != nil && j.first != "" && !slices.Equal(s.started.Subject, []string{j.first}) {
		found.add(Finding{Code: "journal-broken", Severity: Fault, File: ledger.EventsFile, Line: 1, Expected: strings.Join(s.started.Subject, " "), Found: j.first,
			Problem: "the first line is not the one that the log has", Next: restore})
	}
	if s.subjects == nil || j.lines == 0 || j.broken > 0 {
		return
	}
	if !j.chained {
		found.fault("journal-disagrees", ledger.EventsFile, restore, "its lines are no chain: an older version wrote it, and no older version sealed a run")
	}
	if !j.ended {
		found.fault("journal-disagrees", ledger.EventsFile, restore, "its last line does not say that the run ended")
	}
	if s.finished != nil && j.ended {
		found.same("journal-disagrees", ledger.EventsFile, s.finished.Reason, string(j.status), "the log and the journal have another outcome")
	}
	if j.twice != "" {
		found.fault("journal-disagrees", ledger.EventsFile, restore, "it has an artefact twice, with other bytes: %s", j.twice)
	}
	for _, name := range slices.Sorted(maps.Keys(s.subjects)) {
		if name != ledger.EventsFile {
			found.same("journal-disagrees", ledger.EventsFile, s.subjects[name], j.artifacts[name].SHA256, "the statement and the journal disagree on the file "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(j.artifacts)) {
		a := j.artifacts[name]
		left := s.result.Setting(attest.NoPictures) != "" && strings.HasPrefix(a.MIMEType, "image/")
		if _, ok := s.subjects[name]; !ok && !left {
			found.same("journal-disagrees", ledger.EventsFile, "", a.SHA256, "the statement leaves out a file that the journal has: "+name)
		}
	}
}

// checkReport compares the report with the log, the statement, the event log, and
// with itself.
func (v *verification) checkReport(ctx context.Context, s provenEvidence, j eventLog, r document) {
	v.report.Status = string(r.Status)
	same := func(expected, has, problem string) { v.same("report-wrong", ledger.Report, expected, has, problem) }
	same(v.run, r.RunID, "it is the report of another run")
	if e := s.finished; e != nil {
		same(e.Reason, string(r.Status), "the log has another outcome")
		same(e.Options, r.digestOf("task", e.Options), "the log has another task")
		same(e.Environment, r.digestOf("environment", e.Environment), "the log has another environment")
	}
	if s.subjects != nil {
		same(s.result.Status, predicate(r.Status), "the statement has another outcome")
		for _, part := range []string{"task", "environment"} {
			same(s.result.Setting(part), r.digestOf(part, s.result.Setting(part)), "the statement has another "+part)
		}
	}
	for _, a := range r.Artifacts {
		if sum, ok := s.subjects[a.Name]; ok {
			same(sum, a.SHA256, "the statement has another digest of "+a.Name)
		}
	}
	v.checkEvidenceBlock(ctx, s, j, r)
	checkVerdict(v.findings, j, r.QAReport)
}

// predicate returns a status in the statement's words: it has no third one.
func predicate(status qa.Status) string {
	if status == qa.Passed {
		return "PASSED"
	}
	return "FAILED"
}

// checkEvidenceBlock checks what the report says of its own evidence.
func (v *verification) checkEvidenceBlock(ctx context.Context, s provenEvidence, j eventLog, r document) {
	e := r.Evidence
	if e == nil {
		v.fault("report-wrong", ledger.Report, restore, "it tells nothing of its evidence")
		return
	}
	if len(e.Check.Problems) > 0 && r.Status == qa.Passed {
		v.fault("verdict-contradicted", ledger.Report, restore, "it says that the run passed, and that files had changed before it was written")
	}
	if e.LogIndex != s.record.Started.Index {
		v.add(Finding{Code: "report-wrong", Severity: Fault, File: ledger.Report, Entry: &e.LogIndex, Problem: "the run's first entry is another one in evidence.json", Next: restore})
	}
	if j.broken == 0 && j.beforeLast != "" && e.Journal != j.beforeLast {
		file := ledger.Report
		if r.genuine {
			file = ledger.EventsFile
		}
		v.add(Finding{Code: "journal-broken", Severity: Fault, File: file, Line: j.lines - 1, Expected: e.Journal, Found: j.beforeLast,
			Problem: "the last line but one of the journal is not the one that the report was made after: the journal was written anew", Next: restore})
	}
	c, ok := v.ring.open(v.findings, []byte(e.Checkpoint), ledger.Report, "the checkpoint in the report")
	if !ok {
		return
	}
	if root := hex.EncodeToString(c.Root[:]); c.Size != e.TreeSize || root != e.RootHash {
		v.add(Finding{Code: "report-wrong", Severity: Fault, File: ledger.Report, Expected: root, Found: e.RootHash, Problem: "its size and root are not those of its checkpoint", Next: restore})
	}
	if s.covers && (c.Size > s.checkpoint.Size || c.Origin != s.checkpoint.Origin || c.Size <= e.LogIndex) {
		v.fault("report-wrong", ledger.Report, restore, "its checkpoint is not from between the run's first entry and its last")
		return
	}
	v.checkLogGrowth(ctx, c, ledger.Report, "the checkpoint in the report")
}

// checkVerdict checks whether the outcome follows from the checks and findings beside
// it. Texts may be masked, so what an expectation demands is not read again.
func checkVerdict(found *findings, j eventLog, r qa.QAReport) {
	contradicted := func(problem string, args ...any) {
		found.fault("verdict-contradicted", ledger.Report, restore, problem, args...)
	}
	again := qa.Judge(qa.Record{Checks: r.Checks, Findings: r.Findings})
	switch {
	case again.Status == qa.Failed && r.Status != qa.Failed:
		contradicted("it says %q, and its own records say otherwise: %q", r.Status, again.Reason)
	case r.Status == qa.Failed && again.Status != qa.Failed:
		contradicted("it says that the run failed, and nothing in it did")
	case r.Status == qa.Passed && again.Status != qa.Passed:
		contradicted("it says that the run passed, and its own records say otherwise: %q", again.Reason)
	}
	if r.Status != qa.Passed {
		return
	}
	if j.failed != "" {
		found.fault("verdict-contradicted", ledger.EventsFile, restore, "the report says that the run passed, and check %q of the journal failed", j.failed)
	}
	if j.interrupted {
		found.fault("verdict-contradicted", ledger.EventsFile, restore, "the report says that the run passed, and the journal has an interruption, which keeps a run from passing")
	}
	for _, e := range r.Task.Number().Expectations {
		if !slices.ContainsFunc(r.Checks, func(c qa.Check) bool {
			return c.Passed && (c.Source == qa.SourceTool || c.Source == qa.SourceRule) && slices.Contains(c.Expects, e.ID)
		}) {
			contradicted("it says that the run passed, and no check proves expectation %q", e.ID)
		}
	}
}
