package openai

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// request makes the next request of the whole conversation. What was sent once
// is sent the same way again, so that the provider's cache serves it.
func (m *Model) request(c agent.Conversation) (*request, error) {
	r := &request{
		Model:             m.connection.Model,
		Instructions:      c.Instructions,
		MaxOutputTokens:   max(0, m.connection.MaxOutput),
		Temperature:       m.connection.Temperature,
		Store:             m.connection.Store,
		ParallelToolCalls: true,
		Truncation:        "disabled", // what doesn't fit is an error, not dropped
	}
	if m.computer() {
		r.Instructions += computerOrders
	}
	if !m.connection.Store && reasons(m.connection.Model) {
		r.Include = []string{"reasoning.encrypted_content"}
	}
	var err error
	if r.Tools, err = m.tools(c.Tools); err != nil {
		return nil, err
	}
	if len(c.Final) > 0 {
		if r.Text, err = final(c); err != nil {
			return nil, err
		}
	}
	r.Input, err = items(c)
	return r, err
}

// computer reports whether the provider's computer tool takes the place of
// computer_action.
func (m *Model) computer() bool { return m.connection.Computer && hasComputer(m.connection.Model) }

func (m *Model) tools(offered []agent.Tool) ([]any, error) {
	var out []any
	for _, t := range offered {
		if t.Name == computerTool && m.computer() {
			out = append(out, bareTool{"computer"})
			continue
		}
		parameters, strict, err := dialect(t.Schema, m.requireAll)
		if err != nil {
			return nil, fmt.Errorf("%s: the schema of the tool %s: %w", m.provider, t.Name, err)
		}
		out = append(out, functionTool{Type: "function", Name: t.Name, Description: t.Description, Parameters: parameters, Strict: strict})
	}
	return out, nil
}

// final asks for the text that ends the work in its form.
func final(c agent.Conversation) (*textConfig, error) {
	form, strict, err := dialect(c.Final, false)
	if err != nil {
		return nil, fmt.Errorf("the schema of the final answer: %w", err)
	}
	return &textConfig{format{Type: "json_schema", Name: "final", Schema: form, Strict: strict}}, nil
}

// items returns the conversation: the task, and of each turn what the model said,
// as it came, what its calls were answered, and the loop's own words.
func items(c agent.Conversation) ([]any, error) {
	out := []any{user(c.Task)}
	var shown *agent.Image
	for i, turn := range c.Turns {
		s, ok := turn.Reply.Raw.(said)
		if !ok {
			return nil, fmt.Errorf("turn %d holds %T: it was not said by this model", i+1, turn.Reply.Raw)
		}
		for _, raw := range s.items {
			out = append(out, raw)
		}
		results := slices.Clone(turn.Results)
		var words []string
		for _, a := range s.asked {
			r, found := take(&results, a.id)
			if !found {
				r = agent.Result{IsError: true, Parts: []agent.Part{{Text: "not executed"}}}
			}
			if !a.computer {
				out = append(out, functionOutput(a.sent, r))
				continue
			}
			if image := lastImage(r); image != nil {
				shown = image
			}
			out = append(out, computerOutput(a.sent, r, shown))
			words = append(words, strings.TrimSpace("computer call "+a.sent+": "+r.Text()))
		}
		for _, text := range append(words, turn.Notes...) {
			out = append(out, user(text))
		}
	}
	return out, nil
}

// take removes the first result of a call from the list.
func take(results *[]agent.Result, id string) (agent.Result, bool) {
	i := slices.IndexFunc(*results, func(r agent.Result) bool { return r.ID == id })
	if i < 0 {
		return agent.Result{}, false
	}
	r := (*results)[i]
	*results = slices.Delete(*results, i, i+1)
	return r, true
}

func user(text string) inputMessage { return inputMessage{Role: "user", Content: text} }

// functionOutput answers a call of a function: a text, or a list where there
// are pictures.
func functionOutput(id string, r agent.Result) callOutput {
	out := callOutput{Type: "function_call_output", CallID: id, Output: r.Text()}
	if lastImage(r) == nil {
		return out
	}
	var list []any
	for _, p := range r.Parts {
		if p.Text != "" {
			list = append(list, inputText{"input_text", p.Text})
		}
		if p.Image != nil {
			list = append(list, inputImage{"input_image", dataURL(p.Image), "high"})
		}
	}
	out.Output = list
	return out
}

// noPicture holds a grey square: a computer call must be answered by a picture.
const noPicture = "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAAAAABWESUoAAAAFklEQVR42mNoIAAYRhWMKhhVMFIVAABCAAAfN5c2AAAAAABJRU5ErkJggg=="

// computerOutput answers a computer call. It takes a picture and nothing else:
// an error shows what was shown before, a picture that is gone a grey square.
func computerOutput(id string, r agent.Result, shown *agent.Image) callOutput {
	image := lastImage(r)
	if image == nil && r.IsError {
		image = shown
	}
	if image == nil {
		image = &agent.Image{MIMEType: "image/png", Data: noPicture}
	}
	return callOutput{Type: "computer_call_output", CallID: id, Output: screenshot{"computer_screenshot", dataURL(image)}}
}

func dataURL(i *agent.Image) string { return "data:" + i.MIMEType + ";base64," + i.Data }
