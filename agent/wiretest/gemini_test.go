package wiretest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent/wiretest"
)

const geminiNow, geminiOld = "gemini-3.5-flash", "gemini-2.5-computer-use-preview-10-2025"

func startGemini(t *testing.T, model string, script wiretest.Script) *raw {
	t.Helper()
	h := http.Header{"X-Goog-Api-Key": {"the-key-of-the-test"}, "Content-Type": {"application/json"}}
	return start(t, wiretest.Gemini, script, wiretest.Options{Key: "the-key-of-the-test", Secrets: []string{"hunter2-secret"}}, "/v1beta/models/"+model+":generateContent", h)
}

// geminiRequest is a right request that opens a conversation, with a picture of
// 500 by 200 pixels.
func geminiRequest(t *testing.T) obj {
	t.Helper()
	return obj{
		"systemInstruction": obj{"parts": arr{obj{"text": "Test with care."}}},
		"tools": arr{
			obj{"functionDeclarations": arr{obj{"name": "page_open", "description": "opens a page", "parametersJsonSchema": obj{"type": "object", "properties": obj{"url": obj{"type": "string"}}, "required": arr{"url"}}}}},
			obj{"computerUse": obj{"environment": "ENVIRONMENT_BROWSER", "excludedPredefinedFunctions": arr{"navigate"}}},
		},
		"generationConfig": obj{"maxOutputTokens": 4096},
		"contents": arr{obj{"role": "user", "parts": arr{obj{"text": "Look at the page."},
			obj{"inlineData": obj{"mimeType": "image/png", "data": photo(t, 500, 200)}}}}},
	}
}

func geminiScript() wiretest.Script {
	return wiretest.Fixed(
		wiretest.Say{Think: "where is it", Text: "I open it.", Input: 100, Cached: 40, Output: 8,
			Calls:    []wiretest.Call{{Name: "page_open", Args: obj{"url": "http://127.0.0.1/"}}},
			Computer: []wiretest.Action{{Kind: "click", X: 250, Y: 150}}},
		wiretest.Say{Final: json.RawMessage(`{"summary":"done"}`)},
	)
}

// geminiNext is the right request after the answer to the first.
func geminiNext(t *testing.T, first obj, a answer) obj {
	t.Helper()
	parts, ok := at(a.body, "candidates", 0, "content", "parts").([]any)
	if !ok {
		t.Fatalf("the turn has no parts: %v", a.body)
	}
	next := clone(t, first)
	results := arr{}
	for _, p := range parts {
		name := at(p, "functionCall", "name")
		if name == nil {
			continue
		}
		r := obj{"name": name, "response": obj{"output": "done"}}
		if id := at(p, "functionCall", "id"); id != nil {
			r["id"] = id
		}
		if name != "page_open" {
			r["response"] = obj{"url": "http://127.0.0.1/"}
			r["parts"] = arr{obj{"inlineData": obj{"mimeType": "image/png", "data": photo(t, 8, 6)}}}
		}
		results = append(results, obj{"functionResponse": r})
	}
	results = append(results, obj{"text": "a note"})
	next["contents"] = append(next["contents"].(arr), obj{"role": "model", "parts": parts}, obj{"role": "user", "parts": results})
	return clone(t, next)
}

// D1, D2: a right conversation passes in both vocabularies, and the script sees
// what happened in it.
func TestGeminiRight(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{geminiNow: "click", geminiOld: "click_at"} {
		var seen []wiretest.Seen
		script := geminiScript()
		r := startGemini(t, model, func(s wiretest.Seen) wiretest.Say { seen = append(seen, s); return script(s) })
		first := geminiRequest(t)
		a := r.post(first)
		click := at(a.body, "candidates", 0, "content", "parts", 2, "functionCall")
		if at(click, "name") != want || at(click, "args", "x") != 500.0 || at(click, "args", "y") != 750.0 {
			t.Errorf("%s clicks with %v", model, click)
		}
		if u := at(a.body, "usageMetadata"); at(u, "promptTokenCount") != 100.0 || at(u, "cachedContentTokenCount") != 40.0 || at(u, "candidatesTokenCount") != 4.0 || at(u, "thoughtsTokenCount") != 4.0 {
			t.Errorf("tokens: %v", u)
		}
		b := r.post(geminiNext(t, first, a))
		r.clean()
		if text := at(b.body, "candidates", 0, "content", "parts", 0, "text"); text != `{"summary":"done"}` {
			t.Errorf("the last turn: %v", b.body)
		}
		if len(seen) != 2 {
			t.Fatalf("the script saw %d requests", len(seen))
		}
		if s := seen[0]; s.Task != "Look at the page." || s.System != "Test with care." || !s.Computer || !slices.Equal(s.Tools, []string{"computer", "page_open"}) {
			t.Errorf("first seen: %q %q %v %q", s.Task, s.System, s.Computer, s.Tools)
		}
		s := seen[1]
		if len(s.Answers) != 2 || s.Answers[0].Name != "computer" || s.Answers[0].Images != 1 || s.Answers[1].Text != "done" || !slices.Equal(s.Said, []string{"a note"}) {
			t.Errorf("second seen: %+v, %q", s.Answers, s.Said)
		}
	}
}

