package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/demo"
)

// step is one call of the job that every official client does.
type step struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
}

// job signs in to the dashboard and checks a figure, as a run of its own.
func job(url string) []step {
	values := demo.KPIs(demo.RangeToday, demo.CategoryAll)
	revenue := map[string]any{"type": "text_equals", "expected": demo.Display(demo.KPIRevenue, values[demo.KPIRevenue])}
	return []step{
		{"run_start", map[string]any{"goal": "sign in and check the revenue", "expectations": []map[string]any{{"text": "the revenue is right", "selector": fmt.Sprintf("css=[data-kpi=%q]", demo.KPIRevenue), "assertion": revenue}}}},
		{"page_navigate", map[string]any{"url": url}},
		{"page_fill", map[string]any{"selector": `textbox "Email"`, "value": demo.Email, "delay_ms": 60}}, // progress comes after 500 ms
		{"page_fill", map[string]any{"selector": `textbox "Password"`, "value": demo.Password}},
		{"page_click", map[string]any{"selector": `button "Sign in"`}},
		{"verify_assertion", map[string]any{"expects": []string{"E1"}}},
		{"page_screenshot", map[string]any{"name": "dashboard"}},
		{"browser_close", map[string]any{}},
		{"run_finish", map[string]any{"summary": "signed in and checked"}},
	}
}

// outcome is what a client brings back from the job.
type outcome struct {
	Instructions string
	Tools        []string
	Answers      []json.RawMessage
	Progress     int
	Links        []string
	UnknownTool  string
	Errors       []string
}

// judged checks the outcome: the job is done, and its verdict is passed.
func (o outcome) judged(t *testing.T, steps []step) {
	t.Helper()
	for _, e := range o.Errors {
		t.Errorf("the client complains: %s", e)
	}
	if o.Instructions == "" {
		t.Error("the client got no instructions")
	}
	for _, s := range steps {
		if !slices.Contains(o.Tools, s.Tool) {
			t.Errorf("the client's list of tools lacks %s: %v", s.Tool, o.Tools)
		}
	}
	if len(o.Answers) != len(steps) {
		t.Fatalf("%d answers for %d steps", len(o.Answers), len(steps))
	}
	for i, raw := range o.Answers {
		var e envelope
		decode(t, raw, &e)
		if !e.OK {
			t.Errorf("%s: %s: %s", steps[i].Tool, e.Error.Code, e.Error.Message)
		}
	}
	var report struct {
		Data struct{ Status, StatusReason string }
	}
	decode(t, o.Answers[len(steps)-1], &report)
	if report.Data.Status != "passed" {
		t.Errorf("the verdict is %s: %s", report.Data.Status, report.Data.StatusReason)
	}
	if o.Progress == 0 {
		t.Error("the client heard of no progress")
	}
	if len(o.Links) == 0 {
		t.Error("the client got no link to the picture")
	}
	if !strings.Contains(o.UnknownTool, "page_dance") {
		t.Errorf("an unknown tool: %q", o.UnknownTool)
	}
}

// needsPackages ends the test where the npm packages are not installed.
func needsPackages(t *testing.T, name string) string {
	t.Helper()
	folder := filepath.Join("node_modules", filepath.FromSlash(name))
	if _, err := os.Stat(folder); err != nil {
		absent(t, "%v; run: npm ci --prefix e2e", err)
	}
	return folder
}

// TypeScript SDK 1.x, unchanged (the revision it speaks is its own choice).
func TestTypeScriptClient(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	needsPackages(t, "@modelcontextprotocol/sdk")
	node, err := exec.LookPath("node")
	if err != nil {
		absent(t, "the TypeScript client needs Node: %v", err)
	}
	steps, temp := job(dashboard(t)), t.TempDir()
	for range 30 { // quick calls: a late progress note is an error of this client
		steps = slices.Insert(steps, 2, step{"page_snapshot", map[string]any{}})
	}
	env := map[string]string{}
	for _, entry := range environment(temp) {
		name, value, _ := strings.Cut(entry, "=")
		env[name] = value
	}
	order, err := json.Marshal(map[string]any{"command": binary(t), "args": []string{"serve", "--data-dir", t.TempDir()}, "env": env, "steps": steps})
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), node, "ts-client.mjs")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(order), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("ts-client.mjs: %v\n%s", err, &stderr)
	}
	var o outcome
	decode(t, stdout.Bytes(), &o)
	o.judged(t, steps)
	emptied(t, temp)
}

// emptied checks that a server which a client has ended left no files.
func emptied(t *testing.T, temp string) {
	t.Helper()
	eventually(t, patience, func() string {
		found, err := os.ReadDir(temp)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) > 0 {
			return fmt.Sprint(found)
		}
		return ""
	})
}
