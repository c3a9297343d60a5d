// Package sampling works with the model of an attached client, which lends it
// by MCP's sampling/createMessage.
//
// It refuses to know the protocol: whoever makes a [Model] hands in how to ask.
// The protocol's newest revision has deprecated sampling, so it is never a
// default.
package sampling

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// Message holds a text or a picture of a conversation.
type Message struct {
	Assistant bool // said by the model
	Text      string
	Image     *agent.Image // in place of Text
}

// Answer holds the model's turn.
type Answer struct {
	Text string
	Cut  bool // it ended at the limit of its output
}

// Ask asks the client's model for a turn of at most limit tokens.
type Ask func(ctx context.Context, system string, messages []Message, limit int) (Answer, error)

// defaultOutput bounds a turn where no limit is set, in tokens: the protocol
// requires one.
const defaultOutput = 8192

// Model holds one task's conversation with the client's model.
type Model struct {
	ask Ask
	max int
}

// New returns a model for one task. ErrUnable, in an error of ask, says that
// the client lends no model. maxOutput is in tokens of a turn; 0: 8192.
func New(ask Ask, maxOutput int) *Model {
	return &Model{ask: ask, max: cmp.Or(maxOutput, defaultOutput)}
}

// ErrUnable says that there is no model to ask, and that asking again is
// useless.
var ErrUnable = errors.New("the client lends no model")

// form instructs the model how to call tools.
const form = "\n\nAnswer with one JSON object and nothing else. To use tools: {\"calls\":[{\"name\":\"…\",\"arguments\":{…}}]}. " +
	"The calls are made in their order, and the next message tells what came of each.\n"

// Next asks for the next turn, once.
func (m *Model) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	answer, err := m.ask(ctx, system(c), messages(c), m.max)
	switch {
	case ctx.Err() != nil:
		return agent.Reply{}, ctx.Err()
	case errors.Is(err, ErrUnable):
		return agent.Reply{}, fault(agent.BadRequest, err)
	case err != nil: // the protocol doesn't tell a person's no from a failure
		return agent.Reply{}, fault(agent.Unavailable, err)
	}
	out := agent.Reply{Text: strings.TrimSpace(answer.Text), Cut: answer.Cut, Raw: answer.Text}
	calls, ok := callsIn(out.Text)
	if !ok {
		return out, nil
	}
	out.Text = ""
	for i, call := range calls {
		call.ID = fmt.Sprintf("call-%d-%d", len(c.Turns)+1, i+1)
		out.Calls = append(out.Calls, call)
	}
	return out, nil
}

func fault(f agent.Fault, err error) *agent.ModelError {
	text := []rune(err.Error())
	return &agent.ModelError{Provider: "sampling", Model: "of the client", Fault: f, Message: string(text[:min(len(text), 300)]), Err: err}
}

// callsIn reads a turn that calls tools. Models like to put something around
// the object.
func callsIn(text string) ([]agent.Call, bool) {
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	if from < 0 || to < from {
		return nil, false
	}
	var turn struct {
		Calls []struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"calls"`
	}
	if err := json.Unmarshal([]byte(text[from:to+1]), &turn); err != nil {
		return nil, false
	}
	var out []agent.Call
	for _, c := range turn.Calls {
		out = append(out, agent.Call{Name: c.Name, Arguments: c.Arguments})
	}
	return out, len(out) > 0
}

// system returns the instructions, with the tools and the form of an answer.
func system(c agent.Conversation) string {
	var b strings.Builder
	b.WriteString(c.Instructions + form)
	if len(c.Final) > 0 {
		fmt.Fprintf(&b, "To end the work, an object of this JSON Schema: %s\n", c.Final)
	}
	b.WriteString("\nThe tools, each with the JSON Schema of its arguments:\n")
	for _, t := range c.Tools {
		fmt.Fprintf(&b, "- %s: %s %s\n", t.Name, t.Description, t.Schema)
	}
	return b.String()
}

// messages converts the conversation. A picture is a message of its own.
func messages(c agent.Conversation) []Message {
	out := []Message{{Text: c.Task}}
	for _, turn := range c.Turns {
		said, _ := turn.Reply.Raw.(string)
		if said == "" {
			said = "(nothing)"
		}
		out = append(out, Message{Assistant: true, Text: said})
		var told []string
		var images []Message
		for i, call := range turn.Reply.Calls {
			r := resultOf(turn, i, call)
			state := "done"
			if r.IsError {
				state = "failed"
			}
			told = append(told, fmt.Sprintf("%d. %s, %s: %s", i+1, call.Name, state, r.Text()))
			for _, p := range r.Parts {
				if p.Image != nil {
					images = append(images, Message{Image: p.Image})
				}
			}
		}
		if text := strings.Join(append(told, turn.Notes...), "\n"); text != "" {
			out = append(out, Message{Text: text})
		}
		out = append(out, images...)
	}
	return out
}

// resultOf returns the result of a turn's call, matched by its ID.
func resultOf(turn agent.Turn, i int, call agent.Call) agent.Result {
	if i < len(turn.Results) && turn.Results[i].ID == call.ID {
		return turn.Results[i]
	}
	for _, r := range turn.Results {
		if r.ID == call.ID {
			return r
		}
	}
	return agent.Result{IsError: true, Parts: []agent.Part{{Text: "not executed"}}}
}