// Each violation in a request alone is found.
func TestGeminiRequestViolations(t *testing.T) {
	t.Parallel()
	function := func(q obj) obj { return at(q, "tools", 0, "functionDeclarations", 0).(obj) }
	first := func(q obj) obj { return at(q, "contents", 0).(obj) }
	add := func(q obj, p obj) { first(q)["parts"] = append(first(q)["parts"].(arr), p) }
	schema := func(q obj, s obj) { function(q)["parametersJsonSchema"] = s }
	cases := map[string]struct {
		spoil func(q obj)
		words string
	}{
		"unknown field":   {func(q obj) { q["keep"] = false }, "/keep is not a field"},
		"it is stored":    {func(q obj) { q["store"] = true }, "store is true"},
		"snake case":      {func(q obj) { q["system_instruction"] = q["systemInstruction"] }, "/system_instruction is not a field"},
		"wrong case":      {func(q obj) { at(q, "generationConfig").(obj)["MaxOutputTokens"] = 5 }, "MaxOutputTokens is not a field"},
		"field of a part": {func(q obj) { add(q, obj{"text": "a", "detail": "high"}) }, "detail is not a field"},
		"wrong type":      {func(q obj) { at(q, "generationConfig").(obj)["maxOutputTokens"] = "many" }, "maxOutputTokens"},
		"role":            {func(q obj) { first(q)["role"] = "assistant" }, `the role "assistant"`},
		"same role": {func(q obj) {
			q["contents"] = append(q["contents"].(arr), obj{"role": "user", "parts": arr{obj{"text": "b"}}})
		}, "as the one before"},
		"two kinds":  {func(q obj) { add(q, obj{"text": "a", "inlineData": obj{}}) }, "2 kinds of data"},
		"nothing":    {func(q obj) { add(q, obj{"thought": true}) }, "0 kinds of data"},
		"empty text": {func(q obj) { add(q, obj{"text": ""}) }, "empty text"},
		"a file":     {func(q obj) { add(q, obj{"fileData": obj{"fileUri": "x", "mimeType": "image/png"}}) }, "file at the provider"},
		"torn picture": {func(q obj) {
			data := at(first(q), "parts", 1, "inlineData").(obj)
			data["data"] = data["data"].(string)[:48]
		}, "has no end"},
		"secret":             {func(q obj) { add(q, obj{"text": "the password is hunter2-secret"}) }, "secret 1"},
		"user calls":         {func(q obj) { add(q, obj{"functionCall": obj{"name": "page_open"}}) }, "not the user's to say"},
		"function name":      {func(q obj) { function(q)["name"] = "1st" }, `can't be called "1st"`},
		"same function":      {func(q obj) { at(q, "tools", 0).(obj)["functionDeclarations"] = arr{function(q), function(q)} }, "two functions are called"},
		"the computer's own": {func(q obj) { function(q)["name"] = "click" }, "one of the computer's"},
		"environment":        {func(q obj) { at(q, "tools", 1, "computerUse").(obj)["environment"] = "ENVIRONMENT_DESKTOP" }, "environment"},
		"another tool":       {func(q obj) { q["tools"] = append(q["tools"].(arr), obj{"googleSearch": obj{}}) }, "neither functions nor the computer"},
		"both schemas":       {func(q obj) { function(q)["parameters"] = obj{"type": "OBJECT"} }, "both parameters"},
		"const":              {func(q obj) { schema(q, obj{"type": "object", "properties": obj{"a": obj{"const": "b"}}}) }, "at /properties/a/: const"},
		"pattern": {func(q obj) {
			schema(q, obj{"type": "object", "properties": obj{"a": obj{"type": "array", "items": obj{"type": "string", "pattern": "x"}}}})
		}, "pattern is not supported"},
		"enum of booleans":  {func(q obj) { schema(q, obj{"type": "object", "properties": obj{"a": obj{"enum": arr{true}}}}) }, "enum holds true"},
		"required stranger": {func(q obj) { schema(q, obj{"type": "object", "required": arr{"a"}}) }, "requires a"},
		"beside a reference": {func(q obj) {
			schema(q, obj{"type": "object", "properties": obj{"a": obj{"$ref": "#/$defs/b", "title": "x"}}})
		}, "title beside $ref"},
		"no object":         {func(q obj) { schema(q, obj{"type": "string"}) }, "no object"},
		"form without type": {func(q obj) { at(q, "generationConfig").(obj)["responseJsonSchema"] = obj{"type": "object"} }, "without responseMimeType"},
		"candidates":        {func(q obj) { at(q, "generationConfig").(obj)["candidateCount"] = 2 }, "more than one candidate"},
	}
	r := startGemini(t, geminiNow, geminiScript())
	for name, c := range cases {
		q := clone(t, geminiRequest(t))
		c.spoil(q)
		r.post(q)
		r.finds(name, c.words)
	}
	old := startGemini(t, geminiOld, geminiScript())
	q := geminiRequest(t)
	at(q, "generationConfig").(obj)["responseMimeType"] = "application/json"
	old.post(q)
	old.objects("takes no tools together with")
}

