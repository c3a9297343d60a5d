// Package gemini implements agent.Model over Google's Gemini API.
//
// It doesn't retry, doesn't acknowledge a provider's safety check, and imports
// no other wire: it takes and returns neutral types.
package gemini

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// provider names the wire in errors.
const provider = "google"

// publicAddress points to the API, whatever the environment says.
const publicAddress = "https://generativelanguage.googleapis.com/"

// maxOutput bounds a turn where nothing else is configured. What the model only
// thinks counts too.
const maxOutput = 16384

// computerTool names the tool that a model's own computer tool stands for.
const computerTool = "computer_action"

// Model holds one task's conversation with a model.
type Model struct {
	connection agent.Connection
	facts      facts
	client     *http.Client
	address    string // with a slash at its end
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
	return &Model{
		connection: c,
		facts:      about(c.Model),
		client:     &http.Client{Transport: c.Transport, CheckRedirect: agent.NoRedirect}, // one would carry the key to wherever it leads
		address:    strings.TrimRight(cmp.Or(c.BaseURL, publicAddress), "/") + "/v1beta/",
	}, nil
}

// Next asks for the next turn. Its error is a [*agent.ModelError], or that of
// ctx if it has ended.
func (m *Model) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	r, err := m.request(c)
	if err != nil {
		return agent.Reply{}, err
	}
	body, err := m.ask(ctx, m.path()+":generateContent", r)
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
	_, err = m.ask(ctx, m.path(), nil)
	return err
}

// path returns the model's own path, below the API's.
func (m *Model) path() string {
	name := m.connection.Model
	if !strings.HasPrefix(name, "models/") && !strings.HasPrefix(name, "tunedModels/") {
		name = "models/" + name
	}
	return (&url.URL{Path: name}).EscapedPath()
}

// Can reports what this wire carries, by the model.
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

// request asks for the conversation's next turn.
func (m *Model) request(c agent.Conversation) (*request, error) {
	r := &request{
		Contents:         m.contents(c),
		GenerationConfig: generationConfig{MaxOutputTokens: cmp.Or(m.connection.MaxOutput, maxOutput), Temperature: m.connection.Temperature},
		Store:            m.connection.Store,
	}
	instructions := c.Instructions
	switch {
	case len(c.Final) == 0:
	case m.facts.schema(m.connection):
		schema, err := dialect(c.Final)
		if err != nil {
			return nil, err
		}
		r.GenerationConfig.ResponseMIMEType, r.GenerationConfig.ResponseJSONSchema = "application/json", schema
	default:
		instructions += "\n\nEnd the work by calling run_finish. If you can't call it, end with one JSON object of this schema and nothing else:\n" + string(c.Final)
	}
	if instructions = strings.TrimSpace(instructions); instructions != "" {
		r.SystemInstruction = &message{Role: roleUser, Parts: []*part{{Text: instructions}}}
	}
	var functions []function
	for _, t := range c.Tools {
		if t.Name == computerTool && m.computer() {
			continue
		}
		schema, err := dialect(t.Schema)
		if err != nil {
			return nil, err
		}
		functions = append(functions, function{Name: t.Name, Description: t.Description, ParametersJSONSchema: schema})
	}
	if len(functions) > 0 {
		r.Tools = append(r.Tools, tool{FunctionDeclarations: functions})
	}
	if m.computer() {
		r.Tools = append(r.Tools, tool{ComputerUse: &computerUse{Environment: "ENVIRONMENT_BROWSER", Excluded: m.facts.excluded()}})
	}
	return r, nil
}

// computer reports whether the model's own computer tool is on offer.
func (m *Model) computer() bool { return m.connection.Computer && m.facts.computer }
