package tools_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/pagehealth"
)

// traced starts a run with a trace and returns how to end it.
func (d desk) traced(task string) (finish func() qa.QAReport) {
	d.t.Helper()
	d.Trace = true
	id := d.ok("run_start", `%s`, task).Data["run_id"].(string)
	return func() qa.QAReport {
		d.t.Helper()
		d.ok("run_finish", `{}`)
		report, err := d.Store.Report(id)
		if err != nil {
			d.t.Fatal(err)
		}
		return report
	}
}

// unzipped is every entry of a stored trace, inflated.
func (d desk) unzipped(run, name string) map[string][]byte {
	d.t.Helper()
	in, err := zip.OpenReader(filepath.Join(d.dir, "runs", run, name))
	if err != nil {
		d.t.Fatal(err)
	}
	defer in.Close()
	out := map[string][]byte{}
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			d.t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			d.t.Fatalf("%s: %v", f.Name, err)
		}
		if err := r.Close(); err != nil {
			d.t.Fatal(err)
		}
		out[f.Name] = data
	}
	return out
}

// traceEvents are the events of a trace, decoded.
func traceEvents(t *testing.T, lines []byte) []map[string]any {
	t.Helper()
	var out []map[string]any
	for line := range bytes.Lines(lines) {
		var e map[string]any
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("an event of the trace is no JSON: %v: %.200s", err, line)
		}
		out = append(out, e)
	}
	return out
}

// tracesOf are the names of the traces that a report lists.
func tracesOf(report qa.QAReport) []string {
	var out []string
	for _, a := range report.Artifacts {
		if a.MIMEType == "application/zip" {
			out = append(out, a.Name)
		}
	}
	return out
}

// TestRunsAreTraced: a run's sessions, and nothing outside of runs, leave a
// trace in which the tools' calls are groups with the browser's actions below
// them and pictures beside (A2).
func TestRunsAreTraced(t *testing.T) {
	t.Parallel()
	d := online(t)
	web := site(t, map[string]string{"/": `<title>t</title><label>Name <input></label><button onclick="document.title='saved'">Save</button>`})
	d.ok("page_navigate", `{"url": %q}`, web)
	finish := d.traced(`{"goal": "save"}`)
	d.ok("page_fill", `{"selector": "textbox \"Name\"", "value": "Ada"}`)
	d.ok("page_click", `{"selector": "button \"Save\""}`)
	d.ok("verify_assertion", `{"assertion": {"type": "title_equals", "expected": "saved"}}`)
	d.call("page_click", `{"selector": "button \"Gone\"", "timeout_ms": 50}`)
	d.ok("verify_page_loads", `{"url": %q}`, web)
	report := finish()
	if got := tracesOf(report); !slices.Equal(got, []string{"trace.zip", "trace-2.zip"}) || report.Links.TraceURL != "trace.zip" {
		t.Fatalf("traces %v, link %q; findings %v", got, report.Links.TraceURL, report.Findings)
	}
	titles := map[string]map[string]any{}
	under := map[string][]string{}
	pictures := 0
	var entries map[string][]byte
	for _, name := range []string{"trace.zip", "trace-2.zip"} {
		if all := d.unzipped(report.RunID, name); bytes.Contains(all["trace.trace"], []byte("page_fill")) {
			entries = all
		}
	}
	for _, e := range traceEvents(t, entries["trace.trace"]) {
		switch e["type"] {
		case "before":
			if e["class"] == "Tracing" {
				titles[e["title"].(string)] = e
				continue
			}
			parent, _ := e["parentId"].(string)
			under[parent] = append(under[parent], e["method"].(string))
		case "screencast-frame":
			pictures++
			if len(entries["resources/"+e["sha1"].(string)]) == 0 {
				t.Errorf("picture %s is not in the zip", e["sha1"])
			}
		}
	}
	for title, method := range map[string]string{`page_fill textbox "Name"`: "fill", `page_click button "Save"`: "click", `verify_assertion title_equals saved`: "", `page_click button "Gone"`: "click"} {
		group := titles[title]
		if group == nil {
			t.Errorf("no group %s in %v", title, titles)
			continue
		}
		if group["beforeSnapshot"] == nil {
			t.Errorf("%s shows no page", title)
		}
		if got := under[group["callId"].(string)]; method != "" && !slices.Contains(got, method) {
			t.Errorf("%s holds %v, want %s", title, got, method)
		}
	}
	if pictures == 0 {
		t.Error("no pictures")
	}
	if all := under[""]; len(all) > 0 {
		t.Errorf("actions outside of every call: %v", all)
	}
}

