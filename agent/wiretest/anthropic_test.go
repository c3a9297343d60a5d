package wiretest_test

import (
	"compress/gzip"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-qa/assay/agent/wiretest"
)

const claude = "claude-sonnet-5-5"

func claudeHeader() http.Header {
	return http.Header{"X-Api-Key": {"the-key-of-the-test"}, "Anthropic-Version": {"2023-06-01"}, "Content-Type": {"application/json"}}
}

func startClaude(t *testing.T, script wiretest.Script) *raw {
	t.Helper()
	return start(t, wiretest.Anthropic, script, wiretest.Options{Key: "the-key-of-the-test", Secrets: []string{"hunter2-secret"}}, "/v1/messages", claudeHeader())
}

// claudeRequest is a right request that opens a conversation.
func claudeRequest() obj {
	return obj{
		"model": claude, "max_tokens": 4096,
		"system": arr{obj{"type": "text", "text": "Test with care.", "cache_control": obj{"type": "ephemeral"}}},
		"tools": arr{
			obj{"name": "page_open", "description": "opens a page", "input_schema": obj{"type": "object", "properties": obj{"url": obj{"type": "string"}}, "required": arr{"url"}}},
			obj{"type": "computer_toolset_20260801", "configs": obj{"zoom": obj{"enabled": false}}},
		},
		"output_config": obj{"format": obj{"type": "json_schema", "schema": obj{"type": "object", "additionalProperties": false, "properties": obj{"summary": obj{"type": "string"}}, "required": arr{"summary"}}}},
		"messages":      arr{obj{"role": "user", "content": arr{obj{"type": "text", "text": "Look at the page."}}}},
	}
}

// claudeScript thinks, calls a function and works the computer.
func claudeScript() wiretest.Script {
	return wiretest.Fixed(
		wiretest.Say{Think: "where is it", Text: "I open it.", Input: 100, Cached: 40, Output: 7,
			Calls:    []wiretest.Call{{Name: "page_open", Args: obj{"url": "http://127.0.0.1/"}}},
			Computer: []wiretest.Action{{Kind: "screenshot"}, {Kind: "click", X: 10, Y: 20}}},
		wiretest.Say{Final: json.RawMessage(`{"summary":"done"}`)},
	)
}

func claudeImage(t *testing.T) obj {
	return obj{"type": "image", "source": obj{"type": "base64", "media_type": "image/png", "data": photo(t, 8, 6)}, "transformations": obj{"oversized_image": "error"}}
}

// claudeNext is the right request after the answer to the first.
func claudeNext(t *testing.T, first obj, a answer) obj {
	t.Helper()
	content, ok := a.body["content"].([]any)
	if !ok || len(content) != 6 {
		t.Fatalf("the turn has no six blocks: %v", a.body)
	}
	next := clone(t, first)
	results := arr{}
	for _, c := range content {
		if at(c, "type") != "tool_use" {
			continue
		}
		r := obj{"type": "tool_result", "tool_use_id": at(c, "id"), "content": arr{obj{"type": "text", "text": "done"}}}
		if at(c, "toolset_name") != nil {
			r["toolset_name"] = at(c, "toolset_name")
			r["content"] = arr{claudeImage(t)}
		}
		results = append(results, r)
	}
	results = append(results, obj{"type": "text", "text": "a note"})
	next["messages"] = append(next["messages"].(arr), obj{"role": "assistant", "content": content}, obj{"role": "user", "content": results})
	return clone(t, next)
}

// D1, D2: a right conversation passes, and the script sees what happened in it.
func TestAnthropicRight(t *testing.T) {
	t.Parallel()
	var seen []wiretest.Seen
	script := claudeScript()
	r := startClaude(t, func(s wiretest.Seen) wiretest.Say { seen = append(seen, s); return script(s) })
	first := claudeRequest()
	a := r.post(first)
	if a.status != http.StatusOK || at(a.body, "stop_reason") != "tool_use" {
		t.Fatalf("%d %v", a.status, a.body)
	}
	if in, cached := at(a.body, "usage", "input_tokens"), at(a.body, "usage", "cache_read_input_tokens"); in != 60.0 || cached != 40.0 {
		t.Errorf("tokens: %v and %v from the cache, want 60 and 40", in, cached)
	}
	b := r.post(claudeNext(t, first, a))
	r.clean()
	if text := at(b.body, "content", 0, "text"); text != `{"summary":"done"}` || at(b.body, "stop_reason") != "end_turn" {
		t.Errorf("the last turn: %v", b.body)
	}
	if len(seen) != 2 {
		t.Fatalf("the script saw %d requests", len(seen))
	}
	if s := seen[0]; s.Task != "Look at the page." || s.System != "Test with care." || !s.Computer || !slices.Equal(s.Tools, []string{"page_open", "computer"}) {
		t.Errorf("first seen: %q %q %v %q", s.Task, s.System, s.Computer, s.Tools)
	}
	s := seen[1]
	if len(s.Answers) != 3 || s.Answers[2].Name != "page_open" || s.Answers[2].Text != "done" || s.Answers[1].Name != "computer" || s.Answers[1].Images != 1 || !slices.Equal(s.Said, []string{"a note"}) {
		t.Errorf("second seen: %+v, %q", s.Answers, s.Said)
	}
}

