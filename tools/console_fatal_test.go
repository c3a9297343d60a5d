package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
)

// A9, A21: an error of the console that fits a fatal pattern fails a client's run
// as it ends an agent's; any other one doesn't by itself.
func TestFatalConsoleErrors(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>T</title><h1>Here</h1><script>console.error(%q); console.error(%q)</script>`, r.URL.Query().Get("says"), r.URL.Query().Get("says"))
	}))
	t.Cleanup(site.Close)
	d := online(t)
	d.FatalConsole = []*regexp.Regexp{regexp.MustCompile(`\bReactorMeltdown\b`)}
	for says, want := range map[string]string{"ReactorMeltdown+at+core+3": "failed", "Reactor+warm": "passed"} {
		d.ok("run_start", `{"goal": "look"}`)
		d.ok("page_navigate", `{"url": "%s/?says=%s"}`, site.URL, says)
		d.ok("verify_element_exists", `{"selector": "heading \"Here\""}`)
		if status, reason := d.finish(); status != want {
			t.Errorf("%s: %s (%s), want %s", says, status, reason, want)
		}
	}
}
