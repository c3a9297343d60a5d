package gemini

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"google.golang.org/genai"

	"github.com/assay-qa/assay/agent"
)

// Bounds on what is read of an answer, in bytes, and told of an error, in
// characters.
const (
	maxBody    = 64 << 20
	maxMessage = 300
)

// tap keeps the last answer as it came: the SDK drops headers of errors and
// what its types don't know. One task asks one thing at a time.
type tap struct {
	next   http.RoundTripper
	status int // 0: there was no answer
	header http.Header
	body   []byte
}

// RoundTrip reads the answer to its end, so that one that was cut is an error
// of the connection.
func (t *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	t.status, t.header, t.body = 0, nil, nil
	response, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	t.status, t.header, t.body = response.StatusCode, response.Header, body
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// ask makes one request within the connection's time, and returns the body of
// the answer. Its error is that of ctx, or a [*agent.ModelError].
func (m *Model) ask(ctx context.Context, request func(context.Context) error) ([]byte, error) {
	limited, cancel := ctx, func() {}
	if m.connection.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, m.connection.Timeout)
	}
	defer cancel()
	m.wire.status = 0
	err := request(limited)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case m.wire.status/100 == 2: // whether the SDK can read it or not
		return m.wire.body, nil
	case m.wire.status != 0:
		return nil, m.refusal(err)
	case limited.Err() != nil:
		return nil, m.fault(agent.TimedOut, "no answer within "+m.connection.Timeout.String(), agent.Usage{})
	default:
		e := m.fault(agent.Unavailable, err.Error(), agent.Usage{})
		e.Err = err
		return nil, e
	}
}

// fault is the error of a turn that did not come.
func (m *Model) fault(f agent.Fault, message string, u agent.Usage) *agent.ModelError {
	return &agent.ModelError{Provider: provider, Model: m.connection.Model, Fault: f, Message: m.shorten(message), Usage: u}
}

// shorten bounds a text, which may hold the key, and takes that out.
func (m *Model) shorten(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), m.connection.Key, "[key]")
	if runes := []rune(text); len(runes) > maxMessage {
		text = string(runes[:maxMessage-1]) + "…"
	}
	return text
}

// refusal reads an answer that is an error (google.rpc.Status in JSON).
func (m *Model) refusal(cause error) *agent.ModelError {
	var told struct {
		Error genai.APIError `json:"error"`
	}
	message := string(m.wire.body) // of a proxy, perhaps
	if json.Unmarshal(m.wire.body, &told) == nil && told.Error.Message != "" {
		message = told.Error.Message
	}
	e := m.fault(agent.BadRequest, message, agent.Usage{})
	e.Err, e.Status = cause, m.wire.status
	e.RetryAfter = max(agent.RetryAfter(m.wire.header), retryInfo(told.Error.Details))
	switch e.Fault = agent.FaultOf(e.Status); {
	case slices.ContainsFunc(told.Error.Details, func(d map[string]any) bool { return d["reason"] == "API_KEY_INVALID" }):
		e.Fault = agent.Unauthorised
	case e.Fault == agent.BadRequest && strings.Contains(message, "maximum number of tokens"):
		e.Fault = agent.TooLong
	}
	return e
}

// retryInfo is the delay of a google.rpc.RetryInfo among an error's details.
func retryInfo(details []map[string]any) time.Duration {
	for _, d := range details {
		text, ok := d["retryDelay"].(string)
		if !ok {
			continue
		}
		if delay, err := time.ParseDuration(text); err == nil {
			return max(0, delay)
		}
	}
	return 0
}
