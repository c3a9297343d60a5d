package evidence_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// A9: a run that took more tokens than it was given says how many, and has not
// passed.
func TestTokensOfABudget(t *testing.T) {
	s, _ := openStore(t)
	r, err := s.Start(qa.TaskSpec{Goal: "g", Budgets: &qa.Budgets{MaxTokens: 100, MaxTimeMS: 600_000}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.AddCheck(qa.Check{Kind: "visible", Passed: true, Source: qa.SourceTool}); err != nil {
		t.Fatal(err)
	}
	r.Spend(60, 0, 50, 0)
	report, err := r.Finish("", qa.Environment{}, nil)
	if err != nil || report.Status != qa.Inconclusive || !strings.Contains(report.StatusReason, "110 of 100 spent") {
		t.Errorf("%s (%s), %v", report.Status, report.StatusReason, err)
	}
}
