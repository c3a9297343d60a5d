package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-qa/assay/internal/demo"
)

// analystSite is the demo's dashboard in a project whose configuration signs the role
// analyst in, with further settings.
func analystSite(t *testing.T, site *demo.Server, settings string) (project, config, state string) {
	t.Helper()
	project = t.TempDir()
	config, state = filepath.Join(project, "mcp.toml"), filepath.Join(project, "analyst.json")
	login := filepath.Join(project, "login.flow.toml")
	for path, text := range map[string]string{
		config: fmt.Sprintf("schema_version = 1\n[tools]\nsets = [\"core\", \"author\"]\n[author]\nroot = %q\n[secrets]\nDEMO = \"env:DEMO_PASSWORD\"\n[env.demo]\nbase_url = %q\n[env.demo.roles.analyst]\nstate = %q\nlogin_flow = %q\n%s", project, site.URL(), state, login, settings),
		login: fmt.Sprintf(`steps = [
	{ action = "navigate", url = "/login" },
	{ action = "fill", selector = 'textbox "Email"', value = %q },
	{ action = "fill", selector = 'textbox "Password"', value = "${secret:DEMO}" },
	{ action = "click", selector = 'button "Sign in"' },
]`, demo.Email),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted(t, project)
	return project, config, state
}

// authorClient calls tools of a server through the official client, until work in the
// background has ended.
type authorClient struct {
	t       *testing.T
	session *mcp.ClientSession
}

func (c authorClient) call(tool string, arguments map[string]any) map[string]any {
	c.t.Helper()
	result, err := c.session.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		c.t.Fatal(err)
	}
	var envelope struct {
		OK   bool
		Data map[string]any
	}
	decode(c.t, raw, &envelope)
	if !envelope.OK {
		c.t.Fatalf("%s %v: %s", tool, arguments, raw)
	}
	return envelope.Data
}

// finish starts a tool's work and polls until it has ended.
func (c authorClient) finish(tool, id string, arguments map[string]any) map[string]any {
	c.t.Helper()
	data := c.call(tool, arguments)
	for data["state"] == "running" {
		data = c.call(tool, map[string]any{"action": "poll", id: data[id], "wait_ms": 40000})
	}
	if data["state"] != "finished" || data["problem"] != nil {
		c.t.Fatalf("%s %v: %v", tool, arguments, data)
	}
	return data
}

// A16, C1, C4: a model's client explores the dashboard as a role, has tests made of what
// was found, and runs them: green on the healthy dashboard, and red where a figure is
// wrong. The role's session token is in no file but its own.
func TestAuthorToolsFromAClient(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	actions := 1
	if soak() {
		actions = 60
	}
	authorsTests(t, "", map[string]any{"max_actions": actions}, soak())
}

// C2: the same where a model behind a local server's wire chooses the actions.
func TestAuthorToolsOverAimock(t *testing.T) {
	if !soak() {
		t.Skip("repeats TestAuthorToolsFromAClient with another way to choose: SOAK=1")
	}
	needsBrowser(t)
	needsPackages(t, "@copilotkit/aimock")
	const reason = "it was not seen yet"
	mock := startAimock(t, map[string]any{"turns": []any{map[string]any{"content": `{"elementIndex": 1, "action": "click", "value": null, "reasoning": "` + reason + `"}`}}})
	found := authorsTests(t, fmt.Sprintf("[explore.ai]\nprovider = \"ollama\"\nmodel = \"qwen3\"\nbase_url = %q\n", mock.url+"/v1"), map[string]any{"max_actions": 12}, false)
	asked := 0
	for _, r := range mock.stop(t).Requests {
		if r.Status != http.StatusOK {
			t.Errorf("%s %s was answered %d", r.Method, r.Path, r.Status)
		}
		asked++
	}
	text, err := os.ReadFile(fmt.Sprint(found["site"]))
	if err != nil || asked == 0 || !strings.Contains(string(text), reason) {
		t.Errorf("%d questions, and no action was chosen by an answer: %v", asked, err)
	}
}

