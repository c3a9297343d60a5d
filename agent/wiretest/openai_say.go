package wiretest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
)

// say renders a turn as a Response.
func (p *openAI) say(t *talk, q *request, s Say) reply {
	model := responsesOf(q).body.Model
	if s.Fault == BadCall {
		r := answerJSON(http.StatusOK, p.response(t, model, q, s, "failed", nil,
			map[string]any{"code": "server_error", "message": "The model produced an invalid function call."}, nil))
		r.again = true
		return r
	}
	status, why := "completed", any(nil)
	if s.Fault == MaxTokens {
		status, why = "incomplete", map[string]any{"reason": "max_output_tokens"}
	}
	output := p.output(t, q, s)
	r := answerJSON(http.StatusOK, p.response(t, model, q, s, status, output, nil, why))
	if len(output) == 0 {
		return r
	}
	raw, err := json.Marshal(output)
	if err != nil {
		return r // it says so
	}
	r.said, _ = inputItems(raw)
	return r
}

// response is the envelope of a turn.
func (p *openAI) response(t *talk, model string, q *request, s Say, status string, output []any, failure, incomplete any) map[string]any {
	if output == nil {
		output = []any{}
	}
	in, out := s.tokens(len(q.seen.Body), size(output))
	return map[string]any{
		"id": t.id("resp_"), "object": "response", "created_at": 1767225600, "status": status, "background": false,
		"error": failure, "incomplete_details": incomplete, "instructions": nil, "max_output_tokens": nil, "model": model,
		"output": output, "parallel_tool_calls": true, "previous_response_id": nil, "metadata": map[string]any{},
		"reasoning": map[string]any{"effort": "medium", "summary": nil}, "service_tier": "default",
		"temperature": 1.0, "top_p": 1.0, "text": map[string]any{"format": map[string]any{"type": "text"}},
		"tool_choice": "auto", "tools": []any{}, "truncation": "disabled",
		"usage": map[string]any{
			"input_tokens": in, "input_tokens_details": map[string]any{"cached_tokens": s.Cached, "cache_write_tokens": 0},
			"output_tokens": out, "output_tokens_details": map[string]any{"reasoning_tokens": len(s.Think) / 10}, "total_tokens": in + out,
		},
	}
}

// tokens are what a turn says it took.
func (s Say) tokens(in, out int) (int, int) {
	in, out = in/10, out/10+1
	if s.Input > 0 {
		in = s.Input
	}
	if s.Output > 0 {
		out = s.Output
	}
	return max(in, s.Cached), out
}

// output are the items of a turn.
func (p *openAI) output(t *talk, q *request, s Say) []any {
	if s.Fault == Empty {
		return nil
	}
	done := "completed"
	if s.Fault == MaxTokens {
		done = "incomplete"
	}
	var out []any
	if s.Think != "" {
		out = append(out, map[string]any{"type": "reasoning", "id": t.id("rs_"), "summary": []any{}, "encrypted_content": seal(s.Think)})
	}
	message := func(part map[string]any) {
		out = append(out, map[string]any{"type": "message", "id": t.id("msg_"), "role": "assistant", "status": done, "content": []any{part}})
	}
	if s.Fault == Refusal {
		message(map[string]any{"type": "refusal", "refusal": s.refusal()})
		return out
	}
	text := s.Text
	if len(s.Final) > 0 {
		text = string(s.Final)
	}
	if text != "" {
		message(map[string]any{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}})
	}
	if len(s.Computer) > 0 || s.Fault == SafetyPending && q.seen.Computer {
		out = append(out, computerCall(t, s, done))
	}
	for _, c := range s.calls(func() string { return t.id("call_") }) {
		out = append(out, map[string]any{"type": "function_call", "id": t.id("fc_"), "call_id": c.ID, "name": c.Name, "arguments": c.Raw, "status": done})
	}
	return out
}

// refusal is what a model that refuses says.
func (s Say) refusal() string {
	if s.Text != "" {
		return s.Text
	}
	return "I'm sorry, but I can't help with that."
}

// calls are the function calls of a turn, with the ids and the arguments (in
// Raw) that go over the wire.
func (s Say) calls(id func() string) []Call {
	var out []Call
	for i, c := range s.Calls {
		if c.ID == "" {
			c.ID = id()
		}
		if s.Fault == DuplicateID && i > 0 {
			c.ID = out[0].ID
		}
		c.Raw = c.arguments()
		if i == len(s.Calls)-1 && (s.Fault == Truncated || s.Fault == MaxTokens) {
			c.Raw = c.Raw[:len(c.Raw)/2]
		}
		out = append(out, c)
	}
	if s.Fault == DuplicateID && len(out) == 1 {
		out = append(out, out[0])
	}
	return out
}

// arguments are what a call is sent with.
func (c Call) arguments() string {
	if c.Raw != "" {
		return c.Raw
	}
	if c.Args == nil {
		return "{}"
	}
	raw, err := json.Marshal(c.Args)
	if err != nil {
		return "the script's arguments are no JSON: " + err.Error()
	}
	return string(raw)
}

// seal stands for what only the provider can read.
func seal(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "gAAAA" + base64.StdEncoding.EncodeToString(append(sum[:], text...))
}

// computerCall is a batch of actions of the provider's own tool.
func computerCall(t *talk, s Say, done string) map[string]any {
	actions, checks := []any{}, []any{}
	pending := func(message string) {
		checks = append(checks, map[string]any{"id": t.id("cu_sc_"), "code": "malicious_instructions", "message": message})
	}
	for _, a := range s.Computer {
		actions = append(actions, a.openAI())
		if a.Safety != "" {
			pending(a.Safety)
		}
	}
	if len(actions) == 0 {
		actions = append(actions, map[string]any{"type": "screenshot"})
	}
	if s.Fault == SafetyPending && len(checks) == 0 {
		pending("We've detected instructions that may cause your application to perform malicious or unauthorized actions.")
	}
	return map[string]any{"type": "computer_call", "id": t.id("cu_"), "call_id": t.id("call_"), "actions": actions, "pending_safety_checks": checks, "status": done}
}

// openAI is an action in the words of OpenAI's computer tool. A kind that it
// doesn't have goes out as it is.
func (a Action) openAI() map[string]any {
	at := map[string]any{"type": a.Kind, "x": a.X, "y": a.Y, "keys": nil}
	switch a.Kind {
	case "click", "right_click":
		at["type"], at["button"] = "click", "left"
		if a.Kind == "right_click" {
			at["button"] = "right"
		}
	case "double_click", "move":
	case "scroll":
		at["scroll_x"], at["scroll_y"] = a.DX, a.DY
	case "drag":
		return map[string]any{"type": "drag", "keys": nil, "path": []any{map[string]any{"x": a.X, "y": a.Y}, map[string]any{"x": a.ToX, "y": a.ToY}}}
	case "type":
		return map[string]any{"type": "type", "text": a.Text}
	case "key":
		return map[string]any{"type": "keypress", "keys": pressed(a.Text)}
	default:
		return map[string]any{"type": a.Kind}
	}
	return at
}

// pressed are keys as OpenAI's models name them: CTRL, ENTER, A.
func pressed(text string) []any {
	var out []any
	for key := range strings.SplitSeq(text, "+") {
		key = strings.ToUpper(key)
		switch key {
		case "CONTROL":
			key = "CTRL"
		case "ESCAPE":
			key = "ESC"
		case "META":
			key = "CMD"
		}
		out = append(out, key)
	}
	return out
}
