package anthropic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
)

// D2: each model is asked in the way that it takes; what the older refuse and
// the newer demand differs.
func TestModels(t *testing.T) {
	t.Parallel()
	const binding = "thinking-binding-controls-2026-08-01"
	for _, c := range []struct{ model, tool, betas, thinking string }{
		{"claude-opus-5-5", "computer_toolset_20260801", binding, "adaptive"},
		{"claude-sonnet-5-5", "computer_toolset_20260801", binding, "adaptive"},
		{"claude-haiku-5-5-20261007", "computer_toolset_20260801", binding, "adaptive"},
		{"claude-of-tomorrow", "computer_toolset_20260801", binding, "adaptive"},
		{"claude-opus-5", "computer_toolset_20260801", "", "adaptive"},
		{"claude-opus-4-8", "computer_toolset_20260801", "", "adaptive"},
		{"claude-opus-4-7", "computer_20251124", "computer-use-2025-11-24", "adaptive"},
		{"claude-opus-4-5-20251101", "computer_20251124", "computer-use-2025-11-24", ""},
		{"claude-haiku-4-5", "computer_20250124", "computer-use-2025-01-24", ""},
		{"claude-haiku-4-5@20251001", "computer_20250124", "computer-use-2025-01-24", ""},
	} {
		p := serve(t, says("end_turn", `[{"type":"text","text":"{}"}]`))
		talk := conversation()
		talk.Screen = agent.Screen{Width: 1280, Height: 720}
		next(t, p.model(func(n *agent.Connection) { n.Model, n.Computer, n.MaxOutput = c.model, true, 90_000 }), talk)
		a := p.last()
		tool := at(a.body, "tools", 1)
		thinking, _ := at(a.body, "thinking", "type").(string)
		if at(tool, "type") != c.tool || a.header.Get("Anthropic-Beta") != c.betas || thinking != c.thinking {
			t.Errorf("%s: tool %v, betas %q, thinking %q", c.model, tool, a.header.Get("Anthropic-Beta"), thinking)
		}
		if drops := at(a.body, "thinking", "block_binding", "prefix_mismatch_behavior"); (drops == "drop_block") != (c.betas == binding) {
			t.Errorf("%s: thoughts whose conversation was shortened: %v", c.model, drops)
		}
		if strings.HasPrefix(c.tool, "computer_20") && (at(tool, "display_width_px") != 1280.0 || at(tool, "display_height_px") != 720.0) {
			t.Errorf("%s: the display is %v", c.model, tool)
		}
		for _, member := range []string{"cursor_position", "hold_key", "left_mouse_down", "left_mouse_up"} {
			if off := at(tool, "configs", member, "enabled") == false; off != (c.tool == "computer_toolset_20260801") {
				t.Errorf("%s: %s is on offer, and no browser can do it: %v", c.model, member, tool)
			}
		}
		if at(a.body, "max_tokens") != 21000.0 {
			t.Errorf("%s: max_tokens is %v: an answer that long does not come in one piece", c.model, at(a.body, "max_tokens"))
		}
		if strings.Contains(a.raw, `"name":"computer_action"`) {
			t.Errorf("%s: the provider's own tool stands beside ours", c.model)
		}
	}
}

// A14: a task that does not allow computer_action is not offered the provider's
// own either.
func TestComputerThatIsNotAllowed(t *testing.T) {
	t.Parallel()
	p := serve(t, says("end_turn", `[{"type":"text","text":"{}"}]`))
	c := conversation()
	c.Tools = c.Tools[:1]
	next(t, p.model(func(n *agent.Connection) { n.Computer = true }), c)
	if tools, _ := at(p.last().body, "tools").([]any); len(tools) != 1 || strings.Contains(p.last().raw, "computer") {
		t.Errorf("on offer: %v", tools)
	}
}

// What the provider keeps of the conversation: never more than four marks, on
// the newest two messages, and before what the loop will shorten.
func TestMarks(t *testing.T) {
	t.Parallel()
	p := serve(t, says("tool_use", `[{"type":"tool_use","id":"toolu_1","name":"page_snapshot","input":{}}]`))
	m, c := p.model(), conversation()
	turn := func(r agent.Result) {
		reply := next(t, m, c)
		c = answered(c, reply, nil, r)
	}
	turn(text("plain"))
	turn(text("plain"))
	turn(shown(png(100, 100)))
	turn(agent.Result{Structured: json.RawMessage("{}"), Parts: []agent.Part{{Text: "a page"}}})
	turn(text("plain"))
	turn(text("plain"))
	next(t, m, c)
	body := p.last().body
	if at(body, "system", 0, "cache_control", "type") != "ephemeral" {
		t.Error("orders and tools are not kept")
	}
	var marked []int
	messages, _ := at(body, "messages").([]any)
	for i, message := range messages {
		content, _ := at(message, "content").([]any)
		for _, block := range content {
			if at(block, "cache_control") != nil {
				marked = append(marked, i)
			}
		}
	}
	if len(messages) != 13 || len(marked) != 3 || marked[0] != 4 || marked[1] != 10 || marked[2] != 12 {
		t.Errorf("%d messages, marks at %v: want the one before the oldest picture (4), and the newest two", len(messages), marked)
	}
	if n := strings.Count(p.last().raw, "cache_control"); n != 4 {
		t.Errorf("%d marks", n)
	}
}
