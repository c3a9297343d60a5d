package wiretest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// follow holds the messages against the turn before: those of that request as
// they were (results may have become shorter), what was said then, each of its
// calls answered at the head of the very next message, and only then new texts.
func (p *anthropic) follow(t *talk, q *request) []string {
	own, _ := q.own.(messages)
	now := own.turns
	last := t.last()
	if last == nil {
		return q.opening(now)
	}
	before, _ := last.request.own.(messages)
	old := before.turns
	said, _ := last.said.([]block)
	var out []string
	for i, m := range old {
		if i >= len(now) || now[i].Role != m.Role {
			return append(out, fmt.Sprintf("lost: messages/%d of the request before", i))
		}
		rest, problems := keptBlocks(now[i].Content, m.Content)
		out = append(out, problems...)
		if said == nil && i == len(old)-1 {
			out = append(out, q.newTexts(rest)...)
		} else if len(rest) > 0 {
			out = append(out, "nothing asked for this, in an old message: "+short(rest[0]))
		}
	}
	if own.bound {
		out = append(out, unboundThoughts(now, old)...)
	}
	now = now[len(old):]
	if said != nil {
		if len(now) == 0 || now[0].Role != "assistant" {
			return append(out, "what was said is not echoed: "+short(said[0]))
		}
		out = append(out, echoedBlocks(now[0].Content, said)...)
		now = now[1:]
		var rest blocks
		if len(now) > 0 {
			rest, now = now[0].Content, now[1:]
		}
		rest, problems := q.answered(rest, said)
		out = append(append(out, problems...), q.newTexts(rest)...)
	}
	if len(now) > 0 {
		out = append(out, fmt.Sprintf("nothing asked for %d more messages", len(now)))
	}
	return out
}

// opening is the first request of a conversation.
func (q *request) opening(now []spoken) []string {
	if len(now) == 0 {
		return []string{"there are no messages"}
	}
	var out []string
	if len(now) > 1 {
		out = append(out, "nothing was said yet, and the conversation has an answer")
	}
	rest := slices.DeleteFunc(slices.Clone(now[0].Content), func(b block) bool { return b["type"] == "image" })
	return append(out, q.newTexts(rest)...)
}

// newTexts are the texts that a user says beside the task. Nothing else may be
// new.
func (q *request) newTexts(rest blocks) []string {
	var out []string
	for _, b := range rest {
		text, _ := b["text"].(string)
		switch {
		case b["type"] == "tool_result":
			out = append(out, "it answers no call of the turn before, or comes behind a text: "+short(b))
		case b["type"] != "text":
			out = append(out, "nothing asked for this: "+short(b))
		case text != q.seen.Task:
			q.seen.Said = append(q.seen.Said, text)
		}
	}
	return out
}

// unboundThoughts finds thoughts behind a message that has changed since they
// were thought. Models that sign them over the conversation refuse these, unless
// the request lets them be dropped ("Preserved thinking" of the documentation).
func unboundThoughts(now, old []spoken) []string {
	changed := false
	for i, m := range now {
		for j, b := range m.Content {
			if changed && (b["type"] == "thinking" || b["type"] == "redacted_thinking") {
				return []string{"thoughts behind a message that has changed, and block_binding does not let them be dropped: " + short(b)}
			}
			changed = changed || i < len(old) && j < len(old[i].Content) && !reflect.DeepEqual(bare(b), bare(old[i].Content[j]))
		}
	}
	return nil
}

// keptBlocks takes the blocks of a message of the request before from the head
// of the same message now.
func keptBlocks(rest blocks, old blocks) (blocks, []string) {
	var out []string
	for _, o := range old {
		if len(rest) == 0 {
			return nil, append(out, "lost: "+short(o))
		}
		b := rest[0]
		rest = rest[1:]
		was, is := bare(o), bare(b)
		switch {
		case reflect.DeepEqual(was, is):
		case o["type"] == "tool_result" && b["type"] == "tool_result" && o["tool_use_id"] == b["tool_use_id"] && o["toolset_name"] == b["toolset_name"]:
			if size(is) >= size(was) {
				out = append(out, "a result that was sent has changed and is no shorter: "+short(o))
			}
		default:
			out = append(out, "changed since it was sent: "+short(o)+"; it is "+short(b))
		}
	}
	return rest, out
}

