package anthropic_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
)

// conversation is how each begins here.
func conversation() agent.Conversation {
	return agent.Conversation{Instructions: "Test with care.", Task: `{"goal":"look"}`, Screen: agent.Screen{Width: 1366, Height: 768}, Final: agent.FinalSchema(),
		Tools: []agent.Tool{
			{Name: "page_snapshot", Description: "Show the page.", Schema: json.RawMessage(`{"type":"object","properties":{"root":{"type":"string"}}}`)},
			{Name: "computer_action", Description: "Act by place.", Schema: json.RawMessage(`{"type":"object","properties":{"action":{"type":"string"}}}`)},
			{Name: "run_finish", Description: "End.", Schema: agent.FinalSchema()},
		}}
}

// answered adds a turn to a conversation.
func answered(c agent.Conversation, r agent.Reply, notes []string, results ...agent.Result) agent.Conversation {
	for i := range results {
		if results[i].ID == "" {
			results[i].ID = r.Calls[i].ID
		}
		if results[i].Name == "" {
			results[i].Name = r.Calls[i].Name
		}
	}
	c.Turns = append(slices.Clone(c.Turns), agent.Turn{Reply: r, Results: results, Notes: notes})
	return c
}

func text(s string) agent.Result { return agent.Result{Parts: []agent.Part{{Text: s}}} }

func shown(i *agent.Image) agent.Result {
	return agent.Result{Parts: []agent.Part{{Text: "done"}, {Image: i}}}
}

// D1: the first request has task, orders, tools and the form of the final
// answer; strict is what may be.
func TestFirstRequest(t *testing.T) {
	t.Parallel()
	p := serve(t, says("end_turn", `[{"type":"text","text":"{\"summary\":\"fine\"}","citations":null}]`))
	r := next(t, p.model(), conversation())
	if r.Text != `{"summary":"fine"}` || len(r.Calls) != 0 || r.Cut || r.Usage != (agent.Usage{Input: 147, Cached: 40, Output: 9}) {
		t.Errorf("%+v", r)
	}
	a := p.last()
	for _, want := range []struct {
		path []any
		want any
	}{
		{[]any{"system", 0, "text"}, "Test with care."},
		{[]any{"messages", 0, "content", 0, "text"}, `{"goal":"look"}`},
		{[]any{"tools", 0, "name"}, "page_snapshot"},
		{[]any{"tools", 0, "strict"}, nil},
		{[]any{"tools", 1, "name"}, "computer_action"}, // a function, unless the connection asks for the provider's own
		{[]any{"tools", 2, "strict"}, true},
		{[]any{"output_config", "format", "type"}, "json_schema"},
		{[]any{"output_config", "format", "schema", "required", 0}, "summary"},
		{[]any{"max_tokens"}, 16000.0},
		{[]any{"tool_choice"}, nil},
		{[]any{"stream"}, nil},
	} {
		if got := at(a.body, want.path...); got != want.want {
			t.Errorf("%v is %v, want %v", want.path, got, want.want)
		}
	}
	if a.header.Get("X-Api-Key") != key || a.header.Get("Authorization") != "" || strings.Contains(a.raw, key) {
		t.Error("the key belongs in x-api-key and nowhere else")
	}
}

