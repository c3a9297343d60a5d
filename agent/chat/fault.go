package chat

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// maxMessage bounds what of a server's words goes into an error, in characters.
const maxMessage = 300

// fault returns an error without its reason yet. The server's words may quote the
// key; ours never do.
func (m *Model) fault(message string) *agent.ModelError {
	if m.connection.Key != "" {
		message = strings.ReplaceAll(message, m.connection.Key, "[key]")
	}
	if runes := []rune(message); len(runes) > maxMessage {
		message = string(runes[:maxMessage-1]) + "…"
	}
	return &agent.ModelError{Provider: provider, Model: m.connection.Model, Message: message}
}

// bad returns the error of an answer that is no turn.
func (m *Model) bad(message string, usage agent.Usage) *agent.ModelError {
	e := m.fault(message)
	e.Fault, e.Usage = agent.BadAnswer, usage
	return e
}

// failure returns the error of a request that got no answer.
func (m *Model) failure(err error) *agent.ModelError {
	e := m.fault(err.Error())
	e.Err, e.Fault = err, agent.Unavailable
	if errors.Is(err, context.DeadlineExceeded) {
		e.Fault, e.Message = agent.TimedOut, "no answer within "+m.connection.Timeout.String()
	}
	return e
}

// refusal returns the error of an answer that reports one.
func (m *Model) refusal(a *agent.Answer) *agent.ModelError {
	e := m.fault(errorText(a.Body))
	e.Status, e.RetryAfter = a.Status, agent.RetryAfter(a.Header)
	if e.Fault = agent.FaultOf(e.Status); e.Fault == agent.BadRequest && tooLong(e.Message) {
		e.Fault = agent.TooLong
	}
	return e
}

// tooLong recognises the words of OpenAI, vLLM, LM Studio and llama.cpp.
func tooLong(message string) bool {
	message = strings.ToLower(message)
	return strings.Contains(message, "context length") || strings.Contains(message, "context_length") || strings.Contains(message, "context size") || strings.Contains(message, "context window")
}

// errorText returns a server's words about what went wrong:
// {"error":{"message"}}, {"error":"…"}, or whatever it sent.
func errorText(body []byte) string {
	var e struct {
		Error json.RawMessage `json:"error"`
	}
	var inner struct {
		Message string `json:"message"`
	}
	var text string
	switch {
	case json.Unmarshal(body, &e) != nil || len(e.Error) == 0:
		return strings.TrimSpace(string(body))
	case json.Unmarshal(e.Error, &text) == nil:
		return text
	case json.Unmarshal(e.Error, &inner) == nil && inner.Message != "":
		return inner.Message
	default:
		return string(e.Error)
	}
}
