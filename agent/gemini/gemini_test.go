package gemini_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/gemini"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/workspace"
)

const (
	key   = "gemini-key-0123456789"
	task  = `{"goal":"the sign-in page works"}`
	pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)

func screen() agent.Screen { return agent.Screen{Width: 1366, Height: 768} }

// catalogue returns the real tools, as a model is offered them.
func catalogue() []agent.Tool { return slices.Clone(offered()) }

// offered makes them once: their schemas take longer than what a test does with them.
var offered = sync.OnceValue(func() []agent.Tool {
	var out []agent.Tool
	for _, t := range tools.Catalogue((&workspace.Workspace{Settings: workspace.Settings{Sets: []string{"core", "full"}}})) {
		out = append(out, agent.Tool{Name: t.Definition.Name, Description: t.Definition.Description, Schema: t.Definition.RawInputSchema})
	}
	return out
})

func conversation() agent.Conversation {
	return agent.Conversation{Instructions: "Test what you are told.", Task: task, Tools: catalogue(), Screen: screen(), Final: agent.FinalSchema()}
}

// api answers with what it was given, one answer a request, and keeps what came.
type api struct {
	*httptest.Server
	status  int
	header  map[string]string
	answers []string
	paths   []string
	headers []http.Header
	bodies  []map[string]any
}

func newAPI(t *testing.T, answers ...string) *api {
	t.Helper()
	a := &api{status: http.StatusOK, answers: answers}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil && !errors.Is(err, io.EOF) {
			t.Errorf("a request that is no JSON: %v", err)
		}
		a.paths, a.headers, a.bodies = append(a.paths, r.Method+" "+r.URL.RequestURI()), append(a.headers, r.Header), append(a.bodies, body)
		w.Header().Set("Content-Type", "application/json")
		for k, v := range a.header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(a.status)
		_, _ = io.WriteString(w, a.answers[min(len(a.paths), len(a.answers))-1]) // who went away needs none
	}))
	t.Cleanup(a.Close)
	return a
}

func (a *api) model(t *testing.T, change func(*agent.Connection)) *gemini.Model {
	t.Helper()
	c := agent.Connection{BaseURL: a.URL, Model: "gemini-3.5-flash", Key: key, Timeout: 30 * time.Second}
	if change != nil {
		change(&c)
	}
	m, err := gemini.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// turns makes an answer of a model's parts.
func turns(parts string) string {
	return `{"candidates":[{"content":{"role":"model","parts":[` + parts + `]},"finishReason":"STOP"}]}`
}

// at walks into JSON: at(body, "tools", 0, "computerUse").
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// wants compares JSON by what it says.
func wants(t *testing.T, what string, got any, want string) {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(want), &v); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !reflect.DeepEqual(got, v) {
		t.Errorf("%s: %s\nwant %s", what, text(got), want)
	}
}

