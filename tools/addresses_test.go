package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/workspace"
)

const senderPage = `<!doctype html><title>Sender</title><h1>Sender</h1><script>
const post = (to) => fetch(to, { method: 'POST' }).catch(() => {});
fetch('/api/kpi?range=7d');
</script>
<button onclick="post('/api/orders')">Save</button>
<button onclick="post('/api/fails')">Fail</button>
<button onclick="post('/api/moved')">Move</button>
<button onclick="post('http://127.0.0.1:2/api/refused')">Refuse</button>
<button onclick="const c = new AbortController(); fetch('/api/hangs', { method: 'POST', signal: c.signal }).catch(() => {}); setTimeout(() => c.abort(), 50)">Abort</button>
<button onclick="fetch('/api/hangs', { method: 'POST' }).catch(() => {})">Hang</button>
<button onclick="post('/api/turns')">Turn</button>
<button onclick="post('/api/orders').then(() => { location.href = '/thanks' })">Buy</button>
<button onclick="void 0">Nothing</button>`

// sender is a site whose pages send requests that end in different ways.
func sender(t *testing.T) string {
	t.Helper()
	mux, turns := http.NewServeMux(), 0
	done := make(chan struct{})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, senderPage)
	})
	mux.HandleFunc("/thanks", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Thanks</title><h1>Thanks</h1><button>Nothing</button>")
	})
	mux.HandleFunc("GET /api/kpi", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") })
	mux.HandleFunc("POST /api/orders", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) })
	mux.HandleFunc("POST /api/fails", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	mux.HandleFunc("POST /api/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/api/kpi", http.StatusSeeOther)
	})
	mux.HandleFunc("POST /api/turns", func(w http.ResponseWriter, _ *http.Request) { // well at first, badly afterwards
		if turns++; turns > 1 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("POST /api/hangs", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-done:
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(done) })
	return server.URL
}

