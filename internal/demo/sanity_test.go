package demo

import (
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// A8: a variant counts as judged right only if verdict, KPIs with their causes,
// and finding or check are those of what is seeded there, and nothing else is.
func TestAgainst(t *testing.T) {
	row := func(label, in string, status qa.KPIStatus, cause qa.KPICause) qa.KPIRow {
		return qa.KPIRow{Label: label, Range: in, Status: status, Cause: cause}
	}
	finding := func(c qa.Category, s qa.Severity, assertion string) []qa.Finding {
		return []qa.Finding{{Category: c, Severity: s, Assertion: pagetext.Text(assertion)}}
	}
	healthy := Expect{Status: "passed"}
	stale := Expect{Status: "failed", Category: "data-consistency", Cause: "stale", KPIs: []string{"Revenue"}, Ranges: []string{"7d"}}
	console := Expect{Status: "failed", Check: "analyze_console_errors"}
	unread := Expect{Status: "failed", Category: "functional", Ranges: []string{"7d"}, Unread: true}
	fine := []qa.KPIRow{row("Revenue", "today", qa.KPIOk, ""), row("Revenue", "7d", qa.KPIOk, "")}
	seen := []qa.KPIRow{fine[0], row("Revenue", "7d", qa.KPIMismatch, qa.CauseStale)}
	shows := finding(qa.DataConsistency, qa.Major, "Revenue (7d) shows the value of today")
	broken := finding(qa.Functional, qa.Critical, "GET /api/kpi answers for 7d")
	lost := []qa.KPIRow{fine[0], row("Revenue", "7d", qa.KPIUnsettled, "")}
	for _, tt := range []struct {
		name string
		want Expect
		got  qa.QAReport
		ok   bool
	}{
		{"healthy and passed", healthy, qa.QAReport{Status: qa.Passed, KPITable: fine}, true},
		{"healthy and failed", healthy, qa.QAReport{Status: qa.Failed, KPITable: fine}, false},
		{"healthy with a mismatch", healthy, qa.QAReport{Status: qa.Passed, KPITable: seen}, false},
		{"the fault and nothing else", stale, qa.QAReport{Status: qa.Failed, KPITable: seen, Findings: shows}, true},
		{"the fault missed", stale, qa.QAReport{Status: qa.Passed, KPITable: fine}, false},
		{"failed for another reason", stale, qa.QAReport{Status: qa.Failed, KPITable: fine, Findings: shows}, false},
		{"another cause", stale, qa.QAReport{Status: qa.Failed, KPITable: []qa.KPIRow{row("Revenue", "7d", qa.KPIMismatch, qa.CauseSign)}, Findings: shows}, false},
		{"another range too", stale, qa.QAReport{Status: qa.Failed, KPITable: []qa.KPIRow{row("Revenue", "today", qa.KPIMismatch, qa.CauseStale), seen[1]}, Findings: shows}, false},
		{"no finding", stale, qa.QAReport{Status: qa.Failed, KPITable: seen}, false},
		{"a finding that only warns", stale, qa.QAReport{Status: qa.Failed, KPITable: seen, Findings: finding(qa.DataConsistency, qa.Minor, "Revenue")}, false},
		{"a finding of another KPI", stale, qa.QAReport{Status: qa.Failed, KPITable: seen, Findings: finding(qa.DataConsistency, qa.Major, "Orders")}, false},
		{"the check that fails", console, qa.QAReport{Status: qa.Failed, KPITable: fine, Checks: []qa.Check{{Kind: "analyze_console_errors"}}}, true},
		{"the check that passes", console, qa.QAReport{Status: qa.Failed, KPITable: fine, Checks: []qa.Check{{Kind: "analyze_console_errors", Passed: true}}}, false},
		{"data that never came", unread, qa.QAReport{Status: qa.Failed, KPITable: lost, Findings: broken}, true},
		{"data that never came, and yet right", unread, qa.QAReport{Status: qa.Failed, KPITable: fine, Findings: broken}, false},
	} {
		if wrong := mismatches(tt.want, tt.got); (len(wrong) == 0) != tt.ok {
			t.Errorf("%s: %q", tt.name, wrong)
		}
	}
}
