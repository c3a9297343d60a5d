package wiretest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent/wiretest"
)

// completions is a request of Chat Completions that has nothing wrong.
func completions(messages ...any) object {
	return object{
		"model":    "qwen3",
		"messages": append([]any{object{"role": "system", "content": "Be thorough."}}, messages...),
		"tools": []any{object{"type": "function", "function": object{"name": "page_open", "description": "opens", "parameters": object{
			"type": "object", "properties": object{"url": object{"type": "string"}}}}}},
	}
}

func says(text string) object { return object{"role": "user", "content": text} }

func tool(id, text string) object {
	return object{"role": "tool", "tool_call_id": id, "content": text}
}

func looks(url string) object {
	return object{"role": "user", "content": []any{object{"type": "text", "text": "picture of the call above"}, object{"type": "image_url", "image_url": object{"url": url}}}}
}

func opens() wiretest.Say {
	return wiretest.Say{Text: "I open it.", Calls: []wiretest.Call{{Name: "page_open", Args: object{"url": "/"}, ID: "call_a"}, {Name: "page_open", Args: object{"url": "/b"}, ID: "call_b"}}}
}

// message is the message of an answer, as a client would echo it.
func message(t *testing.T, answer object) object {
	t.Helper()
	m := pick(t, answer, "choices", 0, "message").(object)
	delete(m, "refusal")
	return m
}

// TestChat holds a right conversation against the judge: pictures follow in a
// user's message, and become a line of text later.
func TestChat(t *testing.T) {
	var seen []wiretest.Seen
	d := open(t, wiretest.Chat, func(s wiretest.Seen) wiretest.Say {
		seen = append(seen, s)
		return []wiretest.Say{opens(), {Text: "Done."}, {Final: []byte(`{"summary":"x"}`)}}[s.Request-1]
	}, judged())
	said := message(t, d.ask(completions(says("a task"))))
	second := message(t, d.ask(completions(says("a task"), said, tool("call_a", "opened"), tool("call_b", "opened too"), looks(picture(t, "png", 40)))))
	third := d.ask(completions(says("a task"), said, tool("call_a", "…"), tool("call_b", "opened too"), says("(an old picture)"), second, says("go on")))
	if pick(t, third, "choices", 0, "message", "content") != `{"summary":"x"}` {
		t.Errorf("final: %v", third)
	}
	d.clean()
	if s := seen[0]; s.Task != "a task" || s.System != "Be thorough." || !slices.Equal(s.Tools, []string{"page_open"}) || s.Computer {
		t.Errorf("shown %+v", s)
	}
	if a := seen[1].Answers; len(a) != 2 || a[0].Text != "opened" || a[1].ID != "call_b" || a[1].Images != 1 || a[1].Name != "page_open" {
		t.Errorf("answers %+v", a)
	}
	if !slices.Equal(seen[2].Said, []string{"go on"}) {
		t.Errorf("said %q", seen[2].Said)
	}
}

// TestChatViolations breaks the second request of a conversation in each way.
// The messages are: the orders, the task, what was said, and the two answers.
func TestChatViolations(t *testing.T) {
	set := func(i int, name string, v any) func(object) {
		return func(b object) { pick(t, b, "messages", i).(object)[name] = v }
	}
	messages := func(change func([]any) []any) func(object) {
		return func(b object) { b["messages"] = change(b["messages"].([]any)) }
	}
	cases := []struct {
		name, words string
		spoil       func(object)
	}{
		{"a field that the description lacks", "/bla is not a field", func(b object) { b["bla"] = 1 }},
		{"a field within a message", "/messages/3/name is not a field", set(3, "name", "page_open")},
		{"bit by bit", "stream is true", func(b object) { b["stream"] = true }},
		{"the conversation kept", "store is true", func(b object) { b["store"] = true }},
		{"a final format with a bad name", `the name "my final"`, func(b object) {
			b["response_format"] = object{"type": "json_schema", "json_schema": object{"name": "my final", "schema": object{"type": "object"}}}
		}},
		{"a final format that is not strict", "response_format is not strict", func(b object) {
			b["response_format"] = object{"type": "json_schema", "json_schema": object{"name": "final", "strict": true, "schema": object{"type": "object"}}}
		}},
		{"a tool of a provider", `is a "computer"`, func(b object) { b["tools"] = append(b["tools"].([]any), object{"type": "computer"}) }},
		{"two tools of one name", "two tools are called page_open", func(b object) { b["tools"] = append(b["tools"].([]any), b["tools"].([]any)[0]) }},
		{"the task changed", "lost or changed", set(0, "content", "Be quick.")},
		{"what was said is lost", "not echoed in its place", messages(func(m []any) []any { return slices.Delete(m, 2, 3) })},
		{"what was said is changed", `the text "I open it." is echoed as "I do it."`, set(2, "content", "I do it.")},
		{"a call changed", "call call_a is not echoed as it was said", func(b object) { pick(t, b, "messages", 2, "tool_calls", 0, "function").(object)["arguments"] = "{}" }},
		{"a call with an id of its own", "call call_a is not echoed as it was said", func(b object) { pick(t, b, "messages", 2, "tool_calls", 0).(object)["id"] = "call_c" }},
		{"a call lost", "2 calls are echoed as 1", func(b object) {
			m := pick(t, b, "messages", 2).(object)
			m["tool_calls"] = m["tool_calls"].([]any)[:1]
		}},
		{"a call not answered", "call 2 (call_b) is not answered", messages(func(m []any) []any { return m[:4] })},
		{"answers in another order", "call 1 (call_a) is not answered", messages(func(m []any) []any { m[3], m[4] = m[4], m[3]; return m })},
		{"a call answered twice", "nothing asked for this", messages(func(m []any) []any { return append(m, m[4]) })},
		{"a note between the answers", "call 2 (call_b) is not answered", messages(func(m []any) []any { return slices.Insert(m, 4, any(says("note"))) })},
		{"a picture in a tool message", "a picture in a message of role tool", set(3, "content", []any{object{"type": "image_url", "image_url": object{"url": picture(t, "png", 2)}}})},
		{"a picture that is none", "does not decode", messages(func(m []any) []any { return append(m, looks("data:image/png;base64,aGVsbG8=")) })},
	}
	judge := open(t, wiretest.Chat, wiretest.Fixed(opens()), judged())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := judge.within(t)
			said := message(t, d.ask(completions(says(c.name))))
			b := completions(says(c.name), said, tool("call_a", "opened"), tool("call_b", "opened too"))
			c.spoil(b)
			if _, _, err := d.send(b); err != nil {
				t.Fatal(err)
			}
			d.objects(c.words)
		})
	}
}

