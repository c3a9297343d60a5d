// Package chat implements agent.Model over Chat Completions, as local servers
// such as Ollama and LM Studio offer them.
//
// It doesn't retry, doesn't acknowledge a provider's safety check, and imports
// no other wire: it takes and returns neutral types.
package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// provider names the wire in errors.
const provider = "chat"

// maxOutput bounds a turn where nothing else is configured: some servers have
// no bound of their own, and small models like to repeat themselves.
const maxOutput = 8192

// Model holds one task's conversation with a model.
type Model struct {
	connection agent.Connection
	client     *http.Client
	address    string // with a slash at its end
}

// New returns a model for one task. Nothing is sent yet. It fails without an
// address or a model's name.
func New(c agent.Connection) (*Model, error) {
	switch {
	case c.BaseURL == "":
		return nil, errors.New("chat: there is no address: set agent.base_url, such as http://127.0.0.1:11434/v1")
	case c.Model == "":
		return nil, errors.New("chat: there is no model: set agent.model to one that the server has")
	}
	return &Model{
		connection: c,
		client:     &http.Client{Transport: c.Transport, CheckRedirect: agent.SameOrigin},
		address:    strings.TrimRight(c.BaseURL, "/") + "/",
	}, nil
}

// Next asks for the next turn. Its error is a [*agent.ModelError], or that of
// ctx if it has ended.
func (m *Model) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	r := request{Model: m.connection.Model, Messages: messages(c), MaxTokens: cmp.Or(m.connection.MaxOutput, maxOutput), Temperature: m.connection.Temperature}
	for _, t := range c.Tools {
		tool, err := offer(t)
		if err != nil {
			return agent.Reply{}, err
		}
		r.Tools = append(r.Tools, tool)
	}
	body, err := m.ask(ctx, "chat/completions", r)
	if err != nil {
		return agent.Reply{}, err
	}
	return m.read(body, c)
}

// ask makes one request and returns the body of its answer.
func (m *Model) ask(ctx context.Context, path string, body any) ([]byte, error) {
	limited, cancel := ctx, func() {}
	if m.connection.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, m.connection.Timeout)
	}
	defer cancel()
	header := http.Header{}
	if m.connection.Key != "" {
		header.Set("Authorization", "Bearer "+m.connection.Key)
	}
	answer, err := agent.Send(limited, m.client, m.address+path, header, body)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, m.failure(err)
	case answer.Status >= 400:
		return nil, m.refusal(answer)
	}
	return answer.Body, nil
}

// Check asks the server whether it has the model. It costs no token. Its error
// is a [*agent.ModelError].
func Check(ctx context.Context, c agent.Connection) error {
	m, err := New(c)
	if err != nil {
		return &agent.ModelError{Provider: provider, Model: c.Model, Fault: agent.BadRequest, Message: err.Error(), Err: err}
	}
	_, missing := m.ask(ctx, "models/"+url.PathEscape(c.Model), nil)
	var fault *agent.ModelError
	if !errors.As(missing, &fault) || fault.Status != http.StatusNotFound {
		return missing
	}
	// Some servers have a list of their models only.
	body, err := m.ask(ctx, "models", nil)
	if err != nil {
		return missing
	}
	has, err := modelNames(body)
	if err != nil {
		return missing
	}
	for _, name := range has {
		if name == c.Model || name == c.Model+":latest" {
			return nil
		}
	}
	fault.Message = fmt.Sprintf("the server has no model %q; it has: %s", c.Model, cmp.Or(strings.Join(has, ", "), "none"))
	return fault
}

// Can reports what this wire carries. A schema for the answer's text is not used:
// local servers constrain the whole turn to it, and no tool can be called any
// more (ollama/ollama#13750).
func Can(agent.Connection) agent.Capabilities {
	return agent.Capabilities{ToolResultImages: "userMessage", StructuredOutput: "prompt"}
}
