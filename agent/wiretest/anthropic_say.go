package wiretest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// say renders a turn as a Message. The wire has no word for a call that could
// not be made, nor for a check that a person must acknowledge: the first is an
// error of the server, the second a question.
func (p *anthropic) say(t *talk, q *request, s Say) reply {
	if s.Fault == BadCall {
		a := p.fail(http.StatusInternalServerError, "The model produced an invalid tool call.")
		a.again = true
		return a
	}
	own, _ := q.own.(messages)
	content, reason, details := []any{}, "end_turn", any(nil)
	switch s.Fault {
	case Empty:
	case Refusal:
		reason, details = "refusal", map[string]any{"type": "refusal", "category": "general_harms", "explanation": s.refusal()}
	case SafetyPending:
		content = append(content, textBlock("This looks risky: a person must confirm it before I go on. "+s.safety()))
	default:
		var called bool
		content, called = p.content(t, own, s)
		if called {
			reason = "tool_use"
		}
		if s.Fault == MaxTokens || s.Fault == Truncated {
			reason = "max_tokens"
		}
	}
	in, out := s.tokens(len(q.seen.Body), size(content))
	a := answerJSON(http.StatusOK, map[string]any{
		"id": t.id("msg_"), "type": "message", "role": "assistant", "model": own.model, "content": content,
		"stop_reason": reason, "stop_sequence": nil, "stop_details": details, "diagnostics": nil, "container": nil,
		"usage": map[string]any{
			// what is read from the cache is not in input_tokens
			"input_tokens": in - s.Cached, "cache_read_input_tokens": s.Cached, "cache_creation_input_tokens": 0, "cache_creation": nil,
			"output_tokens": out, "output_tokens_details": nil, "inference_geo": nil, "server_tool_use": nil, "service_tier": "standard", "speed": nil,
		},
	})
	if s.Fault == Refusal || len(content) == 0 {
		return a // leaves no trace
	}
	var said struct{ Content []block }
	if json.Unmarshal(a.body, &said) == nil {
		a.said = said.Content
	}
	return a
}

// safety is the first check that is pending.
func (s Say) safety() string {
	for _, a := range s.Computer {
		if a.Safety != "" {
			return a.Safety
		}
	}
	return "Shall I?"
}

func textBlock(text string) map[string]any {
	return map[string]any{"type": "text", "text": text, "citations": nil}
}

// content are the blocks of a turn, and whether there is a call among them.
func (p *anthropic) content(t *talk, own messages, s Say) (out []any, called bool) {
	out = []any{}
	if s.Think != "" {
		out = append(out, map[string]any{"type": "thinking", "thinking": s.Think, "signature": seal(s.Think)},
			map[string]any{"type": "redacted_thinking", "data": seal("redacted " + s.Think)})
	}
	text := s.Text
	if len(s.Final) > 0 {
		text = string(s.Final)
	}
	if s.Fault == MaxTokens && len(s.Calls) == 0 {
		text = text[:len(text)/2] + " …"
	}
	if text != "" {
		out = append(out, textBlock(text))
	}
	call := func(id, name string, input, toolset any) {
		called = true
		out = append(out, map[string]any{"type": "tool_use", "id": id, "name": name, "input": input, "toolset_name": toolset, "caller": map[string]any{"type": "direct"}})
	}
	for _, a := range s.Computer {
		name, input := a.anthropic()
		if own.legacy == "" {
			call(t.id("toolu_"), name, input, "computer")
			continue
		}
		input["action"] = name
		call(t.id("toolu_"), "computer", input, nil)
	}
	for _, c := range s.calls(func() string { return t.id("toolu_") }) {
		call(c.ID, c.Name, c.object(s.Fault == MaxTokens || s.Fault == Truncated), nil)
	}
	return out, called
}

// object are the arguments on wires that send them as an object. Of arguments
// that were cut it holds the properties that came whole. What is no object goes
// out as the text that it is: no provider does that, but one that does must not
// bring us down.
func (c Call) object(cut bool) any {
	var v any
	if err := json.Unmarshal([]byte(c.Raw), &v); err == nil {
		return v
	}
	if !cut {
		return c.Raw
	}
	whole := map[string]any{}
	d := json.NewDecoder(strings.NewReader(c.Raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return whole
	}
	for d.More() {
		var value any
		name, err := d.Token()
		if err != nil || d.Decode(&value) != nil {
			break
		}
		if s, ok := name.(string); ok {
			whole[s] = value
		}
	}
	return whole
}

// anthropic is an action as a member of the computer toolset, with its input. A
// kind that it doesn't have goes out as it is.
func (a Action) anthropic() (string, map[string]any) {
	at := []int{a.X, a.Y}
	switch a.Kind {
	case "click":
		return "left_click", map[string]any{"coordinate": at}
	case "move":
		return "mouse_move", map[string]any{"coordinate": at}
	case "type":
		return "type", map[string]any{"text": a.Text}
	case "key":
		return "key", map[string]any{"text": strings.NewReplacer("Control", "ctrl", "Shift", "shift", "Alt", "alt", "Meta", "super", "Enter", "Return", "Backspace", "BackSpace").Replace(a.Text)}
	case "scroll":
		direction, pixels := a.scroll()
		return "scroll", map[string]any{"coordinate": at, "scroll_direction": direction, "scroll_amount": max(1, pixels/100)}
	case "drag":
		return "left_click_drag", map[string]any{"start_coordinate": at, "coordinate": []int{a.ToX, a.ToY}}
	case "wait":
		return "wait", map[string]any{"duration": 1}
	case "screenshot":
		return "screenshot", map[string]any{}
	default:
		return a.Kind, map[string]any{"coordinate": at}
	}
}

// scroll is where an action scrolls to, and how many pixels far.
func (a Action) scroll() (direction string, pixels int) {
	switch {
	case a.DY > 0:
		return "down", a.DY
	case a.DY < 0:
		return "up", -a.DY
	case a.DX < 0:
		return "left", -a.DX
	default:
		return "right", a.DX
	}
}
