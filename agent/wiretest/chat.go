package wiretest

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
)

// chat is Chat Completions, as local servers offer it.
type chat struct {
	habits   []Habit
	official *official // nil: requests are decoded strictly instead
}

func newChat(o Options) (protocol, error) {
	p := &chat{habits: o.Habits}
	if o.Schemas == "" {
		return p, nil
	}
	var err error
	p.official, err = newOfficial(filepath.Join(o.Schemas, descriptionFile), "CreateChatCompletionRequest")
	return p, err
}

func (p *chat) base() string { return "/v1" }

func (p *chat) key(h http.Header) string { return bearer(h) }

func (p *chat) aim(r *http.Request, body []byte) aim {
	return aimed(r, body, strings.TrimPrefix(r.URL.Path, "/v1"), "/chat/completions")
}

func (p *chat) fail(status int, message string) reply { return openAIError(status, message) }

func (p *chat) tooLong() reply { return openAITooLong() }

func (p *chat) model(name string) reply { return answerJSON(http.StatusOK, openAIModel(name)) }

func (p *chat) models(names ...string) reply { return openAIModels(names) }

func (p *chat) has(h Habit) bool { return slices.Contains(p.habits, h) }

// say renders a turn as a chat completion.
func (p *chat) say(t *talk, q *request, s Say) reply {
	if s.Fault == BadCall { // Ollama's words for it
		r := p.fail(http.StatusInternalServerError, `error parsing tool call: raw='{"selector":', err=unexpected end of JSON input`)
		r.again = true
		return r
	}
	message, reason := p.message(t, s)
	in, out := s.tokens(len(q.seen.Body), size(message))
	r := answerJSON(http.StatusOK, map[string]any{
		"id": t.id("chatcmpl-"), "object": "chat.completion", "created": 1767225600, "model": chatOf(q).body.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": reason, "logprobs": nil}},
		"usage": map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out,
			"prompt_tokens_details": map[string]any{"cached_tokens": s.Cached}},
	})
	raw, err := json.Marshal(message)
	if err != nil {
		return r // it says so
	}
	said := chatMessage{}
	if json.Unmarshal(raw, &said) == nil && (said.text() != "" || len(said.ToolCalls) > 0) {
		r.said = said
	}
	return r
}

// message is a turn's message, and why it ended.
func (p *chat) message(t *talk, s Say) (map[string]any, string) {
	message := map[string]any{"role": "assistant", "content": nil, "refusal": nil}
	if s.Think != "" {
		message["reasoning_content"] = s.Think
	}
	switch {
	case s.Fault == Empty:
		return message, "stop"
	case s.Fault == Refusal:
		message["refusal"] = s.refusal()
		return message, "stop"
	case len(s.Final) > 0:
		message["content"] = string(s.Final)
	case s.Text != "":
		message["content"] = s.Text
	}
	reason := "stop"
	if calls := s.calls(func() string { return t.id("call_") }); len(calls) > 0 {
		reason = "tool_calls"
		if p.has(TextCalls) {
			reason = "stop"
			message["content"] = inText(calls[0])
		} else {
			message["tool_calls"] = p.toolCalls(calls)
		}
	}
	if s.Fault == MaxTokens {
		reason = "length"
	}
	return message, reason
}

// toolCalls are calls as the wire has them.
func (p *chat) toolCalls(calls []Call) []any {
	var out []any
	for _, c := range calls {
		call := map[string]any{"id": c.ID, "type": "function", "function": map[string]any{"name": c.Name, "arguments": c.Raw}}
		if p.has(NoIDs) {
			call = map[string]any{"function": map[string]any{"name": c.Name, "arguments": loose(c.Raw)}}
		}
		out = append(out, call)
	}
	return out
}

// loose are arguments as an object where they are one.
func loose(raw string) any {
	var object map[string]any
	if json.Unmarshal([]byte(raw), &object) != nil {
		return raw
	}
	return object
}

// inText is a call as small models write it into the text.
func inText(c Call) string {
	text, err := json.Marshal(map[string]any{"name": c.Name, "arguments": loose(c.Raw)})
	if err != nil {
		return c.Raw
	}
	return string(text)
}
