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
	// Single calls: what stood on the page before the act rides on the act's own look at it.
	for _, tt := range []struct{ act, assertion, why string }{
		{click, `{"assertion":{"type":"text_contains","expected":"Saved"}}`, held},
		{click, `{"selector":"#after","assertion":{"type":"text_contains","expected":"Saved"}}`, ""},
		{click, `{"selector":"#always","assertion":{"type":"text_equals","expected":"Saved"}}`, held},
		{click, `{"selector":"#rows li","assertion":{"type":"count_equals","expected":"2"}}`, ""},
		{click, `{"selector":"#rows li","assertion":{"type":"count_at_least","expected":"1"}}`, held},
		{click, `{"selector":"label=City","assertion":{"type":"value_equals","expected":"Ulm"}}`, held},
		{click, `{"selector":"heading \"Shop\"","assertion":{"type":"visible"}}`, held},
		{click, `{"assertion":{"type":"url_matches","expected":"/"}}`, held},
		{click, `{"assertion":{"type":"title_equals","expected":"Shop"}}`, held},
		{click, `{"assertion":{"type":"text_contains","expected":"Ready"}}`, ""},
		{click, `{"selector":"#fold","assertion":{"type":"visible"}}`, ""},
		{click, `{"selector":"#tag","assertion":{"type":"hidden"}}`, ""},
		{click, `{"selector":"#note","assertion":{"type":"hidden"}}`, ""},
		{click, `{"assertion":{"type":"text_contains","not":true,"expected":"Draft two"}}`, ""},
		{click, `{"selector":"#secret","assertion":{"type":"hidden"}}`, "nothing was proved but the absence"},
		{dead, `{"selector":"#box","assertion":{"type":"checked"}}`, held},
		{dead, `{"selector":"#rows","assertion":{"type":"class_contains","expected":"list"}}`, held},
		{click, `{"selector":"#rows","assertion":{"type":"class_contains","expected":"full"}}`, ""},
		// By a class, an attribute or a state: the page compares the element with what it was.
		{click, `{"selector":".toast","assertion":{"type":"visible"}}`, held},
		{click, `{"selector":"p.job.lit","assertion":{"type":"visible"}}`, ""},
		{click, `{"selector":".job:not(.gone)","assertion":{"type":"visible"}}`, held},
		{click, `{"selector":"body.busy .toast","assertion":{"type":"visible"}}`, ""},
		{click, `{"selector":"[data-state=idle]","assertion":{"type":"exists"}}`, held},
		{click, `{"selector":"[data-state=done]","assertion":{"type":"exists"}}`, ""},
		{click, `{"selector":"checkbox \"Box\"","assertion":{"type":"checked"}}`, held},
		{click, `{"selector":"checkbox \"Terms\"","assertion":{"type":"checked"}}`, ""},
		{click, `{"selector":"#terms:checked","assertion":{"type":"exists"}}`, ""},
		{click, `{"selector":"button \"Nothing\"","assertion":{"type":"enabled"}}`, held},
		{click, `{"selector":"button \"Submit\"","assertion":{"type":"enabled"}}`, ""},
		{click, `{"selector":"frame \"F\" > .msg","assertion":{"type":"visible"}}`, held},
		{inFrame("Send"), `{"selector":"frame \"F\" > textbox \"Town\"","assertion":{"type":"value_equals","expected":"Bonn"}}`, held},
		{inFrame("Send"), `{"selector":"frame \"F\" > text=Sent","assertion":{"type":"visible"}}`, held},
		{inFrame("Go"), `{"selector":"frame \"F\" > .ok","assertion":{"type":"visible"}}`, ""},
		{inFrame("Go"), `{"assertion":{"type":"text_contains","expected":"Gone"}}`, ""},
		{`{"selector":"link \"Reload\""}`, `{"assertion":{"type":"text_contains","expected":"Ready"}}`, ""},
		{`{"selector":"link \"Reload\""}`, `{"assertion":{"type":"text_contains","expected":"Saved"}}`, held},
	} {
		d.call("run_start", `{"goal":"save"}`)
		d.ok("page_navigate", `{"url":%q}`, server.URL)
		d.ok("page_click", "%s", tt.act)
		got := d.raw("verify_assertion", tt.assertion)
		first, _, _ := strings.Cut(got.text, "\n")
		s, reason := d.finish()
		if (s == "passed") != (tt.why == "") || !strings.Contains(reason, tt.why) || strings.Contains(tt.why, "brought") != strings.Contains(first, "held before") || strings.Contains(tt.why, "absence") != strings.Contains(first, "never seen in this run") {
			t.Errorf("%s: %s (%s): %s", tt.assertion, s, reason, got.text)
		}
	}
}
