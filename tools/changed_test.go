package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// What a flow asserts and held before the act is marked in the check's record;
// where the step says changed, the flow fails.
func TestChangedInChromium(t *testing.T) {
	t.Parallel()
	d := online(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Shop</title><p id=always>Saved</p><p id=after></p><button onclick="after.textContent = 'Saved'">Save</button>`)
	}))
	t.Cleanup(server.Close)
	id := d.session()
	for _, tt := range []struct {
		selector, more string
		status         string
		held           bool
	}{
		{"#after", `,"changed":true`, "passed", false},
		{"#always", `,"changed":true`, "failed", true},
		{"#always", ``, "inconclusive", true},
		{"#always", `,"unchanged":true`, "passed", true},
		{"#after", `,"unchanged":true`, "failed", false},
	} {
		run := d.call("run_start", `{"goal":"save"}`)
		got := d.call("verify_user_flow", `{"session_id":%q,"start_url":%q,"steps":[{"action":"click","selector":"button \"Save\""},{"action":"assert","selector":%q,"assertion":{"type":"text_contains","expected":"Saved"}`+tt.more+`}]}`, id, server.URL, tt.selector)
		if !run.OK || !got.OK || got.Data["status"] != tt.status || (tt.status == "passed") != (got.Data["failure_reason"] == nil) || tt.status != "passed" && !strings.Contains(fmt.Sprint(got.Data["failure_reason"]), "before the act") {
			t.Errorf("%s%s: %+v", tt.selector, tt.more, got.Data)
		}
		report := d.finished()
		for _, c := range report.Checks {
			if c.Kind == string(qa.TextContains) && c.Held != tt.held {
				t.Errorf("%s%s: %+v", tt.selector, tt.more, c)
			}
		}
	}
	// Single calls: what a look showed before the act is known without a trip.
	for selector, status := range map[string]string{"": "inconclusive", "#after": "passed"} {
		d.call("run_start", `{"goal":"save"}`)
		d.ok("page_navigate", `{"url":%q}`, server.URL)
		d.ok("page_snapshot", `{}`)
		d.ok("page_click", `{"selector":"button \"Save\""}`)
		got := d.raw("verify_assertion", fmt.Sprintf(`{"selector":%q,"assertion":{"type":"text_contains","expected":"Saved"}}`, selector))
		if s, reason := d.finish(); s != status || (status == "passed") == strings.Contains(got.text, "held before") || status != "passed" && !strings.Contains(reason, "nothing that was checked was brought about") {
			t.Errorf("%q: %s (%s): %s", selector, s, reason, got.text)
		}
	}
}
