package sampling_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/sampling"
	"github.com/assay-qa/assay/server"
)

// lent asks the model of the client whose call the context belongs to.
func lent(ctx context.Context, system string, messages []sampling.Message, limit int) (sampling.Answer, error) {
	q := server.Sampling{System: system, MaxTokens: limit}
	for _, m := range messages {
		out := server.Message{Assistant: m.Assistant, Text: m.Text}
		if m.Image != nil {
			out.Picture, out.MIMEType = m.Image.Data, m.Image.MIMEType
		}
		q.Messages = append(q.Messages, out)
	}
	got, err := server.Sample(ctx, q)
	if errors.Is(err, server.ErrCannotSample) {
		err = fmt.Errorf("%w: %w", sampling.ErrUnable, err)
	}
	return sampling.Answer{Text: got.Text, Cut: got.Stop == "maxTokens"}, err
}

// scripted is a client's model that says one text after the other.
type scripted struct {
	says  []string
	asked []mcp.CreateMessageParams
}

func (s *scripted) CreateMessage(_ context.Context, q mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	s.asked = append(s.asked, q.CreateMessageParams)
	if len(s.asked) > len(s.says) {
		return nil, errors.New("nothing more to say")
	}
	out := &mcp.CreateMessageResult{Model: "scripted", StopReason: "endTurn"}
	out.Role, out.Content = mcp.RoleAssistant, mcp.NewTextContent(s.says[len(s.asked)-1])
	return out, nil
}

// within runs work inside of a call of a client that lends model, over the
// protocol. A nil model is not lent.
func within(t *testing.T, model *scripted, work func(ctx context.Context)) {
	t.Helper()
	requests, toServer := io.Pipe()
	answers, toClient := io.Pipe()
	s := server.New(server.Options{Version: "test", Now: time.Now, Log: slog.New(slog.DiscardHandler), Tools: []server.Tool{{
		Definition: mcp.Tool{Name: "work", RawInputSchema: json.RawMessage(`{"type":"object","properties":{}}`)},
		Handle: func(ctx context.Context, _ mcp.CallToolRequest, _ func(string)) *mcp.CallToolResult {
			work(ctx)
			return mcp.NewToolResultText("done")
		},
	}}})
	ended := make(chan error, 1)
	go func() { ended <- s.Listen(context.WithoutCancel(t.Context()), requests, toClient) }()
	var options []client.ClientOption
	if model != nil {
		options = append(options, client.WithSamplingHandler(model))
	}
	c := client.NewClient(transport.NewIO(answers, toServer, nil), options...)
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion, hello.Params.ClientInfo = "2025-06-18", mcp.Implementation{Name: "t", Version: "1"}
	if _, err := c.Initialize(t.Context(), hello); err != nil {
		t.Fatal(err)
	}
	call := mcp.CallToolRequest{}
	call.Params.Name = "work"
	if _, err := c.CallTool(t.Context(), call); err != nil {
		t.Error(err)
	}
	if err := errors.Join(c.Close(), <-ended); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

func talk() agent.Conversation {
	return agent.Conversation{Instructions: "Test the page.", Task: `{"goal":"it works"}`, Final: agent.FinalSchema(),
		Tools: []agent.Tool{{Name: "page_click", Description: "Click.", Schema: json.RawMessage(`{"type":"object","properties":{"selector":{"type":"string"}}}`)}}}
}

// TestConversation (C2): a client's model calls tools, is told what came of
// them with the pictures, and ends the work, all over the real protocol.
func TestConversation(t *testing.T) {
	const final = `{"summary":"it works","status":"passed","findings":[]}`
	model := &scripted{says: []string{
		"I click.\n```json\n{\"calls\":[{\"name\":\"page_click\",\"arguments\":{\"selector\":\"#a\"}},{\"name\":\"page_click\",\"arguments\":{\"selector\":\"#b\"},\"confirm\":\"x\"}]}\n```",
		final}}
	within(t, model, func(ctx context.Context) {
		m, c := sampling.New(lent, 0), talk()
		r, err := m.Next(ctx, c)
		if err != nil || len(r.Calls) != 2 || r.Text != "" || string(r.Calls[0].Arguments) != `{"selector":"#a"}` || r.Calls[0].ID == r.Calls[1].ID || r.Calls[1].Confirm != "" {
			t.Errorf("the turn is %+v, %v", r, err)
			return
		}
		c.Turns = []agent.Turn{{Reply: r, Notes: []string{"75 % are spent"}, Results: []agent.Result{
			{ID: r.Calls[1].ID, IsError: true, Parts: []agent.Part{{Text: "no #b"}}},
			{ID: r.Calls[0].ID, Parts: []agent.Part{{Text: "clicked"}, {Image: &agent.Image{MIMEType: "image/png", Data: "aGk="}}}}}}}
		if r, err = m.Next(ctx, c); err != nil || r.Text != final || len(r.Calls) != 0 {
			t.Errorf("the end is %+v, %v", r, err)
		}
	})
	if len(model.asked) != 2 {
		t.Fatalf("it was asked %d times", len(model.asked))
	}
	first, second := model.asked[0], model.asked[1]
	for _, want := range []string{"Test the page.", "page_click: Click.", `"selector"`, `"calls"`, `"suggested_fix"`} {
		if !strings.Contains(first.SystemPrompt, want) {
			t.Errorf("the orders lack %s", want)
		}
	}
	raw, err := json.Marshal(second.Messages)
	if err != nil {
		t.Fatal(err)
	}
	if first.MaxTokens != 8192 || len(second.Messages) != 4 || second.Messages[1].Role != mcp.RoleAssistant {
		t.Errorf("limit %d, messages %s", first.MaxTokens, raw)
	}
	for _, want := range []string{`1. page_click, done: clicked\n2. page_click, failed: no #b\n75 % are spent`, `{"type":"image","data":"aGk=","mimeType":"image/png"}`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("the messages lack %s: %s", want, raw)
		}
	}
}

