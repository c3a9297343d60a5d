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
)

// E1: what init writes for clients starts a server that answers.
func TestInitClients(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &out, getenv: func(string) string { return "" }}
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