// Strict is a tool whose arguments are all required and that has no word the
// provider's grammar lacks, for twenty tools at most.
func TestStrict(t *testing.T) {
	t.Parallel()
	object := func(rest string) string { return `{"type":"object","additionalProperties":false,` + rest + `}` }
	c := conversation()
	c.Tools = nil
	var want []any
	for schema, strict := range map[string]any{
		object(`"properties":{"n":{"type":"integer","description":"which"}},"required":["n"]`):                                        true,
		object(`"properties":{"n":{"type":"array","items":{"enum":["a"],"type":"string"}}},"required":["n"]`):                         true,
		object(`"properties":{"n":{"type":"integer"},"m":{"type":"string"}},"required":["n"]`):                                        nil,
		object(`"properties":{"n":{"type":"integer","minimum":1}},"required":["n"]`):                                                  nil,
		object(`"properties":{"n":{}},"required":["n"]`):                                                                              nil,
		object(`"properties":{"n":{"type":"object","properties":{}}},"required":["n"]`):                                               nil,
		object(`"properties":{"n":{"type":"array","items":{"type":"object","properties":{"x":{"type":"string"}}}}},"required":["n"]`): nil,
		`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`:                                                    nil,
	} {
		c.Tools, want = append(c.Tools, agent.Tool{Name: fmt.Sprintf("t%d", len(want)), Schema: json.RawMessage(schema)}), append(want, strict)
	}
	for range 25 {
		c.Tools = append(c.Tools, agent.Tool{Name: fmt.Sprintf("t%d", len(c.Tools)), Schema: json.RawMessage(object(`"properties":{},"required":[]`))})
	}
	p := serve(t, says("end_turn", `[{"type":"text","text":"{}"}]`))
	next(t, p.model(), c)
	for i, w := range want {
		if got := at(p.last().body, "tools", i, "strict"); got != w {
			t.Errorf("strict is %v of %s", got, c.Tools[i].Schema)
		}
	}
	if n := strings.Count(p.last().raw, `"strict":true`); n != 20 {
		t.Errorf("%d strict tools, 20 are allowed", n)
	}
	c.Tools = []agent.Tool{{Name: "torn", Schema: json.RawMessage(`{"type":`)}}
	if _, err := p.model().Next(t.Context(), c); err == nil || !strings.Contains(err.Error(), "torn") {
		t.Errorf("a schema that is none: %v", err)
	}
}

// D1: every call is answered once, in order, at the head of the next message;
// what was thought goes back as it came.
func TestConversation(t *testing.T) {
	t.Parallel()
	said := `[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"redacted_thinking","data":"eHg="},{"type":"text","text":"","citations":null},` +
		`{"type":"text","text":"I look.","citations":null},{"type":"tool_use","id":"toolu_1","name":"page_snapshot","input":{"root":"a  b"},"caller":{"type":"direct"}},` +
		`{"type":"tool_use","id":"toolu_2","name":"page_screenshot","input":{},"caller":{"type":"direct"}},{"type":"tool_use","id":"toolu_3","name":"page_snapshot","input":{},"caller":{"type":"direct"}}]`
	p := serve(t, says("tool_use", said), says("end_turn", `[{"type":"text","text":"{}"}]`))
	m, c := p.model(), conversation()
	r := next(t, m, c)
	if r.Text != "I look." || len(r.Calls) != 3 || r.Calls[0].ID != "toolu_1" || string(r.Calls[0].Arguments) != `{"root":"a  b"}` || r.Calls[1].Name != "page_screenshot" {
		t.Fatalf("%+v", r)
	}
	broken := agent.Result{IsError: true, Parts: []agent.Part{{Text: "no such thing"}, {Text: "  "}, {Image: png(10, 10)}}}
	next(t, m, answered(c, r, []string{"you have spent 75 %", ""}, shown(png(800, 600)), broken)) // the third was never made
	messages := at(p.last().body, "messages")
	var want []any
	if err := json.Unmarshal([]byte(said), &want); err != nil {
		t.Fatal(err)
	}
	want = slices.Delete(want, 2, 3) // the provider refuses texts without a word
	if got := at(messages, 1, "content"); !reflect.DeepEqual(got, want) || at(messages, 1, "role") != "assistant" {
		t.Errorf("echoed as %v", got)
	}
	for _, w := range []struct {
		path []any
		want any
	}{
		{[]any{0, "type"}, "tool_result"}, {[]any{0, "tool_use_id"}, "toolu_1"}, {[]any{0, "is_error"}, nil},
		{[]any{0, "content", 1, "source", "data"}, png(800, 600).Data}, {[]any{0, "content", 1, "transformations", "oversized_image"}, "error"},
		{[]any{1, "tool_use_id"}, "toolu_2"}, {[]any{1, "is_error"}, true}, {[]any{1, "content", 0, "text"}, "no such thing"}, {[]any{1, "content", 1, "type"}, "text"}, {[]any{1, "content", 2}, nil},
		{[]any{2, "tool_use_id"}, "toolu_3"}, {[]any{2, "is_error"}, true}, {[]any{2, "content", 0, "text"}, "not executed: the loop stopped before it"},
		{[]any{3, "type"}, "text"}, {[]any{3, "text"}, "you have spent 75 %"}, {[]any{4}, nil},
	} {
		if got := at(messages, append([]any{2, "content"}, w.path...)...); got != w.want {
			t.Errorf("answer %v is %v, want %v", w.path, got, w.want)
		}
	}
}

