package evidence

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-qa/assay/qa"
)

// Views makes the documents that people read from a report, by file name.
type Views func(qa.QAReport) (map[string][]byte, error)

// Finish computes the verdict, stores the report and its views (none if views
// is nil), and ends the run. The report comes back even when it could not be
// stored, with the error; then Finish may be called again. After it succeeded,
// everything is refused with [ErrFinished].
func (r *Run) Finish(summary string, env qa.Environment, views Views) (qa.QAReport, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return qa.QAReport{}, r.refuse("report")
	}
	if r.ended.IsZero() {
		r.ended = r.store.now().UTC()
	}
	report := r.store.maskedReport(r.report(summary, env))
	files := map[string][]byte{}
	var viewErr error
	report.Links = links(report.Artifacts, false)
	if views != nil {
		report.Links = links(report.Artifacts, true)
		if files, viewErr = views(report); viewErr != nil {
			// The verdict is worth more than its looks: store it, and say so.
			files, report.Links = map[string][]byte{}, links(report.Artifacts, false)
			viewErr = fmt.Errorf("run %s: make the report's views: %w", r.id, viewErr)
		}
	}
	doc, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return report, errors.Join(viewErr, fmt.Errorf("run %s: encode report: %w", r.id, err))
	}
	if err := r.sumUp(report, files); err != nil {
		return report, errors.Join(viewErr, err)
	}
	for name, data := range files {
		files[name] = r.store.masked(viewTypes[name], data)
	}
	if err := r.publish(report, append(doc, '\n'), files); err != nil {
		return report, errors.Join(viewErr, fmt.Errorf("run %s: store report: %w", r.id, err))
	}
	r.finished = true
	return report, viewErr
}

// publish stores the views, then the journal's last line with the digests of
// all documents, and report.json last: where it is, everything it vouches for
// is whole and on the disk.
func (r *Run) publish(report qa.QAReport, doc []byte, views map[string][]byte) error {
	docs := []qa.Artifact{r.describe(reportDoc, "application/json", doc)}
	for _, name := range slices.Sorted(maps.Keys(views)) {
		mime, ok := viewTypes[name]
		if !ok {
			return fmt.Errorf("%q is no view of a report", name)
		}
		if err := r.folder.create(name, views[name], true); err != nil {
			return err
		}
		docs = append(docs, r.describe(name, mime, views[name]))
	}
	if err := r.start(); err != nil {
		return err
	}
	if err := r.folder.sync(); err != nil {
		return err
	}
	// These two follow each other at once: between them the run looks damaged.
	if err := r.append(Event{Name: RunFinished, Step: r.step, Status: report.Status, Artifacts: docs}); err != nil {
		return err
	}
	if err := r.folder.create(reportDoc, doc, true); err != nil {
		return err
	}
	return r.folder.sync()
}

// report puts the document together. Lists are never nil: readers are promised
// arrays.
func (r *Run) report(summary string, env qa.Environment) qa.QAReport {
	finished := r.store.now().UTC()
	costs := r.costs()
	spent := costs
	spent.ToolCalls = r.calls // run_start and run_finish spend none
	r.overspend(spent, "the run went on")
	record := r.record()
	record.Interruptions = append(record.Interruptions, qa.Uncompared(r.task, r.kpis)...)
	for _, in := range qa.Unseen(r.task, r.visuals) {
		if !slices.ContainsFunc(record.Interruptions, func(filed qa.Interruption) bool { return filed.Subject == in.Subject }) {
			record.Interruptions = append(record.Interruptions, in) // where nobody has said so already
		}
	}
	verdict := qa.Judge(record)
	artifacts := make([]qa.Artifact, len(r.names))
	for i, name := range r.names {
		artifacts[i] = r.artifacts[name]
	}
	timeline, console, network, omitted := r.told.lists(r.started)
	return qa.QAReport{
		ID: "report-" + r.id, RunID: r.id, TaskID: r.task.ID, Task: r.task,
		StartedAt: r.started, FinishedAt: finished, Summary: summary,
		Status: verdict.Status, StatusReason: verdict.Reason,
		Findings: append(append([]qa.Finding{}, record.Findings...), verdict.Findings...),
		Checks:   append([]qa.Check{}, record.Checks...),
		KPITable: append([]qa.KPIRow{}, r.kpis...), Visual: append([]qa.VisualRow{}, r.visuals...),
		Timeline: timeline, Console: console, Network: network, Omitted: omitted,
		Artifacts: artifacts, Costs: costs, Environment: env,
	}
}
