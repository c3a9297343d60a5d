package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// madeSite has a small program: a list that one can add to, a form that keeps what
// it is given, and a sign-in at another site.
func madeSite(t *testing.T) (url, other string) {
	t.Helper()
	kept := ""
	page := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Made</title><h1>Office</h1>"+body)
	}
	mux, away := http.NewServeMux(), http.NewServeMux()
	server, provider := httptest.NewServer(mux), httptest.NewServer(away)
	t.Cleanup(server.Close)
	t.Cleanup(provider.Close)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		page(w, `<label>Find <input id=wanted></label><label>State <select><option>Open<option>Paid</select></label>
<label>Item <input id=entry onkeydown="if (event.key === 'Enter') { rows.append(Object.assign(document.createElement('li'), {textContent: entry.value})); entry.value = '' }"></label><ul id=rows></ul>
<label>Sum <input id=sum onchange="sum.value = '1,234'"></label><button onclick="echo.textContent = 'Hello ' + wanted.value">Greet</button><p id=echo></p>
<button onclick="fetch('/api').then(r => r.text()).then(t => echo.textContent = t)">Load</button><a href="`+provider.URL+`/away">Away</a>`)
	})
	mux.HandleFunc("/framed", func(w http.ResponseWriter, _ *http.Request) { page(w, `<iframe title=Inner src="/inner"></iframe>`) })
	mux.HandleFunc("/inner", func(w http.ResponseWriter, _ *http.Request) { page(w, `<label>Note <input></label>`) })
	mux.HandleFunc("/api", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "Open") })
	mux.HandleFunc("/form", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			kept = r.FormValue("name")
			http.Redirect(w, r, "/form", http.StatusSeeOther)
			return
		}
		page(w, `<form method=post><label>Name <input name=name value="`+kept+`"></label><button>Save</button></form>`)
	})
	mux.HandleFunc("/private", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("ticket") == "" {
			http.Redirect(w, r, provider.URL+"/login", http.StatusFound)
			return
		}
		page(w, `<p>Paid</p>`)
	})
	away.HandleFunc("/away", func(w http.ResponseWriter, _ *http.Request) { page(w, `<p>Paid</p>`) })
	away.HandleFunc("/login", func(w http.ResponseWriter, _ *http.Request) {
		page(w, `<label>User <input></label><button onclick="location = '`+server.URL+`/private?ticket=1'">Sign in</button>`)
	})
	return server.URL, provider.URL
}

