package report

import (
	"cmp"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// SuiteCTRF returns the suite in the Common Test Report Format (ctrf.io), a test
// for each case. What could not be found out, and what did not run, has the
// status other; a pass that was not the first attempt is flaky.
func SuiteCTRF(s Suite) ([]byte, error) {
	title := cmp.Or(visible(s.Title), "assay")
	doc := ctrfDocument{ReportFormat: "CTRF", SpecVersion: ctrfVersion, Timestamp: cmp.Or(s.FinishedAt, s.StartedAt).UTC(), GeneratedBy: "assay",
		Results: ctrfResults{Tool: ctrfTool{Name: "assay"}, Tests: []ctrfTest{}, Environment: ctrfEnvironment{AppName: visible(s.Title)},
			Extra: map[string]any{"evidence": s.EvidenceLine(), "checkpoint": s.Checkpoint()}}}
	sum := &doc.Results.Summary
	sum.Start, sum.Stop = millis(s.StartedAt), millis(s.FinishedAt)
	sum.Duration = max(0, sum.Stop-sum.Start)
	for _, c := range s.Cases {
		t := ctrfTest{TestID: visible(c.RunID), Name: cmp.Or(visible(c.Name), visible(c.Path), "case"), RawStatus: string(cmp.Or(c.Status, "not-run")), Duration: c.DurationMS,
			Suite: []string{title}, Message: visible(c.Reason), FilePath: visible(c.Path), Type: "e2e", Retries: len(c.Before), Flaky: c.Flaky}
		for _, tag := range c.Tags {
			t.Tags = append(t.Tags, visible(tag))
		}
		for i, b := range c.Before {
			var words ctrfSummary
			t.Attempts = append(t.Attempts, ctrfAttempt{Attempt: i + 1, ID: visible(b.RunID), Status: words.count(b.Status.TestStatus()), Message: visible(b.Reason)})
		}
		if c.Status == "" {
			t.Message = cmp.Or(t.Message, "it did not run")
		}
		var lines []pagetext.Text
		for _, f := range gravestFirst(c.Findings) {
			lines = append(lines, findingLine(f))
		}
		t.Trace = visible(joinLines(lines))
		status := cmp.Or(c.Status, qa.Inconclusive).TestStatus()
		if c.Excused() {
			status = qa.TestSkipped
		}
		t.Status = sum.count(status)
		doc.Results.Tests = append(doc.Results.Tests, t)
	}
	return indented(doc)
}
