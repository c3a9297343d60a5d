package wiretest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// messagesBody is what is judged of a request beyond its schema.
type messagesBody struct {
	Model      string
	MaxTokens  int `json:"max_tokens"`
	Stream     bool
	System     any
	Messages   []spoken
	Tools      []map[string]any
	ToolChoice struct{ Type string } `json:"tool_choice"`
	Thinking   struct {
		Type    string
		Binding *struct {
			Mismatch string `json:"prefix_mismatch_behavior"`
		} `json:"block_binding"`
	}
	Output struct {
		Format *struct{ Schema any }
	} `json:"output_config"`
}

// spoken is a message of a conversation.
type spoken struct {
	Role    string
	Content blocks
}

// block is a content block, as decoded JSON.
type block = map[string]any

// blocks are the content of a message. A text alone stands for a block of text.
type blocks []block

func (b *blocks) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*b = blocks{{"type": "text", "text": text}}
		return nil
	}
	return json.Unmarshal(raw, (*[]block)(b))
}

// maxMarks is how many cache breakpoints a request may set, maxWhole how many
// tokens may be asked for without a stream, and maxCrowd how many pictures may
// come before their edges are limited.
const (
	maxMarks  = 4
	maxWhole  = 21333
	maxCrowd  = 20
	crowdEdge = 2000
)

// messages is what the wire keeps of a request.
type messages struct {
	model  string
	turns  []spoken // neighbours of one role are one message, as the provider joins them
	legacy string   // the older computer tool's type, if it is on offer
	marked bool     // with cache breakpoints
	bound  bool     // thoughts are refused when what was before them has changed
}

func (p *anthropic) read(r *http.Request, body []byte) *request {
	var b messagesBody
	var whole any
	q := &request{}
	_ = json.Unmarshal(body, &whole) // decoded says what is wrong with it
	own := messages{marked: marks(whole) > 0}
	beta := r.URL.Query().Get("beta") == "true" || r.Header.Get("Anthropic-Beta") != ""
	q.problems = append(p.decode(body, &b, beta), p.demand(r, b)...)
	if n := marks(whole); n > maxMarks {
		q.say("%d cache breakpoints: %d are allowed", n, maxMarks)
	}
	own.model = b.Model
	g, ok := generationOf(b.Model)
	own.bound = ok && !g.legacy && (b.Thinking.Binding == nil || b.Thinking.Binding.Mismatch != "drop_block")
	own.legacy = p.tools(r.Header, b, q)
	q.seen.System = texts(b.System)
	for _, m := range b.Messages {
		if n := len(own.turns); n > 0 && own.turns[n-1].Role == m.Role {
			own.turns[n-1].Content = slices.Concat(own.turns[n-1].Content, m.Content)
			continue
		}
		own.turns = append(own.turns, m)
	}
	q.own = own
	q.fresh = len(own.turns) == 1 && !slices.ContainsFunc(own.turns[0].Content, func(e block) bool { return e["type"] == "tool_result" })
	if len(own.turns) > 0 && own.turns[0].Role == "user" {
		for _, e := range own.turns[0].Content {
			if text, ok := e["text"].(string); ok && q.seen.Task == "" {
				q.seen.Task = text
			}
		}
	}
	p.contents(b, q)
	return q
}

// say notes a problem of a request.
func (q *request) say(format string, args ...any) {
	q.problems = append(q.problems, fmt.Sprintf(format, args...))
}