// Faults of the note: an id that is missing or doubled. The loop can tell the
// calls apart, and the provider is answered with what it sent.
func TestIDs(t *testing.T) {
	t.Parallel()
	call := func(id string) string {
		return `{"type":"tool_use","id":"` + id + `","name":"page_snapshot","input":{}}`
	}
	p := serve(t, says("tool_use", "["+call("one")+","+call("one")+"]"), says("tool_use", "["+call("one")+","+call("call-4")+"]"), says("end_turn", "[]"))
	m, c := p.model(), conversation()
	var ids []string
	for range 2 {
		r := next(t, m, c)
		for _, call := range r.Calls {
			if call.ID == "" || slices.Contains(ids, call.ID) {
				t.Errorf("id %q is not its own: %v", call.ID, ids)
			}
			ids = append(ids, call.ID)
		}
		c = answered(c, r, nil, text("first"), text("second"))
	}
	next(t, m, c)
	for _, w := range [][]any{{2, "content", 0, "one", "first"}, {2, "content", 1, "one", "second"}, {4, "content", 1, "call-4", "second"}} {
		answer := at(p.last().body, append([]any{"messages"}, w[:3]...)...)
		if at(answer, "tool_use_id") != w[3] || at(answer, "content", 0, "text") != w[4] {
			t.Errorf("%v: %v", w, answer)
		}
	}
}

// A call whose arguments were cut is handed on as it came, and the provider,
// which takes objects only, is not told of it what it refuses.
func TestArgumentsThatAreNoObject(t *testing.T) {
	t.Parallel()
	p := serve(t, says("max_tokens", `[{"type":"tool_use","id":"t1","name":"page_snapshot","input":"{\"root\": \"ma"}]`), says("end_turn", "[]"))
	m, c := p.model(), conversation()
	r := next(t, m, c)
	if !r.Cut || len(r.Calls) != 1 || string(r.Calls[0].Arguments) != `"{\"root\": \"ma"` {
		t.Fatalf("%+v", r)
	}
	next(t, m, answered(c, r, nil, text("refused")))
	if got := at(p.last().body, "messages", 1, "content", 0, "input"); !reflect.DeepEqual(got, map[string]any{}) {
		t.Errorf("echoed with the input %v", got)
	}
}

// What a turn leaves open, and what was said in none, makes no empty message,
// and no two messages of one side.
func TestEmptyAndPausedTurns(t *testing.T) {
	t.Parallel()
	p := serve(t, says("end_turn", "[]"), says("pause_turn", `[{"type":"text","text":"wait"}]`), says("end_turn", `[{"type":"text","text":"ready"}]`))
	m, c := p.model(), conversation()
	empty := next(t, m, c)
	if empty.Text != "" || empty.Calls != nil {
		t.Errorf("%+v", empty)
	}
	c = answered(c, empty, []string{"you said nothing"})
	paused := next(t, m, c)
	if paused.Text != "" || paused.Calls != nil {
		t.Errorf("a pause ends the work: %+v", paused)
	}
	if got := at(p.last().body, "messages", 0, "content", 1, "text"); got != "you said nothing" {
		t.Errorf("the note is %v", got)
	}
	if r := next(t, m, answered(c, paused, nil)); r.Text != "ready" {
		t.Errorf("%+v", r)
	}
	if got := at(p.last().body, "messages", -1, "content", 0, "text"); got != "wait" || at(p.last().body, "messages", 2) != nil {
		t.Errorf("the model does not continue where it paused: %v", at(p.last().body, "messages"))
	}
}
