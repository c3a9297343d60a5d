package wiretest

import (
	"net/http"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// anthropic is the Messages API.
type anthropic struct{ actions actions }

// boundThoughts are the models that sign thoughts over the conversation
// ("Preserved thinking" of the documentation), as in rules.json those that take
// no older computer.
var boundThoughts = pattern.New(`^claude-((fable|mythos)-(5-[2-9](\D|$)|[6-9])|(opus|sonnet|haiku)-(5-[5-9](\D|$)|[6-9]))`)

func (p anthropic) read(_ *http.Request, body obj, q *request) {
	q.seen.System = texts(body["system"])
	q.entries = p.entries(body["messages"])
	thinking, _ := body["thinking"].(obj)
	binding, _ := thinking["block_binding"].(obj)
	q.bound = boundThoughts.MatchString(q.model) && binding["prefix_mismatch_behavior"] != "drop_block"
	for _, t := range Functions(body["tools"]) {
		name, _ := t["name"].(string)
		kind, _ := t["type"].(string)
		if strings.HasPrefix(kind, "computer_") {
			name, q.seen.Computer, q.older = "computer", true, kind != "computer_toolset_20260801"
		}
		q.seen.Tools = append(q.seen.Tools, name)
	}
}

func (p anthropic) entries(v any) []entry {
	var out []entry
	for _, v := range List(v) {
		m, _ := v.(obj)
		content := m["content"]
		if text, ok := content.(string); ok {
			content = []any{obj{"type": "text", "text": text}}
		}
		for _, v := range List(content) {
			block, _ := v.(obj)
			e := entry{role: "user", kind: otherEntry, whole: bare(block)}
			if m["role"] == "assistant" {
				e.role = "model"
			}
			e.group, _ = block["toolset_name"].(string)
			switch block["type"] {
			case "text":
				e.kind, e.text = textEntry, texts([]any{block})
			case "image":
				e.kind = pictureEntry
			case "thinking", "redacted_thinking":
				e.kind = thoughtEntry
			case "tool_use":
				e.kind, e.arguments, e.computer = callEntry, block["input"], e.group == "computer"
				e.id, _ = block["id"].(string)
				e.name, _ = block["name"].(string)
				input, isObject := block["input"].(obj)
				e.loose = !isObject // it can't be echoed
				e.looks = e.computer && (e.name == "screenshot" || e.name == "zoom") || e.name == "computer" && input["action"] == "screenshot"
			case "tool_result":
				e.kind, e.text, e.images = answerEntry, texts(block["content"]), images(block["content"])
				e.id, _ = block["tool_use_id"].(string)
				e.failed = block["is_error"] == true
			}
			out = append(out, e)
		}
	}
	return out
}

// bare is a block without cache breakpoints, which may move, and without what
// need not be echoed.
func bare(block obj) obj {
	out := without(block, "cache_control", "caller", "citations")
	if inner := List(out["content"]); inner != nil {
		var all []any
		for _, e := range inner {
			if b, ok := e.(obj); ok {
				e = bare(b)
			}
			all = append(all, e)
		}
		out["content"] = all
	}
	return out
}

// say renders a turn as a Message. The wire has no word for a call that could
// not be made, nor for a check that a person must acknowledge: the first is an
// error of the server, the second a question.
func (p anthropic) say(t *conversation, q *request, s Say) (obj, any, string) {
	content, reason := []any{}, "end_turn"
	fields := obj{"id": t.id("msg_")}
	switch s.Fault {
	case BadCall:
		return nil, nil, "bad-call"
	case Empty:
	case Refusal:
		reason, fields["stop_details"] = "refusal", obj{"type": "refusal", "category": "general_harms", "explanation": s.words()}
	case SafetyPending:
		content = append(content, obj{"type": "text", "text": "This looks risky: a person must confirm it before I go on. " + s.safety("Shall I?"), "citations": nil})
	default:
		if len(s.Calls)+len(s.Computer) > 0 {
			reason = "tool_use"
		}
		if s.Fault == MaxTokens || s.Fault == Truncated {
			reason = "max_tokens"
		}
		content = p.content(t, q, s)
	}
	fields["content"], fields["stop_reason"] = content, reason
	return fields, []any{obj{"role": "assistant", "content": content}}, ""
}

// content are the blocks of a turn.
func (p anthropic) content(t *conversation, q *request, s Say) []any {
	out := []any{}
	if s.Think != "" {
		out = append(out, obj{"type": "thinking", "thinking": s.Think, "signature": seal(s.Think)},
			obj{"type": "redacted_thinking", "data": seal("redacted " + s.Think)})
	}
	text := s.words()
	if s.Fault == MaxTokens && len(s.Calls) == 0 {
		text = text[:len(text)/2] + " …"
	}
	if text != "" {
		out = append(out, obj{"type": "text", "text": text, "citations": nil})
	}
	call := func(id string, name, input, toolset any) {
		out = append(out, obj{"type": "tool_use", "id": id, "name": name, "input": input, "toolset_name": toolset, "caller": obj{"type": "direct"}})
	}
	for _, a := range s.Computer {
		action := p.actions.of(a, "", nil)
		input, _ := action["input"].(obj)
		if !q.older {
			call(t.id("toolu_"), action["name"], input, "computer")
			continue
		}
		input["action"] = action["name"]
		call(t.id("toolu_"), "computer", input, nil)
	}
	for _, c := range s.calls(func() string { return t.id("toolu_") }) {
		call(c.ID, c.Name, s.object(c), nil)
	}
	return out
}