// demand finds what is wrong with a request as a whole.
func (p *anthropic) demand(r *http.Request, b messagesBody) []string {
	q := &request{}
	if media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); media != "application/json" {
		q.say("the content type is %s", media)
	}
	if v := r.Header.Get("Anthropic-Version"); v != "2023-06-01" {
		q.say("anthropic-version is %q", v)
	}
	if r.Header.Get("Authorization") != "" {
		q.say("a header Authorization beside x-api-key")
	}
	if b.Stream {
		q.say("stream is true: this server tells nothing bit by bit")
	} else if b.MaxTokens > maxWhole {
		q.say("max_tokens is %d: without a stream, %d are allowed", b.MaxTokens, maxWhole)
	}
	if b.MaxTokens < 1 {
		q.say("max_tokens is %d", b.MaxTokens)
	}
	if g, ok := generationOf(b.Model); ok && !g.legacy {
		if c := b.ToolChoice.Type; c == "any" || c == "tool" {
			q.say("%s takes no tool_choice %s", b.Model, c)
		}
		if b.Thinking.Type == "enabled" {
			q.say("%s takes no fixed budget for thinking", b.Model)
		}
	}
	if f := b.Output.Format; f != nil {
		for _, s := range anthropicStrict(f.Schema) {
			q.say("output_config.format: %s", s)
		}
	}
	return q.problems
}

// contents judges the blocks of all messages.
func (p *anthropic) contents(b messagesBody, q *request) {
	if len(b.Messages) > 0 && b.Messages[0].Role != "user" {
		q.say("the first message is the %s's", b.Messages[0].Role)
	}
	edge := 1 << 20
	if g, ok := generationOf(b.Model); ok {
		edge = g.edge
	}
	var shown []block
	for i, m := range b.Messages {
		if len(m.Content) == 0 {
			q.say("messages/%d is empty", i)
		}
		for _, e := range m.Content {
			shown = append(shown, e)
			for _, inner := range list(e["content"]) {
				if in, ok := inner.(block); ok {
					shown = append(shown, in)
				}
			}
			if m.Role != "user" && (e["type"] == "tool_result" || e["type"] == "image") || m.Role != "assistant" && (e["type"] == "tool_use" || e["type"] == "thinking") {
				q.say("messages/%d: a %v of the %s", i, e["type"], m.Role)
			}
		}
	}
	count := 0
	for _, e := range shown {
		if e["type"] == "image" {
			count++
		}
	}
	if count > maxCrowd {
		edge = min(edge, crowdEdge)
	}
	for _, e := range shown {
		switch e["type"] {
		case "text":
			if text, _ := e["text"].(string); strings.TrimSpace(text) == "" {
				q.say("a block of text is empty")
			}
		case "image":
			shownImage(e, edge, q)
		}
	}
}

// shownImage judges a picture: it lies in the request, it decodes, and one that
// is too large must not be scaled in silence, for coordinates count on it.
func shownImage(e block, edge int, q *request) {
	source, _ := e["source"].(map[string]any)
	if source["type"] != "base64" {
		q.say("a picture's source is %v: only base64 reaches the provider from here", source["type"])
		return
	}
	mime, _ := source["media_type"].(string)
	data, _ := source["data"].(string)
	c, err := picture(mime, data)
	if err != nil {
		q.say("%v", err)
		return
	}
	if t, _ := e["transformations"].(map[string]any); t["oversized_image"] != "error" {
		q.say("a picture without transformations.oversized_image: \"error\": a large one is scaled in silence, and coordinates miss")
	}
	if max(c.Width, c.Height) > edge {
		q.say("a picture of %d×%d: its longest edge may have %d pixels", c.Width, c.Height, edge)
	}
}

// marks counts the cache breakpoints in decoded JSON. What tools take and were
// given is the user's, and has none.
func marks(v any) int {
	n := 0
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += marks(e)
		}
	case map[string]any:
		for k, e := range v {
			switch {
			case k == "input" || k == "input_schema" || e == nil:
			case k == "cache_control":
				n++
			default:
				n += marks(e)
			}
		}
	}
	return n
}

// texts joins the texts of a content, which may be a text itself.
func texts(content any) string {
	if text, ok := content.(string); ok {
		return text
	}
	var out bytes.Buffer
	for _, e := range list(content) {
		b, _ := e.(block)
		if text, ok := b["text"].(string); ok {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			out.WriteString(text)
		}
	}
	return out.String()
}