// TestChatPrefix wants what was sent to stay, for the sake of a server's cache: a
// result may become shorter, nothing else changes (B4).
func TestChatPrefix(t *testing.T) {
	d := open(t, wiretest.Chat, wiretest.Fixed(opens(), wiretest.Say{Text: "Done."}), judged())
	for words, change := range map[string]func([]any) []any{
		"has changed and is no shorter":              func(m []any) []any { m[2] = tool("call_a", "opened, and then some"); return m },
		`lost or changed: {"content":"opened too"`:   func(m []any) []any { m[3] = tool("call_c", "opened too"); return m },
		`lost or changed: {"content":"50 % is used"`: func(m []any) []any { m[4] = says("60 % is used"); return m },
		`lost: {"content":"50 % is used"`:            func(m []any) []any { return m[:4] },
	} {
		said := message(t, d.ask(completions(says(words))))
		m := []any{says(words), said, tool("call_a", "opened"), tool("call_b", "opened too"), says("50 % is used")}
		second := message(t, d.ask(completions(m...)))
		if p := d.server.Problems(); len(p) > d.told {
			t.Errorf("%s: already %q", words, p[d.told:])
		}
		m = append(change(m), second)
		if strings.HasPrefix(words, "lost: ") {
			m = m[:4]
		}
		if _, _, err := d.send(completions(m...)); err != nil {
			t.Fatal(err)
		}
		d.objects(words)
	}
}

// TestHabits has the ways of local servers: they are no violation, but the
// client must cope.
func TestHabits(t *testing.T) {
	start := func(h wiretest.Habit) desk {
		return open(t, wiretest.Chat, wiretest.Fixed(wiretest.Say{Calls: opens().Calls[:1]}), wiretest.Options{Schemas: officialFolder, Habits: []wiretest.Habit{h}})
	}
	d := start(wiretest.NoIDs)
	call := pick(t, d.ask(completions(says("a task"))), "choices", 0, "message", "tool_calls", 0).(object)
	if _, has := call["id"]; has || pick(t, call, "function", "arguments", "url") != "/" {
		t.Errorf("no-ids: %v", call)
	}
	echo := object{"role": "assistant", "tool_calls": []any{object{"id": "mine", "type": "function", "function": object{"name": "page_open", "arguments": `{"url": "/"}`}}}}
	d.ask(completions(says("a task"), echo, tool("mine", "opened")))
	d.clean()

	d = start(wiretest.TextCalls)
	said := message(t, d.ask(completions(says("a task"))))
	if pick(t, said, "content") != `{"name":"page_open","arguments":{"url":"/"}}` && pick(t, said, "content") != `{"arguments":{"url":"/"},"name":"page_open"}` {
		t.Errorf("text-calls: %v", said)
	}
	d.ask(completions(says("a task"), echo, tool("mine", "opened")))
	d.clean()
	d = start(wiretest.TextCalls)
	d.ask(completions(says("a task")))
	other := object{"role": "assistant", "tool_calls": []any{object{"id": "mine", "type": "function", "function": object{"name": "page_open", "arguments": `{"url": "/other"}`}}}}
	d.ask(completions(says("a task"), other, tool("mine", "opened")))
	d.objects("the call in the text is echoed as another")

	d = start(wiretest.NoSchema)
	b := completions(says("a task"))
	b["response_format"] = object{"type": "json_schema", "json_schema": object{"name": "final", "schema": object{"type": "object"}}}
	if a, raw, err := d.send(b); err != nil || a.StatusCode != http.StatusBadRequest || !strings.Contains(string(raw), "json_schema is not supported") {
		t.Errorf("no-schema: %v %s", err, raw)
	}
	delete(b, "response_format")
	d.ask(b)
	d.clean()
}
