package tools_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/workspace"
)

// OracleSite is a site with a sign-in, and an endpoint that answers right only
// to who has signed in. What it was asked goes to seen.
func oracleSite(t *testing.T, seen func(*http.Request)) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/in", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "s3", Path: "/", HttpOnly: true})
		http.SetCookie(w, &http.Cookie{Name: "elsewhere", Value: "no", Path: "/el"})
		w.Header().Set("Content-Type", "text/html")
		// A hostile page: what it does to fetch must not reach the oracle.
		fmt.Fprint(w, `<title>In</title><script>window.fetch = async () => new Response('{"Revenue": 1}')</script>`)
	})
	mux.HandleFunc("/api/kpi", func(w http.ResponseWriter, r *http.Request) {
		seen(r)
		if c, err := r.Cookie("sid"); err != nil || c.Value != "s3" {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "changed", Path: "/"})
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"kpis": {"Revenue": {"value": 12345.60}, "Conversion/rate": "2,10 %%", "m~n": 8, "": -0.0, "~1": 1e3, "Big": 12345678901234567890.10}, "list": [1, 2.50], "range": %q}`, r.URL.Query().Get("range"))
	})
	mux.HandleFunc("/api/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/api/kpi", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/login", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Sign in</title>`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

const oracleMap = `{"Revenue": "/kpis/Revenue/value", "Conversion": "/kpis/Conversion~1rate", "Big": "/kpis/Big", "Second": "/list/1", "Tilde": "/kpis/m~0n", "Nameless": "/kpis/", "Literal": "/kpis/~01"}`

// A5: the endpoint is asked with the session's cookies, by us and not by the
// page, for the range and filters that the caller picks; figures keep their
// spelling.
func TestOracleAsksWithTheSessionsSignIn(t *testing.T) {
	t.Parallel()
	var asked []*http.Request
	base := oracleSite(t, func(r *http.Request) { asked = append(asked, r) })
	d := online(t)
	d.ok("browser_launch", `{"options": {"locale": "de-DE"}}`)
	d.ok("page_navigate", `{"url": %q}`, base+"/in")
	d.ok("run_start", `{"goal": "g", "kpiSpec": {"type": "apiEndpoint", "url": "/api/moved?v=2", "params": {"range": "today", "tz": "UTC"}, "map": %s},
		"ranges": [{"name": "last week", "params": {"range": "7d"}}]}`, oracleMap)
	a := d.ok("kpi_oracle", `{}`)
	data, _ := json.Marshal(a.result.StructuredContent)
	for _, spelt := range []string{`"Revenue":12345.60`, `"Conversion":"2,10 %"`, `"Big":"12345678901234567890.10"`, `"Second":2.50`, `"Tilde":8`, `"Nameless":-0.0`, `"Literal":1e3`} {
		if !strings.Contains(string(data), spelt) {
			t.Errorf("%s is not in %s", spelt, data)
		}
	}
	if source := a.Data["sources"].(map[string]any)["Revenue"]; source != "GET "+base+"/api/moved?range=today&tz=UTC&v=2" || a.Data["fetched_at"] == nil {
		t.Errorf("source: %v", source)
	}
	a = d.ok("kpi_oracle", `{"context": {"range": "last week", "filters": {"category": "Hardware"}}}`)
	if diff := cmp.Diff(map[string]any{"range": "7d", "tz": "UTC", "category": "Hardware"}, a.Data["params"]); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
	// Cookies of an answer are not kept: the second request came with the first's.
	last := asked[len(asked)-1]
	if len(asked) != 2 || last.Header.Get("Cookie") != "sid=s3" || last.Header.Get("Accept") != "application/json" || !strings.Contains(last.UserAgent(), "Mozilla/5.0") || last.Header.Get("Accept-Language") != "de-DE" {
		t.Errorf("%d requests, the last with %v", len(asked), last.Header)
	}
	if q := last.URL.Query(); q.Get("range") != "" {
		t.Errorf("the redirect's own address was changed: %s", last.URL)
	}
	for args, want := range map[string]string{
		`{"context": {"range": "last weak"}}`:                             `did you mean "last week"?`,
		`{"spec": {"type": "staticValues", "values": {"Revenue": "99"}}}`: "has its own kpiSpec",
	} {
		if a := d.raw("kpi_oracle", args); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, want) {
			t.Errorf("%s: %+v, want it to say %s", args, a.Error, want)
		}
	}
	if a := d.ok("kpi_oracle", `{"context": {"role": "admin"}}`); !strings.Contains(a.text, `no roles are configured: context.role "admin" signs nobody in`) {
		t.Errorf("a role where there are none: %s", a.text)
	}
}

