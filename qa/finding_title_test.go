package qa_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// failedBy is a check that failed for these facts.
func failedBy(c qa.Check, f qa.Facts) qa.Check {
	c.Take(qa.Outcome{Expected: c.Expected, Observed: c.Observed, Facts: f})
	return c
}

// A6: the title of a finding is what was observed, never the sentence that the verdict
// denies.
func TestFindingTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		check qa.Check
		want  string
	}{
		{failedBy(qa.Check{Kind: "page_loads", Subject: "http://a.test/"}, qa.Facts{Code: code.NavigationFailed, Net: "ERR_CONNECTION_REFUSED"}), "Nothing answers at http://a.test/ (connection refused)"},
		{failedBy(qa.Check{Kind: "page_loads", Subject: "http://a.test/ERR_PROXY_X"}, qa.Facts{Code: code.NavigationFailed, Net: "ERR_CONNECTION_REFUSED"}), "Nothing answers at http://a.test/ERR_PROXY_X (connection refused)"},
		{failedBy(qa.Check{Kind: "page_loads", Subject: "http://a.test/"}, qa.Facts{Code: code.Timeout, LimitMS: 10_000}), "http://a.test/ did not load within 10 s"},
		{failedBy(qa.Check{Kind: "page_loads", Subject: "http://a.test/"}, qa.Facts{Code: code.NavigationFailed, Net: "ERR_UNSAFE_PORT"}), "http://a.test/ has an unsafe port"},
		{failedBy(qa.Check{Kind: "page_loads", Subject: "https://a.test/"}, qa.Facts{Code: code.NavigationFailed, Net: "ERR_SSL_PROTOCOL_ERROR"}), "https://a.test/ does not speak https (try http://)"},
		{failedBy(qa.Check{Kind: "page_loads", Subject: "http://a.test/x.pdf"}, qa.Facts{Code: code.NavigationFailed, Download: true, Type: "application/pdf"}), "http://a.test/x.pdf is a file of type application/pdf, which the browser downloads; it is not a page"},
		{failedBy(qa.Check{Kind: "verify_page_loads", Subject: "http://a.test/"}, qa.Facts{Status: 404}), "http://a.test/ answers status 404"},
		{qa.Check{Kind: "page_loads", Subject: "http://a.test/", Observed: "it said net::ERR_CONNECTION_REFUSED"}, "http://a.test/ does not load: it said net::ERR_CONNECTION_REFUSED"},
		{qa.Check{Kind: "http_status", Subject: "http://a.test/", Expected: "2xx", Observed: "404"}, "http://a.test/ answers 404"},
		{failedBy(qa.Check{Kind: "console_errors", Subject: "http://a.test/", Observed: "3: a; b; c"}, qa.FactsOfList(pagetext.Of("a", "b", "c"))), "3 console errors: a; b; c"},
		{failedBy(qa.Check{Kind: "console_clean", Observed: "1 console error; first: a"}, qa.FactsOfList(pagetext.Of("a"))), "1 console error: a"},
		{failedBy(qa.Check{Kind: "open_requests", Observed: "1: GET /x; watched, but it did not come to rest"}, qa.FactsOfList(pagetext.Of("GET /x"))), "1 request without an answer: GET /x"},
		{qa.Check{Kind: "kpi", Subject: "Orders (7d)", Expected: "188", Observed: "195"}, "Orders (7d) shows 195 instead of 188"},
		{failedBy(qa.Check{Kind: "kpi", Subject: "Orders", Expected: "30", Observed: "nothing"}, qa.Facts{Unseen: true, Why: `Orders is on the page, but can't be seen: "30" is transparent`}), `Orders is on the page, but can't be seen: "30" is transparent`},
		{qa.Check{Kind: "text_equals", Subject: "status", Selector: "status", Expected: "Saved", Observed: "Error 17"}, `status shows "Error 17" instead of "Saved"`},
		{qa.Check{Kind: "text_contains", Expected: "Saved", Observed: "Error 17"}, `The page does not show "Saved": "Error 17"`},
		{qa.Check{Kind: "text_contains", Not: true, Subject: "status", Expected: "anything but Error", Observed: "Error 17"}, `status: Error 17`},
		{qa.Check{Kind: "visible", Selector: `button "Pay"`, Subject: `button "Pay"`, Expected: "visible", Observed: "1 element, 0 visible"}, `button "Pay" is not visible (1 element, 0 visible)`},
		{qa.Check{Kind: "hidden", Selector: "#x", Expected: "not visible", Observed: "1 element, 1 visible"}, `#x is visible (1 element, 1 visible)`},
		{failedBy(qa.Check{Kind: "enabled", Selector: "#x", Expected: "enabled", Observed: "no element matches"}, qa.Facts{Missing: true}), `No element matches #x`},
		{qa.Check{Kind: "text_equals", Selector: "#x", Expected: "a", Observed: "no element matches"}, `#x shows "no element matches" instead of "a"`},
		{qa.Check{Kind: "title_equals", Expected: "A", Observed: "B"}, `The title is "B" instead of "A"`},
		{failedBy(qa.Check{Kind: "click", Selector: `button "Go"`, Subject: `button "Go"`, Expected: "done", Observed: `ELEMENT_NOT_FOUND: page_click button "Go": no element matches button "Go"; nearest: button "Stop"`},
			qa.Facts{Code: code.ElementNotFound, Why: `no element matches button "Go"; nearest: button "Stop"`}), `Click failed: no element matches button "Go"; nearest: button "Stop"`},
		{failedBy(qa.Check{Kind: "visual", Subject: "home", Expected: "done", Observed: "TIMEOUT: it took longer than its time-out"}, qa.Facts{Code: code.Timeout, OutOfTime: true, Why: "it took longer than its time-out"}), "Not judged: visual: home: it took longer than its time-out"},
		{qa.Check{Kind: "visual", Subject: "home", Expected: "looks as its baseline", Observed: "3 % of the pixels differ"}, "Home does not look as its baseline: 3 % of the pixels differ"},
		{failedBy(qa.Check{Kind: "invalid-date", Subject: "http://a.test/", Selector: "css=p", Expected: "no invalid date", Observed: `"Due Invalid Date"`}, qa.Facts{Why: `invalid date: "Due Invalid Date"`}), `Invalid date: "Due Invalid Date"`},
		{failedBy(qa.Check{Kind: "error-page", Subject: "http://a.test/", Expected: "no error page", Observed: `an error page: "502 Bad Gateway"`}, qa.Facts{Why: `an error page: "502 Bad Gateway"`}), `An error page: "502 Bad Gateway"`},
		{failedBy(qa.Check{Kind: "verify_user_flow", Subject: "Pay", Observed: "1 of 2 steps passed; failed: step 2: assert status: it differs"}, qa.Facts{Why: "step 2: assert status: it differs"}), "Step 2: assert status: it differs"},
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
	if len(unproven) != 1 || unproven[0].Headline() != "E1 is not proved" {
		t.Errorf("an expectation without a check: %+v", unproven)
	}
}
