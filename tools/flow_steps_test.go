package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/auth"
)

// Req 0033/B: a flow goes back, works in tabs, asks for a colour scheme, runs a script where that is
// allowed, and types the code of an authenticator; what it can't do is a gap, with which it never passes.
func TestStepsOfFlows(t *testing.T) {
	t.Parallel()
	const key = "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/code":
			says := "wrong code"
			for _, drift := range []time.Duration{0, -30 * time.Second} {
				if want, err := auth.OneTimeCode(key, time.Now().Add(drift)); err == nil && r.FormValue("c") == want {
					says = "right code"
				}
			}
			fmt.Fprintf(w, `<!doctype html><title>Code</title><h1>%s</h1>`, says)
		case "/pop":
			fmt.Fprint(w, `<!doctype html><title>Pop</title><h1>Popup</h1><button onclick="opener.out.textContent = 'chosen'; setTimeout(() => window.close(), 20)">Choose</button>`)
		default:
			fmt.Fprint(w, `<!doctype html><title>Main</title><form action=/code><label>Code <input name=c></label><button>Verify</button></form><button onclick="window.open('/pop')">Pick</button><p id=out>-</p>
				<p id=scheme></p><script>const dark = matchMedia('(prefers-color-scheme: dark)'), show = () => { scheme.textContent = dark.matches ? 'night' : 'day' }; show(); dark.onchange = show</script>`)
		}
	}))
	t.Cleanup(server.Close)
	d := online(t)
	d.withSecrets(map[string]string{"KEY": key, "PW": "password-0189"})
	says := func(selector, text string) string {
		return fmt.Sprintf(`{"action": "assert", "selector": %q, "timeout_ms": 3000, "assertion": {"type": "text_equals", "expected": %q}}`, selector, text)
	}
	code := func(ref string) string {
		return `{"action": "fill", "selector": "textbox \"Code\"", "value": "` + ref + `"}, {"action": "click", "selector": "button \"Verify\""}`
	}
	for name, one := range map[string]struct{ steps, status, why string }{
		"the code of an authenticator":    {code("${totp:KEY}") + "," + says("h1", "right code"), "passed", ""},
		"a key that is none":              {code("${totp:PW}") + "," + says("h1", "right code"), "inconclusive", "${totp:PW}: it is no key of an authenticator"},
		"the key itself is no code":       {code("${secret:KEY}") + "," + says("h1", "right code"), "failed", "wrong code"},
		"a secret that is not there":      {code("${totp:NONE}") + "," + says("h1", "right code"), "inconclusive", `no secret "NONE"`},
		"back":                            {code("${totp:KEY}") + "," + says("h1", "right code") + `, {"action": "back"}, ` + says("#out", "-"), "passed", ""},
		"back from the first page":        {`{"action": "back"}, ` + says("#out", "-"), "inconclusive", "this tab has shown no page before this one"},
		"a popup that closes itself":      {`{"action": "click", "selector": "button \"Pick\""}, {"action": "popup"}, ` + says("h1", "Popup") + `, {"action": "click", "selector": "button \"Choose\""}, {"action": "tab", "value": "1"}, ` + says("#out", "chosen"), "passed", ""},
		"a popup that does not come":      {`{"action": "popup", "timeout_ms": 500}, ` + says("h1", "Popup"), "failed", "has opened no other tab from tab 1"},
		"a tab that is not there":         {`{"action": "tab", "value": "7", "timeout_ms": 500}, ` + says("h1", "Popup"), "inconclusive", "there is no tab 7"},
		"a popup that is closed":          {`{"action": "click", "selector": "button \"Pick\""}, {"action": "tab", "value": "2"}, ` + says("h1", "Popup") + `, {"action": "tab", "value": "close"}, ` + says("#out", "-"), "passed", ""},
		"a colour scheme":                 {says("#scheme", "day") + `, {"action": "color_scheme", "value": "dark"}, ` + says("#scheme", "night"), "passed", ""},
		"a script":                        {code("${totp:KEY}") + `, {"action": "evaluate", "value": "() => document.title"}, ` + says("h1", "right code"), "passed", ""},
		"what a script wrote":             {`{"action": "evaluate", "value": "out.textContent = 'chosen'"}, ` + says("#out", "chosen"), "inconclusive", ""},
		"a missing act":                   {code("${totp:KEY}") + "," + says("h1", "right code") + `, {"action": "gap", "value": "act", "description": "call 3, computer_action"}, ` + says("h1", "never looked at"), "inconclusive", "the flow has a gap: call 3, computer_action"},
		"a missing check":                 {code("${totp:KEY}") + `, {"action": "gap", "value": "check", "description": "call 3, check_kpis"}, ` + says("h1", "right code"), "inconclusive", "the flow has a gap: call 3, check_kpis"},
		"a missing check before a fault":  {code("${totp:KEY}") + `, {"action": "gap", "value": "check", "description": "call 3, check_kpis"}, ` + says("h1", "something else"), "failed", "something else"},
		"a colour that is no scheme":      {`{"action": "color_scheme", "value": "pink"}`, "", `value is "pink"; accepted: light, dark, no-preference`},
		"a tab that is no number":         {`{"action": "tab", "value": "last"}`, "", `value is "last"`},
		"a gap that does not say of what": {`{"action": "gap", "value": "act"}`, "", "gap needs description"},
		"a script that holds a secret":    {`{"action": "evaluate", "value": "'${totp:KEY}'"}`, "", "value holds a secret"},
	} {
		a := d.raw("verify_user_flow", fmt.Sprintf(`{"start_url": %q, "watch_ms": 0, "steps": [%s]}`, server.URL, one.steps))
		status, _ := a.Data["status"].(string)
		if status != one.status || !strings.Contains(a.text, one.why) {
			t.Errorf("%s: %q, want %q because of %q: %s", name, status, one.status, one.why, a.text)
		}
	}
	d.ok("page_navigate", `{"url": %q}`, server.URL)
	d.ok("page_fill", `{"selector": "textbox \"Code\"", "value": "${totp:KEY}"}`)
	d.ok("page_click", `{"selector": "button \"Verify\""}`)
	d.want("", "verify_assertion", `{"selector": "h1", "assertion": {"type": "text_equals", "expected": "right code"}}`, "PASSED")
	d.want("INVALID_INPUT", "page_navigate", `{"url": "`+server.URL+`", "back": true}`, "back takes no address")
	d.want("", "page_navigate", `{"back": true}`, `"Main"`)

	d.Evaluate = false
	if a := d.raw("verify_user_flow", fmt.Sprintf(`{"start_url": %q, "watch_ms": 0, "steps": [{"action": "evaluate", "value": "1"}, %s]}`, server.URL, says("#out", "-"))); a.Data["status"] == "passed" || !strings.Contains(a.text, "scripts are off") {
		t.Errorf("where scripts are off: %s", a.text)
	}
}
