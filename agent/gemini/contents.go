package gemini

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// modelTurn holds what the model said in a turn: the content exactly as it came, and
// its function calls in their order. content is nil if it said nothing.
type modelTurn struct {
	content json.RawMessage
	calls   []sent
}

// sent describes a function call as the model named it.
type sent struct {
	id, name string
	computer bool // of its own computer tool
}

// seen tracks what is known of the page while a conversation is written out.
type seen struct {
	url     string
	picture []picture // the last one that the computer tool made
}

// contents returns the whole conversation, the roles in turns.
func (m *Model) contents(c agent.Conversation) []any {
	user := &message{Role: roleUser, Parts: []*part{{Text: c.Task}}}
	out := []any{user}
	known := seen{url: "about:blank"}
	for _, t := range c.Turns {
		s, ok := t.Reply.Raw.(modelTurn)
		if !ok { // another adapter's turn
			s = otherReply(t.Reply)
		}
		parts := m.answers(s, t, &known)
		if s.content == nil {
			user.Parts = append(user.Parts, parts...)
			continue
		}
		if len(parts) == 0 { // the model would have two turns in a row
			parts = []*part{{Text: "Go on."}}
		}
		user = &message{Role: roleUser, Parts: parts}
		out = append(out, s.content, user)
	}
	return out
}

// otherReply writes a turn of another adapter in this wire's words.
func otherReply(r agent.Reply) modelTurn {
	var s modelTurn
	content := message{Role: roleModel}
	if r.Text != "" {
		content.Parts = append(content.Parts, &part{Text: r.Text})
	}
	for _, call := range r.Calls {
		var arguments map[string]any
		_ = json.Unmarshal(call.Arguments, &arguments) // what is no object has been refused, and is left out
		content.Parts = append(content.Parts, &part{FunctionCall: &functionCall{Name: call.Name, Args: arguments}})
		s.calls = append(s.calls, sent{name: call.Name})
	}
	if len(content.Parts) == 0 {
		return s
	}
	raw, err := json.Marshal(content)
	if err != nil {
		panic(fmt.Sprintf("gemini: a turn of texts and objects can't be written: %v", err))
	}
	s.content = raw
	return s
}

// answers returns the results of a turn's calls, each once and in their order,
// then the pictures that results can't hold, and the loop's notes. What came of a
// picture that grew old stays where the picture was.
func (m *Model) answers(s modelTurn, t agent.Turn, known *seen) []*part {
	results := map[string]agent.Result{}
	for _, r := range t.Results {
		results[r.ID] = r
	}
	var out, after []*part
	for i, c := range t.Reply.Calls {
		r, ok := results[c.ID]
		if !ok {
			r = agent.Result{Parts: []agent.Part{{Text: "not executed"}}, IsError: true}
		}
		call := sent{name: c.Name}
		if i < len(s.calls) {
			call = s.calls[i]
		}
		answer := &functionResponse{ID: call.id, Name: call.name}
		out = append(out, &part{FunctionResponse: answer})
		text, shown := r.Text(), pictures(r)
		switch {
		case call.computer:
			answer.Parts = known.look(shown, len(r.Parts) > 1)
		case m.facts.pictures:
			answer.Parts = shown
		case len(r.Parts) > 1:
			text = r.Parts[0].Text
			after = append(after, &part{Text: fmt.Sprintf("Shown by call %d, %s:", i+1, call.name)})
			for _, p := range r.Parts[1:] {
				after = append(after, partOf(p))
			}
		}
		answer.Response = map[string]any{"output": text}
		if r.IsError {
			answer.Response = map[string]any{"error": text}
		}
		known.visit(text)
		if call.computer {
			answer.Response["url"] = known.url
			if len(answer.Parts) > len(shown) {
				answer.Response["screenshot"] = "of before this call, if it shows anything"
			}
		}
	}
	for _, note := range t.Notes {
		after = append(after, &part{Text: note})
	}
	return append(out, after...)
}

// pictures returns those of a result, as function responses hold them.
func pictures(r agent.Result) []picture {
	var out []picture
	for _, p := range r.Parts {
		if p.Image != nil {
			out = append(out, picture{InlineData: blob{MIMEType: p.Image.MIMEType, Data: decoded(p.Image)}})
		}
	}
	return out
}

func partOf(p agent.Part) *part {
	if p.Image == nil {
		return &part{Text: p.Text}
	}
	return &part{InlineData: &blob{MIMEType: p.Image.MIMEType, Data: decoded(p.Image)}}
}

// look returns the picture that answers a call of the computer tool: the last
// one shown. The tool requires one with every answer; a call that was not made
// gets the previous one, or a blank one. grown says that the result had a
// picture that was dropped for its age.
func (s *seen) look(shown []picture, grown bool) []picture {
	if len(shown) > 0 {
		s.picture = shown[len(shown)-1:]
	}
	if s.picture == nil && !grown {
		return pictures(agent.Result{Parts: []agent.Part{{Image: &agent.Image{MIMEType: "image/png", Data: blank}}}})
	}
	return s.picture
}

// blank holds a picture of one pixel.
const blank = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

// visit records the address of the page that a result names.
func (s *seen) visit(text string) {
	for line := range strings.Lines(text) {
		if page, ok := strings.CutPrefix(line, "page: "); ok {
			s.url, _, _ = strings.Cut(strings.TrimSpace(page), " ")
			return
		}
	}
}

// decoded returns a picture's bytes, or nil where they can't be decoded: the
// API then refuses the empty picture. Only the tools make pictures.
func decoded(i *agent.Image) []byte {
	data, err := base64.StdEncoding.DecodeString(i.Data)
	if err != nil {
		return nil
	}
	return data
}
