package wiretest

import (
	"encoding/json"
	"net/http"
	"slices"
)

// chat is Chat Completions, as local servers offer it.
type chat struct{ habits []Habit }

func (p chat) has(h Habit) bool { return slices.Contains(p.habits, h) }

// read also finds what a server of these habits answers with 400. That is no
// violation: the client is expected to ask in another way.
func (p chat) read(_ *http.Request, body obj, q *request) {
	q.offer(body["tools"])
	q.entries = p.entries(body["messages"])
	if f, _ := body["response_format"].(obj); p.has(NoSchema) && f["type"] == "json_schema" {
		q.refused = "response_format: json_schema is not supported by this server"
	}
	for _, e := range q.entries {
		if p.has(NoImages) && e.kind == answerEntry && e.images > 0 {
			q.refused = "messages: a tool message can't hold pictures"
		}
	}
}

func (p chat) entries(v any) []entry {
	var out []entry
	for _, v := range List(v) {
		m, _ := v.(obj)
		e := entry{role: "user", kind: textEntry, text: texts(m["content"]), images: images(m["content"]), whole: v}
		switch m["role"] {
		case "system", "developer":
			e.role = "system"
		case "tool":
			e.kind = answerEntry
			e.id, _ = m["tool_call_id"].(string)
		case "assistant":
			e.role, e.whole = "model", obj{"content": e.text}
		case "user":
			if e.images > 0 {
				e.kind = pictureEntry
			}
		}
		if e.role != "model" || e.text != "" {
			out = append(out, e)
		}
		for _, v := range List(m["tool_calls"]) {
			call, _ := v.(obj)
			function, _ := call["function"].(obj)
			e := entry{role: "model", kind: callEntry, whole: v, arguments: function["arguments"], loose: true}
			e.id, _ = call["id"].(string)
			e.name, _ = function["name"].(string)
			out = append(out, e)
		}
	}
	return out
}

func (p chat) say(t *conversation, _ *request, s Say) (obj, any, string) {
	if s.Fault == BadCall {
		return nil, nil, "bad-call"
	}
	message, reason := obj{"role": "assistant", "content": nil, "refusal": nil}, "stop"
	if s.Think != "" {
		message["reasoning_content"] = s.Think
	}
	calls := s.calls(func() string { return t.id("call_") })
	switch {
	case s.Fault == Empty:
		calls = nil
	case s.Fault == Refusal:
		message["refusal"], calls = s.words(), nil
	case s.words() != "":
		message["content"] = s.words()
	}
	switch {
	case len(calls) == 0:
	case p.has(TextCalls): // as small models do
		text, _ := json.Marshal(obj{"name": calls[0].Name, "arguments": argumentsOf(calls[0])})
		message["content"] = string(text)
	default:
		reason = "tool_calls"
		message["tool_calls"] = p.toolCalls(calls)
	}
	if s.Fault == MaxTokens {
		reason = "length"
	}
	return obj{"id": t.id("chatcmpl-"), "choices": []any{obj{"index": 0, "message": message, "finish_reason": reason, "logprobs": nil}}}, []any{message}, ""
}

// toolCalls are calls as the wire has them, or as habits have them: without an
// id, with an object for arguments.
func (p chat) toolCalls(calls []Call) []any {
	var out []any
	for _, c := range calls {
		call := obj{"id": c.ID, "type": "function", "function": obj{"name": c.Name, "arguments": c.Raw}}
		if p.has(NoIDs) {
			call = obj{"function": obj{"name": c.Name, "arguments": argumentsOf(c)}}
		}
		out = append(out, call)
	}
	return out
}

// argumentsOf are arguments as an object where they are one.
func argumentsOf(c Call) any {
	if v, err := Decode([]byte(c.Raw)); err == nil {
		if o, ok := v.(obj); ok {
			return o
		}
	}
	return c.Raw
}