// What goes out (C2): everything that the API is to know really leaves the SDK,
// and nothing of the environment.
func TestRequest(t *testing.T) {
	t.Setenv("GOOGLE_API_KEY", "of-somebody-else")
	t.Setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
	t.Setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:1/")
	a := newAPI(t, turns(`{"text":"{}"}`))
	for _, c := range []struct {
		model    string
		computer bool
		schema   bool   // the text is held to one
		excludes string // of the computer tool; empty: there is none
	}{
		{"gemini-2.5-pro", true, false, ""},
		{"gemini-3-pro-preview", true, true, ""},
		{"gemini-3.5-flash", false, true, ""},
		{"gemini-3.5-flash", true, false, `["navigate","go_back","go_forward","triple_click","mouse_down","mouse_up","key_down","key_up"]`},
		{"gemini-3-flash-preview", true, false, `["open_web_browser","search","navigate","go_back","go_forward"]`},
		{"models/gemini-2.5-computer-use-preview-10-2025", true, false, `["open_web_browser","search","navigate","go_back","go_forward"]`},
		{"gemini-flash-latest", true, false, ""},
	} {
		m := a.model(t, func(o *agent.Connection) { o.Model, o.Computer, o.MaxOutput = c.model, c.computer, 1234 })
		if _, err := m.Next(t.Context(), conversation()); err != nil {
			t.Fatal(err)
		}
		last := len(a.paths) - 1
		body := a.bodies[last]
		if want := "POST /v1beta/models/" + strings.TrimPrefix(c.model, "models/") + ":generateContent"; a.paths[last] != want || a.headers[last].Get("X-Goog-Api-Key") != key {
			t.Errorf("%s: %s with key %q, want %s", c.model, a.paths[last], a.headers[last].Get("X-Goog-Api-Key"), want)
		}
		wants(t, "contents", body["contents"], `[{"role":"user","parts":[{"text":"{\"goal\":\"the sign-in page works\"}"}]}]`)
		wants(t, "store", body["store"], "false")
		wants(t, "the bound", at(body, "generationConfig", "maxOutputTokens"), "1234")
		instructions, _ := at(body, "systemInstruction", "parts", 0, "text").(string)
		if got := at(body, "generationConfig", "responseMimeType") == "application/json" && at(body, "generationConfig", "responseJsonSchema", "required", 0) == "summary"; got != c.schema || !strings.HasPrefix(instructions, "Test what you are told.") || strings.Contains(instructions, "suggested_fix") == c.schema {
			t.Errorf("%s: schema %v, want %v; instructions %q", c.model, got, c.schema, instructions)
		}
		functions, _ := at(body, "tools", 0, "functionDeclarations").([]any)
		want := len(catalogue())
		if c.excludes != "" {
			want-- // computer_action
			wants(t, "the computer tool", at(body, "tools", 1, "computerUse"), `{"environment":"ENVIRONMENT_BROWSER","excludedPredefinedFunctions":`+c.excludes+`}`)
		} else if at(body, "tools", 1) != nil {
			t.Errorf("%s has a computer tool", c.model)
		}
		if len(functions) != want || at(functions, 0, "parametersJsonSchema", "type") != "object" {
			t.Errorf("%s: %d functions, want %d; the first: %s", c.model, len(functions), want, text(at(functions, 0)))
		}
		can := gemini.Can(agent.Connection{Model: c.model, Computer: c.computer})
		if can.Computer != (c.excludes != "" || c.model == "gemini-3.5-flash") || (can.StructuredOutput == "schema") != c.schema {
			t.Errorf("%s can %+v", c.model, can)
		}
	}
}

