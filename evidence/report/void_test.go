package report_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
)

// Why a check that passed proves nothing stands beside it.
func TestVoidReasons(t *testing.T) {
	t.Parallel()
	r := qa.QAReport{Status: qa.Inconclusive, Checks: []qa.Check{{ID: "C1", Kind: "text_contains", Expected: "Paid", Observed: "Paid", Passed: true, Source: qa.SourceTool, Void: []string{"the caller typed it"}}}}
	views, err := report.Views(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"report.html", "report.md", "junit-rich.xml"} {
		if !strings.Contains(string(views[name]), "the caller typed it") {
			t.Errorf("%s does not say it", name)
		}
	}
}
