package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/server"
)

// lender is a server with a tool that asks the client's model, and the wire to
// it, by hand.
type lender struct {
	t        *testing.T
	toServer io.WriteCloser
	lines    *bufio.Scanner
	came     chan error
	got      server.Sampled
}

func lend(t *testing.T, capabilities string) *lender {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	l := &lender{t: t, toServer: toServer, lines: bufio.NewScanner(fromServer), came: make(chan error, 1)}
	s := server.New(server.Options{Version: "test", Now: time.Now, Log: slog.New(slog.DiscardHandler), Tools: []server.Tool{{
		Definition: mcp.Tool{Name: "think", RawInputSchema: json.RawMessage(`{"type":"object","properties":{}}`)},
		Handle: func(ctx context.Context, _ mcp.CallToolRequest, _ func(string)) *mcp.CallToolResult {
			var err error
			l.got, err = server.Sample(ctx, server.Sampling{System: "be brief", MaxTokens: 99, Messages: []server.Message{
				{Text: "what is this?"}, {Assistant: true, Text: "show me"}, {Picture: "aGk=", MIMEType: "image/png"}}})
			l.came <- err
			return mcp.NewToolResultText("thought")
		},
	}}})
	ended := make(chan error, 1)
	go func() { ended <- s.Listen(t.Context(), in, out) }()
	t.Cleanup(func() {
		go func() { _, _ = io.Copy(io.Discard, fromServer) }() // what it still says
		_ = toServer.Close()
		<-ended
	})
	l.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"},"capabilities":` + capabilities + `}}`)
	l.hear()
	l.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return l
}

func (l *lender) send(line string) {
	l.t.Helper()
	if _, err := fmt.Fprintln(l.toServer, line); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lender) hear() string {
	l.t.Helper()
	if !l.lines.Scan() {
		l.t.Fatalf("the server wrote no more: %v", l.lines.Err())
	}
	return l.lines.Text()
}

const think = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"think","arguments":{}%s}}`

// C2: a client that lends its model is asked during a call, with all of the
// conversation; what is no text, or no turn, is an error.
func TestSample(t *testing.T) {
	for answer, want := range map[string]string{
		`"result":{"role":"assistant","model":"m1","stopReason":"maxTokens","content":{"type":"text","text":"a door"}}`: "",
		`"result":{"role":"assistant","model":"m1","content":{"type":"image","data":"aGk=","mimeType":"image/png"}}`:    `"image"`,
		`"error":{"code":-1,"message":"User rejected sampling request"}`:                                                "rejected",
	} {
		l := lend(t, `{"sampling":{}}`)
		l.send(fmt.Sprintf(think, ""))
		asked := l.hear()
		var q struct {
			ID     int64
			Method string
			Params mcp.CreateMessageParams
		}
		if err := json.Unmarshal([]byte(asked), &q); err != nil {
			t.Fatal(err)
		}
		if q.Method != "sampling/createMessage" || q.Params.SystemPrompt != "be brief" || q.Params.MaxTokens != 99 || len(q.Params.Messages) != 3 || q.Params.Messages[1].Role != mcp.RoleAssistant ||
			!strings.Contains(asked, `{"type":"image","data":"aGk=","mimeType":"image/png"}`) {
			t.Errorf("it asks %s", asked)
		}
		l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, q.ID, answer))
		err := <-l.came
		if want == "" && (err != nil || l.got != server.Sampled{Text: "a door", Model: "m1", Stop: "maxTokens"}) {
			t.Errorf("%s comes as %+v, %v", answer, l.got, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s comes as %+v, %v, want an error with %s", answer, l.got, err, want)
		}
		l.hear()
	}
}

// C2: nobody is asked who didn't say that they lend a model, or who speaks the
// revision that has deprecated it.
func TestNobodyToSample(t *testing.T) {
	const modern = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}`
	for capabilities, extra := range map[string]string{`{}`: "", `{"elicitation":{}}`: "", `{"sampling":{}}`: modern} {
		l := lend(t, capabilities)
		l.send(fmt.Sprintf(think, extra))
		if err := <-l.came; !errors.Is(err, server.ErrCannotSample) {
			t.Errorf("with %s%s: %v", capabilities, extra, err)
		}
		l.hear()
	}
	if _, err := server.Sample(t.Context(), server.Sampling{}); !errors.Is(err, server.ErrCannotSample) {
		t.Errorf("outside of a call: %v", err)
	}
}
