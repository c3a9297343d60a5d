package claim_test

import (
	"testing"

	"github.com/assay-qa/assay/qa/claim"
)

// Issue 15, item 1: sentences that can't both hold are told, and only these.
func TestContradicts(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{`the page shows "Paid"`, `the page does not show "Paid"`, true},
		{`the page shows "Paid"`, `die Seite zeigt "Paid" nicht`, true},
		{`the page shows "Paid today"`, `the page does not show "Paid"`, true},
		{`the page shows "Unpaid"`, `the page does not show "Paid"`, false},
		{`the page shows "Paid"`, `the page shows "Open"`, false},
		{`the page shows "Paid"`, `the table "T" does not show "Paid"`, false},
		{`the button "A" is visible`, `the button "A" is hidden`, true},
		{`the button "A" is visible`, `there is no button "A"`, true},
		{`the button "A" is visible`, `the button "B" is hidden`, false},
		{`the button "A" is enabled`, `the button "A" is disabled`, true},
		{`the button "A" is visible`, `the button "A" is disabled`, false},
		{`the checkbox "A" is checked`, `the checkbox "A" is unchecked`, true},
		{`the checkbox "A" is checked`, `the checkbox "A" is indeterminate`, true},
		{`the field "A" is empty`, `the field "A" has the value "x"`, true},
		{`the field "A" is empty`, `the field "A" has the value ""`, false},
		{`the field "A" has the value "x"`, `the text field "A" has the value "y"`, true},
		{`the field "A" has the value "x"`, `the field "A" does not have the value "x"`, true},
		{`the page title is "A"`, `the page title is "B"`, true},
		{`the page title is "A"`, `the page title is not "B"`, false},
		{`the URL is /a`, `the URL contains /a`, false},
		{`the URL is /a`, `the URL is not /a`, true},
		{`the table "T" has 3 rows`, `the table "T" has 4 rows`, true},
		{`the table "T" has 3 rows`, `the table "T" has at least 3 rows`, false},
		{`the table "T" has 3 rows`, `the table "T" has more than 3 rows`, true},
		{`the table "T" has at most 3 rows`, `the table "T" has at least 4 rows`, true},
		{`there are 3 links`, `there are no links`, true},
		{`/a returns 200`, `/a returns 404`, true},
		{`/a returns 200`, `/b returns 404`, false},
		{`the console is clean`, `the console shows an error`, true},
		{`a POST request to /a is made`, `no POST request to /a is made`, true},
		{`the file "a" is downloaded`, `the file "b" is downloaded`, false},
		{`the figure "R" is 1,234`, `the figure "r" is 1234`, false},
		{`the figure "R" is 1,234`, `the figure "R" is 1235`, true},
		{`"A" comes before "B"`, `"B" comes before "A"`, true},
		{`"A" comes before "B"`, `"B" comes before "C"`, false},
		{`the table "T" is sorted by "D" in ascending order`, `the table "T" is sorted by "D" in descending order`, true},
		{`the dropdown "C" has "A" selected`, `the dropdown "C" has "B" selected`, true},
		{`the field "F" has the placeholder "a"`, `the field "F" has the placeholder "b"`, true},
		{`the dialog "D" is open`, `the dialog "D" is closed`, true},
	}
	for _, tt := range tests {
		a, unread := claim.Parse(tt.a)
		if unread != nil {
			t.Errorf("%s: %v", tt.a, unread)
			continue
		}
		b, unread := claim.Parse(tt.b)
		if unread != nil {
			t.Errorf("%s: %v", tt.b, unread)
			continue
		}
		got := false
		for _, x := range a {
			for _, y := range b {
				if claim.Contradicts(x, y) != claim.Contradicts(y, x) {
					t.Errorf("%s, %s: it matters which comes first", x, y)
				}
				got = got || claim.Contradicts(x, y)
			}
		}
		if got != tt.want {
			t.Errorf("%s / %s: contradicts = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// Issue 15, item 1: an assertion of a file is held against its sentence.
func TestContradictsAssertion(t *testing.T) {
	sentence, unread := claim.Parse(`the button "Save" is disabled`)
	if unread != nil {
		t.Fatal(unread)
	}
	for _, tt := range []struct {
		assertion claim.Claim
		want      bool
	}{
		{claim.Claim{Selector: `button "Save"`, Type: "enabled"}, true},
		{claim.Claim{Selector: `button  "Save"`, Type: "enabled", Expected: "true"}, true},
		{claim.Claim{Selector: `button "Save"`, Type: "enabled", Expected: "false"}, false},
		{claim.Claim{Selector: `button "Save"`, Type: "enabled", Not: true}, false},
		{claim.Claim{Selector: `button "Other"`, Type: "enabled"}, false},
		{claim.Claim{Selector: `button "Save"`, Type: "visible"}, false},
	} {
		if got := claim.Contradicts(sentence[0], tt.assertion); got != tt.want {
			t.Errorf("%s / %s: %v, want %v", sentence[0], tt.assertion, got, tt.want)
		}
	}
}
