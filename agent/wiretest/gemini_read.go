package wiretest

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/genai"
)

// generateContent is the body of a request for a turn, in the types of Google's
// own client.
type generateContent struct {
	Contents          []*genai.Content        `json:"contents"`
	SystemInstruction *genai.Content          `json:"systemInstruction"`
	Tools             []*genai.Tool           `json:"tools"`
	ToolConfig        *genai.ToolConfig       `json:"toolConfig"`
	SafetySettings    []*genai.SafetySetting  `json:"safetySettings"`
	GenerationConfig  *genai.GenerationConfig `json:"generationConfig"`
	CachedContent     string                  `json:"cachedContent"`
	ServiceTier       string                  `json:"serviceTier"`
	Store             *bool                   `json:"store"`
}

// contents is what the wire keeps of a request.
type contents struct {
	model  string
	turns  []spoken
	screen struct{ width, height int } // of the last picture
}

func (p gemini) read(r *http.Request, body []byte) *request {
	var b generateContent
	var whole map[string]any
	q := &request{}
	own := contents{model: p.aim(r, nil).model}
	if err := json.Unmarshal(body, &whole); err != nil {
		q.say("the body is no JSON object: %v", err)
	}
	if err := json.Unmarshal(body, &b); err != nil {
		q.say("the body: %v", err)
	}
	for _, name := range strangers(whole, reflect.TypeFor[generateContent](), "") {
		q.say("%s is not a field of a request", name)
	}
	if media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); media != "application/json" {
		q.say("the content type is %s", media)
	}
	if b.Store != nil && *b.Store {
		q.say("store is true")
	}
	p.tools(b, own.model, q)
	if b.SystemInstruction != nil {
		for _, e := range b.SystemInstruction.Parts {
			q.seen.System = strings.TrimSpace(q.seen.System + "\n" + e.Text)
		}
	}
	for i, c := range list(whole["contents"]) {
		q.content(i, c, &own)
	}
	q.own = own
	q.fresh = len(own.turns) == 1 && !slices.ContainsFunc(own.turns[0].Content, func(e block) bool { return e["functionResponse"] != nil })
	if len(own.turns) > 0 && own.turns[0].Role == "user" {
		for _, e := range own.turns[0].Content {
			if text, ok := e["text"].(string); ok && q.seen.Task == "" {
				q.seen.Task = text
			}
		}
	}
	return q
}

// content judges one content by itself, and keeps it.
func (q *request) content(i int, v any, own *contents) {
	c, _ := v.(map[string]any)
	role, _ := c["role"].(string)
	if role != "user" && role != "model" {
		q.say("contents/%d has the role %q", i, role)
	}
	if i == 0 && role != "user" {
		q.say("the first content is the %s's", role)
	}
	s := spoken{Role: role}
	for j, e := range list(c["parts"]) {
		b, ok := e.(map[string]any)
		if !ok {
			continue // the decoder says so
		}
		q.part(i, j, role, b, own)
		s.Content = append(s.Content, b)
	}
	if len(s.Content) == 0 {
		q.say("contents/%d has no parts", i)
	}
	if n := len(own.turns); n > 0 && own.turns[n-1].Role == role {
		q.say("contents/%d is the %s's, as the one before", i, role)
		own.turns[n-1].Content = slices.Concat(own.turns[n-1].Content, s.Content)
		return
	}
	own.turns = append(own.turns, s)
}

// part judges one part: one kind of data, on the side where it belongs, and
// pictures that decode.
func (q *request) part(i, j int, role string, b block, own *contents) {
	kinds := 0
	for _, kind := range []string{"text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult", "toolCall", "toolResponse"} {
		if b[kind] != nil {
			kinds++
		}
	}
	if kinds != 1 {
		q.say("contents/%d/parts/%d has %d kinds of data: %s", i, j, kinds, short(b))
	}
	if text, ok := b["text"].(string); ok && text == "" {
		q.say("contents/%d/parts/%d is an empty text", i, j)
	}
	if b["functionCall"] != nil && role != "model" || b["functionResponse"] != nil && role != "user" {
		q.say("contents/%d/parts/%d is not the %s's to say: %s", i, j, role, short(b))
	}
	if b["fileData"] != nil {
		q.say("contents/%d/parts/%d is a file at the provider", i, j)
	}
	pictures := []any{b["inlineData"]}
	if r, ok := b["functionResponse"].(map[string]any); ok {
		for _, e := range list(r["parts"]) {
			m, _ := e.(map[string]any)
			pictures = append(pictures, m["inlineData"])
		}
	}
	for _, e := range pictures {
		if e == nil {
			continue
		}
		data, _ := e.(map[string]any)
		mime, _ := data["mimeType"].(string)
		base64, _ := data["data"].(string)
		c, err := picture(mime, base64)
		if err != nil {
			q.say("contents/%d/parts/%d: %v", i, j, err)
			continue
		}
		own.screen.width, own.screen.height = c.Width, c.Height
	}
}

// strangers finds the names in decoded JSON that a Go type does not have. The
// decoder alone would take them in any case.
func strangers(v any, t reflect.Type, at string) []string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var out []string
	switch v := v.(type) {
	case []any:
		if t.Kind() == reflect.Slice {
			for i, e := range v {
				out = append(out, strangers(e, t.Elem(), at+"/"+strconv.Itoa(i))...)
			}
		}
	case map[string]any:
		for name, e := range v {
			switch t.Kind() {
			case reflect.Map:
				out = append(out, strangers(e, t.Elem(), at+"/"+name)...)
			case reflect.Struct:
				f, ok := fieldOf(t, name)
				if !ok {
					out = append(out, at+"/"+name)
					continue
				}
				out = append(out, strangers(e, f, at+"/"+name)...)
			}
		}
	}
	slices.Sort(out)
	return out
}

// fieldOf is the type of the field that has a name in JSON.
func fieldOf(t reflect.Type, name string) (reflect.Type, bool) {
	for f := range t.Fields() {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == name {
			return f.Type, true
		}
	}
	return nil, false
}

// geminiName is what Google takes as the name of a function.
var geminiName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$`)
