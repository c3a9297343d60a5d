package tools_test

import (
	"encoding/json"
	"maps"
	"slices"
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

// Issue 29: what a form of steps in test suites is read as holds on the page where the
// sentence is so, and on no page where it is not.
func TestStepsOfSuitesOnPages(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := site(t, map[string]string{"/": `<title>Orders of May</title><h1>Orders</h1>
		<nav id="nav"><a href="/docs" class="primary big" target="_blank">Docs</a><a href="/help">Help</a></nav>
		<ul id="cart"><li class="item">Tea</li><li class="item">Coffee</li></ul>
		<label>City <select id="city"><option value="1">Rome</option><option value="2" selected>Oslo</option></select></label>
		<label>Name <input id="name" placeholder="Your name" value="Ada"></label><label>Note <input id="note"></label>
		<label>Pin <input type="password" id="pin" value="1234"></label><label>Size <input type="range" id="size" value="4"></label>
		<label><input type="checkbox" id="agree" checked>Agree</label><button disabled>Save</button><button>Pay</button>
		<p id="empty"></p><p id="paid">Paid in full</p>
		<table id="stock" aria-label="Stock"><thead><tr><th>What</th></tr></thead><tbody><tr><td>Milk</td></tr><tr><td>Eggs</td></tr></tbody></table>`})
	d.ok("page_navigate", `{"url": %q}`, url)
	sentences := map[string]bool{
		`I should be on a page showing "Paid in full"`:                   true,
		`I should be on a page not showing "Paid in full"`:               false,
		`I should see "May" in the page title`:                           true,
		`I should not see "May" in the page title`:                       false,
		`I should see "Ma" in the page title`:                            false,
		`I should be on a page with title "Orders"`:                      false,
		`I should see a link "Docs" with the class "primary"`:            true,
		`I should see a link "Help" with the class "primary"`:            false,
		`I should see the link "Docs" to "/docs"`:                        true,
		`I should see the link "Help" to "/docs"`:                        false,
		`the link "Docs" should have the target "_blank"`:                true,
		`the link "Help" should have the target "_blank"`:                false,
		`I should see an element with the class "big"`:                   true,
		`I should not see an element with the class "big"`:               false,
		`I should see 2 elements with class "item"`:                      true,
		`I should see 3 elements with class "item"`:                      false,
		`I should see 2 "li" within "#cart"`:                             true,
		`I should see 2 "li" within "#nav"`:                              false,
		`I should see 2 ".item" elements within "#cart"`:                 true,
		`I should see 2 ".item" elements within "#nav"`:                  false,
		`I should see 2 links within "#nav"`:                             true,
		`I should see 2 links within "#cart"`:                            false,
		`the table "#stock" should have 2 rows`:                          true,
		`the table "#stock" should have 3 rows`:                          false,
		`I should see the "Stock" table with 3 rows`:                     false,
		`within "#cart" I should see "Tea"`:                              true,
		`within "#nav" I should see "Tea"`:                               false,
		`within "#cart" I should not see "Tea"`:                          false,
		`I expect not to see "Tea"`:                                      false,
		`verify the absence of the button "Pay"`:                         false,
		`I should see neither "Milk" nor "Wine"`:                         false,
		`I should see a disabled "Save" button`:                          true,
		`I should see a disabled "Pay" button`:                           false,
		`the element "#agree" should be checked`:                         true,
		`I should see the checkbox "Agree" is not checked`:               false,
		`the "Agree" checkbox should be checked within "#nav"`:           false,
		`the element "#city option:nth-child(2)" is selected`:            true,
		`the element "#city option:nth-child(1)" is selected`:            false,
		`the element "#city option:nth-child(1)" should not be selected`: true,
		`the element "#city option:nth-child(2)" should not be selected`: false,
		`the element "#city option:nth-child(9)" should not be selected`: false,
		`I should see the option "Rome" in "City"`:                       true,
		`I should see the option "Bonn" in "City"`:                       false,
		`"Rome" should not be an option within "City"`:                   false,
		`"Bonn" should not be an option within "City"`:                   true,
		`"Bonn" should not be an option within "Town"`:                   false,
		`the field "Name" should have no value`:                          false,
		`the field "Note" should have no value`:                          true,
		`the field "Note" should have a value`:                           false,
		`the field "#name" contains any text`:                            true,
		`the field "#note" contains any text`:                            false,
		`the field "#name" does not contain any text`:                    false,
		`the element "#name" has the value "Ada"`:                        true,
		`the element "#paid" has the value "Ada"`:                        false,
		`the element "#empty" does not contain any text`:                 true,
		`the element "#paid" does not contain any text`:                  false,
		`the element "#name" does not contain any text`:                  false,
		`the element "#pin" does not contain any text`:                   false,
		`the element "#size" does not contain any text`:                  false,
		`the field "Note" is empty`:                                      true,
		`I should see "Tea" followed by "Coffee" in the list "Cart"`:     false,
		`I should see "Tea" followed by "Coffee" within "#cart"`:         true,
		`I should see "Docs" followed by "Tea" within "#cart"`:           false,
		`the element "#city option" is selected`:                         false,
		`the "checked" attribute of "#agree" should not be "checked"`:    false,
		`I should see "Tea" but not "Milk" within "#cart"`:               true,
		`I should see "Docs" but not "Milk" within "#cart"`:              false,
		`the element "#paid" matches the text "Paid in full"`:            true,
		`the element "#paid" matches the text "Paid"`:                    false,
		`I should see the "Name" field with placeholder "Your name"`:     true,
		`I should see the "Note" field with placeholder "Your name"`:     false,
		`I should see the "Name" field filled in with "Ad"`:              false,
		`I should see "Eggs" in the last row`:                            true,
		`I should see "Milk" in the last row`:                            false,
		`I should see "Orders" in the h1`:                                true,
		`I should see "Milk" in the h1`:                                  false,
		`I should see "Orders" as the heading`:                           true,
		`I should see "Docs" as a heading`:                               false,
		`I should see "Tea" followed by "Coffee"`:                        true,
		`"Coffee" should be before "Tea"`:                                false,
		`I should get a 404 response`:                                    false,
		`I should not get a 200 response`:                                false,
		`zie ik in de tabel "Stock" de tekst "Melk"`:                     false,
		`moet er geen knop "Pay" zijn`:                                   false,
		`verifico l'assenza del pulsante "Pay"`:                          false,
		`nao devo ver "Tea"`:                                             false,
		`je vois "Tea" mais pas "Coffee"`:                                false,
	}
	for batch := range slices.Chunk(slices.Sorted(maps.Keys(sentences)), 20) {
		type expectation struct {
			Text string `json:"text"`
		}
		var list []expectation
		for _, sentence := range batch {
			list = append(list, expectation{sentence})
		}
		expectations, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		d.ok("run_start", `{"goal": "g", "expectations": %s}`, expectations)
		for i, sentence := range batch {
			a := d.call("verify_assertion", `{"timeout_ms": 100, "expects": ["E%d"]}`, i+1)
			if holds := a.Data["passed"] == true; holds != sentences[sentence] {
				t.Errorf("%s: holds is %t, want %t: %v", sentence, holds, sentences[sentence], a.Data)
			}
		}
		d.finish()
	}
}