// A5, bad input: whatever an endpoint does instead of answering is ORACLE_FAILED
// that says what it did, and what to do.
func TestOracleThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	release := make(chan struct{})
	answers := map[string]string{
		"html": "<!doctype html><title>Welcome</title>", "empty": " ", "keys": `{"kpi": {"revenue": 5, "Orders": 3}}`, "null": `{"Revenue": null}`,
		"object": `{"Revenue": {"value": 5}}`, "array": `{"Revenue": [5]}`, "bool": `{"Revenue": true}`, "blank": `{"Revenue": " "}`,
		"cut": `{"Revenue": 5, "Ord`, "latin1": "{\"Revenue\": \"5 \xa4\"}", "utf16": "\xff\xfe{\x00", "two": `{"Revenue": 5}{"Revenue": 6}`,
		"twice": `{"Revenue": 5, "Revenue": 6}`, "deep": strings.Repeat("[", 200), "words": "Revenue is 5", "long": `{"Revenue": "` + strings.Repeat("9", 500) + `"}`,
		"big": `{"Revenue": 5, "rest": "` + strings.Repeat("x", 10<<20) + `"}`, "nan": `{"Revenue": NaN}`,
	}
	for name, body := range answers {
		mux.HandleFunc("/"+name, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })
	}
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "home") })
	mux.HandleFunc("/500", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "database is down", http.StatusInternalServerError)
	})
	mux.HandleFunc("/401", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/half", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, `{"Revenue": 5`)
	})
	mux.HandleFunc("/expired", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/html.page", http.StatusFound) })
	mux.HandleFunc("/html.page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Sign in</title>")
	})
	mux.HandleFunc("/sso", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://sso.test/login", http.StatusFound)
	})
	mux.HandleFunc("/circle", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/circle", http.StatusFound) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	d := online(t)
	d.ok("page_navigate", `{"url": %q}`, server.URL)
	for path, want := range map[string]string{
		"html": "HTML or XML, not JSON", "empty": "the answer is empty", "keys": `gives no value for Revenue: there is nothing at "/Revenue"`,
		"null": `at "/Revenue" is null`, "object": `at "/Revenue" is an object`, "array": `at "/Revenue" is an array`, "bool": `at "/Revenue" is a boolean`, "blank": `the text at "/Revenue" is empty`,
		"cut": "cut off", "latin1": "not UTF-8", "utf16": "not UTF-8", "two": "goes on behind", "twice": `the key "Revenue" stands more than once`, "deep": "nested more than 100 deep",
		"words": "not JSON", "long": "more than 200 characters", "big": "more than 1048576 bytes", "nan": "not JSON", "500": "status 500", "401": "expired sign-in?", "slow": "no answer within 150 ms",
		"half": "broke off", "expired": "expired sign-in?", "sso": "expired sign-in?", "circle": "redirects again and again", "none": "status 404",
	} {
		t.Run(path, func(t *testing.T) {
			d.t = t
			spec := &qa.KPISpec{Type: qa.APIEndpoint, URL: "/" + path, Map: map[string]string{"Revenue": "/Revenue"}}
			if path == "slow" { // the others answer, however busy the machine is
				spec.TimeoutMS = 150
			}
			d.Target = workspace.Target{BaseURL: server.URL, KPI: spec}
			if path == "big" { // a slow machine may take its time to move 10 MB
				d.Target.KPI.TimeoutMS = 0
			}
			a := d.raw("kpi_oracle", `{}`)
			if a.OK || a.Error.Code != "ORACLE_FAILED" || !strings.Contains(a.Error.Message, want) || a.Error.Hint == "" {
				t.Fatalf("%+v, want ORACLE_FAILED that says %q", a.Error, want)
			}
			if path == "keys" && !strings.Contains(a.Error.Hint, "/kpi/revenue") {
				t.Errorf("the hint names no figure that is there: %s", a.Error.Hint)
			}
		})
	}
}

