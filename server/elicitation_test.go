package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/server"
)

// attended is a server with one tool that asks before it acts, and a client of
// the newest revision.
type attended struct {
	t        *testing.T
	toServer io.WriteCloser
	lines    *bufio.Scanner
	ended    chan error
	started  chan struct{} // one for each call that began
	over     chan error    // what came of each question
	done     atomic.Int64  // what was permitted
	limit    time.Duration
	id       int
}

func attend(t *testing.T, limit time.Duration) *attended {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	a := &attended{t: t, toServer: toServer, lines: bufio.NewScanner(fromServer), ended: make(chan error, 1),
		started: make(chan struct{}, 9), over: make(chan error, 9), limit: limit}
	s := server.New(server.Options{Version: "test", Now: time.Now, Log: slog.New(slog.DiscardHandler), Tools: []server.Tool{{
		Definition: mcp.Tool{Name: "act", RawInputSchema: json.RawMessage(`{"type":"object","properties":{}}`)}, Handle: a.act,
	}}})
	go func() { a.ended <- s.Listen(t.Context(), in, out) }()
	return a
}

func (a *attended) act(ctx context.Context, _ mcp.CallToolRequest, _ func(string)) *mcp.CallToolResult {
	ctx, cancel := context.WithTimeout(ctx, a.limit)
	defer cancel()
	a.started <- struct{}{}
	accepted, err := server.Ask(ctx, "really?")
	a.over <- err
	switch {
	case err != nil:
		return mcp.NewToolResultText("not asked")
	case !accepted:
		return mcp.NewToolResultText("declined")
	}
	a.done.Add(1)
	return mcp.NewToolResultText("done")
}

// answer holds what came of a call: the state to give back when it asks, or its text.
type answer struct {
	ResultType, RequestState string
	InputRequests            map[string]struct {
		Method string
		Params struct{ Message string }
	}
	Content []struct{ Text string }
}

func (a *attended) call(arguments, extra string) answer {
	a.t.Helper()
	a.id++
	const meta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`
	if _, err := fmt.Fprintf(a.toServer, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"act","arguments":%s%s,"_meta":%s}}`+"\n",
		a.id, arguments, extra, meta); err != nil {
		a.t.Fatal(err)
	}
	if !a.lines.Scan() {
		a.t.Fatalf("the server wrote no more: %v", a.lines.Err())
	}
	var m struct{ Result answer }
	if err := json.Unmarshal(a.lines.Bytes(), &m); err != nil {
		a.t.Fatalf("%s: %v", a.lines.Bytes(), err)
	}
	return m.Result
}

// asks fails unless the answer is our question.
func (a *attended) asks(what string, got answer) string {
	a.t.Helper()
	q := got.InputRequests["confirm"]
	if got.ResultType != "input_required" || got.RequestState == "" || q.Method != "elicitation/create" || q.Params.Message != "really?" {
		a.t.Errorf("%s: %+v, want the question", what, got)
	}
	return got.RequestState
}

func reply(state, action string) string {
	return fmt.Sprintf(`,"requestState":%q,"inputResponses":{"confirm":{"action":%q,"content":{}}}`, state, action)
}

// A12, 2026-07-28: a yes is good for the very call that asked, once. Whatever
// else comes back is asked anew and does nothing.
func TestYesIsForOneCall(t *testing.T) {
	a := attend(t, time.Minute)
	state := a.asks("the first call", a.call(`{}`, ""))
	a.asks("a made-up state", a.call(`{}`, reply("made up", "accept")))
	a.asks("other arguments", a.call(`{"x":1}`, reply(state, "accept")))
	if n := a.done.Load(); n != 0 {
		t.Fatalf("it acted %d times before anybody said yes", n)
	}
	if got := a.call(`{ }`, reply(state, "accept")); len(got.Content) != 1 || got.Content[0].Text != "done" {
		t.Errorf("accepted: %+v", got)
	}
	a.asks("the same yes again", a.call(`{}`, reply(state, "accept")))
	for _, no := range []string{"decline", "cancel", "perhaps"} {
		state := a.asks(no, a.call(`{}`, ""))
		if got := a.call(`{}`, reply(state, no)); len(got.Content) != 1 || got.Content[0].Text != "declined" {
			t.Errorf("%s: %+v", no, got)
		}
	}
	if n := a.done.Load(); n != 1 {
		t.Errorf("it acted %d times, want 1", n)
	}
	a.close()
}

// B6: a question that nobody answers ends with the tool's own limit, and a yes
// that comes after it does nothing.
func TestQuestionsEnd(t *testing.T) {
	a := attend(t, 50*time.Millisecond)
	state := a.asks("the call", a.call(`{}`, ""))
	if err := <-a.over; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the question ended with %v", err)
	}
	if got := a.call(`{}`, reply(state, "accept")); got.ResultType != "input_required" && (len(got.Content) != 1 || got.Content[0].Text != "not asked") {
		t.Errorf("a late yes: %+v", got)
	}
	if n := a.done.Load(); n != 0 {
		t.Errorf("it acted %d times", n)
	}
	a.close()
}

// B6: a call that waits for a person ends with its client.
func TestQuestionsEndWithTheClient(t *testing.T) {
	a := attend(t, time.Hour)
	a.asks("the call", a.call(`{}`, ""))
	a.close()
	if err := <-a.over; !errors.Is(err, context.Canceled) {
		t.Errorf("the question ended with %v", err)
	}
}

func (a *attended) close() {
	a.t.Helper()
	if err := a.toServer.Close(); err != nil {
		a.t.Fatal(err)
	}
	select {
	case err := <-a.ended:
		if err != nil {
			a.t.Error(err)
		}
	case <-time.After(10 * time.Second):
		a.t.Error("the server does not end")
	}
}

// B18: what is to be said before an answer is asked about, and said where there is something.
func TestWordsBefore(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	a := &attended{t: t, toServer: toServer, lines: bufio.NewScanner(fromServer), ended: make(chan error, 1)}
	var asked atomic.Int64
	s := server.New(server.Options{Version: "test", Now: time.Now, Log: slog.New(slog.DiscardHandler), Tools: []server.Tool{{
		Definition: mcp.Tool{Name: "act", RawInputSchema: json.RawMessage(`{"type":"object","properties":{}}`)},
		Handle: func(context.Context, mcp.CallToolRequest, func(string)) *mcp.CallToolResult {
			return mcp.NewToolResultText("acted")
		},
	}}, Before: func(ctx context.Context, _ bool, _ func(string)) string {
		if asked.Add(1) > 1 {
			return ""
		}
		accepted, err := server.Ask(ctx, "really?")
		return fmt.Sprint("trusted: ", accepted, err)
	}})
	go func() { a.ended <- s.Listen(t.Context(), in, out) }()
	state := a.asks("the first call", a.call(`{}`, ""))
	if got := a.call(`{}`, reply(state, "accept")); len(got.Content) != 2 || got.Content[0].Text != "trusted: true <nil>" || got.Content[1].Text != "acted" {
		t.Errorf("the first answer: %+v", got)
	}
	if got := a.call(`{}`, ""); len(got.Content) != 1 || got.Content[0].Text != "acted" || asked.Load() != 2 {
		t.Errorf("the second answer: %+v, asked %d times", got, asked.Load())
	}
	a.close()
}