// What the model said goes back exactly as it came (its signatures above all),
// also what the SDK has no name for; and each call is answered once, in order.
func TestEcho(t *testing.T) {
	t.Parallel()
	first := `{"text":"hm","thought":true},{"text":"I look.","thoughtSignature":"c2lnbmVk","novel":{"n":12345678901234567890}},` +
		`{"functionCall":{"name":"page_snapshot","args":{}},"thoughtSignature":"b3RoZXI="},` +
		`{"functionCall":{"id":"x1","name":"page_screenshot","args":{"include_image":true,"n":12345678901234567}}},{"text":"","thoughtSignature":"ZW5k"}`
	a := newAPI(t, turns(first), turns(`{"functionCall":{"id":"x1","name":"page_snapshot"}}`), turns(`{"text":"done"}`))
	m := a.model(t, nil)
	c := conversation()
	r, err := m.Next(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Text != "I look." || len(r.Calls) != 2 || r.Calls[0].ID != "call-1-1" || r.Calls[1].ID != "x1" || string(r.Calls[1].Arguments) != `{"include_image":true,"n":12345678901234567}` {
		t.Errorf("the turn is %+v", r)
	}
	c.Turns = append(c.Turns, agent.Turn{Reply: r, Notes: []string{"hurry"}, Results: []agent.Result{
		{ID: "x1", Parts: []agent.Part{{Text: "a picture"}, {Image: &agent.Image{MIMEType: "image/png", Data: pixel}}}},
		{ID: "call-1-1", IsError: true, Parts: []agent.Part{{Text: "TIMEOUT: no"}}}}})
	if r, err = m.Next(t.Context(), c); err != nil || len(r.Calls) != 1 || r.Calls[0].ID != "call-2-1" {
		t.Fatalf("an id that was had: %+v, %v", r.Calls, err)
	}
	wants(t, "the model's turn", at(a.bodies[1], "contents", 1), `{"role":"model","parts":[`+first+`]}`)
	wants(t, "the answers", at(a.bodies[1], "contents", 2), `{"role":"user","parts":[
		{"functionResponse":{"name":"page_snapshot","response":{"error":"TIMEOUT: no"}}},
		{"functionResponse":{"id":"x1","name":"page_screenshot","response":{"output":"a picture"},"parts":[{"inlineData":{"mimeType":"image/png","data":"`+pixel+`"}}]}},
		{"text":"hurry"}]}`)
	c.Turns = append(c.Turns, agent.Turn{Reply: r}) // the loop stopped before it could answer
	if _, err := m.Next(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	wants(t, "a call without an answer", at(a.bodies[2], "contents", 4, "parts"), `[{"functionResponse":{"id":"x1","name":"page_snapshot","response":{"error":"not executed"}}}]`)
}

// Models before Gemini 3 see pictures behind their function responses. One that
// grew old leaves a word in its place, and nothing else changes.
func TestPicturesBehind(t *testing.T) {
	t.Parallel()
	a := newAPI(t, turns(`{"functionCall":{"name":"page_screenshot","args":{}}}`), turns(`{"text":"done"}`))
	m := a.model(t, func(c *agent.Connection) { c.Model = "gemini-2.5-flash" })
	c := conversation()
	r, err := m.Next(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	result := agent.Result{ID: r.Calls[0].ID, Parts: []agent.Part{{Text: "taken"}, {Image: &agent.Image{MIMEType: "image/png", Data: pixel}}}}
	c.Turns = append(c.Turns, agent.Turn{Reply: r, Results: []agent.Result{result}})
	for _, want := range []string{`{"inlineData":{"mimeType":"image/png","data":"` + pixel + `"}}`, `{"text":"(older)"}`} {
		if _, err := m.Next(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		wants(t, "the answer", at(a.bodies[len(a.bodies)-1], "contents", 2, "parts"), `[{"functionResponse":{"name":"page_screenshot","response":{"output":"taken"}}},
			{"text":"Shown by call 1, page_screenshot:"},`+want+`]`)
		result.Parts[1] = agent.Part{Text: "(older)"}
	}
}

// A turn that says nothing leaves no trace, and the roles still take turns.
func TestEmptyTurn(t *testing.T) {
	t.Parallel()
	a := newAPI(t, `{"candidates":[{"content":{},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":60,"candidatesTokenCount":5,"thoughtsTokenCount":3,"toolUsePromptTokenCount":2}}`,
		`{"candidates":[{"content":{"parts":[{"text":"half"}]},"finishReason":"MAX_TOKENS"}]}`, turns(`{"text":"done"}`))
	m := a.model(t, nil)
	c := conversation()
	for i, want := range []agent.Reply{{Usage: agent.Usage{Input: 102, Cached: 60, Output: 8}}, {Text: "half", Cut: true}} {
		r, err := m.Next(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if r.Text != want.Text || r.Cut != want.Cut || r.Usage != want.Usage || len(r.Calls) != 0 {
			t.Errorf("turn %d is %+v, want %+v", i, r, want)
		}
		c.Turns = append(c.Turns, agent.Turn{Reply: r})
	}
	c.Turns[0].Notes = []string{"note 0"}
	if _, err := m.Next(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	wants(t, "contents", a.bodies[2]["contents"], `[{"role":"user","parts":[{"text":"{\"goal\":\"the sign-in page works\"}"},{"text":"note 0"}]},
		{"role":"model","parts":[{"text":"half"}]},{"role":"user","parts":[{"text":"Go on."}]}]`)
}