// TestNoTurn: a client without a model is not asked twice, a failure may be
// fixed by asking again, and a task that was ended is no fault.
func TestNoTurn(t *testing.T) {
	faulty := func(err error, want agent.Fault) {
		t.Helper()
		var e *agent.ModelError
		if !errors.As(err, &e) || e.Fault != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	within(t, nil, func(ctx context.Context) {
		_, err := sampling.New(lent, 0).Next(ctx, talk())
		faulty(err, agent.BadRequest)
	})
	within(t, &scripted{}, func(ctx context.Context) {
		_, err := sampling.New(lent, 0).Next(ctx, talk())
		faulty(err, agent.Unavailable)
	})
	within(t, &scripted{}, func(ctx context.Context) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := sampling.New(lent, 0).Next(ctx, talk()); !errors.Is(err, context.Canceled) {
			t.Errorf("an ended task: %v", err)
		}
	})
}

// TestTurns: what models make of the form.
func TestTurns(t *testing.T) {
	for said, calls := range map[string]int{
		`{"calls":[{"name":"a"}]}`: 1, "Sure.\n```\n{\"calls\":[{\"name\":\"a\",\"arguments\":{}},{\"name\":\"b\"}]}\n```\nThat was it.": 2,
		`{"calls":[]}`: 0, `{"calls":[{"name":"a","argu`: 0, "I am done.": 0, "": 0, "} {": 0, `{"summary":"s","status":"passed","findings":[]}`: 0,
	} {
		m := sampling.New(func(context.Context, string, []sampling.Message, int) (sampling.Answer, error) {
			return sampling.Answer{Text: said, Cut: calls == 0}, nil
		}, 0)
		r, err := m.Next(t.Context(), talk())
		if err != nil || len(r.Calls) != calls || r.Cut != (calls == 0) || (calls == 0) != (r.Text == said) && said != "" {
			t.Errorf("%q gives %+v, %v", said, r, err)
		}
	}
	c := talk()
	c.Turns = []agent.Turn{{Reply: agent.Reply{Raw: "{}", Calls: []agent.Call{{ID: "1", Name: "page_click"}}}}}
	m := sampling.New(func(_ context.Context, _ string, told []sampling.Message, _ int) (sampling.Answer, error) {
		if text := told[2].Text; !strings.Contains(text, "not executed") {
			t.Errorf("a call without a result is told as %q", text)
		}
		return sampling.Answer{Text: "done"}, nil
	}, 0)
	if _, err := m.Next(t.Context(), c); err != nil {
		t.Error(err)
	}
}
