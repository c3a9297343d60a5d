// Package anthropic implements agent.Model over Anthropic's Messages API.
//
// It doesn't retry, doesn't acknowledge a provider's safety check, and imports
// no other wire: it takes and returns neutral types.
package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assay-qa/assay/agent"
)

// How much a turn may say. An answer that does not stream must come within ten
// minutes: that is 21,333 tokens by the provider's own reckoning.
const (
	defaultOutput  = 16_000
	maxOutput      = 21_000
	defaultTimeout = 10 * time.Minute
)

// Model holds one task's conversation with a model.
type Model struct {
	connection agent.Connection
	traits     traits
	client     *http.Client
	address    string // with a slash at its end
}

// publicAddress points to the API, and apiVersion names its form.
const (
	publicAddress = "https://api.anthropic.com/"
	apiVersion    = "2023-06-01"
)

// New returns a model for one task. Nothing is sent yet. An error says what is
// wrong with the connection's name of the model, or its address.
func New(c agent.Connection) (*Model, error) {
	if c.Model == "" {
		return nil, errors.New("anthropic: no model is named; set agent.model")
	}
	if c.BaseURL != "" {
		u, err := url.Parse(c.BaseURL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("anthropic: the address %q is no http(s) URL; fix agent.base_url", c.BaseURL)
		}
	}
	return &Model{
		connection: c,
		traits:     traitsOf(c.Model),
		client:     &http.Client{Transport: c.Transport, CheckRedirect: agent.NoRedirect}, // one would carry the key elsewhere
		address:    strings.TrimRight(cmp.Or(c.BaseURL, publicAddress), "/") + "/",
	}, nil
}

// Next asks for the next turn: one request. Its error is a [*agent.ModelError],
// or ctx's own when that has ended.
func (m *Model) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	r, err := m.request(c)
	if err != nil {
		return agent.Reply{}, err
	}
	var said answer
	if err := m.ask(ctx, "v1/messages?beta=true", r.betas, r, &said); err != nil {
		return agent.Reply{}, err
	}
	return m.reply(said, c)
}

// ask makes one request within the connection's time, and reads the answer into
// out. Its error is a [*agent.ModelError], or ctx's own when that has ended.
func (m *Model) ask(ctx context.Context, path string, betas []string, body, out any) error {
	limited, cancel := context.WithTimeout(ctx, cmp.Or(m.connection.Timeout, defaultTimeout))
	defer cancel()
	header := http.Header{"Anthropic-Version": {apiVersion}}
	if len(betas) > 0 {
		header["Anthropic-Beta"] = betas
	}
	if m.connection.Key != "" {
		header.Set("X-Api-Key", m.connection.Key)
	}
	a, err := agent.Send(limited, m.client, m.address+path, header, body)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return unanswered(m.connection, err)
	case a.Status >= 400:
		return answered(m.connection, a)
	}
	if err := json.Unmarshal(a.Body, out); err != nil {
		e := failed(m.connection, agent.BadAnswer, "the answer can't be read: "+err.Error())
		e.Err = err
		return e
	}
	return nil
}

// Check asks the provider, without a token being spent, whether key, address and
// model are good. Its error is a [*agent.ModelError], ctx's own, or one of [New].
func Check(ctx context.Context, c agent.Connection) error {
	m, err := New(c)
	if err != nil {
		return err
	}
	var info modelInfo
	if err := m.ask(ctx, "v1/models/"+url.PathEscape(c.Model), nil, nil, &info); err != nil {
		return err
	}
	switch {
	case info.ID == "":
		return failed(c, agent.BadAnswer, "what answers at this address is not the Messages API")
	case info.Lifecycle == "retired":
		return failed(c, agent.BadRequest, "this model is retired")
	}
	return nil
}

// Can reports what this wire carries.
func Can(agent.Connection) agent.Capabilities {
	return agent.Capabilities{ToolResultImages: "native", StructuredOutput: "schema", Computer: true}
}
