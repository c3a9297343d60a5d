package server

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// ErrCannotAsk says that the client declares no elicitation; [Ask] returns it.
var ErrCannotAsk = errors.New("the client declares no elicitation")

// asker puts a question to the person at the client.
type asker func(ctx context.Context, question string) (accepted bool, err error)

type askerKey struct{}

// Ask puts a yes-or-no question to the person at the client whose call ctx
// belongs to, and waits for the answer until ctx ends. Anything but an explicit
// yes is a no.
func Ask(ctx context.Context, question string) (accepted bool, err error) {
	ask, ok := ctx.Value(askerKey{}).(asker)
	if !ok {
		return false, ErrCannotAsk
	}
	return ask(ctx, question)
}

// answerCall handles a call in the way in which its client can ask a person: by a
// request of ours during the call, by a result that asks and a second call that
// answers (2026-07-28), or not at all.
func (s *Server) answerCall(ctx context.Context, request mcp.CallToolRequest, t Tool, report func(string)) *mcp.CallToolResult {
	modern := mcp.IsModernProtocol(server.RequestProtocolVersion(ctx))
	switch {
	case !elicits(ctx, request, modern):
		return t.Handle(ctx, request, report)
	case modern:
		return s.continueCall(ctx, request, t, report)
	}
	return t.Handle(context.WithValue(ctx, askerKey{}, asker(s.elicit)), request, report)
}

// elicits reports whether the client can show a form: an empty declaration
// means that it can.
func elicits(ctx context.Context, request mcp.CallToolRequest, modern bool) bool {
	var declared mcp.ClientCapabilities
	if modern {
		if c := request.Params.Meta.ClientCapabilities(); c != nil {
			declared = *c
		}
	} else if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
		declared = session.GetClientCapabilities()
	}
	e := declared.Elicitation
	return e != nil && (e.Form != nil || e.URL == nil)
}

// questionForm returns a question without fields: the answer is to accept or to decline it.
func questionForm(question string) mcp.ElicitationParams {
	return mcp.ElicitationParams{Message: question, RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}
}

func (s *Server) elicit(ctx context.Context, question string) (bool, error) {
	result, err := s.mcp.RequestElicitation(ctx, mcp.ElicitationRequest{
		Request: mcp.Request{Method: string(mcp.MethodElicitationCreate)}, Params: questionForm(question)})
	if err != nil {
		return false, err
	}
	return result.Action == mcp.ElicitationResponseActionAccept, nil
}

// inputID names our only question in an input_required result.
const inputID = "confirm"

// pendingCall records a call that goes on while its client asks a person. The tool's own limit
// bounds it.
type pendingCall struct {
	tool      string
	arguments []byte
	question  chan string
	answer    chan bool
	result    chan *mcp.CallToolResult
	report    atomic.Pointer[func(string)] // that of the request that waits for the call now
	cancel    context.CancelFunc
}

// pendingCalls holds the calls that wait for an answer, by the state that the
// client must give back.
type pendingCalls struct {
	mu      sync.Mutex
	waiting map[string]*pendingCall
	running sync.WaitGroup
	closed  bool
}

// continueCall handles a call, or goes on with the one whose question it answers.
// An answer to nothing that waits, or to another call, is none: the call is new
// and its person is questioned again.
func (s *Server) continueCall(ctx context.Context, request mcp.CallToolRequest, t Tool, report func(string)) *mcp.CallToolResult {
	arguments := argumentsOf(request)
	if c := s.pending.take(request.Params.RequestState, request.Params.Name, arguments); c != nil {
		answer := server.ElicitationResponse(request.Params.InputResponses, inputID)
		c.report.Store(&report)
		select {
		case c.answer <- answer != nil && answer.Action == mcp.ElicitationResponseActionAccept:
		case r := <-c.result: // it ended meanwhile
			return r
		}
		return s.next(ctx, c)
	}
	// It outlives this request, and ends with its client's next word, its own
	// limit, or the server.
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c := &pendingCall{tool: request.Params.Name, arguments: arguments, cancel: cancel,
		question: make(chan string), answer: make(chan bool), result: make(chan *mcp.CallToolResult, 1)}
	c.report.Store(&report)
	if !s.pending.begin() {
		cancel()
	}
	inner = context.WithValue(inner, askerKey{}, asker(c.ask))
	go func() {
		defer s.pending.running.Done()
		defer cancel()
		c.result <- t.Handle(inner, request, func(m string) { (*c.report.Load())(m) })
	}()
	return s.next(ctx, c)
}

// next waits for what a conversation comes to: its end, or a question.
func (s *Server) next(ctx context.Context, c *pendingCall) *mcp.CallToolResult {
	select {
	case r := <-c.result:
		return r
	case question := <-c.question:
		return server.NewInputRequestBuilder(s.pending.wait(c)).Elicit(inputID, questionForm(question)).ToolResult()
	case <-ctx.Done():
		c.cancel()
		return <-c.result
	}
}

// ask passes the tool's question on, and waits for the client's answer.
func (c *pendingCall) ask(ctx context.Context, question string) (bool, error) {
	select {
	case c.question <- question:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	select {
	case accepted := <-c.answer:
		return accepted, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// begin counts a conversation in, and reports whether the server still goes on.
func (w *pendingCalls) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running.Add(1)
	return !w.closed
}

// wait keeps a conversation until its state comes back. Those that ended
// meanwhile are dropped.
func (w *pendingCalls) wait(c *pendingCall) (state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = map[string]*pendingCall{}
	}
	for old, other := range w.waiting {
		if len(other.result) > 0 {
			delete(w.waiting, old)
		}
	}
	state = rand.Text()
	w.waiting[state] = c
	if w.closed {
		c.cancel()
	}
	return state
}

// take finds the conversation that waits under a state, once, and only for the
// same call.
func (w *pendingCalls) take(state, tool string, arguments []byte) *pendingCall {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.waiting[state]
	if c == nil || c.tool != tool || !bytes.Equal(c.arguments, arguments) {
		return nil
	}
	delete(w.waiting, state)
	return c
}

// end cancels the conversations that wait, and returns when all have ended.
func (w *pendingCalls) end() {
	w.mu.Lock()
	w.closed = true
	for _, c := range w.waiting {
		c.cancel()
	}
	w.mu.Unlock()
	w.running.Wait()
}

// argumentsOf returns a call's arguments in one spelling.
func argumentsOf(request mcp.CallToolRequest) []byte {
	v := request.Params.Arguments
	if v == nil && len(request.Params.RawArguments) > 0 {
		v = request.Params.RawArguments
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var plain any
	if err := json.Unmarshal(raw, &plain); err != nil {
		return raw
	}
	if raw, err = json.Marshal(plain); err != nil { // it was JSON a moment ago
		return nil
	}
	return raw
}
