package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// answering serves pages that show something before what they have asked for is answered.
func answering(t *testing.T) string {
	pages := map[string]string{
		"/cached":     `<h1>Total</h1><p id=out>100</p><a href=/other>Other</a><script>fetch('/value').then(r => r.text()).then(v => out.textContent = v)</script>`,
		"/poll":       `<h1>Chat</h1><p id=out>Welcome</p><a href=/other>Other</a><script>fetch('/never')</script>`,
		"/optimistic": `<h1>Note</h1><button onclick="out.textContent = 'Saved'; fetch('/never', {method: 'POST'})">Save</button><p id=out></p>`,
		"/delete":     `<h1>Notes</h1><p id=row>Row 7</p><button onclick="row.remove(); fetch('/never', {method: 'PATCH'})">Drop</button>`,
		"/refused":    `<h1>Note</h1><button onclick="out.textContent = 'Saved'; fetch('/value', {method: 'POST'}).then(() => out.textContent = 'Could not save')">Save</button><p id=out></p>`,
		"/other":      `<h1>Other</h1>`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var after <-chan time.Time // never
		switch page, found := pages[r.URL.Path]; {
		case found:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>T</title>"+page)
			return
		case r.URL.Path == "/value":
			after = time.After(1200 * time.Millisecond)
		}
		select {
		case <-after:
			fmt.Fprint(w, "50")
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// What a page shows while its own request is under way is not yet what it shows: its answer
// is awaited. A write of the last act that is never answered leaves it open what became of
// it; a request that stays open by design hinders nothing.
func TestAnswersUnderWay(t *testing.T) {
	t.Parallel()
	d := patient(t)
	site := answering(t)
	id := d.session()
	shows := func(text string) string {
		return fmt.Sprintf(`{"action":"assert","selector":"#out","assertion":{"type":"text_equals","expected":%q}}`, text)
	}
	leave := `{"action":"click","selector":"link \"Other\""},{"action":"assert","assertion":{"type":"text_contains","expected":"Other"}}`
	for _, tt := range []struct{ page, steps, status, reason string }{
		{"/cached", shows("100"), "failed", "50"},
		{"/cached", shows("100") + "," + leave, "failed", "50"},
		{"/cached", shows("50") + "," + leave, "passed", ""},
		{"/poll", shows("Welcome") + "," + leave, "passed", ""},
		{"/optimistic", `{"action":"click","selector":"button \"Save\""},` + shows("Saved"), "inconclusive", "POST "},
		{"/delete", `{"action":"assert","assertion":{"type":"text_contains","expected":"Row 7"}},{"action":"click","selector":"button \"Drop\""},{"action":"assert","selector":"#row","assertion":{"type":"hidden"}}`, "inconclusive", "PATCH "},
		{"/refused", `{"action":"click","selector":"button \"Save\""},` + shows("Saved"), "failed", "Could not save"},
	} {
		a := d.ok("verify_user_flow", `{"session_id":%q,"start_url":%q,"steps":[%s]}`, id, site+tt.page, tt.steps)
		if a.Data["status"] != tt.status || !strings.Contains(a.text, tt.reason) {
			t.Errorf("%s %s: wanted %s with %q: %s", tt.page, tt.steps, tt.status, tt.reason, a.text)
		}
	}
	d.ok("page_navigate", `{"session_id":%q,"url":%q}`, id, site+"/cached")
	if a := d.ok("verify_assertion", `{"session_id":%q,"selector":"#out","assertion":{"type":"text_equals","expected":"100"}}`, id); a.Data["passed"] != false {
		t.Errorf("a single check: %s", a.text)
	}
}
