package qa_test

import (
	"testing"

	"github.com/assay-qa/assay/qa"
)

// A9: exceeding any one budget is told by name; spending it to the last is not.
func TestOverspent(t *testing.T) {
	full := qa.Costs{ToolCalls: 3, DurationMS: 3, Screenshots: 3, TokensInput: 1, TokensOutput: 2}
	for name, budget := range map[string]func(n int) qa.Budgets{
		"maxToolCalls":   func(n int) qa.Budgets { return qa.Budgets{MaxToolCalls: n} },
		"maxTimeMs":      func(n int) qa.Budgets { return qa.Budgets{MaxTimeMS: n} },
		"maxScreenshots": func(n int) qa.Budgets { return qa.Budgets{MaxScreenshots: n} },
		"maxTokens":      func(n int) qa.Budgets { return qa.Budgets{MaxTokens: n} },
	} {
		over, just := budget(2), budget(3)
		if got := qa.Overspent(&over, full); len(got) != 1 || got[0].Subject != name || got[0].Kind != qa.BudgetSpent {
			t.Errorf("%s of 2 with 3 spent: %+v", name, got)
		}
		if got := qa.Overspent(&just, full); len(got) != 0 {
			t.Errorf("%s of 3 with 3 spent: %+v", name, got)
		}
	}
	if got := qa.Overspent(nil, full); len(got) != 0 {
		t.Errorf("no budgets: %+v", got)
	}
}
