package wiretest

import (
	"net/http"
)

// openAI is the Responses API, of OpenAI or of Azure.
type openAI struct{ actions actions }

func (p openAI) read(_ *http.Request, body obj, q *request) {
	q.seen.System, _ = body["instructions"].(string)
	input := body["input"]
	if text, ok := input.(string); ok {
		input = []any{obj{"role": "user", "content": text}}
		q.probe = len(List(body["tools"])) == 0
	}
	q.entries = p.entries(input)
	for _, e := range List(body["tools"]) {
		if t, _ := e.(obj); t["type"] == "computer" {
			q.seen.Computer = true
			q.seen.Tools = append(q.seen.Tools, "computer")
		}
	}
	q.offer(body["tools"])
}

func (p openAI) entries(v any) []entry {
	var out []entry
	for _, v := range List(v) {
		item, _ := v.(obj)
		kind, _ := item["type"].(string)
		e := entry{role: "model", kind: otherEntry, whole: v}
		e.id, _ = item["call_id"].(string)
		switch kind {
		case "", "message":
			e.kind, e.text = textEntry, texts(item["content"])
			e.id, _ = item["id"].(string)
			switch item["role"] {
			case "user":
				e.role, e.images = "user", images(item["content"])
			case "system", "developer":
				e.role = "system"
			}
		case "reasoning":
			e.kind = thoughtEntry
			e.id, _ = item["id"].(string)
		case "function_call", "computer_call":
			e.kind, e.group, e.computer = callEntry, kind, kind == "computer_call"
			e.name, _ = item["name"].(string)
		case "function_call_output":
			e.role, e.kind, e.group, e.text, e.images = "user", answerEntry, "function_call", texts(item["output"]), images(item["output"])
		case "computer_call_output":
			e.role, e.kind, e.group, e.images = "user", answerEntry, "computer_call", 1
		}
		out = append(out, e)
	}
	return out
}

func (p openAI) say(t *conversation, q *request, s Say) (obj, any, string) {
	output, status := p.output(t, q, s), "completed"
	fields := obj{"id": t.id("resp_")}
	switch s.Fault {
	case BadCall:
		status, output = "failed", []any{}
		fields["error"] = obj{"code": "server_error", "message": "The model produced an invalid function call."}
	case MaxTokens:
		status, fields["incomplete_details"] = "incomplete", obj{"reason": "max_output_tokens"}
	}
	fields["status"], fields["output"] = status, output
	return fields, output, ""
}

// output are the items of a turn.
func (p openAI) output(t *conversation, q *request, s Say) []any {
	out := []any{}
	if s.Fault == Empty {
		return out
	}
	done := "completed"
	if s.Fault == MaxTokens {
		done = "incomplete"
	}
	if s.Think != "" {
		out = append(out, obj{"type": "reasoning", "id": t.id("rs_"), "summary": []any{}, "encrypted_content": seal(s.Think)})
	}
	part := obj{"type": "output_text", "text": s.words(), "annotations": []any{}, "logprobs": []any{}}
	if s.Fault == Refusal {
		part = obj{"type": "refusal", "refusal": s.words()}
	}
	if s.words() != "" {
		out = append(out, obj{"type": "message", "id": t.id("msg_"), "role": "assistant", "status": done, "content": []any{part}})
	}
	if s.Fault == Refusal {
		return out
	}
	if len(s.Computer) > 0 || s.Fault == SafetyPending && q.seen.Computer {
		out = append(out, p.computerCall(t, s, done))
	}
	for _, c := range s.calls(func() string { return t.id("call_") }) {
		out = append(out, obj{"type": "function_call", "id": t.id("fc_"), "call_id": c.ID, "name": c.Name, "arguments": c.Raw, "status": done})
	}
	return out
}

// computerCall is a batch of actions of the provider's own tool.
func (p openAI) computerCall(t *conversation, s Say, done string) obj {
	actions, checks := []any{}, []any{}
	for _, a := range s.Computer {
		actions = append(actions, p.actions.of(a, "", nil))
	}
	if len(actions) == 0 {
		actions = append(actions, obj{"type": "screenshot"})
	}
	otherwise := ""
	if s.Fault == SafetyPending {
		otherwise = "We've detected instructions that may cause your application to perform malicious or unauthorized actions."
	}
	if message := s.safety(otherwise); message != "" {
		checks = append(checks, obj{"id": t.id("cu_sc_"), "code": "malicious_instructions", "message": message})
	}
	return obj{"type": "computer_call", "id": t.id("cu_"), "call_id": t.id("call_"), "actions": actions, "pending_safety_checks": checks, "status": done}
}