// authorsTests explores, generates and runs, and returns what was found.
func authorsTests(t *testing.T, settings string, explore map[string]any, check bool) map[string]any {
	t.Helper()
	site := startDemo(t, demo.Options{})
	project, config, state := analystSite(t, site, settings)
	temp, data := t.TempDir(), t.TempDir()
	cmd := serving(t, temp, "--config", config)
	cmd.Args = append(cmd.Args, "--data-dir", data)
	cmd.Env = append(cmd.Env, "DEMO_PASSWORD="+demo.Password)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "e2e-go", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := authorClient{t, session}
	maps.Copy(explore, map[string]any{"action": "start", "url": "/dashboard", "role": "analyst"})
	found := c.finish("explore_site", "exploration_id", explore)
	id := found["exploration_id"]
	made := c.finish("generate_tests", "exploration_id", map[string]any{"action": "start", "exploration_id": id, "check": check})
	if tests, _ := made["tests"].(float64); tests == 0 || check && made["proof_report"] == nil {
		t.Fatalf("made: %v", made)
	}
	run := func(arguments map[string]any) map[string]any {
		return c.finish("run_tests", "test_run_id", arguments)
	}
	green := run(map[string]any{"exploration_id": id, "role": "analyst"})
	if green["status"] != "passed" || green["failed"] != 0.0 || green["passed"] != made["tests"] {
		t.Errorf("healthy: %v", green)
	}
	for _, name := range []string{"index.html", "junit.xml"} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(fmt.Sprint(green["report"])), name)); err != nil {
			t.Error(err)
		}
	}
	wrong := startDemo(t, demo.Options{Variant: "slip-1000"})
	if red := run(map[string]any{"exploration_id": id, "role": "analyst", "base_url": wrong.URL()}); red["status"] != "failed" || red["failed"] == 0.0 {
		t.Errorf("a wrong figure: %v", red)
	}
	ownTest(t, project, config, data, temp)
	token := tokenIn(t, state)
	if err := session.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	emptied(t, temp)
	hides(t, data, token)
	return found
}

// ownTest runs a person's test, which says nothing of who is signed in, as the role by
// assay test; without it, it fails.
func ownTest(t *testing.T, project, config, data, temp string) {
	t.Helper()
	const text = "import { readFileSync } from 'node:fs';\nimport { expect, test } from '@playwright/test';\n\ntest('is signed in', async ({ storageState }) => {\n  expect(readFileSync(storageState as string, 'utf8')).toContain('assay_demo_session');\n});\n"
	if err := os.WriteFile(filepath.Join(project, "own.spec.ts"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for role, code := range map[string]int{"analyst": 0, "": 1, "nobody": 2} {
		if role == "" && !soak() {
			continue
		}
		cmd := exec.CommandContext(t.Context(), binary(t), "test", "own.spec.ts", "--config", config, "--data-dir", data, "--role", role)
		cmd.Dir, cmd.Env = project, append(environment(temp), "DEMO_PASSWORD="+demo.Password)
		out, _ := cmd.CombinedOutput() // the exit code is looked at
		if got := cmd.ProcessState.ExitCode(); got != code {
			t.Errorf("as %q: exit %d, want %d: %s", role, got, code, out)
		}
	}
}

// hides checks that no file below a folder has a text, zips included.
func hides(t *testing.T, folder, text string) {
	t.Helper()
	looked, zips := 0, 0
	look := func(place string, data []byte) {
		looked++
		if i := strings.Index(string(data), text); i >= 0 {
			t.Errorf("%s tells it: …%s…", place, data[max(0, i-80):min(len(data), i+len(text))])
		}
	}
	if err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if filepath.Ext(path) == ".zip" {
			zips++
			return lookIntoZip(path, look)
		}
		data, err := os.ReadFile(path)
		look(path, data)
		return err
	}); err != nil {
		t.Error(err)
	}
	if looked < 5 || zips == 0 {
		t.Errorf("%d files and %d traces were looked at: the test would see no leak", looked, zips)
	}
}
