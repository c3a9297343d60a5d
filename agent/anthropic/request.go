package anthropic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// request builds the request for a conversation's next turn.
func (m *Model) request(c agent.Conversation) (*request, error) {
	talk, err := m.talk(c)
	if err != nil {
		return nil, err
	}
	r := &request{
		Model:       m.connection.Model,
		MaxTokens:   min(cmp.Or(m.connection.MaxOutput, defaultOutput), maxOutput),
		Messages:    talk,
		Temperature: m.connection.Temperature,
	}
	if r.Tools, err = m.tools(c); err != nil {
		return nil, err
	}
	if said(c.Instructions) {
		system := text(c.Instructions)
		system.Cache.keep() // tools come before it, and are kept with it
		r.System = []*textBlock{system}
	}
	if m.traits.adaptive {
		r.Thinking = &thinking{Type: "adaptive"}
		if m.traits.binds { // what the loop shortens lies before thoughts that are sent back
			r.Thinking.Binding = &blockBinding{"drop_block"}
			r.betas = append(r.betas, "thinking-binding-controls-2026-08-01")
		}
	}
	if m.operates(c) {
		switch m.traits.computer {
		case tool20251124:
			r.betas = append(r.betas, "computer-use-2025-11-24")
		case tool20250124:
			r.betas = append(r.betas, "computer-use-2025-01-24")
		}
	}
	if len(c.Final) > 0 {
		r.OutputConfig = &outputConfig{format{Type: "json_schema", Schema: c.Final}}
	}
	return r, nil
}

// maxStrict bounds how many strict tools a request may have.
const maxStrict = 20

// tools returns the conversation's tools, with the provider's own computer tool
// in the place of computer_action where that is wanted.
func (m *Model) tools(c agent.Conversation) ([]any, error) {
	var out []any
	operates, strict := m.operates(c), 0
	for _, t := range c.Tools {
		if operates && t.Name == computerAction {
			out = append(out, m.computerTool(c.Screen))
			continue
		}
		offer := tool{Name: t.Name, InputSchema: t.Schema}
		if said(t.Description) {
			offer.Description = t.Description
		}
		closed, err := isClosed(t.Schema)
		if err != nil {
			return nil, fmt.Errorf("anthropic: the schema of tool %s: %w", t.Name, err)
		}
		if closed && strict < maxStrict {
			offer.Strict = true
			strict++
		}
		out = append(out, offer)
	}
	return out, nil
}

// operates reports whether the model works with the provider's computer tool.
func (m *Model) operates(c agent.Conversation) bool {
	return m.connection.Computer && slices.ContainsFunc(c.Tools, func(t agent.Tool) bool { return t.Name == computerAction })
}

// shape selects the parts of a schema that decide whether it can be strict.
type shape struct {
	Type       any                        `json:"type"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
	Additional any                        `json:"additionalProperties"`
	Items      json.RawMessage            `json:"items"`
}

// isClosed reports whether a strict tool may have a schema: all properties are
// required, none may stand beside them, and there are no words that the
// provider's grammar lacks. Optional properties are possible, but few in a
// request; a tool of the catalogue has more than its share.
func isClosed(schema json.RawMessage) (bool, error) {
	var words map[string]json.RawMessage
	var s shape
	if err := json.Unmarshal(schema, &words); err != nil {
		return false, err
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		return false, err
	}
	for word := range words {
		if !slices.Contains([]string{"type", "properties", "required", "additionalProperties", "items", "description", "enum", "const"}, word) {
			return false, nil
		}
	}
	if s.Type == nil {
		return false, nil
	}
	if s.Type == "object" && (s.Additional != false || len(s.Required) != len(s.Properties)) {
		return false, nil
	}
	below := []json.RawMessage{}
	for _, p := range s.Properties {
		below = append(below, p)
	}
	if len(s.Items) > 0 {
		below = append(below, s.Items)
	}
	for _, b := range below {
		if closed, err := isClosed(b); !closed || err != nil {
			return false, err
		}
	}
	return true, nil
}

// said reports whether a text says anything: the provider refuses blank ones.
func said(text string) bool { return strings.TrimSpace(text) != "" }
