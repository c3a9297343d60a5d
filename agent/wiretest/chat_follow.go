package wiretest

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// follow holds the messages against the turn before: those of that request as
// they were (results and pictures may have become shorter), what was said then,
// each of its calls answered once and in order, and only then new messages.
func (p *chat) follow(t *talk, q *request) []string {
	rest := chatOf(q).messages
	last := t.last()
	if last == nil {
		return q.chatNews(rest)
	}
	var out []string
	for _, old := range chatOf(last.request).messages {
		switch {
		case len(rest) == 0:
			out = append(out, "lost: "+old.String())
			continue
		case reflect.DeepEqual(rest[0].whole, old.whole):
		case rest[0].Role != old.Role || rest[0].ToolCallID != old.ToolCallID || old.Role != "tool" && images(old.Content) == 0:
			out = append(out, "lost or changed: "+old.String())
		case size(rest[0].whole) >= size(old.whole):
			out = append(out, "a result that was sent has changed and is no shorter: "+old.String())
		}
		rest = rest[1:]
	}
	said, ok := last.said.(chatMessage)
	if !ok {
		return append(out, q.chatNews(rest)...)
	}
	if len(rest) == 0 || rest[0].Role != "assistant" {
		return append(append(out, "what was said is not echoed in its place"), q.chatNews(rest)...)
	}
	out = append(out, p.echo(said, rest[0])...)
	calls := rest[0].ToolCalls // ids that the server left out are the client's to choose
	rest = rest[1:]
	for i, call := range calls {
		if len(rest) == 0 || rest[0].Role != "tool" || rest[0].ToolCallID != call.ID {
			out = append(out, fmt.Sprintf("call %d (%s) is not answered by a tool message in its place", i+1, call.ID))
			continue
		}
		q.seen.Answers = append(q.seen.Answers, Answer{ID: call.ID, Name: call.Function.Name, Text: rest[0].text()})
		rest = rest[1:]
	}
	return append(out, q.chatNews(rest)...)
}

// echo holds an assistant's message against what was said.
func (p *chat) echo(said, echoed chatMessage) []string {
	if p.has(TextCalls) && len(said.ToolCalls) == 0 && len(echoed.ToolCalls) > 0 {
		return p.textCall(said, echoed)
	}
	var out []string
	if said.text() != echoed.text() {
		out = append(out, fmt.Sprintf("the text %.60q is echoed as %.60q", said.text(), echoed.text()))
	}
	if len(said.ToolCalls) != len(echoed.ToolCalls) {
		return append(out, fmt.Sprintf("%d calls are echoed as %d", len(said.ToolCalls), len(echoed.ToolCalls)))
	}
	for i, call := range said.ToolCalls {
		e := echoed.ToolCalls[i]
		if e.Function.Name != call.Function.Name || !sameArguments(call.Function.Arguments, e.Function.Arguments) || e.ID != call.ID && call.ID != "" {
			out = append(out, fmt.Sprintf("call %s is not echoed as it was said: %s", call.ID, echoed))
		}
	}
	return out
}

// textCall holds a call that was written into the text, and is echoed as a call,
// against the text.
func (p *chat) textCall(said, echoed chatMessage) []string {
	var wrote struct {
		Name      string
		Arguments any
	}
	first := echoed.ToolCalls[0].Function
	if json.Unmarshal([]byte(said.text()), &wrote) != nil || len(echoed.ToolCalls) != 1 || first.Name != wrote.Name || !sameArguments(wrote.Arguments, first.Arguments) {
		return []string{"the call in the text is echoed as another: " + echoed.String()}
	}
	return nil
}

// sameArguments compares arguments: strings exactly, an object with its text.
// Torn ones may go back empty: local servers read them again, and refuse the
// whole conversation for what is no JSON.
func sameArguments(said, echoed any) bool {
	if torn, ok := said.(string); ok && echoed == "{}" && !json.Valid([]byte(torn)) {
		return true
	}
	text, ok := echoed.(string)
	if _, loose := said.(map[string]any); !loose || !ok {
		return reflect.DeepEqual(said, echoed)
	}
	var v any
	return json.Unmarshal([]byte(text), &v) == nil && reflect.DeepEqual(said, v)
}

// chatNews are the texts and pictures of users beside the task. The pictures
// belong to the last answer. Nothing else may be new.
func (q *request) chatNews(rest []chatMessage) []string {
	var out []string
	for _, m := range rest {
		switch m.Role {
		case "assistant", "tool":
			out = append(out, "nothing asked for this: "+m.String())
		case "user":
			if n := len(q.seen.Answers); n > 0 {
				q.seen.Answers[n-1].Images += images(m.Content)
			}
			if text := m.text(); text != q.seen.Task {
				q.seen.Said = append(q.seen.Said, text)
			}
		}
	}
	return out
}
