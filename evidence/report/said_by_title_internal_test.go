package report

import (
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// C7: what a finding's title says isn't said below it once more.
func TestSaidByTitle(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		title, expected, observed string
		tolerance                 *qa.Tolerance
		want                      bool
	}{
		{`#total shows "24.50" instead of "42.50"`, "42.50", "24.50", nil, true},
		{`#total shows "24.50" instead of "42.50"`, "42.50", "24.50", &qa.Tolerance{Absolute: 1}, false},
		{"Orders (7d) shows 195 instead of 188.", "188", "195", nil, true},
		{"Orders shows 1950 instead of 188", "188", "195", nil, false},
		{"Orders shows 195.5 instead of 188", "188", "195", nil, false},
		{"1 console error: a", "no console error", "1: a", nil, false},
	} {
		if got := saidByTitle(qa.Finding{Title: pagetext.Text(tt.title), Expected: pagetext.Text(tt.expected), Observed: pagetext.Text(tt.observed), Tolerance: tt.tolerance}); got != tt.want {
			t.Errorf("%q, %q: %v", tt.title, tt.observed, got)
		}
	}
}
