package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/assay-qa/assay/agent"
)

// provider is this wire's name, in errors and in configuration.
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

// fault says what an error of the SDK means.
func fault(ctx context.Context, c agent.Connection, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var answer *sdk.Error // never kept: it holds the request with its key
	if errors.As(err, &answer) {
		return answered(c, answer)
	}
	var network net.Error
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err // without the address, which may hold a password
	}
	e := failed(c, agent.BadAnswer, "the answer can't be read: "+err.Error())
	switch {
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout():
		e = failed(c, agent.TimedOut, "no whole answer in the time of agent.request_timeout_ms")
	case strings.Contains(err.Error(), "parsing response"): // the SDK's word for JSON that ends too early, which came whole
	case address != nil || network != nil || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		e = failed(c, agent.Unavailable, "the connection failed: "+err.Error())
	}
	e.Err = err
	return e
}

// answered reads an error that the provider sent.
func answered(c agent.Connection, answer *sdk.Error) *agent.ModelError {
	var body struct {
		Error struct{ Type, Message string } `json:"error"`
	}
	message := http.StatusText(answer.StatusCode) + ", without a word of the provider"
	if err := json.Unmarshal([]byte(answer.RawJSON()), &body); err == nil && body.Error.Message != "" {
		message = body.Error.Message
	}
	e := failed(c, faultOf(answer.StatusCode, body.Error.Type, body.Error.Message), message)
	if answer.RequestID != "" {
		id := " (" + answer.RequestID + ")"
		e.Message = failed(c, e.Fault, string([]rune(e.Message)[:min(len([]rune(e.Message)), max(0, maxMessage-len(id)))])+id).Message
	}
	e.Status = answer.StatusCode
	if answer.Response != nil {
		e.RetryAfter = agent.RetryAfter(answer.Response.Header)
	}
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
