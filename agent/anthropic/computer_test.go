package anthropic_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
)

// member is what the model asks of the toolset, and what computer_action gets.
type member struct {
	name, input string
	actions     string // as JSON; of what is refused, its name
	refused     bool
}

// members are all 17 of computer_toolset_20260801, and what is no good.
func members() []member {
	return []member{
		{name: "screenshot", input: `{}`, actions: `{"action":"screenshot"}`},
		{name: "left_click", input: `{"coordinate":[10,20],"text":null}`, actions: `{"action":"click","coords":{"x":10,"y":20}}`},
		{name: "double_click", input: `{"coordinate":[10,20]}`, actions: `{"action":"double_click","coords":{"x":10,"y":20}}`},
		{name: "triple_click", input: `{"coordinate":[30,40]}`, actions: `[{"action":"click","coords":{"x":30,"y":40}},{"action":"hotkey","hotkey":"ControlOrMeta+A"}]`},
		{name: "right_click", input: `{"coordinate":[10,20]}`, actions: `{"action":"right_click","coords":{"x":10,"y":20}}`},
		{name: "middle_click", input: `{"coordinate":[10,200]}`, actions: `{"action":"middle_click","coords":{"x":10,"y":200}}`},
		{name: "mouse_move", input: `{"coordinate":[10,20]}`, actions: `{"action":"move","coords":{"x":10,"y":20}}`},
		{name: "left_click_drag", input: `{"start_coordinate":[10,200],"coordinate":[30,240]}`, actions: `{"action":"drag","coords":{"x":10,"y":200},"to":{"x":30,"y":240}}`},
		{name: "scroll", input: `{"coordinate":[10,20],"scroll_direction":"down","scroll_amount":3}`, actions: `{"action":"scroll","coords":{"x":10,"y":20},"scroll":{"deltaY":300}}`},
		{name: "scroll", input: `{"scroll_direction":"left","scroll_amount":1}`, actions: `{"action":"scroll","scroll":{"deltaX":-100}}`},
		{name: "type", input: `{"text":"Grüße"}`, actions: `{"action":"type","text":"Grüße"}`},
		{name: "key", input: `{"text":"ctrl+shift+Left"}`, actions: `{"action":"hotkey","hotkey":"Control+Shift+ArrowLeft"}`},
		{name: "key", input: `{"text":"Page_Down","repeat":2}`, actions: `[{"action":"hotkey","hotkey":"PageDown"},{"action":"hotkey","hotkey":"PageDown"}]`},
		{name: "key", input: `{"text":"ctrl++"}`, actions: `{"action":"hotkey","hotkey":"Control++"}`},
		{name: "wait", input: `{"duration":1}`, actions: `{"action":"wait","wait":{"type":"ms","value":"1000"}}`},
		{name: "wait", input: `{"duration":0}`, actions: `{"action":"wait","wait":{"type":"ms","value":"1"}}`},
		{name: "zoom", input: `{"region":[0,0,200,100]}`, actions: `{"action":"zoom","coords":{"x":0,"y":0},"to":{"x":200,"y":100}}`},

		{name: "left_click", input: `{}`, actions: `{"action":"click"}`, refused: true}, // nobody knows where the pointer is
		{name: "left_click", input: `{"coordinate":[10,20],"text":"ctrl"}`, actions: `{"action":"left_click with ctrl held down"}`, refused: true},
		{name: "left_click", input: `{"coordinate":"10,20"}`, actions: `{"action":"left_click with parameters that can't be read"}`, refused: true},
		{name: "left_click", input: `{"coordinate":[5000,20]}`, actions: `{"action":"click","coords":{"x":5000,"y":20}}`, refused: true},
		{name: "scroll", input: `{"scroll_direction":"in","scroll_amount":1}`, actions: `{"action":"scroll in "}`, refused: true},
		{name: "zoom", input: `{}`, actions: `{"action":"zoom without a region"}`, refused: true},
		{name: "key", input: `{"text":"Hyper"}`, actions: `{"action":"hotkey","hotkey":"Hyper"}`, refused: true},
		{name: "wait", input: `{"duration":300}`, actions: `{"action":"wait","wait":{"type":"ms","value":"300000"}}`, refused: true},
		{name: "cursor_position", input: `{}`, actions: `{"action":"cursor_position"}`, refused: true},
		{name: "left_mouse_down", input: `{}`, actions: `{"action":"left_mouse_down"}`, refused: true},
		{name: "left_mouse_up", input: `{}`, actions: `{"action":"left_mouse_up"}`, refused: true},
		{name: "hold_key", input: `{"text":"a","duration":2}`, actions: `{"action":"hold_key"}`, refused: true},
		{name: "levitate", input: `{}`, actions: `{"action":"levitate"}`, refused: true},
	}
}

// arguments are what computer_action is called with.
func (m member) arguments() string {
	if strings.HasPrefix(m.actions, "[") {
		return `{"actions":` + m.actions + `,"include_image":true}`
	}
	return strings.TrimSuffix(m.actions, "}") + `,"include_image":true}`
}

// uses are blocks of the toolset, as JSON.
func uses(all ...member) string {
	var blocks []string
	for i, m := range all {
		blocks = append(blocks, fmt.Sprintf(`{"type":"tool_use","id":"toolu_%d","name":%q,"toolset_name":"computer","input":%s}`, i+1, m.name, m.input))
	}
	return "[" + strings.Join(blocks, ",") + "]"
}