// Every answer that is not torn is one that the official description knows.
func TestAnthropicAnswersAreOfficial(t *testing.T) {
	t.Parallel()
	schemas := anthropicSchemas(t, "Message", "ErrorResponse", "ModelInfo")
	r := startClaude(t, faultOfTask(wiretest.Say{Think: "hm", Text: "some text", Calls: []wiretest.Call{{Name: "page_open", Args: obj{"url": "x", "wait": 1}}}}))
	for _, f := range append(wiretest.Faults(), "none") {
		if f == wiretest.Slow || f == wiretest.Malformed || f == wiretest.Cut {
			continue
		}
		a := r.post(claudeTask(t, string(f)))
		name := "Message"
		if a.status != http.StatusOK {
			name = "ErrorResponse"
		}
		if err := schemas[name].Validate(a.body); err != nil || a.err != nil {
			t.Errorf("%q: %v %v\n%v", f, a.err, err, a.body)
		}
	}
	a := r.send(http.MethodGet, "/v1/models/"+claude, "")
	if err := schemas["ModelInfo"].Validate(a.body); err != nil {
		t.Error(err)
	}
}

// faultOfTask is a script whose conversations have the fault that their task is
// called by.
func faultOfTask(say wiretest.Say) wiretest.Script {
	return func(s wiretest.Seen) wiretest.Say {
		say := say
		say.Fault = wiretest.Fault(s.Task)
		return say
	}
}

// claudeTask is a right request that opens a conversation about a task.
func claudeTask(t *testing.T, task string) obj {
	t.Helper()
	q := clone(t, claudeRequest())
	textOf(q)["text"] = task
	return q
}

