package e2e_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/wiretest"
)

// TestSanityOnEveryWire works the demo's sanity task (A8, A11) with the
// scripted provider of every wire, which says always the same: sign-in, figures
// of three ranges against the oracle, console. The verdict is that of the
// checks: passed, failed where a figure is wrong, and no pass where nobody
// listens.
func TestSanityOnEveryWire(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	for i, w := range wiretest.Wires() {
		t.Run(string(w), func(t *testing.T) {
			t.Parallel() // what a broken page keeps waiting, another one uses
			healthy, wrong := startDemo(t, demo.Options{}), startDemo(t, demo.Options{Variant: "slip-1000"})
			for _, c := range []struct {
				name, site string
				status     string
			}{{"healthy", healthy.URL(), "passed"}, {"defective", wrong.URL(), "failed"}, {"unreachable", strings.TrimSuffix(closedPort(t), "/"), ""}} {
				if (i > 0 || c.name != "unreachable") && !soak() {
					continue // cmd/assay works a task on every wire, this one on both dashboards, and TestSpecsOnEveryWire the wrong one by a model
				}
				if got := sanityTask(t, w, c.site); c.status != "" && got.Status != c.status || got.Status == "passed" && c.status == "" {
					t.Errorf("%s: %s: %s", c.name, got.Status, got.FailureReason)
				}
			}
		})
	}
}

// sanityTask works the task that assay demo --serve --tasks writes.
func sanityTask(t *testing.T, w wiretest.Wire, site string) suiteCase {
	t.Helper()
	dir := t.TempDir()
	for name, text := range demo.Tasks(site) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server, err := wiretest.New(w, wiretest.Fixed(
		say(call("page_navigate", map[string]any{"url": site + "/dashboard"})),
		say(call("check_kpis", map[string]any{})),
		say(holds("E1", `heading "Dashboard"`, "visible", ""), holds("E2", "testid=alerts", "text_equals", "No alerts")),
		say(call("verify_assertion", map[string]any{"expects": []string{"E3"}, "assertion": map[string]any{"type": "response_status", "url": "**/api/kpi", "expected": "200"}}),
			holds("E4", "", "console_clean", "")),
		finish(),
	), wiretest.Options{Model: "scripted"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	cmd := exec.CommandContext(t.Context(), binary(t), "run", filepath.Join(dir, "sanity.task.toml"), "--json", "--config", filepath.Join(dir, "mcp.toml"), "--data-dir", t.TempDir(),
		"--base-url", site, "--agent-provider", string(w), "--agent-base-url", server.URL(), "--agent-model", "scripted", "--agent-computer", "off")
	cmd.Env = environment(t.TempDir())
	if name := keyVariable(w); name != "" {
		cmd.Env = append(cmd.Env, name+"=a-key-of-the-test")
	}
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err = cmd.Run()
	var result struct {
		TestCases []suiteCase `json:"test_cases"`
	}
	if jsonErr := json.Unmarshal(out.Bytes(), &result); jsonErr != nil || len(result.TestCases) != 1 {
		t.Fatalf("%v, %v: %s\n%s", err, jsonErr, brief(out.Bytes()), log.String())
	}
	for _, p := range server.Problems() {
		t.Errorf("protocol: %s", p)
	}
	return result.TestCases[0]
}