// A12: the oracle is asked through the session's gate: a host that the session
// may not reach is blocked for it, too, also where a redirect leads.
func TestOracleCantLeaveTheAllowlist(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("browser_launch", `{"options": {"allowed_hosts": ["127.0.0.1"]}}`)
	for _, host := range []string{"169.254.169.254", "localhost", "metadata.google.internal"} {
		d.Target.KPI = &qa.KPISpec{Type: qa.APIEndpoint, URL: "http://" + host + "/kpi"}
		if a := d.raw("kpi_oracle", `{}`); a.OK || a.Error.Code != "HOST_BLOCKED" || !strings.Contains(a.Error.Message, host) {
			t.Errorf("%s: %+v", host, a.Error)
		}
	}
}

// A relative endpoint belongs to the environment, or to the page that is open.
func TestOracleWithoutAnAddress(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("browser_launch", `{"options": {}}`)
	d.Target.KPI = &qa.KPISpec{Type: qa.APIEndpoint, URL: "/kpi"}
	if a := d.raw("kpi_oracle", `{}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, "no page is open") || !strings.Contains(a.Error.Hint, "base_url") {
		t.Errorf("%s", a.text)
	}
}

// A5: expected values may be written as numbers.
func TestOracleTakesNumbers(t *testing.T) {
	t.Parallel()
	d := offline(t)
	a := d.ok("kpi_oracle", `{"spec": {"type": "staticValues", "values": {"Revenue": 24567.5, "Orders": "1,240"}}}`)
	if !strings.Contains(a.text, "Revenue: 24567.5") || !strings.Contains(a.text, "Orders: 1,240") {
		t.Errorf("%s", a.text)
	}
	if a := d.raw("kpi_oracle", `{"spec": {"type": "staticValues", "values": {"Revenue": [1]}}}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, "Revenue") && !strings.Contains(a.Error.Message, "values") {
		t.Errorf("%s", a.text)
	}
}

// A5, A9: a run whose task has an oracle is inconclusive as long as a KPI of one
// of its ranges was not compared, however many other checks passed.
func TestRunWithoutItsKPIsIsInconclusive(t *testing.T) {
	t.Parallel()
	url := site(t, map[string]string{"/": `<title>Home</title><h1>Home</h1>`})
	d := online(t)
	d.ok("run_start", `{"goal": "g", "kpiSpec": {"type": "staticValues", "values": {"Revenue": "1", "Orders": "2"}}, "ranges": [{"name": "today"}, {"name": "7d"}]}`)
	d.ok("verify_page_loads", `{"url": %q}`, url)
	if status, reason := d.finish(); status != "inconclusive" || !strings.Contains(reason, "check_kpis today: not compared: Orders, Revenue (and 1 more)") {
		t.Errorf("%s: %s", status, reason)
	}
}

