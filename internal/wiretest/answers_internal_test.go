package wiretest

import (
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestTornArguments: arguments that came torn may go back empty, because servers
// read them again; no others may change.
func TestTornArguments(t *testing.T) {
	for _, c := range []struct {
		said, echoed any
		same         bool
	}{
		{`{"a":`, "{}", true}, {`{"a":`, `{"a":`, true}, {`{"a":`, `{"a":1}`, false},
		{`{"a":1}`, "{}", false}, {obj{"a": 1.0}, "{}", false}, {obj{"a": 1.0}, `{"a":1}`, true},
	} {
		if got := sameArguments(c.said, c.echoed); got != c.same {
			t.Errorf("%v echoed as %v: %v, want %v", c.said, c.echoed, got, c.same)
		}
	}
}

// TestAnswersAreOfficial holds what this package answers, faults and all, against
// the official descriptions: an adapter that reads a wrong answer proves nothing.
func TestAnswersAreOfficial(t *testing.T) {
	openAI := []string{"Response", "ErrorResponse", "Model", "ListModelsResponse"}
	for _, c := range []struct {
		wire               Wire
		description        string
		turn, fault, model string
		more               []string
	}{
		{OpenAI, "openai/openai-openapi.json.gz", "Response", "ErrorResponse", "Model", openAI},
		{Chat, "openai/openai-openapi.json.gz", "CreateChatCompletionResponse", "ErrorResponse", "Model", append(openAI, "CreateChatCompletionResponse")},
		{Anthropic, "anthropic/openapi.json.gz", "Message", "ErrorResponse", "ModelInfo", []string{"Message", "ErrorResponse", "ModelInfo"}},
		{Gemini, "gemini/genai-types.json.gz", "GenerateContentResponse", "", "", []string{"GenerateContentResponse"}},
	} {
		official, err := Official(c.description, c.more...)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what, name string, a reply) {
			t.Helper()
			v, err := Decode(a.body)
			if err != nil {
				t.Errorf("%s: %s: %v: %s", c.wire, what, err, a.body)
			} else if name != "" {
				held(t, official[name], string(c.wire)+": "+what, v)
			}
		}
		s, err := New(c.wire, Fixed(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		check("model", c.model, s.answers.reply("model", "MODEL", "m"))
		for _, f := range Faults() {
			check("error of "+string(f), c.fault, s.fail(f))
		}
		for name, say := range says(c.wire) {
			q := &request{model: map[Wire]string{Gemini: "gemini-3.5-flash"}[c.wire]}
			q.seen.Computer = true
			a := s.say(&conversation{}, q, say)
			if a.status == 200 {
				check(name, c.turn, a)
			} else {
				check(name, c.fault, a)
			}
		}
	}
}

func held(t *testing.T, s *jsonschema.Schema, what string, v any) {
	t.Helper()
	for _, p := range Problems(s, v) {
		t.Errorf("%s: %s\n%v", what, p, v)
	}
}

// says are turns of each kind.
func says(w Wire) map[string]Say {
	whole := Say{Think: "so", Text: "I look.", Calls: []Call{{Name: "page_open", Args: obj{"url": "/"}}, {Name: "page_snapshot"}}}
	if w == Chat { // the description has no reasoning_content
		whole.Think = ""
	}
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
