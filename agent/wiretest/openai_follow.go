package wiretest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// follow holds the input against the turn before: the input of that request as
// it was (results may have become shorter), what was said then in full, each of
// its calls answered once and in order, and only then new texts.
func (p *openAI) follow(t *talk, q *request) []string {
	items := responsesOf(q).items
	last := t.last()
	if last == nil {
		return q.news(items)
	}
	var out []string
	rest := items
	take := func(want item, sent bool) {
		var problem string
		if rest, problem = taken(rest, want, sent); problem != "" {
			out = append(out, problem)
		}
	}
	for _, old := range responsesOf(last.request).items {
		take(old, true)
	}
	said, _ := last.said.([]item)
	for _, s := range said {
		take(s, false)
	}
	for _, call := range said {
		if call.Type != "function_call" && call.Type != "computer_call" {
			continue
		}
		if len(rest) == 0 || rest[0].Type != call.Type+"_output" || rest[0].CallID != call.CallID {
			out = append(out, fmt.Sprintf("call %s is not answered by a %s_output in its place, but by %s", call.CallID, call.Type, heading(rest)))
			continue
		}
		q.seen.Answers = append(q.seen.Answers, rest[0].answer(call))
		rest = rest[1:]
	}
	return append(out, q.news(rest)...)
}

// taken takes an item that was sent before, or said, from the head of the rest.
func taken(rest []item, want item, sent bool) ([]item, string) {
	words := "not echoed as it was said: "
	if sent {
		words = "changed since it was sent: "
	}
	same := func(it item) bool { return reflect.DeepEqual(it.whole, want.whole) }
	switch {
	case len(rest) == 0:
		return rest, "lost: " + want.String()
	case same(rest[0]):
		return rest[1:], ""
	case want.ID+want.CallID != "" && rest[0].Type == want.Type && rest[0].ID == want.ID && rest[0].CallID == want.CallID:
		if !sent || !strings.HasSuffix(want.Type, "_output") {
			return rest[1:], words + want.String()
		}
		if size(rest[0].whole) >= size(want.whole) {
			return rest[1:], "a result that was sent has changed and is no shorter: " + want.String()
		}
		return rest[1:], "" // a placeholder
	}
	if i := slices.IndexFunc(rest, same); i >= 0 {
		return rest[i+1:], "out of its place: " + rest[0].String()
	}
	if rest[0].Type == want.Type && want.Type == "message" && rest[0].Role == want.Role {
		return rest[1:], words + want.String()
	}
	return rest, "lost: " + want.String() + "; in its place is " + rest[0].String()
}

// news are the texts that a user says beside the task. Nothing else may be new.
func (q *request) news(rest []item) []string {
	var out []string
	for _, it := range rest {
		text := contentText(it.Content)
		switch {
		case it.Type != "message" || it.Role == "assistant":
			out = append(out, "nothing asked for this: "+it.String())
		case it.Role == "user" && text != q.seen.Task:
			q.seen.Said = append(q.seen.Said, text)
		}
	}
	return out
}

// answer is a result in neutral words. This wire can't say that it is an error.
func (it item) answer(call item) Answer {
	a := Answer{ID: it.CallID, Name: "computer", Text: contentText(it.Output), Images: images(it.Output)}
	if m, ok := call.whole.(map[string]any); ok && call.Type == "function_call" {
		a.Name, _ = m["name"].(string)
	}
	if it.Type == "computer_call_output" {
		a.Images = 1
	}
	return a
}

func (it item) String() string {
	text, _ := json.Marshal(it.whole)
	if len(text) > 160 {
		text = append(text[:160], "…"...)
	}
	return string(text)
}

// heading is the first of what is left.
func heading(rest []item) string {
	if len(rest) == 0 {
		return "nothing"
	}
	return rest[0].String()
}

func size(v any) int {
	text, _ := json.Marshal(v)
	return len(text)
}
