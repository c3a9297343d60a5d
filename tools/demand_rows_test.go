package tools_test

import (
	"encoding/json"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// Issue 15: a sentence that counts rows means rows of data, and one that names a
// row means the row with that cell, as a person sees it.
func TestRowsOfSentences(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := site(t, map[string]string{"/": `<title>t</title>
		<table aria-label="Orders"><thead><tr><th>What</th><th>State</th></tr></thead>
			<tbody><tr><td><a href="#tea">Tea</a></td><td>Paid</td></tr><tr><td>Green Tea</td><td>Open</td></tr><tr><td><span style="opacity:0">Ghost</span></td><td>Open</td></tr></tbody>
			<tfoot><tr><td>Total</td><td>3</td></tr></tfoot></table>
		<div role="grid" aria-label="Stock"><div role="row"><span role="columnheader">What</span></div><div role="row"><span role="gridcell">Milk</span></div></div>
		<table aria-label="None"><tr><th>What</th></tr></table>`})
	d.ok("page_navigate", `{"url": %q}`, url)
	for sentence, want := range map[string]bool{
		`the table "Orders" has 3 rows`:              true,
		`the table "Orders" has 5 rows`:              false,
		`the grid "Stock" has 1 row`:                 true,
		`the row "Tea" is visible`:                   true,
		`the row "Ghost" is visible`:                 false,
		`the row "Coffee" is visible`:                false,
		`the row "Tea" contains "Paid"`:              true,
		`the row "Tea" contains "Open"`:              false,
		`the table "Orders" has the row "Tea"`:       true,
		`the table "Stock" has the row "Milk"`:       true,
		`the row "Tea" is not in the table "None"`:   true,
		`the row "Tea" is not in the table "Orders"`: false,
		`the table "None" is empty`:                  true,
		`the table "Orders" is empty`:                false,
	} {
		demands, err := qa.Demands(sentence)
		if err != nil {
			t.Errorf("%s: %v", sentence, err)
			continue
		}
		holds := true
		for _, demand := range demands {
			holds = holds && d.anyHolds(t, demand)
		}
		if holds != want {
			t.Errorf("%s: holds is %t, want %t", sentence, holds, want)
		}
	}
}

// anyHolds reports whether a demand holds on one of its selectors.
func (d desk) anyHolds(t *testing.T, demand qa.Demand) bool {
	t.Helper()
	assertion, err := json.Marshal(demand.Assertion)
	if err != nil {
		t.Fatal(err)
	}
	for _, selector := range append([]string{demand.Selector}, demand.Alike...) {
		a := d.call("verify_assertion", `{"selector": %q, "timeout_ms": 100, "assertion": %s}`, selector, assertion)
		if a.Data["passed"] == true {
			return true
		}
	}
	return false
}