// Each violation of the protocol's order is found. The parts of the first answer
// are: 0 thought, 1 text, 2 click (signed), 3 page_open.
func TestGeminiOrderViolations(t *testing.T) {
	t.Parallel()
	parts := func(q obj, i int) arr { return at(q, "contents", i, "parts").(arr) }
	set := func(q obj, i int, p arr) { at(q, "contents", i).(obj)["parts"] = p }
	response := func(q obj, i int) obj { return at(q, "contents", 2, "parts", i, "functionResponse").(obj) }
	cases := map[string]struct {
		spoil func(q obj)
		words string
	}{
		"no answer":         {func(q obj) { set(q, 2, parts(q, 2)[:1]) }, "call page_open call-0002 is not answered"},
		"order":             {func(q obj) { p := parts(q, 2); p[0], p[1] = p[1], p[0] }, "is not answered in its place"},
		"text first":        {func(q obj) { p := parts(q, 2); p[0], p[2] = p[2], p[0] }, "is not answered in its place"},
		"answered twice":    {func(q obj) { set(q, 2, append(parts(q, 2), parts(q, 2)[0])) }, "answers no call"},
		"another name":      {func(q obj) { response(q, 1)["name"] = "page_close" }, "call page_open call-0002 is not answered"},
		"another id":        {func(q obj) { response(q, 1)["id"] = "call-0009" }, "has id call-0009"},
		"no response":       {func(q obj) { delete(response(q, 1), "response") }, "has no response"},
		"no screenshot":     {func(q obj) { delete(response(q, 0), "parts") }, "without a screenshot"},
		"torn screenshot":   {func(q obj) { at(response(q, 0), "parts", 0, "inlineData").(obj)["data"] = "iVBORw0KGgo=" }, "picture"},
		"acknowledged":      {func(q obj) { at(response(q, 0), "response").(obj)["safety_acknowledgement"] = "true" }, "only a person may"},
		"signature lost":    {func(q obj) { delete(parts(q, 1)[2].(obj), "thoughtSignature") }, "without the thoughtSignature"},
		"signature moved":   {func(q obj) { p := parts(q, 1); p[3].(obj)["thoughtSignature"] = p[2].(obj)["thoughtSignature"] }, "without the thoughtSignature"},
		"arguments changed": {func(q obj) { at(parts(q, 1)[3], "functionCall", "args").(obj)["url"] = "x" }, "not echoed in its place"},
		"text lost":         {func(q obj) { p := parts(q, 1); set(q, 1, append(append(arr{}, p[:1]...), p[2:]...)) }, "not echoed in its place"},
		"put in its mouth":  {func(q obj) { set(q, 1, append(parts(q, 1), obj{"text": "x"})) }, "the model has not said this"},
		"task changed":      {func(q obj) { set(q, 0, append(parts(q, 0), obj{"text": "x"})) }, "in an old content"},
		"nothing echoed":    {func(q obj) { q["contents"] = append(arr{}, at(q, "contents", 0), at(q, "contents", 2)) }, "not echoed"},
		"one more": {func(q obj) {
			q["contents"] = append(q["contents"].(arr), obj{"role": "model", "parts": arr{obj{"text": "x"}}})
		}, "1 more contents"},
	}
	r := startGemini(t, geminiNow, geminiScript())
	for name, c := range cases {
		first := geminiRequest(t)
		next := geminiNext(t, first, r.post(first))
		c.spoil(next)
		r.post(next)
		r.finds(name, c.words)
	}
	// A summary of thoughts is the model's own and may be left out.
	s := startGemini(t, geminiNow, geminiScript())
	first := geminiRequest(t)
	next := geminiNext(t, first, s.post(first))
	set(next, 1, parts(next, 1)[1:])
	s.post(next)
	s.clean()
}

