package tools_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

const counterPage = `<!doctype html><title>Orders</title><h1>Orders</h1><p class=msg>Saved 3 orders</p><button>Save</button>
<ul><li>apple<li>fig</ul><ul id=single><li class=same>one<li class=same>one</ul><p id=empty></p>`

// Issue 15, who may prove: a check that held is made once more with other words,
// and one of something absent with what is there. Where the outcome stays, it
// proves nothing, and the record says so.
func TestChecksThatCouldNotFail(t *testing.T) {
	t.Parallel()
	d := online(t)
	at := site(t, map[string]string{"/": counterPage, "/blank": "<!doctype html><title>Orders</title><canvas></canvas>"})
	for path, rows := range map[string][]struct {
		selector string
		a        qa.Assertion
		void     bool
	}{
		"/": {
			{`css=p:has-text("Saved")`, qa.Assertion{Type: qa.Visible}, false},
			{`css=p:is(:has-text("Saved"), .msg)`, qa.Assertion{Type: qa.Visible}, true},
			{`css=p.msg:not(:has-text("Error"))`, qa.Assertion{Type: qa.Visible}, true},
			{`//p[contains(., "Saved")]`, qa.Assertion{Type: qa.Visible}, false},
			{`//p[contains(., "Saved") or @class="msg" or true()][1]`, qa.Assertion{Type: qa.Visible}, true},
			{`css=p:text-matches("Gone|.*", "i") >> nth=0`, qa.Assertion{Type: qa.Visible}, true},
			{`css=p:text-matches("saved \\d", "i")`, qa.Assertion{Type: qa.Visible}, false},
			{`text=/Gone|saved/i`, qa.Assertion{Type: qa.Visible}, false},
			{``, qa.Assertion{Type: qa.TextMatches, Expected: `Saved \d+ orders`}, false},
			{``, qa.Assertion{Type: qa.TextMatches, Expected: `(Paid|\w)\w`}, true},
			{``, qa.Assertion{Type: qa.TextMatches, Expected: `Paid|[A-Z]\w+`}, true},
			{``, qa.Assertion{Type: qa.TextContains, Expected: `Saved`}, false},
			{`button "Save"`, qa.Assertion{Type: qa.Visible}, false},
			{`button "Save"`, qa.Assertion{Type: qa.Enabled}, false},
			{`css=button`, qa.Assertion{Type: qa.NameEquals, Expected: "Save"}, false},
			{``, qa.Assertion{Type: qa.URLMatches, Expected: "**"}, true},
			{``, qa.Assertion{Type: qa.URLMatches, Expected: "/"}, false},
			{``, qa.Assertion{Type: qa.URLMatches, Expected: "re:orders|/"}, true},
			{``, qa.Assertion{Type: qa.TitleEquals, Expected: "Orders"}, false},
			{`css=ul:first-of-type li`, qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "text"}, false},
			{`css=.same`, qa.Assertion{Type: qa.SortedBy, Order: "asc", As: "text"}, true},
			{`text="Saved 3 orders"`, qa.Assertion{Type: qa.ComesBefore, Other: `button "Save"`}, false},
			{``, qa.Assertion{Type: qa.AriaSnapshot, Expected: `heading "Orders"`}, false},
			{``, qa.Assertion{Type: qa.TextContains, Not: true, Expected: `Error`}, false},
			{`css=#empty`, qa.Assertion{Type: qa.TextContains, Not: true, Expected: `Error`}, false},
			{`button "Delete"`, qa.Assertion{Type: qa.Hidden}, false},
			{`link "Delete"`, qa.Assertion{Type: qa.Hidden}, false}, // no link, but text
			{`css=.error`, qa.Assertion{Type: qa.CountEquals, Expected: "0"}, false},
		},
		"/blank": {
			{``, qa.Assertion{Type: qa.TextContains, Not: true, Expected: `Error`}, true},
			{`button "Delete"`, qa.Assertion{Type: qa.Hidden}, true},
			{`css=.error`, qa.Assertion{Type: qa.CountEquals, Expected: "0"}, true},
		},
	} {
		d.ok("run_start", `{"goal":"look"}`)
		d.ok("page_navigate", `{"url":%q}`, at+path)
		for _, row := range rows {
			raw, err := json.Marshal(map[string]any{"selector": row.selector, "assertion": row.a})
			if err != nil {
				t.Fatal(err)
			}
			got := d.raw("verify_assertion", string(raw))
			if !got.OK || (got.Data["passed"] == true) == row.void || (got.Data["void"] != nil) != row.void {
				t.Fatalf("%s: %+v: passed should be %v: %+v", row.selector, row.a, !row.void, got.Data)
			}
			if row.void != strings.Contains(got.text, "proves nothing") {
				t.Errorf("%s: %+v: void should be %v: %s", row.selector, row.a, row.void, got.text)
			}
		}
		var checks []qa.Check
		for _, c := range d.report().Checks {
			if c.Step > 0 && slices.Contains(qa.AssertionTypes(), qa.AssertionType(c.Kind)) {
				checks = append(checks, c)
			}
		}
		for i, c := range checks[:len(rows)] {
			if rows[i].void != (len(c.Void) > 0) {
				t.Errorf("the record of %s says %q", rows[i].selector, c.Void)
			}
		}
	}
}
