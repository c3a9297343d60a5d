package evidence

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Views makes the documents that people read from a report, by file name.
type Views func(qa.QAReport) (map[string][]byte, error)

// Finish computes the verdict, stores the report and its views (none if views
// is nil), enters it in the log, and ends the run. The report comes
// back even when it could not be stored or sealed, with the error, and then it
// has not passed; Finish may be called again. After it succeeded, everything is
// refused with [ErrFinished].
func (r *Run) Finish(summary string, env qa.Environment, views Views) (qa.QAReport, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return qa.QAReport{}, r.refuse("report")
	}
	if r.ended.IsZero() {
		r.ended = r.store.now()
	}
	s := r.sealing
	if s == nil || s.seq != r.chain.seq || s.report.Summary != summary {
		// Otherwise nothing has happened since a try that failed: one report, one end in the log.
		var err error
		if s, err = r.prepareReport(summary, env, views); err != nil {
			return r.notSealed(s.report, err), errors.Join(s.viewErr, fmt.Errorf("run %s: store report: %w", r.id, err))
		}
		r.sealing = s
	}
	if err := r.seal(s); err != nil {
		return r.notSealed(s.report, err), errors.Join(s.viewErr, fmt.Errorf("run %s: seal report: %w", r.id, err))
	}
	r.finished = true
	return s.report, s.viewErr
}

// prepareReport makes the report of what was kept, after it was read again,
// and closes the event log. The documents are on the disk then, but not under
// their names: they become a report only when the log has the run's end.
func (r *Run) prepareReport(summary string, env qa.Environment, views Views) (*pendingReport, error) {
	err := r.startLog()
	if err == nil {
		err = r.logStart() // if it was refused when the run began
	}
	var check qa.EvidenceCheck
	if err == nil {
		check = r.recheck()
	}
	s := &pendingReport{report: r.store.maskedReport(r.buildReport(summary, env))}
	if err == nil {
		s.report.Evidence, err = r.evidenceBlock(check)
	}
	if err != nil {
		return s, err
	}
	if err := r.renderDocuments(s, views); err != nil {
		return s, err
	}
	return s, r.closeEventLog(s)
}

// recheck reads the event log and every artefact from the disk again. A file
// that differs from what was stored keeps the run from passing: its verdict
// could not be checked.
func (r *Run) recheck() qa.EvidenceCheck {
	eventLog := qa.Artifact{Name: ledger.EventsFile, SHA256: r.chain.sum(), Size: r.folder.journal}
	started := r.store.now().UTC()
	check, damaged := r.folder.recheck(append([]qa.Artifact{eventLog}, r.artifacts.list()...))
	check.Time = started
	for i, problem := range check.Problems {
		r.folder.skipSync(damaged[i]) // there may be nothing to save
		in := qa.Interruption{Kind: qa.NotExecuted, Subject: "evidence", Detail: pagetext.Text(problem)}
		if !slices.Contains(r.interruptions, in) { // an earlier try to finish may have found it
			r.interruptions = append(r.interruptions, in)
			r.recordInterruption(Interrupted, in)
		}
	}
	return check
}

// renderDocuments makes the documents of a report.
func (r *Run) renderDocuments(s *pendingReport, views Views) error {
	report := &s.report
	report.Links = links(report.Artifacts, false)
	files := map[string][]byte{}
	if views != nil {
		report.Links = links(report.Artifacts, true)
		var err error
		if files, err = views(*report); err != nil {
			// The verdict is worth more than its looks: store it, and say so.
			files, report.Links = map[string][]byte{}, links(report.Artifacts, false)
			s.viewErr = fmt.Errorf("run %s: make the report's views: %w", r.id, err)
		}
	}
	for name := range files {
		if viewTypes[name] == "" {
			return fmt.Errorf("%q is no view of a report", name)
		}
	}
	if err := addResultFiles(*report, r.recorded(), files); err != nil {
		return err
	}
	s.docs = map[string][]byte{}
	for name, data := range files {
		s.docs[name] = r.store.masked(viewTypes[name], data)
	}
	doc, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	s.docs[ledger.Report] = append(doc, '\n')
	return nil
}