// Issue 15, item 4: what the caller made proves nothing, and what the page made of
// it does.
func TestWhatTheCallerMadeProvesNothing(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.Evaluate = true
	url, other := madeSite(t)
	const paid, find = `{"assertion": {"type": "text_contains", "expected": "Paid"}`, `{"selector": "textbox \"Find\"", "assertion": {"type": "value_equals", "expected": "Paid"}`
	fill := func(name string) string { return `page_fill {"selector": "textbox \"` + name + `\"", "value": "Paid"}` }
	press := func(name, key string) string {
		return `page_press {"selector": "textbox \"` + name + `\"", "key": "` + key + `"}`
	}
	script := func(s string) string { return `page_evaluate {"script": "` + s + `"}` }
	open := func(at string) string { return `page_navigate {"url": "` + at + `"}` }
	mock := func(pattern, body string) string {
		return `network_intercept {"patterns": ["` + pattern + `"], "mode": "mock", "response": {"status": 200, "headers": {"content-type": "text/html"}, "body": "` + body + `"}}`
	}
	unmock := func(pattern string) string {
		return `network_intercept {"patterns": ["` + pattern + `"], "mode": "observe"}`
	}
	appends := script(`() => { document.querySelector('#echo').textContent = 'Paid' }`)
	for i, tt := range []struct {
		name string
		acts []string
		ask  string
		void string // "": it proves
	}{
		{"a typed value", []string{fill("Find")}, find, "typed"},
		{"a typed value as a text", []string{fill("Find")}, paid, "typed"},
		{"a typed value as a text of the field", []string{fill("Find")}, `{"selector": "textbox \"Find\"", "assertion": {"type": "text_equals", "expected": "Paid"}`, "typed"},
		{"a typed value as an expression", []string{fill("Find")}, `{"assertion": {"type": "text_matches", "expected": "P.id"}`, "typed"},
		{"typed into a frame", []string{open(url + "/framed"), `page_fill {"selector": "frame \"Inner\" > textbox \"Note\"", "value": "Paid"}`}, paid, "typed"},
		{"typed by hand", []string{`computer_action {"action": "type", "selector": "textbox \"Find\"", "text": "Paid"}`}, paid, "typed"},
		{"typed by keys", []string{press("Find", "P"), press("Find", "a"), press("Find", "i"), press("Find", "d")}, find, "typed"},
		{"chosen", []string{`page_select {"selector": "combobox \"State\"", "option": "Paid"}`}, `{"selector": "combobox \"State\"", "assertion": {"type": "selected_label", "expected": "Paid"}`, "typed or chose"},
		{"by a script", []string{appends}, paid, "script"},
		{"by a script, later", []string{script(`() => setTimeout(() => document.body.append('Paid'), 100)`)}, paid, "script"},
		{"by a script that goes on", []string{script(`async () => { await 0; document.body.append('Paid') }`)}, paid, "script"},
		{"a mocked page", []string{mock("/mocked", "<p>Paid</p>"), open(url + "/mocked")}, paid, "mock"},
		{"mocked data", []string{mock("/api", "Paid"), `page_click {"selector": "button \"Load\""}`}, paid, "mock"},
		{"another site", []string{unmock("/mocked"), unmock("/api"), open(other + "/away")}, paid, "of the site"},
		{"another site, where it is", []string{open(other + "/away")}, `{"assertion": {"type": "url_matches", "expected": "/away"}`, "of the site"},
		{"another site by a link", []string{`page_click {"selector": "link \"Away\""}`}, paid, "of the site"},

		{"where a link leads", []string{`page_click {"selector": "link \"Away\""}`}, `{"assertion": {"type": "url_matches", "expected": "` + other + `/away"}`, ""},
		{"a list item", []string{fill("Item"), press("Item", "Enter")}, paid, ""},
		{"the field that was cleared", []string{fill("Item"), press("Item", "Enter")}, `{"selector": "textbox \"Item\"", "assertion": {"type": "empty"}`, ""},
		{"shown elsewhere", []string{fill("Find"), `page_click {"selector": "button \"Greet\""}`}, paid, ""},
		{"saved and shown again", []string{open(url + "/form"), fill("Name"), `page_click {"selector": "button \"Save\""}`}, `{"selector": "textbox \"Name\"", "assertion": {"type": "value_equals", "expected": "Paid"}`, ""},
		{"written anew by the page", []string{`page_fill {"selector": "textbox \"Sum\"", "value": "1234"}`, press("Sum", "Tab")}, `{"selector": "textbox \"Sum\"", "assertion": {"type": "value_equals", "expected": "1,234"}`, ""},
		{"another field", []string{fill("Find")}, `{"selector": "combobox \"State\"", "assertion": {"type": "value_equals", "expected": "Open"}`, ""},
		{"after a script that reads", []string{script(`() => [...document.querySelectorAll('h1')].map(e => e.textContent)`)}, `{"assertion": {"type": "text_contains", "expected": "Office"}`, ""},
		{"loaded again after a script", []string{appends, open(url)}, `{"assertion": {"type": "text_contains", "expected": "Office"}`, ""},
		{"a sign-in elsewhere", []string{open(url + "/private"), `page_click {"selector": "button \"Sign in\""}`}, paid, ""},
	} {
		if !sampled(i, 4) && tt.void != "typed or chose" && !strings.Contains(strings.Join(tt.acts, ""), "observe") { // what ends a mock goes with it
			continue
		}
		d.ok("run_start", `{"goal": "see", "route": %q, "expectations": [{"text": "The page shows \"Paid\""}]}`, url)
		d.ok("page_navigate", `{"url": %q}`, url)
		for _, act := range tt.acts {
			tool, args, _ := strings.Cut(act, " ")
			if got := d.raw(tool, args); !got.OK {
				t.Fatalf("%s: %s: %s", tt.name, act, got.text)
			}
		}
		got := d.raw("verify_assertion", tt.ask+`, "expects": ["E1"], "timeout_ms": 2000}`)
		report := d.finished()
		i := slices.IndexFunc(report.Checks, func(c qa.Check) bool { return slices.Contains(c.Expects, "E1") })
		if i < 0 || !report.Checks[i].Passed {
			t.Errorf("%s: it does not hold: %s", tt.name, got.text)
			continue
		}
		void := strings.Join(report.Checks[i].Void, "; ")
		if (void == "") != (tt.void == "") || !strings.Contains(void, tt.void) || void != "" && (report.Status != qa.Inconclusive || !strings.Contains(got.text, "proves nothing")) {
			t.Errorf("%s: void %q, want %q; %s: %s", tt.name, void, tt.void, report.Status, report.StatusReason)
		}
	}
}

