package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// provider names this wire in errors and in configuration.
const provider = "anthropic"

// maxMessage bounds what is quoted of a provider, in characters.
const maxMessage = 300

func failed(c agent.Connection, f agent.Fault, message string) *agent.ModelError {
	if c.Key != "" {
		message = strings.ReplaceAll(message, c.Key, "[key]")
	}
	if r := []rune(message); len(r) > maxMessage {
		message = string(r[:maxMessage-1]) + "…"
	}
	return &agent.ModelError{Provider: provider, Model: c.Model, Fault: f, Message: message}
}

// unanswered reports what it means that no answer came.
func unanswered(c agent.Connection, err error) *agent.ModelError {
	var network net.Error
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err // without the address, which may hold a password
	}
	e := failed(c, agent.Unavailable, "the connection failed: "+err.Error())
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout() {
		e = failed(c, agent.TimedOut, "no whole answer in the time of agent.request_timeout_ms")
	}
	e.Err = err
	return e
}

// answered reads an error that the provider sent.
func answered(c agent.Connection, a *agent.Answer) *agent.ModelError {
	var body struct {
		Error struct{ Type, Message string } `json:"error"`
	}
	message := http.StatusText(a.Status) + ", without a word of the provider"
	if err := json.Unmarshal(a.Body, &body); err == nil && body.Error.Message != "" {
		message = body.Error.Message
	}
	e := failed(c, faultOf(a.Status, body.Error.Type, body.Error.Message), message)
	if id := a.Header.Get("Request-Id"); id != "" {
		id = " (" + id + ")"
		e.Message = failed(c, e.Fault, string([]rune(e.Message)[:min(len([]rune(e.Message)), max(0, maxMessage-len(id)))])+id).Message
	}
	e.Status, e.RetryAfter = a.Status, agent.RetryAfter(a.Header)
	return e
}

// faultOf goes by the kind that the body names, for a gateway may answer with a
// status of its own, then by the status.
func faultOf(status int, kind, message string) agent.Fault {
	switch kind {
	case "overloaded_error":
		return agent.Overloaded
	case "rate_limit_error":
		return agent.RateLimited
	case "timeout_error":
		return agent.TimedOut
	case "authentication_error", "permission_error":
		return agent.Unauthorised
	case "request_too_large":
		return agent.TooLong
	case "invalid_request_error":
		if strings.Contains(message, "prompt is too long") || strings.Contains(message, "exceed context limit") {
			return agent.TooLong
		}
	}
	return agent.FaultOf(status)
}