// the page's address is the one that a pattern names, not one that only has
// its words somewhere.
func TestURLMatchesInChromium(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := sender(t)
	for _, c := range []struct {
		at      string
		yes, no []string
	}{
		{"/cart", []string{"/cart", "/cart/", "**/cart", url + "/cart", "/*"}, []string{"/car", "/cart/*", "/cart/**", "/cart?x=1", "/cart#x", url, "https://127.0.0.1/cart"}},
		{"/cart-empty", []string{"/cart-*", "/cart-empty"}, []string{"/cart", "**/cart"}},
		{"/login?next=/cart", []string{"/login", "/login?next=/cart", "/login?next=**", "**?next=/cart"}, []string{"/cart", "**/cart", "**/cart**", "/login?"}},
		{"/orders/5/edit?b=2&a=1#top", []string{"/orders/*/edit", "/orders/**", "/orders/5/edit?a=1&b=2", "**#top"}, []string{"/orders/*", "/orders/5/edit?a=2", "/edit", "/orders/5/edit#"}},
		{"/#/login?next=/a", []string{"/", "/#/login"}, []string{"/login", "/#/", "/#/log"}},
		{"/caf%C3%A9/a%20b", []string{"/café/a%20b", "/caf%c3%a9/*"}, []string{"/cafe/a%20b"}},
		{"", []string{"/", url, url + "/", "/**"}, []string{"/x", "/*"}},
	} {
		d.ok("page_navigate", `{"url": %q}`, url+c.at)
		for i, all := range [][]string{c.yes, c.no} {
			for _, pattern := range all {
				a := d.ok("verify_assertion", `{"assertion": {"type": "url_matches", "expected": %q}, "timeout_ms": 1}`, pattern)
				fits := a.Data["passed"] == true || a.Data["void"] != nil // one that fits any page proves nothing
				if fits != (i == 0) {
					t.Errorf("%s fits %s: %v", c.at, pattern, a.Data)
				}
			}
		}
	}
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": `<title>Shop</title><a href="` + url + `/cart">Out</a>`}))
	d.ok("page_click", `{"selector": "link \"Out\""}`)
	for pattern, fits := range map[string]bool{"/cart": false, "**/cart": false, url + "/cart": true, "re:/cart$": true} { // another port is another site
		if a := d.ok("verify_assertion", `{"assertion": {"type": "url_matches", "expected": %q}, "timeout_ms": 1}`, pattern); a.Data["passed"] != fits {
			t.Errorf("%s on another site: %s", pattern, a.text)
		}
	}
	if a := d.call("verify_assertion", `{"assertion": {"type": "url_matches", "expected": "*/cart"}}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Hint, "**/cart") {
		t.Errorf("an old pattern: %+v", a.Error)
	}
}

// a request counts in the step that it belongs to, if it was answered well or
// as the assertion says.
func TestRequestsOfFlows(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := sender(t)
	made := func(expected string) string {
		return fmt.Sprintf(`{"action": "assert", "timeout_ms": 300, "assertion": {"type": "request_made", "expected": %q}}`, expected)
	}
	status := func(of, expected string) string {
		return fmt.Sprintf(`{"action": "assert", "timeout_ms": 300, "assertion": {"type": "response_status", "url": %q, "expected": %q}}`, of, expected)
	}
	click := func(name string) string {
		return fmt.Sprintf(`{"action": "click", "selector": "button \"%s\""}`, name)
	}
	for i, c := range []struct {
		name   string
		steps  []string
		passed bool
		reason string
	}{
		{"of the page", []string{made("GET /api/kpi"), status("/api/kpi", "200"), made("/api/kpi?range=7d")}, true, ""},
		{"another query", []string{made("/api/kpi?range=1d")}, false, "0 matching"},
		{"a part of the path", []string{made("/api")}, false, "0 matching"},
		{"of the click", []string{click("Save"), made("POST /api/orders"), made("POST /api/orders 201"), status("POST /api/orders", "201")}, true, ""},
		{"another status", []string{click("Save"), made("POST /api/orders 200")}, false, "201"},
		{"another method", []string{click("Save"), made("GET /api/orders")}, false, "0 matching"},
		{"of the page, not of the click", []string{click("Nothing"), made("GET /api/kpi")}, false, "1 before the last act"},
		{"of the first click only", []string{click("Save"), click("Nothing"), made("POST /api/orders")}, false, "1 before the last act"},
		{"status of the first click only", []string{click("Save"), click("Nothing"), status("POST /api/orders", "201")}, false, "before the last act it answered 201"},
		{"answered with an error", []string{click("Fail"), made("POST /api/fails")}, false, "503"},
		{"the error is asked for", []string{click("Fail"), made("POST /api/fails 503"), made("POST /api/fails 5xx"), status("/api/fails", "503")}, true, ""},
		{"refused", []string{click("Refuse"), made("POST **/api/refused")}, false, "failed"},
		{"the refusal is asked for", []string{click("Refuse"), made("POST **/api/refused failed")}, true, ""},
		{"aborted", []string{click("Abort"), made("POST /api/hangs")}, false, "/api/hangs"},
		{"not answered", []string{click("Hang"), made("POST /api/hangs")}, false, "not answered yet"},
		{"any outcome will do", []string{click("Hang"), made("POST /api/hangs any")}, true, ""},
		{"redirected", []string{click("Move"), made("POST /api/moved"), made("POST /api/moved 303"), made("GET /api/kpi")}, true, ""},
		{"before the page that it leads to", []string{click("Buy"), made("POST /api/orders"), made("GET /thanks")}, true, ""},
		{"of an earlier page", []string{click("Buy"), click("Nothing"), made("POST /api/orders")}, false, "1 before the last act"},
		{"the newest answer", []string{click("Turn"), click("Turn"), status("/api/turns", "200")}, false, "500"},
	} {
		if !sampled(i, 4) {
			continue
		}
		a := d.ok("verify_user_flow", `{"session_id": %q, "start_url": %q, "steps": [%s]}`, d.session(), url, strings.Join(c.steps, ","))
		reason, _ := a.Data["failure_reason"].(string)
		if a.Data["success"] != c.passed || !strings.Contains(reason, c.reason) {
			t.Errorf("%s: %v: %s", c.name, a.Data["status"], reason)
		}
	}
}

// verify_assertion asks about the page, and about the act that led to it.
func TestRequestsOfAPage(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := sender(t)
	holds := func(assertion string) bool {
		return d.ok("verify_assertion", `{"assertion": {%s}, "timeout_ms": 200}`, assertion).Data["passed"].(bool)
	}
	made := func(expected string) bool { return holds(fmt.Sprintf(`"type":"request_made","expected":%q`, expected)) }
	d.ok("page_navigate", `{"url": %q}`, url)
	d.ok("page_click", `{"selector": "button \"Save\""}`)
	d.ok("page_click", `{"selector": "button \"Nothing\""}`)
	if !made("GET /api/kpi") || !made("POST /api/orders") || !holds(`"type":"response_status","url":"POST /api/orders","expected":201`) {
		t.Error("what the page sent is not counted after further acts on it")
	}
	d.ok("page_click", `{"selector": "button \"Buy\""}`)
	if !made("POST /api/orders") || made("GET /api/kpi") {
		t.Error("the act that led to the page counts, and what was before it does not")
	}
	d.ok("page_navigate", `{"url": %q}`, url+"/thanks")
	if made("POST /api/orders") || holds(`"type":"response_status","url":"/api/orders","expected":201`) || !made("GET /thanks") {
		t.Error("an earlier page's requests are counted")
	}
	d.ok("network_intercept", `{"patterns": ["POST /api/orders"], "mode": "block"}`)
	d.ok("page_navigate", `{"url": %q}`, url)
	d.call("page_click", `{"selector": "button \"Save\""}`)
	if made("POST /api/orders") || !made("POST /api/orders blocked") {
		t.Error("a request that a rule refused")
	}
}

// A2: a login page at an address that only its query tells from the first page.
func TestLoginPageInTheQuery(t *testing.T) {
	t.Parallel()
	d := patient(t)
	signedIn := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch {
		case r.URL.Query().Get("page") == "login":
			fmt.Fprint(w, `<!doctype html><title>In</title><button onclick="fetch('/in').then(() => { location.href = '/' })">Sign in</button>`)
		case r.URL.Path == "/in":
			signedIn = true
		case !signedIn:
			http.Redirect(w, r, "/?page=login", http.StatusFound)
		default:
			fmt.Fprint(w, `<!doctype html><title>Home</title><h1>Home</h1>`)
		}
	}))
	t.Cleanup(server.Close)
	d.target(&guarded{url: server.URL}, nil)
	role := d.Target.Roles["analyst"]
	role.Login = &flow.Flow{StartURL: server.URL + "/?page=login", Steps: []qa.FlowStep{{Action: "click", Selector: `button "Sign in"`}}}
	role.LoginPage = ""
	d.Target.Roles = map[string]workspace.Role{"analyst": role}
	d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
	a := d.ok("page_navigate", `{"url":"/"}`)
	if strings.Contains(a.text, "signed in again") || a.Data["url"] != server.URL+"/" {
		t.Errorf("the first page is taken for the login page: %s", a.text)
	}
	if a := d.ok("verify_assertion", `{"assertion":{"type":"url_matches","expected":"/x"},"timeout_ms":1}`); a.Data["passed"] != false {
		t.Errorf("a check on the first page: %s", a.text)
	}
	signedIn = false
	if a := d.ok("page_navigate", `{"url":"/"}`); !strings.Contains(a.text, "signed in again") || a.Data["url"] != server.URL+"/" {
		t.Errorf("the login page is not known: %s", a.text)
	}
}
