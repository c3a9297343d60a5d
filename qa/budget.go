package qa

import (
	"github.com/assay-qa/assay/internal/pagetext"
)

// Overspent names the budgets that the costs exceed, one interruption each: a
// run that took more than it was given is inconclusive (A9).
func Overspent(b *Budgets, c Costs) []Interruption {
	if b == nil {
		return nil
	}
	var out []Interruption
	for _, item := range []struct {
		name        string
		limit, cost int64
	}{
		{"maxToolCalls", int64(b.MaxToolCalls), int64(c.ToolCalls)},
		{"maxTimeMs", int64(b.MaxTimeMS), c.DurationMS},
		{"maxScreenshots", int64(b.MaxScreenshots), int64(c.Screenshots)},
		{"maxTokens", int64(b.MaxTokens), int64(c.TokensInput) + int64(c.TokensOutput)},
	} {
		if item.limit > 0 && item.cost > item.limit {
			out = append(out, Interruption{Kind: BudgetSpent, Subject: item.name, Detail: pagetext.Sprintf("%d spent of %d", item.cost, item.limit)})
		}
	}
	return out
}
