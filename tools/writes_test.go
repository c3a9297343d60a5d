package tools_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Step 15, point 7: a write that one act sends twice, and one that is answered as done by a
// body that says that it failed, are minor findings with the request. A retry, a query by POST and two acts are none.
func TestWritesOfAnAct(t *testing.T) {
	t.Parallel()
	d := patient(t)
	send := func(path, body string) string {
		return fmt.Sprintf(`fetch('%s', {method: 'POST', body: '%s', headers: {'Content-Type': 'application/json'}})`, path, body)
	}
	page := `<!doctype html><title>T</title><h1>Orders</h1><p id=out>-</p>` +
		`<button onclick="` + send("/twice", `{}`) + `; ` + send("/twice", `{}`) + `.then(() => out.textContent = 'Sent')">Twice</button>` +
		`<button onclick="` + send("/down", `{}`) + `.then(() => out.textContent = 'Thanks')">Down</button>` +
		`<button onclick="` + send("/flaky", `{}`) + `.then(() => ` + send("/flaky", `{}`) + `).then(() => out.textContent = 'Again')">Flaky</button>` +
		`<button onclick="` + send("/query", `{&quot;query&quot;: &quot;{orders}&quot;}`) + `; ` + send("/query", `{&quot;query&quot;: &quot;{orders}&quot;}`) + `.then(() => out.textContent = 'Read')">Query</button>` +
		`<button onclick="` + send("/once", `{}`) + `.then(() => out.textContent += 'i')">Once</button>`
	flaky := make(chan bool, 1)
	flaky <- true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, page)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/flaky" {
			select {
			case <-flaky:
				w.WriteHeader(http.StatusBadGateway)
			default:
			}
		}
		fmt.Fprintf(w, `{"ok": %v}`, r.URL.Path != "/down")
	}))
	t.Cleanup(server.Close)
	for button, c := range map[string]struct{ shows, finding string }{
		"Twice": {"Sent", "sent-twice"},
		"Down":  {"Thanks", "error-in-answer"},
		"Flaky": {"Again", ""},
		"Query": {"Read", ""},
	} {
		d.ok("run_start", `{"goal": "it works"}`)
		d.ok("verify_user_flow", `{"start_url": %q, "steps": [{"action": "click", "selector": "button \"%s\""}], "success_condition": %q}`, server.URL, button, c.shows)
		report := d.finished()
		var found []string
		for _, f := range report.Findings {
			if name, ok := strings.CutPrefix(string(f.Assertion), "the page is healthy: "); ok {
				found = append(found, name)
			}
		}
		if strings.Join(found, " ") != c.finding {
			t.Errorf("%s: found %v, want %q: %s", button, found, c.finding, report.StatusReason)
		}
	}
	d.ok("run_start", `{"goal": "it works"}`)
	d.ok("verify_user_flow", `{"start_url": %q, "steps": [{"action": "click", "selector": "button \"Once\""}, {"action": "click", "selector": "button \"Once\""}], "success_condition": "-ii"}`, server.URL)
	if report := d.finished(); len(report.Findings) > 0 {
		t.Errorf("two acts: %+v", report.Findings)
	}
}
