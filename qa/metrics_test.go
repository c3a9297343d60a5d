package qa_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
)

// TestMeasure: every number of A14, counted by hand.
func TestMeasure(t *testing.T) {
	var reports []qa.QAReport
	for i := range 10 {
		r := qa.QAReport{Status: qa.Passed, Costs: qa.Costs{ToolCalls: 10 - i, DurationMS: int64(100 * (i + 1)), Screenshots: 1, TokensInput: 5, TokensOutput: 2, USD: 0.25}}
		switch i {
		case 0:
			r.Status = qa.Failed
			r.Checks = []qa.Check{{Passed: true}, {}}
			r.Findings = []qa.Finding{{Severity: qa.Major, Category: qa.Visual}, {Severity: qa.Major, Category: qa.A11y}}
			r.Timeline = []qa.TimelineEntry{{ErrorCode: "TIMEOUT"}, {ErrorCode: "TIMEOUT"}, {ErrorCode: "HOST_BLOCKED"}, {}}
		case 1:
			r.Status = qa.Inconclusive
			r.Findings = qa.Judge(qa.Record{Interruptions: []qa.Interruption{{Kind: qa.TimedOut, Subject: "the run", Detail: "30 s"}}}).Findings
		case 2:
			r.Status = "something new"
			r.Findings = []qa.Finding{{Severity: qa.Minor, Category: qa.Visual, Observed: "timeout: a page's words", Source: qa.SourceModel, ID: "F1"}}
		}
		reports = append(reports, r)
	}
	want := qa.Metrics{
		Runs: 10, ByStatus: map[qa.Status]int{qa.Passed: 7, qa.Failed: 1, qa.Inconclusive: 1, "something new": 1},
		ToolCalls: qa.Spread{Total: 55, Median: 5, P90: 9, Max: 10}, DurationMS: qa.Spread{Total: 5500, Median: 500, P90: 900, Max: 1000}, Screenshots: qa.Spread{Total: 10, Median: 1, P90: 1, Max: 1},
		Checks: 2, ChecksFailed: 1, Findings: 4,
		BySeverity: map[qa.Severity]int{qa.Major: 2, qa.Minor: 1, qa.Info: 1}, ByCategory: map[qa.Category]int{qa.Visual: 2, qa.A11y: 1, qa.Reliability: 1},
		TimedOut: qa.Rate{Runs: 2, Share: 0.2}, Inconclusive: qa.Rate{Runs: 2, Share: 0.2},
		Errors: map[string]int{"TIMEOUT": 2, "HOST_BLOCKED": 1}, TokensInput: 50, TokensOutput: 20, USD: 2.5,
	}
	if diff := cmp.Diff(want, qa.Measure(reports)); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

func TestMeasureFew(t *testing.T) { // A14: no division by nothing, and a single run is its own median
	if got := qa.Measure(nil); got.Runs != 0 || got.TimedOut.Share != 0 || got.ToolCalls != (qa.Spread{}) {
		t.Errorf("no runs: %+v", got)
	}
	one := qa.Measure([]qa.QAReport{{Status: qa.Passed, Costs: qa.Costs{ToolCalls: 7}}})
	if one.ToolCalls != (qa.Spread{Total: 7, Median: 7, P90: 7, Max: 7}) {
		t.Errorf("one run: %+v", one.ToolCalls)
	}
}
