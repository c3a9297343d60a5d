package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// provider is a wire that aimock speaks.
type provider struct {
	name     string // in agent.provider
	model    string
	path     string // of agent.base_url
	variable string // of the key; none: it needs no key
}

// providerKey is a key that aimock asks for.
const providerKey = "aimock-key-0123456789"

// journal is what aimock was asked, and the last request for a turn as it
// understood it.
type journal struct {
	Requests []struct {
		Method, Path string
		Status       int
	}
	Tools    []string
	Messages []struct {
		Role, Text, Answers string
		Calls               []struct{ ID, Name string }
	}
}

// C2, D1, D2: a provider's mock that others made drives a whole task over each
// wire: fill in, look, check, finish. The verdict is that of the checks,
// whatever the model claims: it always claims that all is well.
func TestTaskOverAimock(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	needsPackages(t, "@copilotkit/aimock")
	for _, p := range []provider{
		{"openai", "gpt-5.4", "/v1", "OPENAI_API_KEY"},
		{"anthropic", "claude-sonnet-5-5", "", "ANTHROPIC_API_KEY"},
		{"google", "gemini-3.5-flash", "", "GEMINI_API_KEY"},
		{"chat", "qwen3", "/v1", ""},
	} {
		for shown, verdict := range map[string]string{"tea": "passed", "coffee": "failed"} {
			if verdict == "passed" && !soak() {
				continue // the model claims that on the wrong page, too; cmd/assay has the right one
			}
			t.Run(p.name+" "+shown, func(t *testing.T) {
				t.Parallel()
				p.works(t, shown, verdict)
			})
		}
	}
}

// aimockTurns are what the model says: calls, one a turn, and the answer at the
// end. finish is why a turn with a call ends.
func aimockTurns(finish string) []any {
	call := func(name string, arguments any) any {
		// Left alone, aimock ends a call of Gemini's with FUNCTION_CALL, which Google's API has not.
		return map[string]any{"toolCalls": []any{map[string]any{"name": name, "arguments": arguments}}, "finishReason": finish}
	}
	return []any{
		call("page_navigate", map[string]any{"url": "/"}),
		call("page_fill", map[string]any{"selector": `textbox "What"`, "value": "tea"}),
		call("page_click", map[string]any{"selector": `button "Order"`}),
		call("page_screenshot", map[string]any{"include_image": true}),
		call("verify_assertion", map[string]any{
			"expects": []string{"E1"},
		}),
		map[string]any{"content": `{"summary":"All is well.","status":"passed","findings":[]}`},
	}
}

// works runs a task over the wire and holds verdict, exit code and journal
// against what must be.
func (p provider) works(t *testing.T, shown, verdict string) {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>Shop</h1><label>What <input></label><button onclick="s.textContent='Ordered %s'">Order</button><p role="status" id="s"></p>`, shown)
	}))
	t.Cleanup(site.Close)
	finish := "tool_calls"
	if p.name == "google" {
		finish = "stop"
	}
	turns := aimockTurns(finish)
	key := providerKey
	if p.variable == "" {
		key = ""
	}
	mock := startAimock(t, map[string]any{"turns": turns, "key": key})
	task := filepath.Join(t.TempDir(), "order.task.toml")
	const text = "goal = \"Tea can be ordered\"\nroute = \"/\"\nexpectations = [{ text = \"the status says what was ordered\", selector = 'role=status', assertion = { type = \"text_equals\", expected = \"Ordered tea\" } }]\n"
	if err := os.WriteFile(task, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), binary(t), "run", "--json", "--base-url", site.URL, "--data-dir", t.TempDir(), task)
	run.Env = append(environment(t.TempDir()), "ASSAY_AGENT_PROVIDER="+p.name, "ASSAY_AGENT_BASE_URL="+mock.url+p.path, "ASSAY_AGENT_MODEL="+p.model)
	if p.variable != "" {
		run.Env = append(run.Env, p.variable+"="+providerKey)
	}
	var stdout, stderr bytes.Buffer
	run.Stdout, run.Stderr = &stdout, &stderr
	err := run.Run()
	exit := map[string]int{"passed": 0, "failed": 1}
	asked := mock.stop(t)
	if run.ProcessState == nil || run.ProcessState.ExitCode() != exit[verdict] {
		t.Errorf("%s: %v, want %d: %v\n%s", shown, run.ProcessState, exit[verdict], err, stderr.String())
	}
	var result struct {
		TestCases []struct{ Status string } `json:"test_cases"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil || len(result.TestCases) != 1 || result.TestCases[0].Status != verdict {
		t.Errorf("%s: want %s: %v\n%s\n%s", shown, verdict, err, stdout.String(), stderr.String())
	}
	asked.judge(t, turns)
}

// judge holds what aimock took down against what it said: a request a turn, the
// tools on offer, and each call answered by its id before the next.
func (j journal) judge(t *testing.T, turns []any) {
	t.Helper()
	posted := 0
	for _, r := range j.Requests {
		if r.Status != http.StatusOK {
			t.Errorf("%s %s was answered %d", r.Method, r.Path, r.Status)
		}
		if r.Method == http.MethodPost {
			posted++
		}
	}
	if posted != len(turns) {
		t.Errorf("%d requests for %d turns: %+v", posted, len(turns), j.Requests)
	}
	for _, name := range []string{"verify_assertion", "run_finish"} {
		if !slices.Contains(j.Tools, name) {
			t.Errorf("%s is not on offer: %q", name, j.Tools)
		}
	}
	answers, open := 0, ""
	for _, m := range j.Messages {
		for _, c := range m.Calls {
			if open != "" {
				t.Errorf("call %s is not answered before %s", open, c.ID)
			}
			open = c.ID
		}
		if m.Role != "tool" {
			continue
		}
		if m.Answers != open || open == "" || m.Text == "" {
			t.Errorf("the call %q is answered by %+v", open, m)
		}
		answers, open = answers+1, ""
	}
	if calls := len(turns) - 1; answers != calls || open != "" {
		t.Errorf("%d answers to %d calls, %q open", answers, calls, open)
	}
}

// aimock is a mock that runs.
type aimock struct {
	url    string
	stdin  io.Closer
	stdout *bufio.Reader
	stderr *bytes.Buffer
	cmd    *exec.Cmd
}

func startAimock(t *testing.T, order any) *aimock {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		absent(t, "aimock needs Node: %v", err)
	}
	m := &aimock{cmd: exec.CommandContext(t.Context(), node, "aimock.mjs"), stderr: &bytes.Buffer{}}
	m.cmd.Stderr = m.stderr
	stdin, err := m.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := m.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	m.stdin, m.stdout = stdin, bufio.NewReader(stdout)
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := json.NewEncoder(stdin).Encode(order); err != nil {
		t.Fatal(err)
	}
	line, err := m.stdout.ReadBytes('\n')
	if err != nil {
		t.Fatalf("aimock does not start: %v\n%s", err, m.stderr)
	}
	var started struct{ URL string }
	decode(t, line, &started)
	m.url = started.URL
	return m
}

// stop ends the mock and returns what it took down.
func (m *aimock) stop(t *testing.T) journal {
	t.Helper()
	if err := m.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(m.stdout)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.cmd.Wait(); err != nil {
		t.Fatalf("aimock: %v\n%s", err, m.stderr)
	}
	var j journal
	decode(t, text, &j)
	return j
}
