package gemini

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/agent"
)

// maxMessage bounds what is quoted of an error, in characters.
const maxMessage = 300

// ask makes one request within the connection's time, and returns the body of
// the answer. Its error is that of ctx, or a [*agent.ModelError].
func (m *Model) ask(ctx context.Context, path string, body any) ([]byte, error) {
	header := http.Header{"X-Goog-Api-Key": {m.connection.Key}}
	limited, cancel := ctx, func() {}
	if limit := m.connection.Timeout; limit > 0 {
		limited, cancel = context.WithTimeout(ctx, limit)
		header.Set("X-Server-Timeout", strconv.Itoa(int(math.Ceil(limit.Seconds())))) // the server need not work longer
	}
	defer cancel()
	answer, err := agent.Send(limited, m.client, m.address+path, header, body)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil && answer.Status/100 == 2:
		return answer.Body, nil
	case err == nil:
		return nil, m.refusal(answer)
	case limited.Err() != nil:
		return nil, m.fault(agent.TimedOut, "no answer within "+m.connection.Timeout.String(), agent.Usage{})
	default:
		e := m.fault(agent.Unavailable, err.Error(), agent.Usage{})
		e.Err = err
		return nil, e
	}
}

// fault returns the error of a turn that did not come.
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

// refusal reads an answer that is an error.
func (m *Model) refusal(a *agent.Answer) *agent.ModelError {
	var problem refusal
	message := string(a.Body) // of a proxy, perhaps
	if json.Unmarshal(a.Body, &problem) == nil && problem.Error.Message != "" {
		message = problem.Error.Message
	}
	e := m.fault(agent.BadRequest, message, agent.Usage{})
	e.Status = a.Status
	e.RetryAfter = max(agent.RetryAfter(a.Header), retryInfo(problem.Error.Details))
	switch e.Fault = agent.FaultOf(e.Status); {
	case slices.ContainsFunc(problem.Error.Details, func(d map[string]any) bool { return d["reason"] == "API_KEY_INVALID" }):
		e.Fault = agent.Unauthorised
	case e.Fault == agent.BadRequest && strings.Contains(message, "maximum number of tokens"):
		e.Fault = agent.TooLong
	}
	return e
}

// retryInfo returns the delay of a google.rpc.RetryInfo among an error's details.
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
