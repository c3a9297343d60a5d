package wiretest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent/wiretest"
)

// responses is a request of the Responses API that has nothing wrong.
func responses(input ...any) object {
	return object{
		"model": "gpt-5.4", "instructions": "Be thorough.", "input": input, "store": false, "include": []any{"reasoning.encrypted_content"},
		"parallel_tool_calls": true, "max_output_tokens": 4096,
		"tools": []any{
			object{"type": "computer"},
			object{"type": "function", "name": "page_open", "description": "opens", "strict": true, "parameters": object{
				"type": "object", "additionalProperties": false, "required": []any{"url", "wait"},
				"properties": object{"url": object{"type": "string"}, "wait": object{"type": []any{"integer", "null"}}}}},
			object{"type": "function", "name": "loose", "strict": false, "parameters": object{
				"type": "object", "required": []any{"any"}, "properties": object{"any": object{"type": "object"}}}},
		},
		"text": object{"format": object{"type": "json_schema", "name": "final", "strict": true, "schema": object{
			"type": "object", "additionalProperties": false, "required": []any{"summary"}, "properties": object{"summary": object{"type": "string"}}}}},
	}
}

func user(text string) object {
	return object{"type": "message", "role": "user", "content": []any{object{"type": "input_text", "text": text}}}
}

func output(id string, parts ...any) object {
	return object{"type": "function_call_output", "call_id": id, "output": parts}
}

func text(s string) object { return object{"type": "input_text", "text": s} }

func shot(id, url string) object {
	return object{"type": "computer_call_output", "call_id": id, "output": object{"type": "computer_screenshot", "image_url": url}}
}

// twoCalls thinks, says something, calls a function and works the screen.
func twoCalls() wiretest.Say {
	return wiretest.Say{
		Think: "The page first.", Text: "I open the page.", Input: 500, Cached: 120, Output: 40,
		Calls:    []wiretest.Call{{Name: "page_open", Args: object{"url": "https://shop.example/", "wait": nil}, ID: "call_open"}},
		Computer: []wiretest.Action{{Kind: "click", X: 10, Y: 20}, {Kind: "key", Text: "Control+A"}, {Kind: "drag", X: 1, Y: 2, ToX: 3, ToY: 4}},
	}
}

// plays is the script of these tests. It keeps what it is shown.
func plays(seen *[]wiretest.Seen) wiretest.Script {
	return func(s wiretest.Seen) wiretest.Say {
		*seen = append(*seen, s)
		return []wiretest.Say{twoCalls(), {Text: "Done."}, {Text: "Really."}}[s.Request-1]
	}
}

// begin has the first turn said: the conversation so far is the task and the
// items of that turn. The id is that of the call of the screen.
func (d desk) begin(task string) ([]any, string) {
	d.Helper()
	items := append([]any{user(task)}, d.ask(responses(user(task)))["output"].([]any)...)
	return items, pick(d.T, items, 3, "call_id").(string)
}

// TestResponses holds a right conversation against the judge, on both endpoints:
// echo, answers in their order, notes, a placeholder later (C2, "Tests without a
// model").
func TestResponses(t *testing.T) {
	for _, w := range []wiretest.Wire{wiretest.OpenAI, wiretest.Azure} {
		var seen []wiretest.Seen
		d := open(t, w, plays(&seen), judged())
		items, screen := d.begin("Check the shop.")
		url := picture(t, "png", 40)
		answers := []any{shot(screen, url), output("call_open", text("opened"), object{"type": "input_image", "image_url": picture(t, "jpeg", 40), "detail": "high"})}
		second := d.ask(responses(slices.Concat(items, answers, []any{user("75 % of the budget is used.")})...))
		said := second["output"].([]any)
		shorter := []any{shot(screen, picture(t, "png", 1)), output("call_open", text("(left out)"))}
		d.ask(responses(slices.Concat(items, shorter, []any{user("75 % of the budget is used.")}, said, []any{user("Then end.")})...))
		d.clean()
		if len(seen) != 3 {
			t.Fatalf("%s: the script was asked %d times", w, len(seen))
		}
		first, then := seen[0], seen[1]
		if first.Task != "Check the shop." || first.System != "Be thorough." || !first.Computer || first.Request != 1 || !slices.Equal(first.Tools, []string{"computer", "page_open", "loose"}) {
			t.Errorf("%s: shown %+v", w, first)
		}
		if len(then.Answers) != 2 || then.Answers[0].Name != "computer" || then.Answers[0].Images != 1 || then.Answers[1].Text != "opened" ||
			then.Answers[1].Images != 1 || then.Answers[1].Name != "page_open" || !slices.Equal(then.Said, []string{"75 % of the budget is used."}) {
			t.Errorf("%s: answers %+v, said %q", w, then.Answers, then.Said)
		}
		if got := seen[2]; len(got.Answers) != 0 || !slices.Equal(got.Said, []string{"Then end."}) {
			t.Errorf("%s: shown %+v", w, got)
		}
		if r := d.server.Requests(); len(r) != 3 || !strings.Contains(r[0].Path, "/responses") || len(r[0].Body) == 0 {
			t.Errorf("%s: requests %+v", w, r)
		}
	}
}

