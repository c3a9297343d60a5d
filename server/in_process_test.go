package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/server"
)

// A client in this process gets what one outside gets: the list, the schemas,
// answers whole, and cancellation that reaches the tool.
func TestInProcess(t *testing.T) {
	entered, left := make(chan struct{}), make(chan error, 1)
	tool := func(name string, handle func(ctx context.Context, r mcp.CallToolRequest) *mcp.CallToolResult) server.Tool {
		return server.Tool{Definition: mcp.NewToolWithRawSchema(name, "what it does", json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)),
			Handle: func(ctx context.Context, r mcp.CallToolRequest, _ func(string)) *mcp.CallToolResult {
				return handle(ctx, r)
			}}
	}
	s := server.New(server.Options{Version: "test", Now: time.Now, Log: slog.New(slog.DiscardHandler), Tools: []server.Tool{
		tool("echo", func(_ context.Context, r mcp.CallToolRequest) *mcp.CallToolResult {
			raw, _ := json.Marshal(r.Params.Arguments)
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent("said"), mcp.NewImageContent("aGk=", "image/png")}, StructuredContent: json.RawMessage(raw)}
		}),
		tool("hang", func(ctx context.Context, _ mcp.CallToolRequest) *mcp.CallToolResult {
			close(entered)
			<-ctx.Done()
			left <- ctx.Err()
			return &mcp.CallToolResult{}
		}),
	}})
	c, err := server.InProcess(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.Tools(t.Context())
	if err != nil || len(list) != 2 || list[0].Name != "echo" || !json.Valid(list[0].Schema) {
		t.Errorf("the list is %+v, %v", list, err)
	}
	a, err := c.Call(t.Context(), "echo", json.RawMessage(`{"n":123456}`))
	if err != nil || a.Text != "said" || string(a.Structured) != `{"n":123456}` || len(a.Pictures) != 1 || a.Pictures[0] != (server.Picture{MIMEType: "image/png", Data: "aGk="}) {
		t.Errorf("answered %+v (%s), %v", a, a.Structured, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-entered; cancel() }()
	if _, err := c.Call(ctx, "hang", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled call ended with %v", err)
	}
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("its tool ended with %v", err)
	}
	if a, err := c.Call(t.Context(), "echo", nil); err != nil || a.Text != "said" {
		t.Errorf("after a cancelled call: %+v, %v", a, err)
	}
	for range 2 {
		if err := c.Close(); err != nil && !errors.Is(err, io.EOF) {
			t.Errorf("close: %v", err)
		}
	}
	if _, err := c.Call(t.Context(), "echo", nil); err == nil {
		t.Error("a closed client made a call")
	}
}

// Tools that are made late are there for whoever asks: the client's first answer waits for
// none of them, and they are made once (30.5).
func TestToolsAreMadeOnceTheClientIsGreeted(t *testing.T) {
	t.Parallel()
	greeted, made := make(chan struct{}), 0
	s := server.New(server.Options{Version: "test", Now: time.Now, Log: slog.New(slog.DiscardHandler), Later: func() []server.Tool {
		<-greeted
		made++
		return []server.Tool{{Definition: mcp.NewToolWithRawSchema("late", "what it does", json.RawMessage(`{"type":"object"}`)),
			Handle: func(context.Context, mcp.CallToolRequest, func(string)) *mcp.CallToolResult {
				return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent("said")}}
			}}}
	}})
	c, err := server.InProcess(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	close(greeted)
	if a, err := c.Call(t.Context(), "late", nil); err != nil || a.Text != "said" {
		t.Errorf("answered %+v, %v", a, err)
	}
	if list, err := c.Tools(t.Context()); err != nil || len(list) != 1 || made != 1 {
		t.Errorf("the list is %+v, made %d times, %v", list, made, err)
	}
	if err := c.Close(); err != nil && !errors.Is(err, io.EOF) {
		t.Errorf("close: %v", err)
	}
}