// TestTracesHoldNoSecret: a typed secret that is sent by POST, answered as a
// cookie and echoed by the page in every spelling, and a password that is no
// secret of ours, stand in no byte of any entry (A12, A2).
func TestTracesHoldNoSecret(t *testing.T) {
	t.Parallel()
	const secret, password, short = `Zq7#"canary<&>Ünï`, "plain-Pass%word", "q9~z!"
	d := online(t)
	d.withSecrets(map[string]string{"PIN": secret})
	echo := func(w http.ResponseWriter, r *http.Request) {
		pin := r.FormValue("pin")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "cookie-canary-1"})
		w.Header().Set("X-Api-Token", "header-canary-1")
		raw, _ := json.Marshal(map[string]string{"pin": pin})
		fmt.Fprintf(w, `<title>in</title><p id=a></p><p>%s</p><p>%s</p><input value=%s><script>a.textContent = %s.pin; console.log("it is " + a.textContent);
			fetch('/api?x=' + encodeURIComponent(a.textContent), {headers: {Authorization: 'Basic ' + btoa('u:p')}});</script>`,
			base64.StdEncoding.EncodeToString([]byte("user:"+pin)), url.QueryEscape(pin), url.QueryEscape(pin), raw)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/in", echo)
	mux.HandleFunc("/api", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprintf(w, "\xff\xfe\x00%s", r.FormValue("x"))
	})
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<title>t</title><form method=post action=/in><label>Pin <input name=pin></label><label>Password <input type=password name=pw></label><label>Code <input type=PASSWORD name=cd></label><button>Go</button></form>`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	finish := d.traced(`{"goal": "sign in"}`)
	state := filepath.Join(t.TempDir(), "state.json")
	host := strings.TrimPrefix(server.URL[:strings.LastIndex(server.URL, ":")], "http://")
	if err := os.WriteFile(state, []byte(`{"cookies":[{"name":"old","value":"state-canary-1","domain":"`+host+`","path":"/","expires":-1,"httpOnly":true,"secure":false,"sameSite":"Lax"}],
		"origins":[{"origin":"`+server.URL+`","localStorage":[{"name":"jwt","value":"state-canary-2"}]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	d.ok("browser_launch", `{"options": {"storage_state": %q}}`, state)
	d.ok("page_navigate", `{"url": %q}`, server.URL)
	d.ok("page_fill", `{"selector": "textbox \"Code\"", "value": %q}`, short)
	d.ok("page_fill", `{"selector": "textbox \"Pin\"", "value": "${secret:PIN}"}`)
	d.ok("page_fill", `{"selector": "textbox \"Password\"", "value": %q}`, password)
	d.ok("page_click", `{"selector": "button \"Go\""}`)
	d.ok("verify_assertion", `{"assertion": {"type": "title_equals", "expected": "in"}}`)
	d.ok("verify_assertion", `{"assertion": {"type": "request_made", "expected": "**/api**"}}`)
	report := finish()
	entries := d.unzipped(report.RunID, "trace.zip")
	var all []byte
	for name, data := range entries {
		all = append(append(all, name...), data...)
		if name == "trace.trace" || name == "trace.network" {
			traceEvents(t, data) // still JSON
		}
	}
	raw, _ := json.Marshal(secret)
	for what, canary := range map[string]string{
		"the secret": secret, "its middle": "canary<", "as JSON": strings.Trim(string(raw), `"`), "in a query": url.QueryEscape(secret), "in a path": url.PathEscape(secret),
		"in base64": base64.StdEncoding.EncodeToString([]byte(secret))[:16], "in longer base64": base64.StdEncoding.EncodeToString([]byte("user:" + secret))[8:24],
		"a password": password, "a password in a form": url.QueryEscape(password),
		"a cookie": "cookie-canary", "a kept state": "state-canary", "a short password": short, "a short password in a form": url.QueryEscape(short), "a credential in a header": "header-canary", "an authorization": base64.StdEncoding.EncodeToString([]byte("u:p")),
	} {
		for name, data := range entries {
			if at := bytes.Index(data, []byte(canary)); at >= 0 {
				t.Errorf("%s (%s) is in %s: …%.80q", what, canary, name, data[max(0, at-30):])
			}
		}
	}
	if !bytes.Contains(all, []byte("${secret:PIN}")) {
		t.Error("no mask in the trace: the test looks for nothing")
	}
	if !bytes.Contains(entries["notes.txt"], []byte("showed a secret")) {
		t.Errorf("pictures that show the secret: %q", entries["notes.txt"])
	}
}

// TestFlowsAreTraced: a flow that has a context of its own leaves a trace in
// which its steps are groups, one an attempt; so does a checked page (A2).
func TestFlowsAreTraced(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.Trace = true
	web := site(t, map[string]string{"/": goodPage})
	result, err := flows.Play(t.Context(), d.Workspace, flow.Flow{Name: "look", StartURL: web, Steps: []qa.FlowStep{
		{Action: "hover", Selector: "css=h1"}, {Action: "assert", Selector: "css=h2", TimeoutMS: 50, Assertion: &qa.Assertion{Type: qa.Visible}}}}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	groups := func(run string) (out []string, failed int) {
		report, err := d.Store.Report(run)
		if err != nil {
			t.Fatal(err)
		}
		if got := tracesOf(report); !slices.Equal(got, []string{"trace.zip"}) {
			t.Fatalf("traces %v", got)
		}
		for _, e := range traceEvents(t, d.unzipped(run, "trace.zip")["trace.trace"]) {
			if id, _ := e["callId"].(string); strings.HasPrefix(id, "assay@") {
				if title, ok := e["title"].(string); ok {
					out = append(out, title)
				}
				if e["error"] != nil {
					failed++
				}
			}
		}
		return out, failed
	}
	got, failed := groups(result.RunID)
	if len(got) != 3 || !strings.Contains(got[1], "hover") || !strings.Contains(got[2], "assert") || failed != 1 {
		t.Errorf("groups of a flow: %q, %d failed, want open, hover and a failed assert", got, failed)
	}
	report, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, web, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := groups(report.RunID); !slices.Equal(got, []string{"check " + web}) {
		t.Errorf("groups of a checked page: %q", got)
	}
}

// TestTracesOnRequest: outside of runs a session is traced where its launch says
// so, and the trace is filed when it is closed; in a run it may be left out.
func TestTracesOnRequest(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.Trace = true
	web := site(t, map[string]string{"/": goodPage})
	for options, want := range map[string]bool{`{}`: false, `{"trace": true}`: true} {
		id := d.ok("browser_launch", `{"options": %s}`, options).Data["session_id"].(string)
		d.ok("page_navigate", `{"url": %q}`, web)
		a := d.ok("browser_close", `{"session_id": %q}`, id)
		if got := strings.Contains(a.text, "written: trace.zip"); got != want {
			t.Errorf("%s outside of a run: %s", options, a.text)
		}
	}
	finish := d.traced(`{"goal": "g"}`)
	d.ok("browser_launch", `{"options": {"trace": false}}`)
	d.ok("page_navigate", `{"url": %q}`, web)
	if report := finish(); len(tracesOf(report)) != 0 || report.Links.TraceURL != "" {
		t.Errorf("a trace that was declined: %v", tracesOf(report))
	}
	d.Trace = false
	d.ok("browser_close", `{}`)
	d.ok("run_start", `{"goal": "g"}`)
	d.ok("page_navigate", `{"url": %q}`, web)
	if a := d.ok("run_finish", `{}`); strings.Contains(fmt.Sprint(a.Data), "trace.zip") {
		t.Error("a trace although browser.trace is false")
	}
}

// TestARunStartsATraceOfItsOwn: a session that was traced before a run has what
// it did then in another trace, which is stored too.
func TestARunStartsATraceOfItsOwn(t *testing.T) {
	t.Parallel()
	d := online(t)
	web := site(t, map[string]string{"/before": goodPage, "/after": goodPage})
	d.ok("browser_launch", `{"options": {"trace": true}}`)
	d.ok("page_navigate", `{"url": %q}`, web+"/before")
	finish := d.traced(`{"goal": "g"}`)
	d.ok("page_navigate", `{"url": %q}`, web+"/after")
	report := finish()
	requests := string(d.unzipped(report.RunID, "trace.zip")["trace.network"])
	if strings.Contains(requests, "/before") || !strings.Contains(requests, "/after") {
		t.Errorf("the run's trace has other requests: %s", requests)
	}
	d.ok("browser_close", `{}`) // which waits for what is stored outside of runs
	if found, err := filepath.Glob(filepath.Join(d.dir, "runs", "*", "trace.zip")); err != nil || len(found) != 2 {
		t.Errorf("the trace of what went before is not stored: %v, %v", found, err)
	}
}

// TestASessionOutlivesItsTrace: of two runs in one session each has the trace of
// its own time.
func TestASessionOutlivesItsTrace(t *testing.T) {
	t.Parallel()
	d := online(t)
	web := site(t, map[string]string{"/": `<title>t</title><style>@import "/x.css"</style><button>One</button><button>Two</button>`, "/x.css": "button { color: red }"})
	for _, name := range []string{"One", "Two"} {
		finish := d.traced(`{"goal": "g"}`)
		d.ok("page_navigate", `{"url": %q}`, web)
		d.ok("page_click", `{"selector": %q}`, `button "`+name+`"`)
		report := finish()
		entries := d.unzipped(report.RunID, "trace.zip")
		clicks := 0
		for _, e := range traceEvents(t, entries["trace.trace"]) {
			if e["method"] == "click" {
				clicks++
			}
		}
		if clicks != 1 || !bytes.Contains(entries["trace.trace"], []byte(`page_click button \"`+name+`\"`)) {
			t.Errorf("run %s has %d clicks", name, clicks)
		}
		for _, e := range traceEvents(t, entries["trace.network"]) {
			content, _ := e["snapshot"].(map[string]any)["response"].(map[string]any)["content"].(map[string]any)
			if sha, _ := content["_sha1"].(string); sha != "" && entries["resources/"+sha] == nil {
				t.Errorf("run %s: the body %s is missing", name, sha)
			}
		}
	}
}

// TestTraceOfAClientThatWentAway: the run that it left open has its trace (A2).
func TestTraceOfAClientThatWentAway(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.Trace = true
	web := site(t, map[string]string{"/": goodPage})
	id := d.ok("run_start", `{"goal": "g"}`).Data["run_id"].(string)
	d.ok("page_navigate", `{"url": %q}`, web)
	d.LastTraffic()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	report, err := d.Store.Report(id)
	if err != nil {
		t.Fatal(err)
	}
	if report.Status != qa.Inconclusive || !slices.Equal(tracesOf(report), []string{"trace.zip"}) {
		t.Errorf("%s, traces %v, findings %+v", report.Status, tracesOf(report), report.Findings)
	}
}
