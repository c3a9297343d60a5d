package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/release"
)

// E1: what init writes for clients starts a server that answers.
func TestInitClients(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &out, getenv: os.Getenv, now: time.Now, self: func() (string, error) { return exec.LookPath("assay") }}
	if code := a.run(t.Context(), []string{"init", dir}); code != exitPassed {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	for file, key := range map[string]string{".mcp.json": "mcpServers", ".cursor/mcp.json": "mcpServers", ".vscode/mcp.json": "servers"} {
		t.Run(file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			var clients map[string]map[string]struct {
				Command string
				Args    []string
			}
			if err := json.Unmarshal(data, &clients); err != nil {
				t.Fatal(err)
			}
			s := clients[key]["assay"]
			cmd := exec.CommandContext(t.Context(), s.Command, append(s.Args, "--data-dir", t.TempDir())...)         // assay is in the PATH of these tests
			cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "ASSAY_") }) // of the tests themselves
			cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n")
			answer, err := cmd.Output()
			if err != nil || !strings.Contains(string(answer), `"serverInfo"`) {
				t.Errorf("%v: %s", err, answer)
			}
		})
	}
}

// Where assay is not in the PATH, or another assay is, clients get the full path of this
// one, and that works.
func TestInitOutsideThePath(t *testing.T) {
	program, err := exec.LookPath("assay")
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "assay"), []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{other, t.TempDir()} {
		t.Setenv("PATH", path)
		dir := t.TempDir()
		var out bytes.Buffer
		a := &app{stdout: &out, stderr: &out, getenv: os.Getenv, now: time.Now, self: func() (string, error) { return program, nil }}
		if code := a.run(t.Context(), []string{"init", dir}); code != exitPassed || strings.Count(out.String(), `tried    `) != 3 || !strings.Contains(out.String(), `"`+program+` serve" answers`) {
			t.Errorf("exit code %d: %s", code, out.String())
		}
	}
}

// Issue 34: a program that npm fetched lies in a folder that the next version replaces: clients and people
// start it by npx.
func TestInitByNPX(t *testing.T) {
	program, err := exec.LookPath("assay")
	if err != nil {
		t.Fatal(err)
	}
	path, fetched, dir := t.TempDir(), t.TempDir(), t.TempDir()
	for file, text := range map[string]string{
		filepath.Join(path, "npx"):                 "#!/bin/sh\nshift 3\nexec '" + program + "' \"$@\"\n",
		filepath.Join(fetched, "assay"):            "",
		filepath.Join(fetched, release.MarkerFile): string(release.ByNPM),
	} {
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", path)
	t.Setenv("HOME", t.TempDir())
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &out, getenv: os.Getenv, now: time.Now, self: func() (string, error) { return filepath.Join(fetched, "assay"), nil }}
	code := a.run(t.Context(), []string{"init", "--client", "claude-code,windsurf", dir})
	for _, want := range []string{`"npx -y --prefer-offline assay-qa serve" answers`, `"npx -y --prefer-offline assay-qa serve --config `, " && npx -y assay-qa run "} {
		if code != exitPassed || !strings.Contains(out.String(), want) {
			t.Errorf("exit code %d, no %s in: %s", code, want, out.String())
		}
	}
	if strings.Contains(out.String(), fetched) {
		t.Errorf("the path in npm's folder is named: %s", out.String())
	}
}