// A10: a task with ranges and without an oracle gets that of its environment,
// and its report says so; a caller's values stand for it only where the task
// has none.
func TestOracleOfTheEnvironment(t *testing.T) {
	t.Parallel()
	d := offline(t)
	d.Target.KPI = &qa.KPISpec{Type: qa.StaticValues, Values: map[string]string{"Revenue": "7"}}
	expected := func(args string) any {
		t.Helper()
		return d.ok("kpi_oracle", "%s", args).Data["data"].(map[string]any)["Revenue"]
	}
	const given = `{"spec": {"type": "staticValues", "values": {"Revenue": "8"}}}`
	if e := expected(`{}`); e != 7. {
		t.Errorf("outside of a run: %v", e)
	}
	if e := expected(given); e != 8. {
		t.Errorf("outside of a run, given: %v", e)
	}
	d.ok("run_start", `{"goal": "g", "ranges": [{"name": "7d"}]}`)
	if e := expected(`{}`); e != 7. {
		t.Errorf("within a run: %v", e)
	}
	if a := d.raw("kpi_oracle", given); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, "has its own kpiSpec") {
		t.Errorf("replaced within a run: %s", a.text)
	}
	a := d.ok("run_finish", `{}`)
	if task := a.Data["task"].(map[string]any); task["kpiSpec"] == nil || !strings.Contains(a.text, "check_kpis 7d: not compared: Revenue") {
		t.Errorf("%s", a.text)
	}
}

// A5, A9: an oracle that can't be asked is the tester's fault: the run is
// inconclusive and says why, it has its report, and the page is not blamed.
func TestRunWithAFailingOracle(t *testing.T) {
	t.Parallel()
	all, base := online(t), oracleSite(t, func(*http.Request) {})
	page := site(t, map[string]string{"/": `<title>Home</title><h1>Home</h1><dl><dt>Revenue</dt><dd>12,345.60</dd></dl>`})
	for name, tt := range map[string]struct{ url, code, says string }{
		"signed out": {base + "/api/kpi", "ORACLE_FAILED", "expired sign-in?"},
		"HTML":       {page + "/", "ORACLE_FAILED", "HTML or XML"},
		"not there":  {page + "/none", "ORACLE_FAILED", "status 404"},
		"nobody":     {"http://127.0.0.1:1/kpi", "ORACLE_FAILED", "connection refused"},
		"forbidden":  {"http://169.254.169.254/kpi", "HOST_BLOCKED", "169.254.169.254"},
	} {
		t.Run(name, func(t *testing.T) {
			d := all
			d.t = t
			d.ok("run_start", `{"goal": "g", "kpiSpec": {"type": "apiEndpoint", "url": %q, "map": {"Revenue": "/Revenue"}}}`, tt.url)
			d.ok("page_navigate", `{"url": %q}`, page)
			if a := d.raw("check_kpis", `{}`); a.Error.Code != tt.code || !strings.Contains(a.Error.Message, tt.says) {
				t.Errorf("%s", a.text)
			}
			d.ok("verify_element_exists", `{"selector": "heading \"Home\""}`)
			if status, reason := d.finish(); status != "inconclusive" || !strings.Contains(reason, tt.code) {
				t.Errorf("%s: %s", status, reason)
			}
		})
	}
}

// A12: an endpoint that repeats a secret does not bring it into an answer or
// into what is kept of the run.
func TestOracleThatRepeatsASecret(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>In</title><label>PIN <input></label>`)
	})
	mux.HandleFunc("/kpi", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"Revenue": "hunter2-48151623"}`) })
	mux.HandleFunc("/down", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no sign-in for hunter2-48151623", http.StatusInternalServerError)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	d := online(t)
	d.withSecrets(map[string]string{"PIN": "hunter2-48151623"})
	d.ok("page_navigate", `{"url": %q}`, server.URL)
	d.ok("page_fill", `{"selector": "textbox \"PIN\"", "value": "${secret:PIN}"}`)
	for _, path := range []string{"/kpi", "/down"} {
		d.Target.KPI = &qa.KPISpec{Type: qa.APIEndpoint, URL: path, Units: map[string]string{"Revenue": "USD"}}
		a := d.raw("kpi_oracle", `{}`)
		if raw := fmt.Sprintf("%s %+v %v", a.text, a.Error, a.Data); strings.Contains(raw, "hunter2") || !strings.Contains(raw, "•") && !strings.Contains(raw, "PIN") {
			t.Errorf("%s: %s", path, raw)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if strings.Contains(d.files(), "hunter2") {
		t.Error("the secret is kept in the run's folder")
	}
}
