package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// maxMessage bounds what is quoted of a provider's message, in characters.
const maxMessage = 300

// ask makes one request within the connection's time and returns the body of
// the answer. Its error is that of ctx, or a [*agent.ModelError].
func (m *Model) ask(ctx context.Context, path string, body any) ([]byte, error) {
	limited := ctx
	if m.connection.Timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, m.connection.Timeout)
		defer cancel()
	}
	answer, err := agent.Send(limited, m.client, m.address+path+m.query, m.header, body)
	switch {
	case err == nil && answer.Status < 400:
		return answer.Body, nil
	case err == nil:
		return nil, m.refused(answer)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, m.fault(agent.TimedOut, "no answer within "+m.connection.Timeout.String())
	default:
		e := m.fault(agent.Unavailable, err.Error())
		e.Err = err
		return nil, e
	}
}

// fault makes the error of a turn that didn't come.
func (m *Model) fault(f agent.Fault, message string) *agent.ModelError {
	return &agent.ModelError{Provider: m.provider, Model: m.connection.Model, Fault: f, Message: m.shorten(message)}
}

// shorten makes one short line of what a provider says, without the key.
func (m *Model) shorten(text string) string {
	if m.connection.Key != "" {
		text = strings.ReplaceAll(text, m.connection.Key, "••••")
	}
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxMessage {
		text = string(runes[:maxMessage-1]) + "…"
	}
	return text
}

// refused reads an answer that is an error.
func (m *Model) refused(answer *agent.Answer) *agent.ModelError {
	var problem struct {
		Error struct {
			Message string `json:"message"`
			Type    string `json:"type"`
			Code    any    `json:"code"` // a text, a number or null
		} `json:"error"`
	}
	message := string(answer.Body) // of a proxy, perhaps
	if json.Unmarshal(answer.Body, &problem) == nil && problem.Error.Message != "" {
		message = problem.Error.Message
	}
	if message == "" {
		message = http.StatusText(answer.Status)
	}
	code, _ := problem.Error.Code.(string)
	e := m.fault(faultOf(answer.Status, code), message)
	e.Status, e.RetryAfter = answer.Status, agent.RetryAfter(answer.Header)
	return e
}

// faultOf reports what an HTTP status and the provider's own code mean.
func faultOf(status int, code string) agent.Fault {
	switch {
	case code == "insufficient_quota":
		return agent.Unauthorised // 429 too, but no waiting fixes it
	case code == "context_length_exceeded":
		return agent.TooLong
	case status == http.StatusConflict:
		return agent.Unavailable // another request was under way: the SDK asks again, too
	case agent.FaultOf(status) == agent.BadRequest && isPolicy(code):
		return agent.Refused
	default:
		return agent.FaultOf(status)
	}
}

// isPolicy reports codes of a filter that will not have the request answered.
func isPolicy(code string) bool {
	switch code {
	case "content_filter", "content_policy_violation", "invalid_prompt", "bio_policy", "misalignment_policy_violation", "image_content_policy_violation":
		return true
	}
	return false
}

// readable refuses a body that is no JSON object with the field that every
// such answer has.
func (m *Model) readable(body []byte, field string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		e := m.fault(agent.BadAnswer, "the answer is no JSON: "+err.Error())
		e.Status, e.Err = http.StatusOK, err
		return e
	}
	if v, ok := fields[field]; !ok || bytes.Equal(v, []byte("null")) {
		e := m.fault(agent.BadAnswer, "the answer has no "+field)
		e.Status = http.StatusOK
		return e
	}
	return nil
}
