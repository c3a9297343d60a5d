package anthropic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// reply reads a message. A pause_turn is an empty reply: what it said goes back,
// and the model continues.
func (m *Model) reply(message answer, c agent.Conversation) (agent.Reply, error) {
	spent := agent.Usage{
		Input:  message.Usage.Input + message.Usage.CacheCreation + message.Usage.CacheRead,
		Cached: message.Usage.CacheRead, Output: message.Usage.Output,
	}
	refuse := func(f agent.Fault, format string, args ...any) (agent.Reply, error) {
		e := failed(m.connection, f, fmt.Sprintf(format, args...))
		e.Usage = spent
		return agent.Reply{}, e
	}
	switch message.StopReason {
	case "end_turn", "tool_use", "max_tokens", "stop_sequence", "pause_turn":
	case "refusal":
		d := message.StopDetails
		return refuse(agent.Refused, "%s", cmp.Or(d.Explanation, d.Category, "the provider gives no reason"))
	case "model_context_window_exceeded":
		return refuse(agent.TooLong, "the conversation and its answer don't fit the model's window")
	default:
		return refuse(agent.BadAnswer, "what came is no whole message: it stopped for %q", message.StopReason)
	}
	out := agent.Reply{Usage: spent, Cut: message.StopReason == "max_tokens"}
	r := &reader{raw: &raw{pointer: pointerOf(c)}, scale: m.scale(c), operates: m.operates(c), toolset: m.traits.computer == toolset, taken: taken(c)}
	for i, raw := range message.Content {
		var piece block
		if err := json.Unmarshal(raw, &piece); err != nil {
			return refuse(agent.BadAnswer, "block %d can't be read: %v", i+1, err)
		}
		r.raw.content = append(r.raw.content, raw)
		switch piece.Type {
		case "text":
			r.texts = append(r.texts, piece.Text)
		case "tool_use":
			r.use(piece)
		}
	}
	r.close()
	if message.StopReason == "tool_use" && len(r.calls) == 0 {
		return refuse(agent.BadAnswer, "a message that stopped for a tool, and calls none")
	}
	out.Calls, out.Raw = r.calls, r.raw
	if message.StopReason != "pause_turn" {
		out.Text = strings.TrimSpace(strings.Join(r.texts, "\n"))
	}
	return out, nil
}

// reader makes calls of tool_use blocks. Actions at the screen that follow each
// other are one call; a picture that the model asks for ends it, so that each
// has its own.
type reader struct {
	raw      *raw
	texts    []string
	calls    []agent.Call
	batch    []agent.Gesture // of the last call, which is open while there are any
	scale    float64         // CSS pixels of a pixel of the picture
	operates bool
	toolset  bool
	taken    []string // ids of calls that are no longer free
}

func (r *reader) use(b block) {
	u := use{id: b.ID, toolset: b.Toolset, last: true}
	member, isAction := r.member(b)
	if !isAction {
		r.close()
		u.call = r.call(b.ID, b.Name, b.Input)
		r.raw.uses = append(r.raw.uses, u)
		return
	}
	actions, refused := r.actions(member, b.Input)
	if refused || len(r.batch)+len(actions) > maxActions {
		r.close()
	}
	if len(r.batch) == 0 {
		u.call = r.call(b.ID, computerAction, nil)
	} else {
		before := &r.raw.uses[len(r.raw.uses)-1]
		before.last, u.call = false, before.call
	}
	r.batch = append(r.batch, actions...)
	end := actions[len(actions)-1].Action
	u.zoomed = end == "zoom"
	r.raw.uses = append(r.raw.uses, u)
	if refused || end == "zoom" || end == "screenshot" {
		r.close()
	}
}

// call adds a call and returns its id, which is one of our own if the model's is
// none or was there before.
func (r *reader) call(id, name string, arguments json.RawMessage) string {
	for n := len(r.taken) + 1; id == "" || slices.Contains(r.taken, id); n++ {
		id = fmt.Sprintf("call-%d", n)
	}
	r.taken = append(r.taken, id)
	r.calls = append(r.calls, agent.Call{ID: id, Name: name, Arguments: arguments})
	return id
}

// close writes the arguments of the open call.
func (r *reader) close() {
	if len(r.batch) == 0 {
		return
	}
	r.calls[len(r.calls)-1].Arguments = arguments(r.batch)
	r.batch = nil
}

// taken returns the ids of a conversation's calls.
func taken(c agent.Conversation) []string {
	var out []string
	for _, t := range c.Turns {
		for _, call := range t.Reply.Calls {
			out = append(out, call.ID)
		}
	}
	return out
}