// addResultFiles adds checkpoint.json and test-result.json, which are for
// machines, to the documents of a report.
func addResultFiles(report qa.QAReport, record qa.Record, files map[string][]byte) error {
	for name, doc := range map[string]any{ledger.RunCheckpoint: qa.NewCheckpoint(report, record), ledger.TestResult: qa.NewTestResult(report, record)} {
		data, err := json.MarshalIndent(doc, "", "  ")
		if err != nil {
			return fmt.Errorf("run %s: encode %s: %w", report.RunID, name, err)
		}
		files[name] = append(data, '\n')
	}
	return nil
}

// closeEventLog stages the documents and writes the event log's last line, with their
// digests.
func (r *Run) closeEventLog(s *pendingReport) error {
	var listed []qa.Artifact
	for _, name := range slices.Sorted(maps.Keys(s.docs)) {
		if err := r.folder.writePending(name, s.docs[name]); err != nil {
			return err
		}
		mime := cmp.Or(viewTypes[name], "application/json") // report.json
		listed = append(listed, qa.Artifact{Name: name, SHA256: ledger.BlobDigest(s.docs[name]), Size: int64(len(s.docs[name])), MIMEType: mime, Time: r.store.now().UTC()})
	}
	if err := r.append(Event{Name: RunFinished, Step: r.step, Status: s.report.Status, Artifacts: listed}); err != nil {
		return err
	}
	s.seq = r.chain.seq
	if err := r.folder.sync(); err != nil {
		return err
	}
	var err error
	s.statement, err = r.buildStatement(s.report, listed)
	return err
}

// notSealed marks a report that could not be stored or that the log does not
// confirm. It has not passed.
func (r *Run) notSealed(report qa.QAReport, err error) qa.QAReport {
	report.Evidence = nil
	if report.Status != qa.Passed {
		return report
	}
	record := r.recorded()
	record.Interruptions = append(record.Interruptions, qa.Interruption{Kind: qa.NotExecuted, Subject: "seal the report", Detail: pagetext.Text(err.Error())})
	report.Findings = record.Findings
	verdict := qa.Judge(record)
	report.Status, report.StatusReason = verdict.Status, verdict.Reason
	report.Findings = append(report.Findings, verdict.Findings...)
	return r.store.maskedReport(report)
}

// buildReport puts the document together. Lists are never nil: readers are promised
// arrays.
func (r *Run) buildReport(summary string, env qa.Environment) qa.QAReport {
	finished := r.store.now().UTC()
	costs := r.costs()
	counted := costs
	counted.ToolCalls = r.spent.calls // run_start and run_finish spend none
	r.overspend(counted, "the run went on")
	record := r.recorded()
	record.Interruptions = append(record.Interruptions, qa.UncomparedKPIs(r.task, r.kpis)...)
	for _, in := range qa.UncomparedPictures(r.task, r.visuals) {
		if !slices.ContainsFunc(record.Interruptions, func(filed qa.Interruption) bool { return filed.Subject == in.Subject }) {
			record.Interruptions = append(record.Interruptions, in) // unless it is there already
		}
	}
	verdict := qa.Judge(record)
	timeline, console, network, omitted := r.told.lists(r.started)
	return qa.QAReport{
		ID: "report-" + r.id, RunID: r.id, TaskID: r.task.ID, Task: r.task,
		StartedAt: r.started, FinishedAt: finished, Summary: summary,
		Status: verdict.Status, StatusReason: verdict.Reason,
		Findings: append(append([]qa.Finding{}, record.Findings...), verdict.Findings...),
		Checks:   append([]qa.Check{}, record.Checks...), Understood: qa.Understand(r.task.Expectations, record.Checks),
		KPITable: append([]qa.KPIRow{}, r.kpis...), Visual: append([]qa.VisualRow{}, r.visuals...),
		Timeline: timeline, Console: console, Network: network, Omitted: omitted,
		Artifacts: r.artifacts.list(), Costs: costs, Environment: env,
	}
}