// TestResponsesAnswer looks at what a turn becomes on the wire.
func TestResponsesAnswer(t *testing.T) {
	d := open(t, wiretest.OpenAI, wiretest.Fixed(twoCalls()), judged())
	a := d.ask(responses(user("a task")))
	out := a["output"].([]any)
	if len(out) != 4 || pick(t, out, 0, "type") != "reasoning" || pick(t, out, 0, "encrypted_content") == "" || pick(t, out, 1, "content", 0, "text") != "I open the page." {
		t.Fatalf("output %v", out)
	}
	actions := pick(t, out, 2, "actions").([]any)
	if len(actions) != 3 || pick(t, actions, 0, "button") != "left" || pick(t, actions, 1, "keys", 0) != "CTRL" || pick(t, actions, 2, "path", 1, "y") != 4.0 {
		t.Errorf("actions %v", actions)
	}
	if pick(t, out, 3, "call_id") != "call_open" || pick(t, out, 3, "arguments") != `{"url":"https://shop.example/","wait":null}` {
		t.Errorf("call %v", out[3])
	}
	if pick(t, a, "usage", "input_tokens") != 500.0 || pick(t, a, "usage", "input_tokens_details", "cached_tokens") != 120.0 || pick(t, a, "usage", "output_tokens") != 40.0 {
		t.Errorf("usage %v", a["usage"])
	}
	d.clean()
}

