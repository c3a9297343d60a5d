package tools_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// An error names what is there and what to do: a download is no page, a port without
// TLS is worth http://, 401 names the sign-in; a mock of HTML is shown as a page.
func TestAnswersSayWhatToDo(t *testing.T) {
	t.Parallel()
	d := online(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(goodPage)) })
	mux.HandleFunc("/invoice.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="invoice.pdf"`)
		_, _ = w.Write([]byte("%PDF-1.4"))
	})
	mux.HandleFunc("/private", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) })
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	for _, tt := range []struct{ args, says, next string }{
		{`{"url": "` + server.URL + `/invoice.pdf"}`, "which the browser downloads; it is not a page", "saved"},
		{`{"url": "` + strings.Replace(server.URL, "http:", "https:", 1) + `/"}`, "ERR_SSL", "try http://"},
		{`{"url": "` + server.URL + `/slow", "timeout_ms": 300}`, "it took longer than its time-out of 0.3 s", "raise timeout_ms"},
	} {
		a := d.raw("page_navigate", tt.args)
		if a.OK || !strings.Contains(a.Error.Message, tt.says) || !strings.Contains(a.Error.Hint, tt.next) || strings.Contains(a.text, "ms exceeded") {
			t.Errorf("%s: %s\n%+v", tt.args, a.text, a.Error)
		}
	}
	if a := d.ok("page_navigate", `{"url": "%s/private"}`, server.URL); !strings.Contains(a.text, "assay login") {
		t.Errorf("401: %s", a.text)
	}
	if a := d.ok("verify_page_loads", `{"url": "%s/private"}`, server.URL); a.Data["success"] != false || !strings.Contains(a.text, "assay login") {
		t.Errorf("401: %s", a.text)
	}
	if a := d.raw("verify_page_loads", `{"url": "`+server.URL+`/invoice.pdf"}`); a.OK || !strings.Contains(a.text, "it is not a page") || strings.Contains(a.text, "blocker") {
		t.Errorf("a file is a broken page: %s", a.text)
	}
	d.ok("network_intercept", `{"patterns": ["**/mocked"], "mode": "mock", "response": {"body": "<!doctype html><title>M</title><h1>Mocked</h1>", "headers": ["X-Test: 1"]}}`)
	d.ok("page_navigate", `{"url": "%s/mocked"}`, server.URL)
	if a := d.ok("page_snapshot", `{}`); !strings.Contains(a.text, `heading "Mocked"`) || strings.Contains(a.text, "<title>") {
		t.Errorf("a mock of HTML: %s", a.text)
	}
	if a := d.ok("page_snapshot", `{}`); a.Data["outline"] != nil || len(a.Data["hash"].(string)) != 16 || !strings.Contains(a.Data["url"].(string), "/mocked") {
		t.Errorf("the outline stands in the data too, or its hash doesn't: %v", a.Data)
	}
}