// echoedBlocks holds what the assistant is said to have said against what it
// said. Thoughts that led to no call may be left out.
func echoedBlocks(now blocks, said []block) []string {
	called := slices.ContainsFunc(said, func(b block) bool { return b["type"] == "tool_use" })
	var out []string
	rest := now
	for _, s := range said {
		thought := s["type"] == "thinking" || s["type"] == "redacted_thinking"
		switch {
		case len(rest) > 0 && reflect.DeepEqual(essence(rest[0]), essence(s)):
			rest = rest[1:]
		case len(rest) > 0 && rest[0]["type"] == s["type"] && s["type"] == "tool_use" && rest[0]["id"] == s["id"]:
			if _, sent := s["input"].(map[string]any); sent {
				out = append(out, "not echoed as it was said: "+short(s))
			} // input that is no object can't be echoed
			rest = rest[1:]
		case thought && !called:
		default:
			out = append(out, "not echoed in its place: "+short(s))
			if len(rest) > 0 && rest[0]["type"] == s["type"] {
				rest = rest[1:]
			}
		}
	}
	if len(rest) > 0 {
		out = append(out, "the assistant has not said this: "+short(rest[0]))
	}
	return out
}

// answered takes the results of the calls from the head of the next message.
func (q *request) answered(rest blocks, said []block) (blocks, []string) {
	var out []string
	for _, call := range said {
		if call["type"] != "tool_use" {
			continue
		}
		id, _ := call["id"].(string)
		if len(rest) == 0 || rest[0]["type"] != "tool_result" || rest[0]["tool_use_id"] != id {
			out = append(out, "call "+id+" is not answered in its place, at the head of the next message")
			continue
		}
		r := rest[0]
		rest = rest[1:]
		if r["toolset_name"] != call["toolset_name"] {
			out = append(out, fmt.Sprintf("the result of call %s has toolset_name %v, and the call %v", id, r["toolset_name"], call["toolset_name"]))
		}
		name, _ := call["name"].(string)
		a := Answer{ID: id, Name: name, Text: texts(r["content"]), IsError: r["is_error"] == true}
		for _, e := range list(r["content"]) {
			if b, ok := e.(map[string]any); ok && b["type"] == "image" {
				a.Images++
			}
		}
		if call["toolset_name"] == "computer" {
			a.Name = "computer"
			if (name == "screenshot" || name == "zoom") && a.Images == 0 && !a.IsError {
				out = append(out, "call "+id+" asks for a picture and is answered without one")
			}
		}
		q.seen.Answers = append(q.seen.Answers, a)
	}
	return rest, out
}

// bare is a block without cache breakpoints, which may move.
func bare(b block) block {
	out := block{}
	for k, v := range b {
		if k == "cache_control" || v == nil {
			continue
		}
		if inner := list(v); k == "content" && inner != nil {
			var bares []any
			for _, e := range inner {
				if m, ok := e.(map[string]any); ok {
					e = bare(m)
				}
				bares = append(bares, e)
			}
			v = bares
		}
		out[k] = v
	}
	return out
}

// essence is what a block that was said must be echoed with. A call's caller and
// a text's citations may be left out.
func essence(b block) block {
	out := bare(b)
	delete(out, "caller")
	delete(out, "citations")
	return out
}

// short is JSON for a problem.
func short(v any) string {
	text, _ := json.Marshal(v)
	if len(text) > 160 {
		text = append(text[:160], "…"...)
	}
	return string(text)
}