// TestResponsesViolations breaks a first request in each way, and wants each
// found. A judge that finds nothing is worth nothing.
func TestResponsesViolations(t *testing.T) {
	tool := func(change func(object)) func(object) {
		return func(b object) { change(b["tools"].([]any)[1].(object)) }
	}
	parameters := func(change func(object)) func(object) {
		return tool(func(f object) { change(f["parameters"].(object)) })
	}
	cases := []struct {
		name  string
		words string
		spoil func(object)
	}{
		{"a field that the description lacks", "/bla is not a field", func(b object) { b["bla"] = 1 }},
		{"a field within a message", "/input/0/content/0/bla is not a field", func(b object) { pick(t, b, "input", 0, "content", 0).(object)["bla"] = 1 }},
		{"a wrong type", "at /max_output_tokens", func(b object) { b["max_output_tokens"] = "many" }},
		{"a part of a wrong kind", "not a CreateResponse: at /input/0/content/0", func(b object) { pick(t, b, "input", 0, "content", 0).(object)["type"] = "text" }},
		{"a tool without parameters", "missing property", tool(func(f object) { delete(f, "parameters") })},
		{"a wrong role", "not a CreateResponse: at /input/0/role", func(b object) { pick(t, b, "input", 0).(object)["role"] = "human" }},
		{"the conversation kept", "store is true", func(b object) { b["store"] = true }},
		{"the conversation kept by default", "store is not given", func(b object) { delete(b, "store") }},
		{"reasoning that can't be echoed", "reasoning.encrypted_content is not included", func(b object) { delete(b, "include") }},
		{"a conversation by reference", "previous_response_id", func(b object) { b["previous_response_id"] = "resp_1" }},
		{"bit by bit", "stream is true", func(b object) { b["stream"] = true }},
		{"a strict tool with an optional property", "page_open: at /: property wait is not required", parameters(func(p object) { p["required"] = []any{"url"} })},
		{"a strict tool that is open", "additionalProperties is not false", parameters(func(p object) { delete(p, "additionalProperties") })},
		{"a strict tool with a keyword too many", "minLength is not permitted", parameters(func(p object) { pick(t, p, "properties", "url").(object)["minLength"] = 1 })},
		{"a final format that is open", "text.format is not strict", func(b object) { delete(pick(t, b, "text", "format", "schema").(object), "additionalProperties") }},
		{"a final format with a bad name", `the name "my final"`, func(b object) { pick(t, b, "text", "format").(object)["name"] = "my final" }},
		{"a tool with a bad name", `can't be called "page open"`, tool(func(f object) { f["name"] = "page open" })},
		{"two tools of one name", "two tools are called loose", tool(func(f object) { f["name"] = "loose" })},
		{"the retired computer tool", `is a "computer_use_preview"`, func(b object) {
			b["tools"] = []any{object{"type": "computer_use_preview", "display_width": 1, "display_height": 1, "environment": "browser"}}
		}},
		{"an answer that nobody asked for", "nothing asked for this", func(b object) { b["input"] = append(b["input"].([]any), output("call_x", text("y"))) }},
		{"no picture", "does not decode", func(b object) {
			b["input"] = []any{object{"role": "user", "content": []any{text("task"), object{"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,aGVsbG8="}}}}
		}},
	}
	judge := open(t, wiretest.OpenAI, wiretest.Fixed(), judged())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := judge.within(t)
			b := responses(user("Check " + c.name))
			c.spoil(b)
			if _, _, err := d.send(b); err != nil {
				t.Fatal(err)
			}
			d.objects(c.words)
		})
	}
}

// TestResponsesOrder breaks the second request of a conversation in each way.
func TestResponsesOrder(t *testing.T) {
	url := picture(t, "png", 20)
	var seen []wiretest.Seen
	judge := open(t, wiretest.OpenAI, plays(&seen), judged())
	for _, c := range orders(url) {
		t.Run(c.name, func(t *testing.T) {
			d := judge.within(t)
			items, screen := d.begin("Check " + c.name)
			input := slices.Concat(items, []any{shot(screen, url), output("call_open", text("opened"), object{"type": "input_image", "detail": "auto", "image_url": url})})
			if _, _, err := d.send(responses(c.change(input)...)); err != nil {
				t.Fatal(err)
			}
			d.objects(c.words)
		})
	}
}

type order struct {
	name, words string
	change      func(input []any) []any
}

