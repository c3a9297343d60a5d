package kpicheck

import (
	"testing"

	"github.com/assay-qa/assay/qa"
)

// Issue 30, item 4: ranges that no act parts are looked at as one; each that has steps begins
// anew.
func TestRangesWithoutAnActAreLookedAtTogether(t *testing.T) {
	t.Parallel()
	act := []qa.FlowStep{{Action: "select"}}
	for name, c := range map[string]struct {
		steps [][]qa.FlowStep
		want  []int
	}{
		"one":                      {[][]qa.FlowStep{nil}, []int{1}},
		"none has an act":          {[][]qa.FlowStep{nil, nil, nil}, []int{3}},
		"each has an act":          {[][]qa.FlowStep{act, act, act}, []int{1, 1, 1}},
		"an act, and as it stands": {[][]qa.FlowStep{act, nil, act, nil, nil}, []int{2, 3}},
		"as it stands, an act":     {[][]qa.FlowStep{nil, nil, act}, []int{2, 1}},
	} {
		k := &check{}
		for _, steps := range c.steps {
			k.ranges = append(k.ranges, newRange(qa.Range{Steps: steps}))
		}
		var got []int
		for k.visited < len(k.ranges) {
			n := len(k.sameState())
			got, k.visited = append(got, n), k.visited+n
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	}
}