func operating(c *agent.Connection) { c.Computer = true }

func sameJSON(t *testing.T, got, want string) bool {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Error(err)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Error(err)
	}
	return reflect.DeepEqual(g, w)
}

// A12, D2: every member of the provider's computer tool becomes computer_action,
// or is refused by it; nothing is done that was not asked for.
func TestMembers(t *testing.T) {
	t.Parallel()
	for _, m := range members() {
		r := next(t, serve(t, says("tool_use", uses(m))).model(operating), conversation())
		if len(r.Calls) != 1 || r.Calls[0].Name != "computer_action" || !sameJSON(t, string(r.Calls[0].Arguments), m.arguments()) {
			t.Errorf("%s %s: %+v, want %s", m.name, m.input, r.Calls, m.arguments())
		}
	}
	r := next(t, serve(t, says("tool_use", uses(members()[0]))).model(), conversation())
	if len(r.Calls) != 1 || r.Calls[0].Name != "screenshot" {
		t.Errorf("the computer tool was not on offer: %+v", r.Calls)
	}
}

// The older tools have the member as an argument.
func TestOlderMembers(t *testing.T) {
	t.Parallel()
	for _, m := range members() {
		if !strings.HasPrefix(m.input, "{") || strings.Contains(m.actions, "parameters") {
			continue
		}
		input := `{"action":"` + m.name + `",` + strings.TrimPrefix(m.input, "{")
		input = strings.Replace(input, ",}", "}", 1)
		p := serve(t, says("tool_use", `[{"type":"tool_use","id":"toolu_1","name":"computer","input":`+input+`}]`))
		r := next(t, p.model(operating, func(c *agent.Connection) { c.Model = "claude-haiku-4-5" }), conversation())
		if len(r.Calls) != 1 || r.Calls[0].Name != "computer_action" || !sameJSON(t, string(r.Calls[0].Arguments), m.arguments()) {
			t.Errorf("%s: %+v, want %s", input, r.Calls, m.arguments())
		}
	}
}

// Actions that follow each other are one call, up to twenty and up to a picture;
// each block is answered, the last of a call with the picture.
func TestBatches(t *testing.T) {
	t.Parallel()
	click, shot := member{name: "left_click", input: `{"coordinate":[1,2]}`}, member{name: "screenshot", input: `{}`}
	again := member{name: "left_click", input: `{}`} // where the pointer is
	bad := member{name: "hold_key", input: `{"text":"a","duration":2}`}
	key := member{name: "key", input: `{"text":"Tab","repeat":19}`}
	p := serve(t, says("tool_use", uses(click, again, shot, click, bad, click, key, click, shot)), says("end_turn", "[]"))
	m, c := p.model(operating), conversation()
	r := next(t, m, c)
	var sizes []int
	for _, call := range r.Calls {
		var in struct{ Actions []any }
		if err := json.Unmarshal(call.Arguments, &in); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, max(1, len(in.Actions)))
	}
	if !reflect.DeepEqual(sizes, []int{3, 1, 1, 20, 2}) {
		t.Fatalf("calls of %v actions", sizes)
	}
	if !strings.HasPrefix(string(r.Calls[0].Arguments), `{"actions":[{"action":"click","coords":{"x":1,"y":2}},{"action":"click","coords":{"x":1,"y":2}},{"action":"screenshot"}]`) {
		t.Errorf("%s", r.Calls[0].Arguments)
	}
	next(t, m, answered(c, r, nil, shown(png(1366, 768)), shown(png(1366, 768)), agent.Result{IsError: true, Parts: []agent.Part{{Text: "unknown"}}}, shown(png(1366, 768)), shown(png(1366, 768))))
	results, _ := at(p.last().body, "messages", 2, "content").([]any)
	if len(results) != 9 {
		t.Fatalf("%d answers to 9 blocks", len(results))
	}
	for i, pictured := range []bool{false, false, true, true, false, false, true, false, true} {
		if got := at(results[i], "content", 1, "type") == "image"; got != pictured || at(results[i], "toolset_name") != "computer" || (at(results[i], "is_error") == true) != (i == 4) {
			t.Errorf("answer %d: %v", i, results[i])
		}
	}
}

// A place is told in pixels of the picture that the model saw last, and done in
// those of the page; what was zoomed in on is no picture of the whole screen.
func TestScale(t *testing.T) {
	t.Parallel()
	click := member{name: "left_click", input: `{"coordinate":[100,50]}`}
	zoom := member{name: "zoom", input: `{"region":[0,0,100,50]}`}
	p := serve(t, says("tool_use", uses(click)), says("tool_use", uses(zoom)), says("tool_use", uses(click, click)))
	m, c := p.model(operating), conversation()
	c.Screen = agent.Screen{Width: 2000, Height: 1000} // of which a picture has 1516 × 758 pixels
	place := func(want string) agent.Reply {
		t.Helper()
		r := next(t, m, c)
		if !strings.Contains(string(r.Calls[0].Arguments), want) {
			t.Errorf("%s, want %s", r.Calls[0].Arguments, want)
		}
		return r
	}
	c = answered(c, place(`"coords":{"x":131.93,"y":65.96}`), nil, shown(png(1000, 500)))
	c = answered(c, place(`"to":{"x":200,"y":100}`), nil, shown(png(640, 320)))
	place(`"coords":{"x":200,"y":100}`)
}