// Faults strike once, in Google's own form, and the turn comes after them.
func TestGeminiFaults(t *testing.T) {
	t.Parallel()
	for fault, want := range map[wiretest.Fault]struct {
		status int
		name   string
	}{wiretest.RateLimit: {429, "RESOURCE_EXHAUSTED"}, wiretest.Overload: {503, "UNAVAILABLE"}, wiretest.ServerError: {500, "INTERNAL"}, wiretest.BadCall: {200, ""}} {
		r := startGemini(t, geminiNow, wiretest.Fixed(wiretest.Say{Text: "hello", Fault: fault}))
		a := r.post(geminiRequest(t))
		if name, _ := at(a.body, "error", "status").(string); a.status != want.status || name != want.name {
			t.Errorf("%s: %d %v", fault, a.status, a.body)
		}
		switch fault {
		case wiretest.RateLimit:
			if at(a.body, "error", "details", 0, "retryDelay") != "1s" || a.header.Get("Retry-After") != "" {
				t.Errorf("when to come back is in the body alone: %v %v", a.header, a.body)
			}
		case wiretest.BadCall:
			if at(a.body, "candidates", 0, "finishReason") != "MALFORMED_FUNCTION_CALL" {
				t.Errorf("%v", a.body)
			}
		}
		if b := r.post(geminiRequest(t)); at(b.body, "candidates", 0, "content", "parts", 0, "text") != "hello" {
			t.Errorf("after %s: %v", fault, b.body)
		}
		r.clean()
	}
}

