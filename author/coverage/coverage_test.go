package coverage_test

import (
	"testing"

	"github.com/assay-qa/assay/author/coverage"
	"github.com/assay-qa/assay/browser/scan"
)

func TestBlocksAddUp(t *testing.T) {
	own := func(address string) bool { return address == "own.js" }
	script := func(inner, other int) []scan.Script {
		return []scan.Script{{URL: "own.js", Functions: []scan.Function{
			{Ranges: []scan.Range{{0, 200, 1}}},
			{Name: "f", Ranges: []scan.Range{{10, 100, 1}, {50, 90, inner}}},
			{Name: "g", Ranges: []scan.Range{{100, 150, other}}},
		}}, {URL: "cdn.js", Functions: []scan.Function{{Ranges: []scan.Range{{0, 1000, 1}}}}}}
	}
	sum := coverage.New()
	sum.Add(script(0, 0), own)
	if ran, known := sum.Blocks(); ran != 2 || known != 4 {
		t.Errorf("first: %d of %d blocks ran, want 2 of 4", ran, known)
	}
	if ran, known := sum.Characters(); ran != 110 || known != 200 {
		t.Errorf("first: %d of %d characters ran, want 110 of 200", ran, known)
	}
	sum.Add(script(0, 3), own) // g runs later
	sum.Add([]scan.Script{{URL: "own.js", Functions: []scan.Function{{Name: "f", Ranges: []scan.Range{{10, 100, 0}}}}}}, own)
	if ran, _ := sum.Blocks(); ran != 3 {
		t.Errorf("then: %d blocks ran, want 3: what ran once has run", ran)
	}
	if ran, _ := sum.Characters(); ran != 160 {
		t.Errorf("then: %d characters ran, want 160", ran)
	}
}
