package wiretest

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// TestOwnAnswers holds what this package answers against the official
// description: an adapter that reads a wrong answer would prove nothing.
func TestOwnAnswers(t *testing.T) {
	o, err := newOfficial(filepath.Join("../../testdata/official/openai", descriptionFile), "Response", "CreateChatCompletionResponse", "ErrorResponse", "Model", "ListModelsResponse")
	if err != nil {
		t.Fatal(err)
	}
	judge := func(schema, what string, r reply) {
		t.Helper()
		var v any
		if err := json.Unmarshal(r.body, &v); err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		for _, p := range o.judge(schema, v) {
			t.Errorf("%s: %s\n%s", what, p, r.body)
		}
	}
	wire, local := &openAI{wire: OpenAI}, &chat{}
	for name, s := range turns() {
		q := &request{own: responses{body: responsesBody{Model: "gpt-5.4"}}}
		q.seen.Computer = true
		judge("Response", "responses: "+name, wire.say(&talk{}, q, s))
		if s.Fault == BadCall {
			continue // on the other wire an error
		}
		s.Think = "" // local servers only: the description has no reasoning_content
		judge("CreateChatCompletionResponse", "chat: "+name, local.say(&talk{}, &request{own: chatRequest{body: chatBody{Model: "qwen3"}}}, s))
	}
	for _, f := range Faults() {
		s := &Server{protocol: wire}
		judge("ErrorResponse", "error of "+string(f), s.refuse(f))
	}
	judge("Model", "model", wire.model("gpt-5.4"))
	judge("ListModelsResponse", "models", wire.models("gpt-5.4"))
	judge("Model", "local model", local.model("qwen3"))
}

// turns are turns of each kind.
func turns() map[string]Say {
	whole := Say{Think: "so", Text: "I look.", Calls: []Call{{Name: "page_open", Args: map[string]any{"url": "/"}}, {Name: "page_snapshot"}}}
	for _, k := range []string{"click", "double_click", "right_click", "move", "type", "key", "scroll", "drag", "wait", "screenshot"} {
		whole.Computer = append(whole.Computer, Action{Kind: k, X: 1, Y: 2, ToX: 3, ToY: 4, DX: 5, DY: 6, Text: "A"})
	}
	all := map[string]Say{"whole": whole, "final": {Final: json.RawMessage(`{"summary":"done"}`)}, "text": {Text: "Done."}}
	for _, f := range []Fault{Truncated, DuplicateID, Empty, Refusal, MaxTokens, SafetyPending, BadCall} {
		s := whole
		s.Fault = f
		all[string(f)] = s
	}
	return all
}
