package chat

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// answer describes a chat completion, as loose as servers are: arguments may be
// an object instead of a string, and content null or missing.
type answer struct {
	Choices []struct {
		Message struct {
			Content   *string `json:"content"`
			Refusal   string  `json:"refusal"`
			ToolCalls []struct {
				ID       string   `json:"id"`
				Function function `json:"function"`
			} `json:"tool_calls"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Details    struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
}

type function struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// read makes a turn of the server's answer.
func (m *Model) read(body []byte, c agent.Conversation) (agent.Reply, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return agent.Reply{}, m.bad("the answer can't be read: "+err.Error(), agent.Usage{})
	}
	usage := agent.Usage{Input: a.Usage.Prompt, Cached: a.Usage.Details.Cached, Output: a.Usage.Completion}
	if len(a.Choices) == 0 {
		return agent.Reply{}, m.bad("the answer holds no choice: "+errorText(body), usage)
	}
	choice := a.Choices[0]
	if choice.Message.Refusal != "" || choice.FinishReason == "content_filter" {
		fault := m.bad(cmp.Or(choice.Message.Refusal, "the content filter ended the turn"), usage)
		fault.Fault = agent.Refused
		return agent.Reply{}, fault
	}
	reply := agent.Reply{Usage: usage, Cut: choice.FinishReason == "length"}
	if choice.Message.Content != nil {
		reply.Text = spoken(*choice.Message.Content)
	}
	raw := modelTurn{text: reply.Text}
	names := agent.FreshIDs(c)
	for i, t := range choice.Message.ToolCalls {
		arguments := written(t.Function.Arguments)
		call := agent.Call{ID: names(t.ID, i), Name: t.Function.Name, Arguments: json.RawMessage(arguments)}
		if t.ID == "" {
			t.ID = call.ID
		}
		reply.Calls = append(reply.Calls, call)
		raw.calls = append(raw.calls, sent{t.ID, t.Function.Name, asObject(arguments)})
	}
	if call, ok := inText(reply.Text, c.Tools); ok && len(reply.Calls) == 0 {
		reply.Text, reply.Calls = "", []agent.Call{{ID: names("", 0), Name: call.Name, Arguments: call.Arguments}}
	}
	reply.Raw = raw
	return reply, nil
}

// written returns a call's arguments as the model wrote them: in a string, or as
// they are.
func written(arguments json.RawMessage) string {
	var text string
	if json.Unmarshal(arguments, &text) == nil { // also null
		return text
	}
	return string(arguments)
}

// asObject returns arguments as they go back to the server: {} for those that
// were cut short, because servers parse them again and would refuse the whole
// conversation.
func asObject(arguments string) string {
	if json.Valid([]byte(arguments)) {
		return arguments
	}
	return "{}"
}

// spoken returns a text without what was only thought. Templates that open the
// thought themselves leave its end alone in the text.
func spoken(text string) string {
	text = strings.TrimSpace(text)
	thought, rest, closed := strings.Cut(text, "</think>")
	opened := strings.HasPrefix(thought, "<think>")
	switch {
	case closed && (opened || !strings.Contains(thought, "<think>")):
		return spoken(rest)
	case opened: // it was cut while it thought
		return ""
	default:
		return text
	}
}

// inText returns the call that a text contains: small models write it there,
// where the server does not know their form. Anything else than one object with
// the name of a tool and its arguments is a text.
func inText(text string, tools []agent.Tool) (function, bool) {
	var f function
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if !strings.HasPrefix(text, "{") || d.Decode(&f) != nil || !bytes.HasPrefix(f.Arguments, []byte("{")) {
		return f, false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return f, false
	}
	return f, slices.ContainsFunc(tools, func(t agent.Tool) bool { return t.Name == f.Name })
}

// modelNames returns the models that the server has.
func modelNames(body []byte) ([]string, error) {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, err
	}
	var names []string
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	return names, nil
}
