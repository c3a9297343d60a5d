package wiretest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// chatBody is a request of Chat Completions.
type chatBody struct {
	Model               string            `json:"model"`
	Messages            []json.RawMessage `json:"messages"`
	Tools               []json.RawMessage `json:"tools"`
	ToolChoice          json.RawMessage   `json:"tool_choice"`
	ParallelToolCalls   *bool             `json:"parallel_tool_calls"`
	ResponseFormat      *chatFormat       `json:"response_format"`
	Stream              bool              `json:"stream"`
	Store               *bool             `json:"store"`
	MaxTokens           int               `json:"max_tokens"`
	MaxCompletionTokens int               `json:"max_completion_tokens"`
	Temperature         *float64          `json:"temperature"`
	TopP                *float64          `json:"top_p"`
	Seed                *int              `json:"seed"`
	ReasoningEffort     string            `json:"reasoning_effort"`
}

type chatFormat struct {
	Type       string       `json:"type"`
	JSONSchema *finalFormat `json:"json_schema"`
}

// chatMessage is one message, with the decoded JSON that it came as.
type chatMessage struct {
	Role       string
	Content    any
	Refusal    string
	ToolCallID string     `json:"tool_call_id"`
	ToolCalls  []chatCall `json:"tool_calls"`
	whole      any
}

// chatCall is a call in a message. Arguments are a string, or an object where a
// server is loose.
type chatCall struct {
	ID       string
	Type     string
	Function struct {
		Name      string
		Arguments any
	}
}

func (m chatMessage) text() string { return contentText(m.Content) }

func (m chatMessage) String() string { return item{whole: m.whole}.String() }

// chatRequest is what the wire keeps of a request.
type chatRequest struct {
	body     chatBody
	messages []chatMessage
}

func chatOf(q *request) chatRequest {
	own, _ := q.own.(chatRequest)
	return own
}

func (p *chat) read(r *http.Request, body []byte) *request {
	var own chatRequest
	q := &request{fresh: true}
	q.problems = append(decoded(body, &own.body, p.official, "CreateChatCompletionRequest"), p.demand(r, own.body)...)
	for i, raw := range own.body.Messages {
		message := chatMessage{}
		if err := json.Unmarshal(raw, &message); err != nil {
			q.problems = append(q.problems, fmt.Sprintf("messages/%d: %v", i, err))
			continue
		}
		_ = json.Unmarshal(raw, &message.whole) // it was JSON a line above
		own.messages = append(own.messages, message)
		q.problems = append(q.problems, message.pictures()...)
		switch message.Role {
		case "system", "developer":
			q.seen.System = strings.TrimSpace(q.seen.System + "\n" + message.text())
		case "user":
			if q.seen.Task == "" {
				q.seen.Task = message.text()
			}
		default:
			q.fresh = false
		}
	}
	q.own = own
	p.tools(own.body.Tools, q)
	p.refuse(own, q)
	return q
}

// demand finds what the whole request must not ask for.
func (p *chat) demand(r *http.Request, b chatBody) []string {
	var out []string
	if media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); media != "application/json" {
		out = append(out, "the content type is "+media)
	}
	if b.Stream {
		out = append(out, "stream is true: this server tells nothing bit by bit")
	}
	if b.Store != nil && *b.Store {
		out = append(out, "store is true")
	}
	if f := b.ResponseFormat; f != nil && f.JSONSchema != nil {
		if !name(f.JSONSchema.Name) {
			out = append(out, fmt.Sprintf("response_format: the name %q", f.JSONSchema.Name))
		}
		if f.JSONSchema.Strict != nil && *f.JSONSchema.Strict {
			for _, s := range strict(f.JSONSchema.Schema) {
				out = append(out, "response_format is not strict: "+s)
			}
		}
	}
	return out
}

// tools judges the tools on offer and names them.
func (p *chat) tools(raw []json.RawMessage, q *request) {
	for i, r := range raw {
		var t struct {
			Type     string
			Function functionTool
		}
		if err := json.Unmarshal(r, &t); err != nil {
			q.problems = append(q.problems, fmt.Sprintf("tools/%d: %v", i, err))
			continue
		}
		if t.Type != "function" {
			q.problems = append(q.problems, fmt.Sprintf("tools/%d is a %q: local servers have function tools only", i, t.Type))
			continue
		}
		q.problems = append(q.problems, t.Function.judge(false)...)
		if slices.Contains(q.seen.Tools, t.Function.Name) {
			q.problems = append(q.problems, "two tools are called "+t.Function.Name)
		}
		q.seen.Tools = append(q.seen.Tools, t.Function.Name)
	}
}

// refuse finds what a server of these habits answers with 400. That is no
// violation: the client is expected to ask in another way.
func (p *chat) refuse(own chatRequest, q *request) {
	if f := own.body.ResponseFormat; p.has(NoSchema) && f != nil && f.Type == "json_schema" {
		q.refused = "response_format: json_schema is not supported by this server"
	}
	for _, m := range own.messages {
		if p.has(NoImages) && m.Role == "tool" && images(m.Content) > 0 {
			q.refused = "messages: a tool message can't hold pictures"
		}
	}
}

// pictures finds pictures that don't decode, or are where they can't be.
func (m chatMessage) pictures() []string {
	var out []string
	for _, part := range list(m.Content) {
		p, _ := part.(map[string]any)
		if p["type"] != "image_url" {
			continue
		}
		if m.Role != "user" {
			out = append(out, "a picture in a message of role "+m.Role)
		}
		holder, _ := p["image_url"].(map[string]any)
		address, _ := holder["url"].(string)
		if err := dataURL(address); err != nil {
			out = append(out, "a message of role "+m.Role+": "+err.Error())
		}
	}
	return out
}
