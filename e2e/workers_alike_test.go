package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestWorkersEndAsByItself (S3): what is run by workers ends as without them: flows, a task and
// a spec, in quarantine or not, in rounds, and resumed at the address that the suite had.
func TestWorkersEndAsByItself(t *testing.T) {
	needsBrowser(t)
	pages := func(heading string) *httptest.Server {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprintf(w, `<!doctype html><title>Shop</title><h1>%s</h1><p>All well</p>`, heading)
		}))
		t.Cleanup(site.Close)
		return site
	}
	asked, configured := pages("Dashboard"), pages("Another site")
	assertion := "[[steps]]\naction = \"assert\"\nselector = \"h1\"\nassertion = { type = \"text_equals\", expected = \"%s\" }\n"
	w := withFiles(t, map[string]string{
		"mcp.toml": "schema_version = 1\n[env.shop]\nbase_url = \"" + configured.URL + "\"\n" +
			"[quarantine.known]\nfile = \"wrong.flow.toml\"\nreason = \"it is known\"\nuntil = \"2999-01-01\"\n",
		"right.flow.toml": "name = \"right\"\nstart_url = \"/\"\n" + fmt.Sprintf(assertion, "Dashboard"),
		"wrong.flow.toml": "name = \"wrong\"\nstart_url = \"/\"\n" + fmt.Sprintf(assertion, "Nothing"),
		"shop.task.toml":  "goal = \"the shop is up\"\nroute = \"/\"\n[[expectations]]\ntext = \"The heading says \\\"Dashboard\\\"\"\n",
		"shop.md":         "# Shop\n\n## Steps\n\n1. Open \"/\"\n\n## Expected\n\n- The heading says \"Dashboard\"\n",
	})
	run := func(args ...string) (ends []string, id string) {
		t.Helper()
		stdout, stderr, _ := commandWith(t, w.cmd.Dir, []string{"ASSAY_DATA_DIR=" + w.data}, append([]string{"run", "--json", "--config", "mcp.toml"}, args...)...)
		var result struct {
			ID     string `json:"test_run_id"`
			Status string
			Cases  []struct{ Name, Status, Quarantine string } `json:"test_cases"`
		}
		if err := json.Unmarshal([]byte(stdout), &result); err != nil {
			t.Fatalf("%v: %v\n%s\n%s", args, err, stdout, stderr)
		}
		for _, c := range result.Cases {
			ends = append(ends, strings.Join([]string{c.Name, c.Status, c.Quarantine}, " | "))
		}
		return append(ends, result.Status), result.ID
	}
	files := []string{"right.flow.toml", "wrong.flow.toml", "shop.task.toml", "shop.md", "--base-url", asked.URL, "--repeat", "2"}
	alone, _ := run(files...)
	byWorkers, _ := run(append(files, "--workers", "2")...)
	if !slices.Equal(alone, byWorkers) || !slices.Contains(alone, "right | passed | ") {
		t.Errorf("alone:\n  %s\nby workers:\n  %s", strings.Join(alone, "\n  "), strings.Join(byWorkers, "\n  "))
	}
	_, id := run("right.flow.toml", "wrong.flow.toml", "--base-url", asked.URL)
	if resumed, _ := run("--resume", id, "--workers", "1"); !slices.Contains(resumed, "right | passed | ") {
		t.Errorf("a suite that is resumed is not at its address: %s", strings.Join(resumed, "\n"))
	}
}
