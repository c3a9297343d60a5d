package tools_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// A6, A7: whatever failed in a run, by a verify tool, a flow or a comparison of
// figures, its report has a finding for each fault, and one for each: the check of
// the whole fails by its part, and a rule's finding stands for the check.
func TestEveryFailedCheckIsAFindingOnce(t *testing.T) {
	t.Parallel()
	all := online(t)
	url := site(t, map[string]string{"/": `<title>Shop</title><h1>Shop</h1><dl><dt>Revenue</dt><dd>5</dd></dl>`, "/error": `<title>Shop</title><script>console.error('late')</script>`})
	id := all.session() // of all: that a flow has a context of its own changes no finding
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	for name, tt := range map[string]struct {
		calls    [][2]string
		findings int
	}{
		"element, twice": {[][2]string{{"verify_element_exists", `{"selector": "#cart", "timeout_ms": 50}`}, {"verify_element_exists", `{"selector": "#cart", "timeout_ms": 50}`}}, 1},
		"assertion":      {[][2]string{{"verify_assertion", `{"selector": "h1", "assertion": {"type": "text_equals", "expected": "Cart"}, "timeout_ms": 50}`}}, 1},
		"flow":           {[][2]string{{"verify_user_flow", `{"session_id": "` + id + `", "start_url": "` + url + `", "steps": [{"action": "assert", "selector": "h1", "assertion": {"type": "text_equals", "expected": "Cart"}, "timeout_ms": 50}]}`}}, 1},
		"flow stopped":   {[][2]string{{"verify_user_flow", `{"session_id": "` + id + `", "start_url": "` + url + `", "steps": [{"action": "click", "selector": "#buy", "timeout_ms": 50}], "success_condition": "h1"}`}}, 1},
		"site down":      {[][2]string{{"verify_page_loads", `{"url": "` + down.URL + `"}`}}, 1},
		"status":         {[][2]string{{"verify_page_loads", `{"url": "` + url + `/none"}`}}, 2}, // it is an error page, too
		"figures":        {[][2]string{{"check_kpis", `{"spec": {"type": "staticValues", "values": {"Revenue": "6"}}, "timeout_ms": 300}`}}, 1},
		"console":        {[][2]string{{"analyze_console_errors", `{"url": "` + url + `/error"}`}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			d := all
			d.t = t
			d.ok("page_navigate", `{"url": %q}`, url)
			d.ok("run_start", `{"goal": "g"}`)
			for _, call := range tt.calls {
				if a := d.raw(call[0], call[1]); !a.OK {
					t.Fatal(a.text)
				}
			}
			r := d.report()
			if r.Status != qa.Failed || len(r.Findings) != tt.findings {
				t.Errorf("%s (%s) with %d findings, want %d: %+v", r.Status, r.StatusReason, len(r.Findings), tt.findings, r.Findings)
			}
			for _, c := range r.Checks {
				if named := slices.ContainsFunc(r.Findings, func(f qa.Finding) bool { return f.ID == c.Finding }); named == c.Passed {
					t.Errorf("%s %s, passed %v, names the finding %q", c.ID, c.Kind, c.Passed, c.Finding)
				}
			}
		})
	}
}
