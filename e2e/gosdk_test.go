package e2e_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Go SDK 1.8, unchanged: newest revision first, and the older ones it speaks.
func TestGoClient(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		asked string // "" leaves the choice to the client
		got   revision
	}{
		{"newest first", "", july26},
		{"2025-11-25", string(november25), november25},
		{"2025-06-18", string(june25), june25},
	} {
		if c.asked != "" && !soak() {
			continue // TestSuiteWithALentModel is of this client in an older one
		}
		t.Run(c.name, func(t *testing.T) {
			needsBrowser(t)
			var progress atomic.Int64
			client := mcp.NewClient(&mcp.Implementation{Name: "e2e-go", Version: "1"}, &mcp.ClientOptions{
				ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { progress.Add(1) },
			})
			temp := t.TempDir()
			session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: serving(t, temp)}, &mcp.ClientSessionOptions{ProtocolVersion: c.asked})
			if err != nil {
				t.Fatal(err)
			}
			if got := session.InitializeResult().ProtocolVersion; got != string(c.got) {
				t.Errorf("the client speaks %s, want %s", got, c.got)
			}
			steps := job(dashboard(t))
			o := work(t, session, steps)
			o.Progress = int(progress.Load())
			o.judged(t, steps)
			deniedByDefault(t, session)
			if err := session.Close(); err != nil { // waits for the process, and reports its exit code
				t.Errorf("close: %v", err)
			}
			emptied(t, temp)
		})
	}
}

// serving is a server for a client that starts it itself.
func serving(t *testing.T, temp string, flags ...string) *exec.Cmd {
	t.Helper()
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stderr.Close() })
	cmd := exec.Command(binary(t), append([]string{"serve", "--data-dir", t.TempDir()}, flags...)...)
	cmd.Env, cmd.Stderr = environment(temp), stderr
	return cmd
}

// work does the steps.
func work(t *testing.T, session *mcp.ClientSession, steps []step) outcome {
	t.Helper()
	o := outcome{Instructions: session.InitializeResult().Instructions}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		o.Tools = append(o.Tools, tool.Name)
	}
	for _, s := range steps {
		params := &mcp.CallToolParams{Name: s.Tool, Arguments: s.Arguments}
		params.SetProgressToken(s.Tool)
		result, err := session.CallTool(t.Context(), params)
		if err != nil {
			t.Fatalf("%s: %v", s.Tool, err)
		}
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		o.Answers = append(o.Answers, raw)
		for _, part := range result.Content {
			if link, ok := part.(*mcp.ResourceLink); ok {
				o.Links = append(o.Links, link.URI)
			}
		}
	}
	for resource, err := range session.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		o.Links = append(o.Links, resource.URI)
	}
	for template, err := range session.ResourceTemplates(t.Context(), nil) {
		if err != nil || template.URITemplate == "" {
			t.Errorf("template %+v: %v", template, err)
		}
	}
	for _, uri := range o.Links {
		if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err != nil {
			t.Errorf("read %s: %v", uri, err)
		}
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "page_dance"}); err != nil {
		o.UnknownTool = err.Error()
	}
	return o
}
