package e2e_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// B18: a client that can ask has its person decide whether the folder is trusted, with what it says, before the first
// answer. A no is none; a yes is kept for the next start.
func TestClientAsksForTrust(t *testing.T) {
	t.Parallel()
	needsBinary(t)
	folder := t.TempDir()
	writeFile(t, filepath.Join(folder, "mcp.toml"), []byte("schema_version = 1\n[secrets]\nPIN = \"cmd:./pin.sh\"\n"))
	writeFile(t, filepath.Join(folder, "pin.sh"), []byte("#!/bin/sh\ntouch ran\n"))
	for _, answers := range []string{"decline", "accept"} {
		var heard []string
		client := mcp.NewClient(&mcp.Implementation{Name: "e2e-trust", Version: "1"}, &mcp.ClientOptions{
			ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				heard = append(heard, r.Params.Message)
				return &mcp.ElicitResult{Action: answers}, nil
			}})
		cmd := serving(t, t.TempDir())
		cmd.Dir, cmd.Env = folder, append(cmd.Env, browserless(t)...)
		session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := session.InitializeResult().Instructions; !strings.Contains(got, `mcp.toml:3 secrets.PIN = "cmd:./pin.sh"`) {
			t.Errorf("instructions: %s", got)
		}
		said := []string{firstText(t, session), firstText(t, session)}
		want := map[string]string{"decline": "Nobody has trusted this folder", "accept": "The person trusted this folder"}[answers]
		if !strings.HasPrefix(said[0], want) || strings.Contains(said[1], "trusted") {
			t.Errorf("%s: %q", answers, said)
		}
		if len(heard) != 1 || !strings.Contains(heard[0], `mcp.toml:3 secrets.PIN = "cmd:./pin.sh"`) || !strings.Contains(heard[0], "starts "+filepath.Join(folder, "pin.sh")) {
			t.Errorf("%s: asked %q", answers, heard)
		}
		if err := session.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		show := exec.Command(binary(t), "trust", "--show", "--json")
		show.Dir, show.Env = folder, environment(t.TempDir())
		if out, err := show.Output(); err != nil || strings.Contains(string(out), `"trusted":true`) != (answers == "accept") {
			t.Errorf("%s: %v: %s", answers, err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "ran")); err == nil {
		t.Error("the folder's program was run")
	}
}

// firstText is the first of the texts that a call answers with.
func firstText(t *testing.T, session *mcp.ClientSession) string {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_close", Arguments: map[string]any{}})
	if err != nil {
		t.Fatal(err)
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		return fmt.Sprint(result.Content[0])
	}
	return text.Text
}
