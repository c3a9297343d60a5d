// Package openai implements agent.Model over OpenAI's Responses API, and
// Azure's.
//
// It doesn't retry, doesn't acknowledge a provider's safety check, and imports
// no other wire: it takes and returns neutral types.
package openai

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// publicURL holds the address of OpenAI itself.
const publicURL = "https://api.openai.com/v1/"

// Model holds one task's conversation with a model. It keeps nothing between
// turns: each request is made of the whole conversation.
type Model struct {
	provider   string // openai or azure
	connection agent.Connection
	client     *http.Client
	address    string // of the API, with a slash at its end
	query      string // of every request
	header     http.Header
	requireAll bool // every property of a schema must be required, even in schemas that can't be strict
}

// New returns a model of OpenAI, or of a server with the Responses API, for
// one task. It sends nothing yet.
func New(c agent.Connection) (*Model, error) {
	if c.Model == "" {
		return nil, errors.New("openai: no model is named: set agent.model")
	}
	header := http.Header{}
	if c.Key != "" {
		header.Set("Authorization", "Bearer "+c.Key)
	}
	return &Model{provider: "openai", connection: c, client: clientOf(c), address: strings.TrimRight(cmp.Or(c.BaseURL, publicURL), "/") + "/", header: header}, nil
}

// clientOf makes the client of both wires.
func clientOf(c agent.Connection) *http.Client {
	return &http.Client{Transport: c.Transport, CheckRedirect: agent.SameOrigin}
}

// Next asks for the next turn, once.
func (m *Model) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	r, err := m.request(c)
	if err != nil {
		return agent.Reply{}, err
	}
	body, err := m.ask(ctx, "responses", r)
	if err != nil {
		return agent.Reply{}, err
	}
	return m.reply(body, c)
}

// Check asks OpenAI, without a token being spent, whether key, address and
// model are good. Its error is a [*agent.ModelError], or that of [New].
func Check(ctx context.Context, c agent.Connection) error {
	m, err := New(c)
	if err != nil {
		return err
	}
	body, err := m.ask(ctx, "models/"+url.PathEscape(c.Model), nil)
	if err != nil {
		return err
	}
	return m.readable(body, "id")
}

// Can reports what this wire carries, for the model that c names.
func Can(c agent.Connection) agent.Capabilities {
	return agent.Capabilities{ToolResultImages: "native", StructuredOutput: "schema", Computer: hasComputer(c.Model)}
}
