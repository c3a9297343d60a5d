// Package anthropic speaks the Messages API of Anthropic.
//
// It refuses to ask twice, to acknowledge a provider's safety check, and to
// know any other wire: neutral types in, neutral types out.
package anthropic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/assay-qa/assay/agent"
)

// How much a turn may say. An answer that does not stream must come within ten
// minutes, for which the SDK allows 21,333 tokens.
const (
	defaultOutput  = 16_000
	maxOutput      = 21_000
	defaultTimeout = 10 * time.Minute
)

// Model is one task's conversation with a model.
type Model struct {
	connection agent.Connection
	traits     traits
	client     sdk.Client
}

// New returns a model for one task. Nothing is sent yet. An error says what is
// wrong with the connection's name of the model, or its address.
func New(c agent.Connection) (*Model, error) {
	client, err := clientOf(c)
	if err != nil {
		return nil, err
	}
	return &Model{connection: c, traits: traitsOf(c.Model), client: client}, nil
}

// clientOf makes a client that takes nothing from the environment, repeats
// nothing, and follows no redirect, for that would carry the key elsewhere.
func clientOf(c agent.Connection) (sdk.Client, error) {
	if c.Model == "" {
		return sdk.Client{}, errors.New("anthropic: no model is named; set agent.model")
	}
	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), option.WithoutOpenTelemetry(), option.WithMaxRetries(0),
		option.WithRequestTimeout(cmp.Or(c.Timeout, defaultTimeout)),
		option.WithHTTPClient(&http.Client{Transport: c.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}),
	}
	if c.Key != "" {
		options = append(options, option.WithAPIKey(c.Key))
	}
	if c.BaseURL != "" {
		u, err := url.Parse(c.BaseURL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return sdk.Client{}, fmt.Errorf("anthropic: the address %q is no http(s) URL; mend agent.base_url", c.BaseURL)
		}
		options = append(options, option.WithBaseURL(c.BaseURL))
	}
	return sdk.NewClient(options...), nil
}

// Next asks for the next turn: one request. Its error is a [*agent.ModelError],
// or ctx's own when that has ended.
func (m *Model) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	request, err := m.request(c)
	if err != nil {
		return agent.Reply{}, err
	}
	message, err := m.client.Beta.Messages.New(ctx, request)
	if err != nil {
		return agent.Reply{}, fault(ctx, m.connection, err)
	}
	return m.reply(message, c)
}

// Check asks the provider, without a token being spent, whether key, address and
// model are good. Its error is a [*agent.ModelError], ctx's own, or one of [New].
func Check(ctx context.Context, c agent.Connection) error {
	client, err := clientOf(c)
	if err != nil {
		return err
	}
	info, err := client.Models.Get(ctx, c.Model, sdk.ModelGetParams{})
	if err != nil {
		return fault(ctx, c, err)
	}
	switch {
	case info.ID == "":
		return failed(c, agent.BadAnswer, "what answers at this address is not the Messages API")
	case info.Lifecycle == sdk.ModelInfoLifecycleRetired:
		return failed(c, agent.BadRequest, "this model is retired")
	}
	return nil
}

// Can says what this wire carries.
func Can(agent.Connection) agent.Capabilities {
	return agent.Capabilities{ToolResultImages: "native", StructuredOutput: "schema", Computer: true}
}
