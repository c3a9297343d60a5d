package tools_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

// answersSite has a page that asks for what its query says, and answers that come later.
func answersSite(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Orders</title><p id=total>100</p><button onclick="act()">Save</button><script>
const put = t => { total.textContent = t }, ask = (url, o) => fetch(url, o).then(r => r.text()), order = () => ask('/api/orders/never', {method: 'POST'})
let act = () => {}
new Function(decodeURIComponent(location.search.slice(1)))()
</script>`)
	})
	mux.HandleFunc("/api/total", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(2500 * time.Millisecond):
			fmt.Fprint(w, "50")
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/api/now", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "now") })
	mux.HandleFunc("/api/flush", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, strings.Repeat("x", 1<<20))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	never := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	mux.HandleFunc("/api/orders/never", never)
	mux.HandleFunc("/inbox/longpoll", never)
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL
}

// Issue 29, item 6: what holds while the page waits for an answer is no proof; what goes
// on by design is not waited for.
func TestWhatAnAnswerMayChangeIsNoProof(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.Watch = wait.Standard().Watch
	site := answersSite(t)
	const shows, gone = `{"timeout_ms": 200, "selector": "#total", "assertion": {"type": "text_equals", "expected": %q}}`, `{"selector": ".error", "assertion": {"type": "hidden"}}`
	cells := map[string]struct {
		page  string
		act   bool
		check string
		want  string // passed, failed, or the request that is named
	}{
		"a cached figure under a fetch":         {`ask('/api/total').then(put)`, false, fmt.Sprintf(shows, "100"), "failed"},
		"the same by XHR":                       {`const x = new XMLHttpRequest(); x.onload = () => put(x.response); x.open('GET', '/api/total'); x.send()`, false, fmt.Sprintf(shows, "100"), "failed"},
		"the second of two answers":             {`ask('/api/now').then(t => { put(t); return ask('/api/total') }).then(put)`, false, fmt.Sprintf(shows, "now"), "failed"},
		"an optimistic word":                    {`act = () => { put('Saved'); order() }`, true, fmt.Sprintf(shows, "Saved"), "POST " + site + "/api/orders/never"},
		"no error, while the order is not sent": {`act = order`, true, gone, "POST " + site + "/api/orders/never"},
		"that the request was sent":             {`act = order`, true, `{"assertion": {"type": "request_made", "expected": "POST /api/orders/never any"}}`, "passed"},
		"streams, beacons and polls": {`new EventSource('/stream'); ask('/stream'); navigator.sendBeacon('/inbox/x', '1'); ask('/inbox/longpoll');
			(function poll() { ask('/api/now').then(poll) })()`, false, strings.Replace(fmt.Sprintf(shows, "100"), "200", "30000", 1), "passed"},
		"answers that nobody reads": {`fetch('/api/now'); fetch('/api/flush')`, false, fmt.Sprintf(shows, "100"), "passed"},
	}
	for i, name := range slices.Sorted(maps.Keys(cells)) {
		tt := cells[name]
		if !sampled(i, 2) { // the flows below have the writes
			continue
		}
		d.ok("page_navigate", `{"url": %q}`, site+"/?"+url.PathEscape(tt.page))
		if tt.act {
			d.ok("page_click", `{"selector": "button \"Save\""}`)
		}
		a, got := d.call("verify_assertion", "%s", tt.check), "passed"
		switch {
		case !a.OK && a.Error.Code == "TIMEOUT":
			got = tt.want
			if !strings.Contains(a.text, tt.want) {
				got = "open, without the request's name"
			}
		case !a.OK:
			got = a.Error.Code
		case a.Data["passed"] != true:
			got = "failed"
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s: %s", name, got, tt.want, a.text)
		}
	}
	flow := `{"start_url": %q, "steps": [{"action": "click", "selector": "button \"Save\""}, {"action": "assert", "selector": "#total", "assertion": {"type": "text_equals", "expected": "100"}}]}`
	if a := d.ok("verify_user_flow", flow, site+"/?"+url.PathEscape("act = () => ask('/api/total').then(put)")); a.Data["status"] != "failed" {
		t.Errorf("a flow that leaves at once: %s", a.text)
	}
	if a := d.ok("verify_user_flow", flow, site+"/?"+url.PathEscape("act = () => setTimeout(order, 300)")); a.Data["status"] != "inconclusive" || !strings.Contains(a.text, "/api/orders/never") {
		t.Errorf("a flow that ends before what it sends is answered: %s", a.text)
	}
}
