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
	const held = "nothing that was checked was brought about"
	inFrame := func(button string) string { return fmt.Sprintf(`{"selector":"frame \"F\" > button \"%s\""}`, button) }
	opacity := map[string]string{"": "0", "again": "1"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Shop</title><p id=always>Saved</p><p id=after></p><button onclick="after.textContent = 'Saved'; rows.insertAdjacentHTML('beforeend', '<li>Elm</li>'); rows.className = 'full'; fold.hidden = false; now.style.opacity = 1; tag.remove(); note.hidden = true; secret.remove(); job.dataset.state = 'done'; job.classList.add('lit'); terms.checked = true; sub.disabled = false; box.classList.add('ripple'); document.body.className = 'busy'">Save</button>
<h1>Shop</h1><ul id=rows class=list><li>Oak</li></ul><label>City <input value=Ulm></label><input id=box type=checkbox checked aria-label=Box><p id=fold hidden>Opened</p><div><i id=tag>Draft two</i></div><p id=note>Not saved yet</p><p id=secret hidden>x</p><p id=now style="opacity:`+opacity[r.URL.RawQuery]+`">Ready</p>
<p class=toast>Welcome</p><p id=job data-state=run class=job>Job</p><i data-state=idle hidden></i><input id=terms type=checkbox aria-label=Terms><button id=sub disabled>Submit</button>
<iframe title=F srcdoc="<p class=msg>Sent</p><p id=s></p><label>Town <input value=Bonn></label><button>Send</button><button onclick='s.className = &quot;ok&quot;; s.textContent = &quot;Gone&quot;'>Go</button>"></iframe><label>File <input id=file type=file></label>
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
	// Single calls: what stood on the page before the act rides on the act's own look at it. The
	// assertions of one row are made after one act; its run passes if any was brought about.
	for _, tt := range []struct {
		act, why   string
		assertions []string
	}{
		{click, held, []string{
			`{"assertion":{"type":"text_contains","expected":"Saved"}}`,
			`{"selector":"#always","assertion":{"type":"text_equals","expected":"Saved"}}`,
			`{"selector":"#rows li","assertion":{"type":"count_at_least","expected":"1"}}`,
			`{"selector":"label=City","assertion":{"type":"value_equals","expected":"Ulm"}}`,
			`{"selector":"heading \"Shop\"","assertion":{"type":"visible"}}`,
			`{"assertion":{"type":"url_matches","expected":"/"}}`,
			`{"assertion":{"type":"title_equals","expected":"Shop"}}`,
			`{"selector":".toast","assertion":{"type":"visible"}}`,
			`{"selector":".job:not(.gone)","assertion":{"type":"visible"}}`,
			`{"selector":"[data-state=idle]","assertion":{"type":"exists"}}`,
			`{"selector":"checkbox \"Box\"","assertion":{"type":"checked"}}`,
			`{"selector":"button \"Nothing\"","assertion":{"type":"enabled"}}`,
			`{"selector":"frame \"F\" > .msg","assertion":{"type":"visible"}}`,
		}},
		{click, "", []string{
			`{"selector":"#after","assertion":{"type":"text_contains","expected":"Saved"}}`,
			`{"selector":"#rows li","assertion":{"type":"count_equals","expected":"2"}}`,
			`{"assertion":{"type":"text_contains","expected":"Ready"}}`,
			`{"selector":"#fold","assertion":{"type":"visible"}}`,
			`{"selector":"#tag","assertion":{"type":"hidden"}}`,
			`{"selector":"#note","assertion":{"type":"hidden"}}`,
			`{"assertion":{"type":"text_contains","not":true,"expected":"Draft two"}}`,
			`{"selector":"#rows","assertion":{"type":"class_contains","expected":"full"}}`,
			`{"selector":"p.job.lit","assertion":{"type":"visible"}}`,
			`{"selector":"body.busy .toast","assertion":{"type":"visible"}}`,
			`{"selector":"[data-state=done]","assertion":{"type":"exists"}}`,
			`{"selector":"checkbox \"Terms\"","assertion":{"type":"checked"}}`,
			`{"selector":"#terms:checked","assertion":{"type":"exists"}}`,
			`{"selector":"button \"Submit\"","assertion":{"type":"enabled"}}`,
		}},
		{click, "nothing was proved but the absence", []string{`{"selector":"#secret","assertion":{"type":"hidden"}}`}},
		{dead, held, []string{
			`{"selector":"#box","assertion":{"type":"checked"}}`,
			`{"selector":"#rows","assertion":{"type":"class_contains","expected":"list"}}`,
		}},
		{inFrame("Send"), held, []string{
			`{"selector":"frame \"F\" > textbox \"Town\"","assertion":{"type":"value_equals","expected":"Bonn"}}`,
			`{"selector":"frame \"F\" > text=Sent","assertion":{"type":"visible"}}`,
		}},
		{inFrame("Go"), "", []string{
			`{"selector":"frame \"F\" > .ok","assertion":{"type":"visible"}}`,
			`{"assertion":{"type":"text_contains","expected":"Gone"}}`,
		}},
		{`{"selector":"link \"Reload\""}`, "", []string{`{"assertion":{"type":"text_contains","expected":"Ready"}}`}},
		{`{"selector":"link \"Reload\""}`, held, []string{`{"assertion":{"type":"text_contains","expected":"Saved"}}`}},
	} {
		d.call("run_start", `{"goal":"save"}`)
		d.ok("page_navigate", `{"url":%q}`, server.URL)
		d.ok("page_click", "%s", tt.act)
		for _, assertion := range tt.assertions {
			got := d.raw("verify_assertion", assertion)
			first, _, _ := strings.Cut(got.text, "\n")
			if strings.Contains(tt.why, "brought") != strings.Contains(first, "held before") || strings.Contains(tt.why, "absence") != strings.Contains(first, "never seen in this run") {
				t.Errorf("%s: %s", assertion, got.text)
			}
		}
		if s, reason := d.finish(); (s == "passed") != (tt.why == "") || !strings.Contains(reason, tt.why) {
			t.Errorf("%s, %s: %s (%s)", tt.act, tt.assertions, s, reason)
		}
	}
}
