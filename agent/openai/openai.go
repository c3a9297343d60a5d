// Package openai speaks the Responses API of OpenAI, and Azure's.
//
// It refuses to ask twice, to acknowledge a provider's safety check, and to
// know any other wire: neutral types in, neutral types out.
package openai

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/assay-qa/assay/agent"
)

// publicURL is where OpenAI itself answers.
const publicURL = "https://api.openai.com/v1/"

// Model is one task's conversation with a model. It keeps nothing between
// turns: each request is made of the whole conversation.
type Model struct {
	provider   string // openai or azure
	connection agent.Connection
	options    []option.RequestOption
	requireAll bool // every property of a schema must be required, even in schemas that can't be strict
}

// New returns a model of OpenAI, or of a server that speaks the Responses API,
// for one task. Nothing is sent yet.
func New(c agent.Connection) (*Model, error) {
	if c.Model == "" {
		return nil, errors.New("openai: no model is named: set agent.model")
	}
	options := append(common(c), option.WithBaseURL(cmp.Or(c.BaseURL, publicURL)))
	if c.Key != "" {
		options = append(options, option.WithAPIKey(c.Key))
	}
	return &Model{provider: "openai", connection: c, options: options}, nil
}

// common are the options of both wires. Retries are the loop's business: it
// counts them.
func common(c agent.Connection) []option.RequestOption {
	return []option.RequestOption{option.WithMaxRetries(0), option.WithHTTPClient(&http.Client{Transport: c.Transport})}
}

// Next asks for the next turn, once.
func (m *Model) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	params, err := m.request(c)
	if err != nil {
		return agent.Reply{}, err
	}
	body, err := m.post(ctx, params)
	if err != nil {
		return agent.Reply{}, err
	}
	return m.reply(body, c)
}

// post sends a request for a response and returns the answer's body.
func (m *Model) post(ctx context.Context, params responses.ResponseNewParams) ([]byte, error) {
	service := responses.NewResponseService(m.options...)
	return m.ask(ctx, func(ctx context.Context, options ...option.RequestOption) error {
		_, err := service.New(ctx, params, options...)
		return err
	})
}

// Check asks OpenAI, without a token being spent, whether key, address and
// model are good. Its error is a [*agent.ModelError], or that of [New].
func Check(ctx context.Context, c agent.Connection) error {
	m, err := New(c)
	if err != nil {
		return err
	}
	service := openai.NewModelService(m.options...)
	body, err := m.ask(ctx, func(ctx context.Context, options ...option.RequestOption) error {
		_, err := service.Get(ctx, c.Model, options...)
		return err
	})
	if err != nil {
		return err
	}
	return m.readable(body, "id")
}

// Can says what this wire carries, for the model that c names.
func Can(c agent.Connection) agent.Capabilities {
	return agent.Capabilities{ToolResultImages: "native", StructuredOutput: "schema", Computer: hasComputer(c.Model)}
}
