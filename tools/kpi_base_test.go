package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/workspace"
)

// A5: where the environment's base URL has a path, it belongs to the address of
// a range's step, and to that of the oracle; where there is none, the open
// page's site does.
func TestKPIAddressesKeepTheBasesPath(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/app/week", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<html lang=en><title>W</title><div><h3>Orders</h3><p>321</p></div>`)
	})
	mux.HandleFunc("/app/kpi", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"Orders": 321}`) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	d := online(t)
	for _, tt := range []struct{ base, prefix string }{{server.URL + "/app", ""}, {server.URL + "/app/", ""}, {"", "/app"}} {
		d.Target = workspace.Target{BaseURL: tt.base, KPI: &qa.KPISpec{Type: qa.APIEndpoint, URL: tt.prefix + "/kpi?v=1", Map: map[string]string{"Orders": "/Orders"}}}
		d.ok("page_navigate", `{"url": %q}`, server.URL+"/app/week?first")
		a := d.ok("check_kpis", `{"timeout_ms": 700, "ranges": [{"name": "7d", "steps": [{"action": "navigate", "url": "%s/week"}]}]}`, tt.prefix)
		if a.Data["passed"] != true || !strings.Contains(a.text, "PASSED: 1 of 1") {
			t.Errorf("base %q: %s", tt.base, a.text)
		}
	}
}