// The same in a flow.
func TestWhatAFlowTypedProvesNothing(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url, _ := madeSite(t)
	d.ok("run_start", `{"goal": "see", "expectations": [{"text": "The page shows \"Paid\""}]}`)
	d.ok("verify_user_flow", `{"start_url": %q, "expects": ["E1"], "steps": [{"action": "fill", "selector": "textbox \"Find\"", "value": "Paid"}, {"action": "assert", "assertion": {"type": "text_contains", "expected": "Paid", "whole_words": true}}]}`, url)
	if r := d.finished(); r.Status != qa.Inconclusive || !strings.Contains(string(r.StatusReason), "typed") || slices.ContainsFunc(r.Checks, func(c qa.Check) bool { return len(c.Void) == 0 }) {
		t.Errorf("%s: %s; %+v", r.Status, r.StatusReason, r.Checks)
	}
	d.ok("run_start", `{"goal": "see", "expectations": [{"text": "The page shows \"Paid\""}]}`)
	d.ok("verify_user_flow", `{"start_url": %q, "expects": ["E1"], "steps": [{"action": "fill", "selector": "textbox \"Item\"", "value": "Paid"}, {"action": "press", "selector": "textbox \"Item\"", "key": "Enter"}, {"action": "assert", "assertion": {"type": "text_contains", "expected": "Paid", "whole_words": true}}]}`, url)
	if r := d.finished(); slices.ContainsFunc(r.Checks, func(c qa.Check) bool { return len(c.Void) > 0 }) {
		t.Errorf("%+v", r.Checks)
	}
}

// What a caller's own rule broke fails nobody: the run is inconclusive, and says
// which rule (void for failures as for passes).
func TestWhatTheCallerBrokeFailsNobody(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.Evaluate = true
	page := `<!doctype html><title>Shop</title><h1>Shop</h1><p id=out>wait</p><img src=/logo.png><script>
		fetch('/api').then(r => { if (!r.ok) throw new Error('down'); return r.text() }).then(t => out.textContent = t)</script>`
	url := site(t, map[string]string{"/": page, "/api": "Open", "/logo.png": "", "/broken": `<!doctype html><title>B</title><h1>B</h1><script>null.x</script>`})
	const shows = `verify_assertion {"assertion": {"type": "text_contains", "expected": "Open"}, "timeout_ms": 600}`
	flow := `verify_user_flow {"session_id": "$", "steps": [{"action": "assert", "assertion": {"type": "text_contains", "expected": "Open"}, "timeout_ms": 600}]}`
	block := func(pattern string) string {
		return `network_intercept {"patterns": ["` + pattern + `"], "mode": "block"}`
	}
	mock := `network_intercept {"patterns": ["/api"], "mode": "mock", "response": {"status": 503, "body": "down"}}`
	open := func(at string) string { return `page_navigate {"url": "` + url + at + `"}` }
	script := `page_evaluate {"script": "document.querySelector('#out').remove()"}`
	for _, tt := range []struct {
		name  string
		calls []string
		want  qa.Status
		says  string
	}{
		{"a blocked request", []string{block("/api"), open("/"), shows}, qa.Inconclusive, "refused a request"},
		{"a mock, and what the page throws for it", []string{mock, open("/"), shows}, qa.Inconclusive, "with a mock"},
		{"a script, which is no rule", []string{open("/"), script, shows}, qa.Failed, "Open"},
		{"a flow under a rule", []string{open("/"), block("/api"), open("/"), flow}, qa.Inconclusive, "refused a request"},
		{"without a rule", []string{open("/broken"), shows}, qa.Failed, "Open"},
		{"loaded anew without the rule", []string{block("/api"), open("/"), `network_intercept {}`, open("/broken"), shows}, qa.Failed, "Open"},
	} {
		d.ok("run_start", `{"goal": "see", "route": %q}`, url)
		d.ok("browser_launch", `{}`)
		ids := d.SessionIDs()
		for _, call := range tt.calls {
			tool, args, _ := strings.Cut(strings.ReplaceAll(call, "$", ids[len(ids)-1]), " ")
			d.raw(tool, args)
		}
		report := d.finished()
		d.ok("browser_close", `{}`)
		if report.Status != tt.want || !strings.Contains(fmt.Sprint(report.StatusReason), tt.says) {
			t.Errorf("%s: %s: %s, want %s with %q", tt.name, report.Status, report.StatusReason, tt.want, tt.says)
		}
	}
}
