// Package gemini speaks the Gemini API of Google.
//
// It refuses to ask twice, to acknowledge a provider's safety check, and to
// know any other wire: neutral types in, neutral types out.
package gemini

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"

	"google.golang.org/genai"

	"github.com/assay-qa/assay/agent"
)

// provider is the wire's name in errors.
const provider = "google"

// publicAddress is where the API is, whatever the environment says.
const publicAddress = "https://generativelanguage.googleapis.com/"

// maxOutput bounds a turn where nothing else is configured. What the model only
// thinks counts too.
const maxOutput = 16384

// computerTool is the tool that a model's own computer tool stands for.
const computerTool = "computer_action"

// Model is one task's conversation with a model.
type Model struct {
	connection agent.Connection
	facts      facts
	client     *genai.Client
	wire       *tap
}

// New returns a model for one task. Nothing is sent yet. It fails without a key
// or a model's name.
func New(c agent.Connection) (*Model, error) {
	switch {
	case c.Key == "":
		return nil, errors.New("gemini: there is no key: set GEMINI_API_KEY or GOOGLE_API_KEY")
	case c.Model == "":
		return nil, errors.New("gemini: there is no model: set agent.model")
	}
	m := &Model{connection: c, facts: about(c.Model), wire: &tap{next: c.Transport}}
	if m.wire.next == nil {
		m.wire.next = http.DefaultTransport
	}
	var err error
	m.client, err = genai.NewClient(context.Background(), &genai.ClientConfig{
		Backend: genai.BackendGeminiAPI,
		APIKey:  c.Key,
		// A redirect would carry the key to wherever it leads.
		HTTPClient:  &http.Client{Transport: m.wire, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		HTTPOptions: genai.HTTPOptions{BaseURL: cmp.Or(c.BaseURL, publicAddress), APIVersion: "v1beta"},
	})
	if err != nil { // its text holds the key
		return nil, errors.New("gemini: the client can't be made: " + m.shorten(err.Error()))
	}
	return m, nil
}

// Next asks for the next turn. Its error is a [*agent.ModelError], or that of
// ctx if it has ended.
func (m *Model) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	config, err := m.config(c)
	if err != nil {
		return agent.Reply{}, err
	}
	contents := m.contents(c)
	// The SDK's types drop what they don't know, and the model's own words must
	// go back exactly as they came.
	config.HTTPOptions = &genai.HTTPOptions{ExtrasRequestProvider: func(body map[string]any) map[string]any {
		body["contents"] = contents
		return body
	}}
	body, err := m.ask(ctx, func(ctx context.Context) error {
		_, err := m.client.Models.GenerateContent(ctx, m.connection.Model, nil, config)
		return err
	})
	if err != nil {
		return agent.Reply{}, err
	}
	return m.read(body, c)
}

// Check asks the provider for the model. It costs no token. Its error is a
// [*agent.ModelError].
func Check(ctx context.Context, c agent.Connection) error {
	m, err := New(c)
	if err != nil {
		return &agent.ModelError{Provider: provider, Model: c.Model, Fault: agent.BadRequest, Message: err.Error(), Err: err}
	}
	_, err = m.ask(ctx, func(ctx context.Context) error {
		_, err := m.client.Models.Get(ctx, c.Model, nil)
		return err
	})
	return err
}

// Can says what this wire carries, by the model.
func Can(c agent.Connection) agent.Capabilities {
	f := about(c.Model)
	out := agent.Capabilities{ToolResultImages: "userMessage", StructuredOutput: "prompt", Computer: f.computer}
	if f.pictures {
		out.ToolResultImages = "native"
	}
	if f.schema(c) {
		out.StructuredOutput = "schema"
	}
	return out
}

// config is what a request holds beside the conversation.
func (m *Model) config(c agent.Conversation) (*genai.GenerateContentConfig, error) {
	config := &genai.GenerateContentConfig{
		MaxOutputTokens:       int32(cmp.Or(m.connection.MaxOutput, maxOutput)),
		AutomaticContinuation: genai.Ptr(false), // the loop asks again, and counts it
		Store:                 genai.Ptr(m.connection.Store),
	}
	instructions := c.Instructions
	switch {
	case len(c.Final) == 0:
	case m.facts.schema(m.connection):
		schema, err := dialect(c.Final)
		if err != nil {
			return nil, err
		}
		config.ResponseMIMEType, config.ResponseJsonSchema = "application/json", schema
	default:
		instructions += "\n\nEnd the work by calling run_finish. If you can't call it, end with one JSON object of this schema and nothing else:\n" + string(c.Final)
	}
	if instructions = strings.TrimSpace(instructions); instructions != "" {
		config.SystemInstruction = &genai.Content{Parts: []*genai.Part{{Text: instructions}}}
	}
	var functions []*genai.FunctionDeclaration
	for _, t := range c.Tools {
		if t.Name == computerTool && m.computer() {
			continue
		}
		schema, err := dialect(t.Schema)
		if err != nil {
			return nil, err
		}
		functions = append(functions, &genai.FunctionDeclaration{Name: t.Name, Description: t.Description, ParametersJsonSchema: schema})
	}
	if len(functions) > 0 {
		config.Tools = append(config.Tools, &genai.Tool{FunctionDeclarations: functions})
	}
	if m.computer() {
		config.Tools = append(config.Tools, &genai.Tool{ComputerUse: &genai.ComputerUse{
			Environment: genai.EnvironmentBrowser, ExcludedPredefinedFunctions: m.facts.excluded()}})
	}
	return config, nil
}

// computer reports whether the model's own computer tool is on offer.
func (m *Model) computer() bool { return m.connection.Computer && m.facts.computer }
