package chat

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"github.com/assay-qa/assay/agent"
)

// said is what the model said in a turn, as it is told to it again.
type said struct {
	text  string
	calls []sent // empty where the calls were written into the text
}

// sent is a call as it goes back to the server.
type sent struct{ id, name, arguments string }

// offer offers a tool.
func offer(t agent.Tool) (openai.ChatCompletionToolUnionParam, error) {
	var schema shared.FunctionParameters
	if err := json.Unmarshal(t.Schema, &schema); err != nil {
		return openai.ChatCompletionToolUnionParam{}, fmt.Errorf("the schema of %s: %w", t.Name, err)
	}
	return openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: t.Name, Description: openai.String(t.Description), Parameters: schema}), nil
}

// messages is the whole conversation.
func messages(c agent.Conversation) []openai.ChatCompletionMessageParamUnion {
	instructions := c.Instructions
	if len(c.Final) > 0 {
		instructions += "\n\nEnd the work by calling run_finish. If you can't call it, end with one JSON object of this schema and nothing else:\n" + string(c.Final)
	}
	out := []openai.ChatCompletionMessageParamUnion{openai.UserMessage(c.Task)}
	if instructions = strings.TrimSpace(instructions); instructions != "" {
		out = append([]openai.ChatCompletionMessageParamUnion{openai.SystemMessage(instructions)}, out...)
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

// assistant tells what the model said.
func assistant(s said) openai.ChatCompletionMessageParamUnion {
	m := openai.AssistantMessage(s.text)
	for _, c := range s.calls {
		m.OfAssistant.ToolCalls = append(m.OfAssistant.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
			ID: c.id, Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.name, Arguments: c.arguments}}})
	}
	return m
}

// answers are the results of a turn's calls, each once and in their order, then
// one message of the user: the pictures, which results can't hold on this wire,
// and the loop's notes. What came of a picture that grew old stays where the
// picture was, so that what was sent stays as it was.
func answers(s said, t agent.Turn) []openai.ChatCompletionMessageParamUnion {
	results := map[string]agent.Result{}
	for _, r := range t.Results {
		results[r.ID] = r
	}
	var out []openai.ChatCompletionMessageParamUnion
	var user []openai.ChatCompletionContentPartUnionParam
	for i, c := range t.Reply.Calls {
		text, shown := "not executed", []agent.Part(nil)
		if r, ok := results[c.ID]; ok && len(r.Parts) > 0 {
			text, shown = r.Parts[0].Text, r.Parts[1:]
			if r.Parts[0].Image != nil {
				shown = r.Parts
			}
		}
		if i < len(s.calls) {
			out = append(out, openai.ToolMessage(text, s.calls[i].id))
		} else {
			user = append(user, openai.TextContentPart(fmt.Sprintf("The result of %s:\n%s", c.Name, text)))
		}
		if len(shown) > 0 {
			user = append(user, openai.TextContentPart(fmt.Sprintf("Shown by call %d, %s:", i+1, c.Name)))
		}
		for _, p := range shown {
			user = append(user, content(p))
		}
	}
	for _, note := range t.Notes {
		user = append(user, openai.TextContentPart(note))
	}
	switch {
	case len(user) == 1 && user[0].OfText != nil: // what every server reads
		out = append(out, openai.UserMessage(user[0].OfText.Text))
	case len(user) > 0:
		out = append(out, openai.UserMessage(user))
	}
	return out
}

func content(p agent.Part) openai.ChatCompletionContentPartUnionParam {
	if p.Image == nil {
		return openai.TextContentPart(p.Text)
	}
	return openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: "data:" + p.Image.MIMEType + ";base64," + p.Image.Data})
}