// Faults that are what the turn was.
func TestGeminiTurnsThatAreFaults(t *testing.T) {
	t.Parallel()
	turn := func(s wiretest.Say) answer {
		return startGemini(t, geminiNow, wiretest.Fixed(s)).post(geminiRequest(t))
	}
	call := []wiretest.Call{{Name: "page_open", Args: obj{"a": "first", "b": "second", "c": "third"}}}
	reason := func(a answer) any { return at(a.body, "candidates", 0, "finishReason") }
	part := func(a answer, i int) any { return at(a.body, "candidates", 0, "content", "parts", i, "functionCall") }
	if a := turn(wiretest.Say{Fault: wiretest.Refusal}); at(a.body, "promptFeedback", "blockReason") != "PROHIBITED_CONTENT" || a.body["candidates"] != nil {
		t.Errorf("refusal: %v", a.body)
	}
	if a := turn(wiretest.Say{Text: "I", Fault: wiretest.Refusal}); reason(a) != "SAFETY" {
		t.Errorf("refusal: %v", a.body)
	}
	if a := turn(wiretest.Say{Text: "I", Fault: wiretest.Empty}); reason(a) != "STOP" || at(a.body, "candidates", 0, "content", "parts") != nil {
		t.Errorf("empty: %v", a.body)
	}
	if a := turn(wiretest.Say{Calls: call, Fault: wiretest.Truncated}); reason(a) != "MAX_TOKENS" || at(part(a, 0), "args", "a") != "first" || at(part(a, 0), "args", "c") != nil {
		t.Errorf("truncated: %v", a.body)
	}
	if a := turn(wiretest.Say{Text: "a long text", Fault: wiretest.MaxTokens}); reason(a) != "MAX_TOKENS" {
		t.Errorf("max tokens: %v", a.body)
	}
	if a := turn(wiretest.Say{Calls: call, Fault: wiretest.DuplicateID}); part(a, 1) == nil || at(part(a, 0), "id") != at(part(a, 1), "id") {
		t.Errorf("duplicate id: %v", a.body)
	}
	if a := turn(wiretest.Say{Fault: wiretest.SafetyPending}); at(part(a, 0), "args", "safety_decision", "decision") != "require_confirmation" {
		t.Errorf("safety: %v", a.body)
	}
	if a := turn(wiretest.Say{Calls: []wiretest.Call{{Name: "page_open", Raw: `{"url":`}}}); reason(a) != "MALFORMED_FUNCTION_CALL" {
		t.Errorf("arguments that are no JSON: %v", a.body)
	}
	if a := turn(wiretest.Say{Fault: wiretest.WrongKey}); a.status != 400 || at(a.body, "error", "details", 0, "reason") != "API_KEY_INVALID" {
		t.Errorf("key: %d %v", a.status, a.body)
	}
}

// Both vocabularies have all actions, with coordinates from 0 to 999.
func TestGeminiActions(t *testing.T) {
	t.Parallel()
	var actions []wiretest.Action
	for _, kind := range []string{"click", "double_click", "right_click", "move", "scroll", "drag", "wait", "screenshot"} {
		actions = append(actions, wiretest.Action{Kind: kind, X: 5000, Y: 199, ToX: 250, ToY: 100, DY: -300})
	}
	actions = append(actions, wiretest.Action{Kind: "type", Text: "a"}, wiretest.Action{Kind: "key", Text: "Control+A"}, wiretest.Action{Kind: "key", Text: "Enter"})
	for model, want := range map[string]string{
		geminiNow: "click double_click right_click move scroll drag_and_drop wait take_screenshot type hotkey press_key",
		geminiOld: "click_at double_click right_click hover_at scroll_at drag_and_drop wait_5_seconds open_web_browser type_text_at key_combination key_combination",
	} {
		a := startGemini(t, model, wiretest.Fixed(wiretest.Say{Computer: actions})).post(geminiRequest(t))
		var names []string
		for i := range actions {
			call := at(a.body, "candidates", 0, "content", "parts", i, "functionCall")
			name, _ := at(call, "name").(string)
			names = append(names, name)
			for _, axis := range []string{"x", "y", "start_x", "end_x", "destination_x"} {
				if v, ok := at(call, "args", axis).(float64); ok && (v < 0 || v > 999) {
					t.Errorf("%s: %s is %v", name, axis, v)
				}
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", model, got, want)
		}
	}
}

// The model's own address, and what is not there.
func TestGeminiModels(t *testing.T) {
	t.Parallel()
	h := http.Header{"X-Goog-Api-Key": {"k-0123456789"}, "Content-Type": {"application/json"}}
	r := start(t, wiretest.Gemini, geminiScript(), wiretest.Options{Key: "k-0123456789", Model: geminiNow}, "/v1beta/models/"+geminiNow+":generateContent", h)
	if a := r.send(http.MethodGet, "/v1beta/models/"+geminiNow, ""); a.status != 200 || a.body["name"] != "models/"+geminiNow {
		t.Errorf("%d %v", a.status, a.body)
	}
	if a := r.send(http.MethodGet, "/v1beta/models/gemini-none", ""); a.status != 404 || at(a.body, "error", "status") != "NOT_FOUND" {
		t.Errorf("%d %v", a.status, a.body)
	}
	r.clean()
	r.send(http.MethodPost, "/v1beta/models/"+geminiNow+":streamGenerateContent", "{}")
	r.objects("there is no POST")
	r.send(http.MethodGet, "/v1beta/models/"+geminiNow+"?key=k-0123456789", "")
	r.objects("the address holds the key")
}
