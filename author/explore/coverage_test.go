package explore_test

import (
	"testing"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/browser/scan"
)

func TestBlocksAddUp(t *testing.T) {
	own := func(address string) bool { return address == "own.js" }
	script := func(inner, other int) []scan.Script {
		return []scan.Script{{URL: "own.js", Functions: []scan.Function{
			{Ranges: []scan.Range{{Start: 0, End: 200, Count: 1}}},
			{Name: "f", Ranges: []scan.Range{{Start: 10, End: 100, Count: 1}, {Start: 50, End: 90, Count: inner}}},
			{Name: "g", Ranges: []scan.Range{{Start: 100, End: 150, Count: other}}},
		}}, {URL: "cdn.js", Functions: []scan.Function{{Ranges: []scan.Range{{Start: 0, End: 1000, Count: 1}}}}}}
	}
	sum := explore.New()
	sum.Add(script(0, 0), own)
	if ran, known := sum.Blocks(); ran != 2 || known != 4 {
		t.Errorf("first: %d of %d blocks ran, want 2 of 4", ran, known)
	}
	if ran, known := sum.Characters(); ran != 110 || known != 200 {
		t.Errorf("first: %d of %d characters ran, want 110 of 200", ran, known)
	}
	sum.Add(script(0, 3), own) // g runs later
	sum.Add([]scan.Script{{URL: "own.js", Functions: []scan.Function{{Name: "f", Ranges: []scan.Range{{Start: 10, End: 100, Count: 0}}}}}}, own)
	if ran, _ := sum.Blocks(); ran != 3 {
		t.Errorf("then: %d blocks ran, want 3: what ran once has run", ran)
	}
	if ran, _ := sum.Characters(); ran != 160 {
		t.Errorf("then: %d characters ran, want 160", ran)
	}
}
