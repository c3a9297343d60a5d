package wiretest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// responsesBody is a request of the Responses API.
type responsesBody struct {
	Model                string            `json:"model"`
	Instructions         string            `json:"instructions"`
	Input                json.RawMessage   `json:"input"`
	Tools                []json.RawMessage `json:"tools"`
	Store                *bool             `json:"store"`
	Include              []string          `json:"include"`
	Stream               bool              `json:"stream"`
	PreviousResponseID   string            `json:"previous_response_id"`
	Text                 textFormat        `json:"text"`
	Reasoning            json.RawMessage   `json:"reasoning"`
	ToolChoice           json.RawMessage   `json:"tool_choice"`
	ParallelToolCalls    *bool             `json:"parallel_tool_calls"`
	MaxOutputTokens      int               `json:"max_output_tokens"`
	Truncation           string            `json:"truncation"`
	Temperature          *float64          `json:"temperature"`
	TopP                 *float64          `json:"top_p"`
	PromptCacheKey       string            `json:"prompt_cache_key"`
	PromptCacheRetention string            `json:"prompt_cache_retention"`
	SafetyIdentifier     string            `json:"safety_identifier"`
	Metadata             map[string]string `json:"metadata"`
}

type textFormat struct {
	Format    *finalFormat `json:"format"`
	Verbosity string       `json:"verbosity"`
}

// finalFormat is what the last text must look like.
type finalFormat struct {
	Type        string `json:"type"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Strict      *bool  `json:"strict"`
	Schema      any    `json:"schema"`
}

// item is one item of a request's input, with the decoded JSON that it came as.
type item struct {
	Type, Role, ID string
	CallID         string `json:"call_id"`
	Content        any
	Output         any
	Acknowledged   []any `json:"acknowledged_safety_checks"`
	whole          any
}

// responses is what the wire keeps of a request.
type responses struct {
	body  responsesBody
	items []item
}

func responsesOf(q *request) responses {
	own, _ := q.own.(responses)
	return own
}

func (p *openAI) read(r *http.Request, body []byte) *request {
	var own responses
	q := &request{}
	q.problems = append(decoded(body, &own.body, p.official, "CreateResponse"), p.demand(r, own.body)...)
	items, err := inputItems(own.body.Input)
	if err != nil {
		q.problems = append(q.problems, err.Error())
	}
	own.items = items
	q.own = own
	q.seen.System = own.body.Instructions
	q.fresh = true
	for _, it := range items {
		q.problems = append(q.problems, it.pictures()...)
		text := contentText(it.Content)
		switch {
		case it.Type == "message" && (it.Role == "system" || it.Role == "developer"):
			q.seen.System = strings.TrimSpace(q.seen.System + "\n" + text)
		case it.Type == "message" && it.Role == "user" && q.seen.Task == "":
			q.seen.Task = text
		case it.Type != "message" || it.Role != "user":
			q.fresh = false
		}
	}
	p.tools(own.body.Tools, q)
	q.probe = len(own.body.Tools) == 0 && bytes.HasPrefix(bytes.TrimSpace(own.body.Input), []byte(`"`))
	return q
}

// decoded decodes a body and holds it against the official schema. Without one,
// it takes no field that into doesn't have.
func decoded(body []byte, into any, o *official, name string) []string {
	var out []string
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return []string{"the body is no JSON: " + err.Error()}
	}
	if err := json.Unmarshal(body, into); err != nil {
		out = append(out, "the body: "+err.Error())
	}
	if o != nil {
		return append(out, o.judge(name, v)...)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil && len(out) == 0 {
		out = append(out, "the body: "+err.Error())
	}
	return out
}

// demand finds what the whole request must not ask for.
func (p *openAI) demand(r *http.Request, b responsesBody) []string {
	var out []string
	add := func(wrong bool, what string) {
		if wrong {
			out = append(out, what)
		}
	}
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	add(media != "application/json", "the content type is "+media)
	add(b.Store == nil, "store is not given: the provider would keep the conversation")
	add(b.Store != nil && *b.Store && !p.store, "store is true")
	add(b.Stream, "stream is true: this server tells nothing bit by bit")
	add(b.PreviousResponseID != "", "previous_response_id: the conversation is sent whole")
	add(len(b.Tools) > 0 && b.Store != nil && !*b.Store && !slices.Contains(b.Include, "reasoning.encrypted_content"), "store is false and reasoning.encrypted_content is not included: reasoning can't be echoed")
	if f := b.Text.Format; f != nil && f.Type == "json_schema" {
		add(!name(f.Name), fmt.Sprintf("text.format: the name %q", f.Name))
		if f.Strict != nil && *f.Strict {
			for _, s := range strict(f.Schema) {
				add(true, "text.format is not strict: "+s)
			}
		}
	}
	return out
}

// name reports whether a name of a tool or a format is one that OpenAI takes.
func name(s string) bool { return namePattern.MatchString(s) }

var namePattern = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// inputItems decodes an input: a text, or items.
func inputItems(raw json.RawMessage) ([]item, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []item{{Type: "message", Role: "user", Content: text, whole: text}}, nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("the input is neither text nor items: %w", err)
	}
	var out []item
	for i, e := range list {
		it := item{}
		if err := json.Unmarshal(e, &it); err != nil {
			return out, fmt.Errorf("input/%d: %w", i, err)
		}
		if it.Type == "" {
			it.Type = "message"
		}
		if err := json.Unmarshal(e, &it.whole); err != nil {
			return out, fmt.Errorf("input/%d: %w", i, err)
		}
		out = append(out, it)
	}
	return out, nil
}

// pictures finds pictures that don't decode, and safety checks that somebody
// has acknowledged: only a person may.
func (it item) pictures() []string {
	var out []string
	if len(it.Acknowledged) > 0 {
		out = append(out, "safety checks of "+it.CallID+" are acknowledged: only a person may")
	}
	parts := append(list(it.Content), list(it.Output)...)
	if it.Type == "computer_call_output" {
		parts = append(parts, it.Output)
	}
	for _, part := range parts {
		p, _ := part.(map[string]any)
		if p["type"] != "input_image" && p["type"] != "computer_screenshot" {
			continue
		}
		address, _ := p["image_url"].(string)
		if err := dataURL(address); err != nil {
			out = append(out, it.Type+" "+it.CallID+": "+err.Error())
		}
	}
	return out
}

// contentText is the text of a message or of a result: a string, or parts.
func contentText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var texts []string
	for _, part := range list(v) {
		p, _ := part.(map[string]any)
		if s, ok := p["text"].(string); ok {
			texts = append(texts, s)
		}
	}
	return strings.Join(texts, "\n")
}

// images counts the pictures among parts.
func images(v any) int {
	n := 0
	for _, part := range list(v) {
		if p, _ := part.(map[string]any); p["type"] == "input_image" || p["type"] == "image_url" {
			n++
		}
	}
	return n
}
