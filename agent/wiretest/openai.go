package wiretest

import (
	"net/http"
	"net/url"
	"strings"
)

// openAI is the Responses API, of OpenAI or of Azure.
type openAI struct{ azure bool }

// base is empty on Azure, whose client adds the path to the resource's endpoint.
func (p openAI) base() string {
	if p.azure {
		return ""
	}
	return "/v1"
}

func (p openAI) key(h http.Header) string {
	if p.azure {
		return h.Get("Api-Key")
	}
	return bearer(h)
}

// bearer is the key of an Authorization header.
func bearer(h http.Header) string {
	key, _ := strings.CutPrefix(h.Get("Authorization"), "Bearer ")
	return key
}

func (p openAI) aim(r *http.Request, body obj) (purpose, string) {
	path := strings.TrimPrefix(r.URL.Path, "/v1")
	if p.azure {
		var ok bool
		if path, ok = azurePath(r.URL); !ok {
			return nothing, ""
		}
	}
	return aimed(r, body, path, "/responses")
}

// azurePath is what follows the part of the path that is Azure's own:
// /openai/v1, or /openai with an api-version.
func azurePath(u *url.URL) (string, bool) {
	if path, ok := strings.CutPrefix(u.Path, "/openai/v1"); ok {
		return path, true
	}
	path, ok := strings.CutPrefix(u.Path, "/openai")
	return path, ok && u.Query().Get("api-version") != ""
}

// aimed is the aim of a request to a path: the models, one of them, or a turn.
func aimed(r *http.Request, body obj, path, turns string) (purpose, string) {
	model, one := strings.CutPrefix(path, "/models/")
	switch {
	case r.Method == http.MethodGet && path == "/models":
		return theModels, ""
	case r.Method == http.MethodGet && one && model != "":
		return theModel, model
	case r.Method == http.MethodPost && path == turns:
		model, _ := body["model"].(string)
		return aTurn, model
	default:
		return nothing, ""
	}
}

func (p openAI) read(_ *http.Request, body obj, q *request) {
	q.seen.System, _ = body["instructions"].(string)
	input := body["input"]
	if text, ok := input.(string); ok {
		input = []any{obj{"role": "user", "content": text}}
		q.probe = len(list(body["tools"])) == 0
	}
	q.entries = p.entries(input)
	for _, e := range list(body["tools"]) {
		if t, _ := e.(obj); t["type"] == "computer" {
			q.seen.Computer = true
			q.seen.Tools = append(q.seen.Tools, "computer")
		}
	}
	q.offer(body["tools"])
}

func (p openAI) entries(v any) []entry {
	var out []entry
	for _, v := range list(v) {
		item, _ := v.(obj)
		kind, _ := item["type"].(string)
		e := entry{role: "model", sort: another, whole: v}
		e.id, _ = item["call_id"].(string)
		switch kind {
		case "", "message":
			e.sort, e.text = aText, texts(item["content"])
			e.id, _ = item["id"].(string)
			switch item["role"] {
			case "user":
				e.role, e.images = "user", images(item["content"])
			case "system", "developer":
				e.role = "system"
			}
		case "reasoning":
			e.sort = aThought
			e.id, _ = item["id"].(string)
		case "function_call", "computer_call":
			e.sort, e.group, e.computer = aCall, kind, kind == "computer_call"
			e.name, _ = item["name"].(string)
		case "function_call_output":
			e.role, e.sort, e.group, e.text, e.images = "user", anAnswer, "function_call", texts(item["output"]), images(item["output"])
		case "computer_call_output":
			e.role, e.sort, e.group, e.images = "user", anAnswer, "computer_call", 1
		}
		out = append(out, e)
	}
	return out
}

func (p openAI) say(t *talk, q *request, s Say) (obj, any, string) {
	output, status := p.output(t, q, s), "completed"
	fields := obj{"id": t.id("resp_")}
	switch s.Fault {
	case BadCall:
		status, output = "failed", []any{}
		fields["error"] = obj{"code": "server_error", "message": "The model produced an invalid function call."}
	case MaxTokens:
		status, fields["incomplete_details"] = "incomplete", obj{"reason": "max_output_tokens"}
	}
	in, out := s.tokens(q, output)
	fields["status"], fields["output"] = status, output
	fields["usage"] = obj{"input_tokens": in, "input_tokens_details": obj{"cached_tokens": s.Cached, "cache_write_tokens": 0},
		"output_tokens": out, "output_tokens_details": obj{"reasoning_tokens": len(s.Think) / 10}, "total_tokens": in + out}
	return fields, output, ""
}

// output are the items of a turn.
func (p openAI) output(t *talk, q *request, s Say) []any {
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
		out = append(out, computerCall(t, s, done))
	}
	for _, c := range s.calls(func() string { return t.id("call_") }) {
		out = append(out, obj{"type": "function_call", "id": t.id("fc_"), "call_id": c.ID, "name": c.Name, "arguments": c.Raw, "status": done})
	}
	return out
}

// computerCall is a batch of actions of the provider's own tool.
func computerCall(t *talk, s Say, done string) obj {
	actions, checks := []any{}, []any{}
	for _, a := range s.Computer {
		actions = append(actions, a.openAI())
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

// openAI is an action in the words of OpenAI's computer tool. A kind that it
// doesn't have goes out as it is.
func (a Action) openAI() obj {
	at := obj{"type": a.Kind, "x": a.X, "y": a.Y, "keys": nil}
	switch a.Kind {
	case "click":
		at["button"] = "left"
	case "right_click":
		at["type"], at["button"] = "click", "right"
	case "double_click", "move":
	case "scroll":
		at["scroll_x"], at["scroll_y"] = a.DX, a.DY
	case "drag":
		return obj{"type": "drag", "keys": nil, "path": []any{obj{"x": a.X, "y": a.Y}, obj{"x": a.ToX, "y": a.ToY}}}
	case "type":
		return obj{"type": "type", "text": a.Text}
	case "key":
		keys := strings.NewReplacer("CONTROL", "CTRL", "ESCAPE", "ESC", "META", "CMD").Replace(strings.ToUpper(a.Text))
		return obj{"type": "keypress", "keys": strings.Split(keys, "+")}
	default:
		return obj{"type": a.Kind}
	}
	return at
}
