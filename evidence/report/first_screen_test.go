package report_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
)

// thrownReport failed by an exception and by a request whose title has no room for all.
func thrownReport() qa.QAReport {
	r := failedReport()
	long := "http://shop.test/api/cart?" + strings.Repeat("id=1&", 60)
	r.Findings = []qa.Finding{
		{ID: "F1", Severity: qa.Blocker, Category: qa.Reliability, Title: "Uncaught exception: Error: no cart", Assertion: "the page throws no uncaught exception", Expected: "none", Observed: "Error: no cart",
			Source: qa.SourceRule, Confidence: 1, Evidence: []qa.EvidenceRef{}, At: &qa.Place{URL: "http://shop.test/app.js", Line: 2, Column: 21}},
		{ID: "F2", Severity: qa.Major, Category: qa.Reliability, Title: "2 failed requests: GET http://shop.test/logo.png status 404 Not Found; GET http://shop.test/api…", Assertion: "failed requests: /cart",
			Expected: "no failed request", Observed: "2: GET http://shop.test/logo.png status 404", Source: qa.SourceRule, Confidence: 1, Evidence: []qa.EvidenceRef{},
			Requests: []qa.RequestRef{{ID: "r1", Method: "GET", URL: "http://shop.test/logo.png", Status: 404}, {ID: "r2", Method: "GET", URL: long, Status: 500}}},
	}
	r.Checks = []qa.Check{{ID: "C1", Kind: "failed_requests", Subject: "/cart", Expected: "no failed request", Observed: r.Findings[1].Observed, Source: qa.SourceRule, Finding: "F2"}}
	return r
}

// The place in the site's script, the requests with their status and what to do stand at the
// head of the page and in the list of the Markdown; what a title says is not said again (33).
func TestFirstScreenLeadsToTheCause(t *testing.T) {
	t.Parallel()
	r := thrownReport()
	page := render(t, asHTML, r)
	head, rest, _ := strings.Cut(page, `<dl class="facts">`)
	md := render(t, report.Markdown, r)
	for _, want := range []string{"http://shop.test/app.js:2:21", "status 404", "id=1&", "status 500", "hat to do", "correct that line of the script", "log for GET http://shop.test/api"} {
		if !strings.Contains(strings.ReplaceAll(head, "&amp;", "&"), want) {
			t.Errorf("the head of the page lacks %q", want)
		}
		if want != "status 500" && want != "log for GET http://shop.test/api" && !strings.Contains(md, want) { // the address alone is longer than a line
			t.Errorf("the Markdown lacks %q:\n%s", want, md)
		}
	}
	for text, most := range map[string]int{"Error: no cart": 1, "no failed request": 1} { // the latter is what the check expects
		if n := strings.Count(md, text); n != most {
			t.Errorf("the Markdown says %q %d times, want %d:\n%s", text, n, most, md)
		}
	}
	if _, row, _ := strings.Cut(rest, `id="check-C1"`); !strings.Contains(row, `see <a href="#finding-F2">F2</a>`) || !strings.Contains(head, `id="finding-F2"`) {
		t.Error("the check does not lead to its finding")
	}
}
