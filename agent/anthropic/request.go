package anthropic

import (
	"cmp"
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
	if hasText(c.Instructions) {
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
		if hasText(t.Description) {
			offer.Description = t.Description
		}
		form, err := agent.ReadSchema(t.Schema)
		if err != nil {
			return nil, fmt.Errorf("anthropic: the schema of tool %s: %w", t.Name, err)
		}
		if strict < maxStrict && strictTool().Closed(form, true) {
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

// strictTool is what a strict tool may have: the provider's grammar lacks all other words.
// Optional properties are possible, but few in a request; a tool of the catalogue has more
// than its share.
func strictTool() agent.Dialect {
	return agent.Dialect{Words: []string{"type", "properties", "required", "additionalProperties", "items", "description", "enum", "const"}, Typed: true}
}

// hasText reports whether a text is not blank: the provider refuses blank ones.
func hasText(text string) bool { return strings.TrimSpace(text) != "" }
