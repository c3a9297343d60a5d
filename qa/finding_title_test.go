package qa_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/pagetext"
	"github.com/assay-qa/assay/qa"
)

// A6: the title of a finding is what was observed, never the sentence that the verdict
// denies.
func TestFindingTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		check qa.Check
		want  string
	}{
		{qa.Check{Kind: "page_loads", Subject: "http://a.test/", Expected: "loads", Observed: "page_navigate http://a.test/: net::ERR_CONNECTION_REFUSED (4 attempts)"}, "Nothing answers at http://a.test/ (connection refused)"},
		{qa.Check{Kind: "page_loads", Subject: "http://a.test/", Observed: "page_navigate http://a.test/: it took longer than its time-out of 10 s"}, "http://a.test/ did not load within 10 s"},
		{qa.Check{Kind: "page_loads", Subject: "http://a.test/", Observed: "page_navigate http://a.test/: net::ERR_UNSAFE_PORT"}, "http://a.test/ has an unsafe port"},
		{qa.Check{Kind: "page_loads", Subject: "https://a.test/", Observed: "page_navigate https://a.test/: net::ERR_SSL_PROTOCOL_ERROR"}, "https://a.test/ does not speak https (try http://)"},
		{qa.Check{Kind: "http_status", Subject: "http://a.test/", Expected: "2xx", Observed: "404"}, "http://a.test/ answers 404"},
		{qa.Check{Kind: "console_errors", Subject: "http://a.test/", Observed: "3: a; b; c"}, "3 console errors: a; b; c"},
		{qa.Check{Kind: "console_clean", Observed: "1 console error; first: a"}, "1 console error; first: a"},
		{qa.Check{Kind: "kpi", Subject: "Orders (7d)", Expected: "188", Observed: "195"}, "Orders (7d) shows 195 instead of 188"},
		{qa.Check{Kind: "text_equals", Subject: "status", Selector: "status", Expected: "Saved", Observed: "Error 17"}, `status shows "Error 17" instead of "Saved"`},
		{qa.Check{Kind: "text_contains", Expected: "Saved", Observed: "Error 17"}, `The page does not show "Saved": "Error 17"`},
		{qa.Check{Kind: "text_contains", Not: true, Subject: "status", Expected: "anything but Error", Observed: "Error 17"}, `status: Error 17`},
		{qa.Check{Kind: "visible", Selector: `button "Pay"`, Subject: `button "Pay"`, Expected: "visible", Observed: "1 element, 0 visible"}, `button "Pay" is not visible (1 element, 0 visible)`},
		{qa.Check{Kind: "hidden", Selector: "#x", Expected: "not visible", Observed: "1 element, 1 visible"}, `#x is visible (1 element, 1 visible)`},
		{qa.Check{Kind: "enabled", Selector: "#x", Expected: "enabled", Observed: "no element matches"}, `No element matches #x`},
		{qa.Check{Kind: "title_equals", Expected: "A", Observed: "B"}, `The title is "B" instead of "A"`},
		{qa.Check{Kind: "click", Selector: `button "Go"`, Subject: `button "Go"`, Expected: "done", Observed: `ELEMENT_NOT_FOUND: page_click button "Go": no element matches button "Go"; nearest: button "Stop"`}, `Click failed: no element matches button "Go"; nearest: button "Stop"`},
		{qa.Check{Kind: "invalid-date", Subject: "http://a.test/", Selector: "css=p", Expected: "no invalid date", Observed: `"Due Invalid Date"`}, `Invalid date: "Due Invalid Date"`},
		{qa.Check{Kind: "error-page", Subject: "http://a.test/", Expected: "no error page", Observed: `an error page: "502 Bad Gateway"`}, `An error page: "502 Bad Gateway"`},
		{qa.Check{Kind: "verify_user_flow", Subject: "Pay", Observed: "1 of 2 steps passed; failed: step 2: assert status: it differs"}, "Step 2: assert status: it differs"},
	} {
		if got := c.check.AsFinding().Headline(); !got.Equal(c.want) {
			t.Errorf("%s: %q, want %q", c.check.Kind, got, c.want)
		}
	}
	for _, c := range []struct {
		finding qa.Finding
		want    string
	}{
		{qa.Finding{Assertion: "the list is sorted", Observed: "the rows come in no order"}, "The rows come in no order"},
		{qa.Finding{Assertion: "Orders equals 188", Expected: "188", Observed: "195"}, "Orders equals 188: observed 195"},
		{qa.Finding{Assertion: "The total is wrong"}, "The total is wrong"},
		{qa.Finding{Title: "two\nlines", Assertion: "a"}, "two lines"},
	} {
		if got := c.finding.Headline(); !got.Equal(c.want) {
			t.Errorf("%+v: %q, want %q", c.finding, got, c.want)
		}
	}
	if got := (qa.Finding{Observed: pagetext.Text(strings.Repeat("long ", 100))}).Headline(); len([]rune(got)) > 201 {
		t.Errorf("a title of %d characters", len([]rune(got)))
	}
	unproven := qa.Judge(qa.Record{Expectations: []qa.Expectation{{ID: "E1", Text: "something holds"}}}).Findings
	if len(unproven) != 1 || unproven[0].Headline() != "E1 was not checked" {
		t.Errorf("an expectation without a check: %+v", unproven)
	}
}