// orders are ways to break the order of the protocol. The input is: the task,
// reasoning, message, computer_call, function_call, and the two answers.
func orders(url string) []order {
	without := func(i int) func([]any) []any { return func(in []any) []any { return slices.Delete(in, i, i+1) } }
	set := func(i int, name string, v any) func([]any) []any {
		return func(in []any) []any { in[i].(object)[name] = v; return in }
	}
	return []order{
		{"the task lost", "no text of a user", func([]any) []any { return []any{} }},
		{"the task left out", "no text of a user", func(in []any) []any { return in[1:] }},
		{"reasoning lost", "lost: ", without(1)},
		{"reasoning changed", "not echoed as it was said", set(1, "encrypted_content", "gAAAAother")},
		{"a message lost", "lost: ", without(2)},
		{"a call lost", "lost: ", without(4)},
		{"a call changed", "not echoed as it was said", set(4, "arguments", "{}")},
		{"a call without its id", "lost: ", func(in []any) []any { delete(in[4].(object), "id"); return in }},
		{"an order changed", "out of its place", func(in []any) []any { in[1], in[2] = in[2], in[1]; return in }},
		{"a screen not answered", "is not answered by a computer_call_output", without(5)},
		{"a call not answered", "call call_open is not answered", without(6)},
		{"a call answered twice", "nothing asked for this", func(in []any) []any { return append(in, in[6]) }},
		{"answers in another order", "is not answered", func(in []any) []any { in[5], in[6] = in[6], in[5]; return in }},
		{"an answer to another", "call call_open is not answered", set(6, "call_id", "call_other")},
		{"a screen answered as a function", "is not answered by a computer_call_output", func(in []any) []any {
			in[5] = output(in[5].(object)["call_id"].(string), text("done"))
			return in
		}},
		{"a note between calls and answers", "is not answered", func(in []any) []any { return slices.Insert(in, 5, any(user("note"))) }},
		{"a safety check acknowledged", "only a person may", set(5, "acknowledged_safety_checks", []any{object{"id": "cu_sc_1"}})},
		{"a screen that is no picture", "does not decode", set(5, "output", object{"type": "computer_screenshot", "image_url": "data:image/png;base64,aGVsbG8="})},
		{"a screen without a picture", "no data URL", set(5, "output", object{"type": "computer_screenshot"})},
		{"a picture that is torn", "has no end", set(5, "output", object{"type": "computer_screenshot", "image_url": url[:len(url)-8]})},
		{"a picture of another kind", "says that it is image/jpeg and is image/png", set(5, "output", object{"type": "computer_screenshot", "image_url": strings.Replace(url, "image/png", "image/jpeg", 1)})},
		{"a picture by address", "no data URL", set(6, "output", []any{object{"type": "input_image", "detail": "auto", "image_url": "https://shop.example/a.png"}})},
	}
}

// TestResponsesPrefix wants what was sent to stay, for the sake of the provider's
// cache: a result may become shorter, nothing else changes (B4).
func TestResponsesPrefix(t *testing.T) {
	var seen []wiretest.Seen
	d := open(t, wiretest.OpenAI, plays(&seen), judged())
	for words, change := range map[string]func([]any) []any{
		"has changed and is no shorter": func(in []any) []any { in[6] = output("call_open", text("opened, and then some")); return in },
		"changed since it was sent":     func(in []any) []any { in[7] = user("60 % of the budget is used."); return in },
		"out of its place":              func(in []any) []any { return slices.Insert(in, 1, any(user("a word too many"))) },
		"lost: ":                        func(in []any) []any { return slices.Delete(in, 5, 6) },
	} {
		items, screen := d.begin("Check " + words)
		input := slices.Concat(items, []any{shot(screen, picture(t, "png", 9)), output("call_open", text("opened")), user("50 % of the budget is used.")})
		second := d.ask(responses(input...))
		if p := d.server.Problems(); len(p) > d.told {
			t.Errorf("%s: already %q", words, p[d.told:])
		}
		input = slices.Concat(input, second["output"].([]any), []any{user("go on")})
		if _, _, err := d.send(responses(change(input)...)); err != nil {
			t.Fatal(err)
		}
		d.objects(words)
	}
}

// TestAzure wants Azure's own rules kept: its key header, its path and version,
// and every property required even in tools that are not strict.
func TestAzure(t *testing.T) {
	body := responses(user("a task"))
	pick(t, body, "tools", 2, "parameters").(object)["required"] = []any{}
	d := open(t, wiretest.Azure, wiretest.Fixed(), judged())
	d.ask(body)
	d.objects("tool loose: at /: property any is not required")

	d = open(t, wiretest.Azure, wiretest.Fixed(), judged())
	d.path = "/openai/v1/responses"
	d.ask(responses(user("a task")))
	d.clean()
	d.path = "/openai/responses" // without a version
	if a, _, err := d.send(responses(user("a task"))); err != nil || a.StatusCode != http.StatusNotFound {
		t.Errorf("without an api-version: %v %v", a, err)
	}
	d.path = "/openai/v1/responses"
	d.header = http.Header{"Authorization": {"Bearer " + key}}
	a, raw, err := d.send(responses(user("a task")))
	var e struct {
		Error struct{ Code, Message string }
	}
	if err != nil || a.StatusCode != http.StatusUnauthorized || json.Unmarshal(raw, &e) != nil || e.Error.Code != "401" || e.Error.Message == "" {
		t.Errorf("OpenAI's key header: %v %s", err, raw)
	}
}
