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
	const click, dead = `{"selector":"button \"Save\""}`, `{"selector":"button \"Nothing\""}`
	opacity := map[string]string{"": "0", "again": "1"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Shop</title><p id=always>Saved</p><p id=after></p><button onclick="after.textContent = 'Saved'; rows.insertAdjacentHTML('beforeend', '<li>Elm</li>'); rows.className = 'full'; fold.hidden = false; now.style.opacity = 1">Save</button>
<h1>Shop</h1><ul id=rows class=list><li>Oak</li></ul><label>City <input value=Ulm></label><input id=box type=checkbox checked aria-label=Box><p id=fold hidden>Opened</p><p id=now style="opacity:`+opacity[r.URL.RawQuery]+`">Ready</p>
<button>Nothing</button><a href="?again">Reload</a>`)
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
	// Single calls: what stood on the page before the act rides on the act's own look at it.
	for _, tt := range []struct{ act, assertion, status string }{
		{click, `{"assertion":{"type":"text_contains","expected":"Saved"}}`, "inconclusive"},
		{click, `{"selector":"#after","assertion":{"type":"text_contains","expected":"Saved"}}`, "passed"},
		{click, `{"selector":"#always","assertion":{"type":"text_equals","expected":"Saved"}}`, "inconclusive"},
		{click, `{"selector":"#rows li","assertion":{"type":"count_equals","expected":"2"}}`, "passed"},
		{click, `{"selector":"#rows li","assertion":{"type":"count_at_least","expected":"1"}}`, "inconclusive"},
		{click, `{"selector":"label=City","assertion":{"type":"value_equals","expected":"Ulm"}}`, "inconclusive"},
		{click, `{"selector":"heading \"Shop\"","assertion":{"type":"visible"}}`, "inconclusive"},
		{click, `{"assertion":{"type":"url_matches","expected":"/"}}`, "inconclusive"},
		{click, `{"assertion":{"type":"title_equals","expected":"Shop"}}`, "inconclusive"},
		{click, `{"assertion":{"type":"text_contains","expected":"Ready"}}`, "passed"},
		{click, `{"selector":"#fold","assertion":{"type":"visible"}}`, "passed"},
		{dead, `{"selector":"#box","assertion":{"type":"checked"}}`, "inconclusive"},
		{dead, `{"selector":"#rows","assertion":{"type":"class_contains","expected":"list"}}`, "inconclusive"},
		{click, `{"selector":"#rows","assertion":{"type":"class_contains","expected":"full"}}`, "passed"},
		{`{"selector":"link \"Reload\""}`, `{"assertion":{"type":"text_contains","expected":"Ready"}}`, "passed"},
		{`{"selector":"link \"Reload\""}`, `{"assertion":{"type":"text_contains","expected":"Saved"}}`, "inconclusive"},
	} {
		d.call("run_start", `{"goal":"save"}`)
		d.ok("page_navigate", `{"url":%q}`, server.URL)
		d.ok("page_click", "%s", tt.act)
		got := d.raw("verify_assertion", tt.assertion)
		if s, reason := d.finish(); s != tt.status || (tt.status == "passed") == strings.Contains(got.text, "held before") || tt.status != "passed" && !strings.Contains(reason, "nothing that was checked was brought about") {
			t.Errorf("%s: %s (%s): %s", tt.assertion, s, reason, got.text)
		}
	}
}
