package anthropic

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/assay-qa/assay/agent"
)

// talk renders the turns. What the model said goes back as it came, each of its
// calls is answered in the message after it, and marks say what to cache.
func (m *Model) talk(c agent.Conversation) ([]message, error) {
	var out []message
	add := func(role string, blocks []any) {
		switch last := len(out) - 1; {
		case len(blocks) == 0:
		case last >= 0 && out[last].Role == role:
			out[last].Content = append(out[last].Content, blocks...)
		default:
			out = append(out, message{Role: role, Content: blocks})
		}
	}
	add(roleUser, texts(c.Task))
	marks, settled := []int{len(out) - 1}, true
	for i, t := range c.Turns {
		raw, ours := t.Reply.Raw.(*raw)
		if !ours {
			return nil, fmt.Errorf("anthropic: turn %d of the conversation is not of this wire", i+1)
		}
		add(roleAssistant, raw.blocks())
		add(roleUser, append(raw.answers(t), texts(t.Notes...)...))
		if settled = settled && !passing(t); settled {
			marks[0] = len(out) - 1
		}
		if i >= len(c.Turns)-2 {
			marks = append(marks, len(out)-1)
		}
	}
	for _, at := range marks {
		mark(out, at)
	}
	return out, nil
}

// passing reports whether a turn holds what the loop will put a placeholder for:
// pictures and snapshots. The first mark stands before the oldest of them, so
// that what the provider keeps up to there outlives it.
func passing(t agent.Turn) bool {
	for _, r := range t.Results {
		if r.Name == "page_snapshot" && r.Structured != nil {
			return true
		}
		for _, p := range r.Parts {
			if p.Image != nil {
				return true
			}
		}
	}
	return false
}

// mark lets the provider keep what comes up to the end of a message of ours.
func mark(talk []message, at int) {
	if at < 0 || talk[at].Role != roleUser {
		return
	}
	content := talk[at].Content
	if last, ok := content[len(content)-1].(interface{ cache() *cacheControl }); ok {
		last.cache().keep()
	}
}

func texts(all ...string) []any {
	var out []any
	for _, one := range all {
		if said(one) {
			out = append(out, text(one))
		}
	}
	return out
}

// raw holds a turn of the model as it came, and how its calls are answered.
type raw struct {
	content []json.RawMessage
	uses    []use
	pointer *agent.Point // where the turn leaves the pointer, in pixels of its pictures; nil: unknown
}

// use describes one tool_use block.
type use struct {
	id, toolset string // as the provider sent them
	call        string // the Call that covers it
	last        bool   // of the blocks that the Call covers: it gets the answer
	zoomed      bool   // the answer's picture is a part of the screen
}

// blocks returns what goes back: all of it but what the provider, or a gateway
// before it, sends and does not take, texts without a word and arguments that are
// no object.
func (r *raw) blocks() []any {
	var out []any
	for _, b := range r.content {
		var piece map[string]json.RawMessage
		var kind, text string
		_ = json.Unmarshal(b, &piece) // it was read before
		_ = json.Unmarshal(piece["type"], &kind)
		switch {
		case kind == "text" && json.Unmarshal(piece["text"], &text) == nil && !said(text):
			continue
		case kind == "tool_use" && !bytes.HasPrefix(bytes.TrimSpace(piece["input"]), []byte("{")):
			piece["input"] = json.RawMessage("{}")
			if fixed, err := json.Marshal(piece); err == nil {
				b = fixed
			}
		}
		out = append(out, b)
	}
	return out
}

// What stands in for an answer, or for a part of it.
const (
	noPicture = "(a picture of it is in the run's evidence)"
	notMade   = "not executed: the loop stopped before it"
	withLast  = "part of one batch: the answer to its last action tells how far it came"
)

// answers returns the results of a turn, one for each tool_use, in their order.
// The provider takes an error as text alone.
func (r *raw) answers(t agent.Turn) []any {
	results := map[string]agent.Result{}
	for _, result := range t.Results {
		results[result.ID] = result
	}
	var out []any
	for _, u := range r.uses {
		result, made := results[u.call]
		switch {
		case !made:
			result = agent.Result{IsError: true, Parts: []agent.Part{{Text: notMade}}}
		case !u.last:
			result.Parts = []agent.Part{{Text: withLast}}
		}
		block := &toolResult{Type: "tool_result", ToolUseID: u.id, Toolset: u.toolset, IsError: result.IsError}
		for _, p := range result.Parts {
			switch {
			case p.Image != nil && result.IsError:
				block.Content = append(block.Content, text(noPicture))
			case p.Image != nil:
				block.Content = append(block.Content, picture(p.Image))
			case said(p.Text):
				block.Content = append(block.Content, text(p.Text))
			}
		}
		out = append(out, block)
	}
	return out
}

// picture returns an image that must reach the model as large as it is: one that
// the provider scales in silence is no ground for coordinates.
func picture(i *agent.Image) imageBlock {
	return imageBlock{Type: "image", Source: imageSource{Type: "base64", MediaType: i.MIMEType, Data: i.Data}, Transformations: transformations{"error"}}
}