// anthropicSchemas compiles parts of the description that is in Anthropic's own
// module, found by the go command and not by the code under test.
func anthropicSchemas(t *testing.T, names ...string) map[string]*jsonschema.Schema {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/anthropics/anthropic-sdk-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(strings.TrimSpace(string(dir)), "scripts", "mock-spec.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(z)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseRegexpEngine(func(p string) (jsonschema.Regexp, error) { // Go has no \u2028
		return regexp.Compile(strings.NewReplacer(`\u2028`, `\x{2028}`, `\u2029`, `\x{2029}`).Replace(p))
	})
	if err := c.AddResource("urn:anthropic", doc); err != nil {
		t.Fatal(err)
	}
	out := map[string]*jsonschema.Schema{}
	for _, name := range names {
		if out[name], err = c.Compile("urn:anthropic#/components/schemas/" + name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Each violation in a request alone is found.
func TestAnthropicRequestViolations(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		spoil func(q obj, h http.Header)
		words string
	}{
		"unknown field":    {func(q obj, _ http.Header) { q["max_output_tokens"] = 5 }, "max_output_tokens"},
		"field of a block": {func(q obj, _ http.Header) { at(q, "messages", 0, "content", 0).(obj)["detail"] = "x" }, "detail"},
		"no max_tokens":    {func(q obj, _ http.Header) { delete(q, "max_tokens") }, "max_tokens"},
		"max_tokens":       {func(q obj, _ http.Header) { q["max_tokens"] = 21334 }, "21333 are allowed"},
		"stream":           {func(q obj, _ http.Header) { q["stream"] = true }, "stream is true"},
		"version":          {func(_ obj, h http.Header) { h.Del("Anthropic-Version") }, "anthropic-version"},
		"content type":     {func(_ obj, h http.Header) { h.Set("Content-Type", "text/plain") }, "content type"},
		"needless beta":    {func(_ obj, h http.Header) { h.Set("Anthropic-Beta", "computer-use-2025-11-24") }, "not needed"},
		"old computer":     {func(q obj, h http.Header) { oldComputer(q, h, claude) }, claude + " takes no computer_20251124"},
		"new on old":       {func(q obj, _ http.Header) { q["model"] = "claude-opus-4-5" }, "takes no computer_toolset"},
		"missing beta":     {func(q obj, h http.Header) { oldComputer(q, h, "claude-opus-4-5"); h.Del("Anthropic-Beta") }, "is needed and not asked for"},
		"forced tool":      {func(q obj, _ http.Header) { q["tool_choice"] = obj{"type": "any"} }, "no tool_choice any"},
		"fixed thinking":   {func(q obj, _ http.Header) { q["thinking"] = obj{"type": "enabled", "budget_tokens": 2048} }, "no fixed budget"},
		"five marks":       {func(q obj, _ http.Header) { manyMarks(q) }, "5 cache breakpoints"},
		"empty text":       {func(q obj, _ http.Header) { textOf(q)["text"] = "Look at the page."; addText(q, " ") }, "text is empty"},
		"same tool twice":  {func(q obj, _ http.Header) { q["tools"] = append(q["tools"].(arr), clone(t, at(q, "tools", 0).(obj))) }, "two tools are called page_open"},
		"no JSON Schema": {func(q obj, _ http.Header) {
			at(q, "tools", 0, "input_schema", "properties", "url").(obj)["type"] = "text"
		}, "no JSON Schema"},
		"strict minimum": {func(q obj, _ http.Header) { strictTool(q, obj{"type": "integer", "minimum": 1}) }, "minimum is not supported"},
		"strict open":    {func(q obj, _ http.Header) { strictTool(q, obj{"type": "object", "properties": obj{}}) }, "additionalProperties is not false"},
		"25 optionals":   {func(q obj, _ http.Header) { optionalTools(q) }, "25 optional properties"},
		"open final": {func(q obj, _ http.Header) {
			delete(at(q, "output_config", "format", "schema").(obj), "additionalProperties")
		}, "output_config.format"},
		"server tool": {func(q obj, _ http.Header) {
			q["tools"] = append(q["tools"].(arr), obj{"type": "bash_20250124", "name": "bash"})
		}, "bash_20250124"},
		"secret":          {func(q obj, _ http.Header) { addText(q, "the password is hunter2-secret") }, "secret 1"},
		"assistant first": {func(q obj, _ http.Header) { q["messages"] = arr{obj{"role": "assistant", "content": "hi"}} }, "first message"},
		"role":            {func(q obj, _ http.Header) { at(q, "messages", 0).(obj)["role"] = "model" }, "role"},
		"picture by url": {func(q obj, _ http.Header) {
			addBlock(q, obj{"type": "image", "source": obj{"type": "url", "url": "http://127.0.0.1/a.png"}})
		}, "only base64"},
		"torn picture": {func(q obj, _ http.Header) {
			b := claudeImage(t)
			source(b)["data"] = source(b)["data"].(string)[:40]
			addBlock(q, b)
		}, "picture"},
		"wrong kind": {func(q obj, _ http.Header) {
			b := claudeImage(t)
			source(b)["media_type"] = "image/jpeg"
			addBlock(q, b)
		}, "says that it is image/jpeg"},
		"scaled in silence": {func(q obj, _ http.Header) { b := claudeImage(t); delete(b, "transformations"); addBlock(q, b) }, "oversized_image"},
		"too large":         {func(q obj, _ http.Header) { b := claudeImage(t); source(b)["data"] = photo(t, 2577, 4); addBlock(q, b) }, "2576 pixels"},
		"a crowd":           {func(q obj, _ http.Header) { crowd(t, q) }, "2000 pixels"},
	}
	r := startClaude(t, claudeScript())
	for name, c := range cases {
		q := clone(t, claudeRequest())
		r.header = claudeHeader()
		c.spoil(q, r.header)
		r.post(q)
		r.finds(name, c.words)
	}
}

func source(image obj) obj       { return image["source"].(obj) }
func textOf(q obj) obj           { return at(q, "messages", 0, "content", 0).(obj) }
func addText(q obj, text string) { addBlock(q, obj{"type": "text", "text": text}) }
func addBlock(q obj, b obj) {
	m := at(q, "messages", 0).(obj)
	m["content"] = append(m["content"].(arr), b)
}

func oldComputer(q obj, h http.Header, model string) {
	q["model"] = model
	q["tools"].(arr)[1] = obj{"type": "computer_20251124", "name": "computer", "display_width_px": 1280, "display_height_px": 720}
	h.Set("Anthropic-Beta", "computer-use-2025-11-24")
}

func manyMarks(q obj) {
	for range 4 {
		addBlock(q, obj{"type": "text", "text": "more", "cache_control": obj{"type": "ephemeral"}})
	}
}

func strictTool(q obj, property obj) {
	tool := at(q, "tools", 0).(obj)
	tool["strict"] = true
	tool["input_schema"] = obj{"type": "object", "additionalProperties": false, "required": arr{"a"}, "properties": obj{"a": property}}
}

func optionalTools(q obj) {
	strictTool(q, obj{"type": "string"})
	properties := at(q, "tools", 0, "input_schema", "properties").(obj)
	for i := range 25 {
		properties["p"+string(rune('a'+i))] = obj{"type": "string"}
	}
}

func crowd(t *testing.T, q obj) {
	t.Helper()
	for range 21 {
		b := claudeImage(t)
		source(b)["data"] = photo(t, 2001, 2)
		addBlock(q, b)
	}
}

// An older model takes the older computer tool with its beta.
func TestAnthropicOlderComputer(t *testing.T) {
	t.Parallel()
	r := startClaude(t, claudeScript())
	q := clone(t, claudeRequest())
	oldComputer(q, r.header, "claude-opus-4-5")
	r.path = "/v1/messages?beta=true"
	a := r.post(q)
	r.clean()
	if name, action := at(a.body, "content", 3, "name"), at(a.body, "content", 3, "input", "action"); name != "computer" || action != "screenshot" {
		t.Errorf("the call is %v %v: %v", name, action, a.body)
	}
}
