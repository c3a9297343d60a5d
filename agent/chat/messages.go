package chat

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// said holds what the model said in a turn, as it is sent back to it.
type said struct {
	text  string
	calls []sent // empty where the calls were written into the text
}

// sent describes a call as it goes back to the server.
type sent struct{ id, name, arguments string }

// offer offers a tool.
func offer(t agent.Tool) (tool, error) {
	var schema map[string]any
	if err := json.Unmarshal(t.Schema, &schema); err != nil {
		return tool{}, fmt.Errorf("the schema of %s: %w", t.Name, err)
	}
	return tool{Type: "function", Function: definition{Name: t.Name, Description: t.Description, Parameters: schema}}, nil
}

// messages returns the whole conversation.
func messages(c agent.Conversation) []message {
	instructions := c.Instructions
	if len(c.Final) > 0 {
		instructions += "\n\nEnd the work by calling run_finish. If you can't call it, end with one JSON object of this schema and nothing else:\n" + string(c.Final)
	}
	out := []message{{Role: "user", Content: c.Task}}
	if instructions = strings.TrimSpace(instructions); instructions != "" {
		out = append([]message{{Role: "system", Content: instructions}}, out...)
	}
	for _, t := range c.Turns {
		s, ok := t.Reply.Raw.(said)
		if !ok { // another adapter's turn
			s = said{text: t.Reply.Text}
			for _, call := range t.Reply.Calls {
				s.calls = append(s.calls, sent{call.ID, call.Name, asObject(string(call.Arguments))})
			}
		}
		if s.text != "" || len(s.calls) > 0 {
			out = append(out, assistant(s))
		}
		out = append(out, answers(s, t)...)
	}
	return out
}

// assistant returns what the model said as a message.
func assistant(s said) message {
	m := message{Role: "assistant", Content: s.text}
	for _, c := range s.calls {
		m.ToolCalls = append(m.ToolCalls, toolCall{Type: "function", ID: c.id, Function: calledFunction{Name: c.name, Arguments: c.arguments}})
	}
	return m
}

// answers returns the results of a turn's calls, each once and in their order,
// then one message of the user: the pictures, which results can't hold on this
// wire, and the loop's notes. What came of a picture that grew old stays where
// the picture was, so that what was sent stays as it was.
func answers(s said, t agent.Turn) []message {
	results := map[string]agent.Result{}
	for _, r := range t.Results {
		results[r.ID] = r
	}
	var out []message
	var user []any // textPart, imagePart
	for i, c := range t.Reply.Calls {
		text, shown := "not executed", []agent.Part(nil)
		if r, ok := results[c.ID]; ok && len(r.Parts) > 0 {
			text, shown = r.Parts[0].Text, r.Parts[1:]
			if r.Parts[0].Image != nil {
				shown = r.Parts
			}
		}
		if i < len(s.calls) {
			out = append(out, message{Role: "tool", Content: text, ToolCallID: s.calls[i].id})
		} else {
			user = append(user, textPart{"text", fmt.Sprintf("The result of %s:\n%s", c.Name, text)})
		}
		if len(shown) > 0 {
			user = append(user, textPart{"text", fmt.Sprintf("Shown by call %d, %s:", i+1, c.Name)})
		}
		for _, p := range shown {
			user = append(user, content(p))
		}
	}
	for _, note := range t.Notes {
		user = append(user, textPart{"text", note})
	}
	switch only, isText := alone(user); {
	case isText: // what every server reads
		out = append(out, message{Role: "user", Content: only})
	case len(user) > 0:
		out = append(out, message{Role: "user", Content: user})
	}
	return out
}

// alone returns the text of parts that are one text.
func alone(parts []any) (string, bool) {
	if len(parts) != 1 {
		return "", false
	}
	text, ok := parts[0].(textPart)
	return text.Text, ok
}

func content(p agent.Part) any {
	if p.Image == nil {
		return textPart{"text", p.Text}
	}
	return imagePart{"image_url", imageURL{"data:" + p.Image.MIMEType + ";base64," + p.Image.Data}}
}
