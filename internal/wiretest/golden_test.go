package wiretest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/anthropic"
	"github.com/assay-qa/assay/agent/chat"
	"github.com/assay-qa/assay/agent/gemini"
	"github.com/assay-qa/assay/agent/openai"
	"github.com/assay-qa/assay/internal/wiretest"
)

var update = flag.Bool("update", false, "write testdata/wires")

const (
	key    = "wire-key-0123456789"
	folder = "../../testdata/wires"
	photo  = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

// adapter is a wire with the adapter that speaks it.
type adapter struct {
	model string
	open  func(agent.Connection) (agent.Model, error)
}

func opens[M agent.Model](create func(agent.Connection) (M, error)) func(agent.Connection) (agent.Model, error) {
	return func(c agent.Connection) (agent.Model, error) { return create(c) }
}

func adapters() map[wiretest.Wire]adapter {
	return map[wiretest.Wire]adapter{
		wiretest.OpenAI:    {"gpt-5.4", opens(openai.New)},
		wiretest.Azure:     {"gpt-5.4", opens(openai.NewAzure)},
		wiretest.Anthropic: {"claude-sonnet-5-5", opens(anthropic.New)},
		wiretest.Gemini:    {"gemini-3.5-flash", opens(gemini.New)},
		wiretest.Chat:      {"qwen3:8b", opens(chat.New)},
	}
}

// turns is what the scripted model says: two calls, and two actions where the
// wire has a computer; one call; the end.
func turns(w wiretest.Wire) []wiretest.Say {
	first := wiretest.Say{Think: "The page first.", Text: "I look.", Input: 1000, Cached: 600, Output: 50, Calls: []wiretest.Call{
		{Name: "page_click", Args: obj{"selector": "#a"}}, {Name: "page_click", Args: obj{"selector": "#b", "button": "right"}}}}
	if w != wiretest.Chat {
		first.Computer = []wiretest.Action{{Kind: "click"}, {Kind: "screenshot"}}
	}
	return []wiretest.Say{first, {Think: "And then.", Input: 2000, Output: 10, Calls: []wiretest.Call{{Name: "page_click", Args: obj{"selector": "#c"}}}},
		{Input: 3000, Output: 20, Final: json.RawMessage(`{"summary":"it works","status":"passed","findings":[]}`)}}
}

// TestGolden works a conversation through each adapter: with pictures, an error,
// a note, and pictures that grew old. Requests and answers are those of
// testdata/wires, and the provider objects to none. go test ./internal/wiretest
// -update writes them.
func TestGolden(t *testing.T) {
	for w, a := range adapters() {
		t.Run(string(w), func(t *testing.T) {
			s, err := wiretest.New(w, wiretest.Fixed(turns(w)...), wiretest.Options{Key: key, Model: a.model, Secrets: []string{"hunter2"}})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			m, err := a.open(agent.Connection{BaseURL: s.URL(), Model: a.model, Key: key, Computer: true})
			if err != nil {
				t.Fatal(err)
			}
			converse(t, m)
			for _, p := range s.Problems() {
				t.Error(p)
			}
			got := record(t, w, s.Requests())
			path := filepath.Join(folder, string(w)+".txtar")
			if *update {
				if err := os.WriteFile(path, got, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s differs (-want +got; go test ./internal/wiretest -update writes it):\n%s", path, diff)
			}
		})
	}
}

// converse takes turns until the model makes no call, and answers its calls.
func converse(t *testing.T, m agent.Model) {
	t.Helper()
	schema := json.RawMessage(`{"type":"object","required":["selector"],"properties":{"selector":{"type":"string","pattern":"."},"button":{"type":"string","enum":["left","right"]}}}`)
	open := json.RawMessage(`{"type":"object","required":["goal"],"properties":{"goal":{"type":"string"},"any":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true},"kind":{"const":"task"}}}`)
	closed := json.RawMessage(`{"type":"object","additionalProperties":false,"required":["summary"],"properties":{"summary":{"type":"string"}}}`)
	c := agent.Conversation{Instructions: "Test with care.", Task: `{"goal":"the page works"}`, Screen: agent.Screen{Width: 1366, Height: 768}, Final: agent.FinalSchema(),
		Tools: []agent.Tool{{Name: "page_click", Description: "Click.", Schema: schema}, {Name: "computer_action", Description: "Work the screen.", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
			{Name: "run_start", Schema: open}, {Name: "run_finish", Schema: closed}}}
	for range 3 {
		r, err := m.Next(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Turns {
			for _, result := range c.Turns[i].Results {
				for k := range result.Parts {
					if result.Parts[k].Image != nil && result.Name != "computer_action" {
						result.Parts[k] = agent.Part{Text: "(an older picture)"} // as the loop does
					}
				}
			}
		}
		turn := agent.Turn{Reply: r, Notes: []string{"75 % of the calls are spent"}}
		for i, call := range r.Calls {
			result := agent.Result{ID: call.ID, Name: call.Name, Parts: []agent.Part{{Text: fmt.Sprintf("did <%s>, call %d", call.Name, i)}, {Image: &agent.Image{MIMEType: "image/png", Data: photo, Width: 1, Height: 1}}}}
			if i > 0 && i == len(r.Calls)-1 {
				result.IsError, result.Parts = true, []agent.Part{{Text: "no such element"}}
			}
			turn.Results = append(turn.Results, result)
		}
		c.Turns = append(c.Turns, turn)
	}
	if end := c.Turns[2].Reply; !strings.Contains(end.Text, "it works") || len(end.Calls) > 0 {
		t.Errorf("the end is %+v", end)
	}
	if u := c.Turns[0].Reply.Usage; u != (agent.Usage{Input: 1000, Cached: 600, Output: 50}) {
		t.Errorf("the first turn took %+v", u)
	}
}

// record writes a conversation down: what of the headers belongs to the wire,
// then requests and answers.
func record(t *testing.T, w wiretest.Wire, requests []wiretest.Request) []byte {
	t.Helper()
	var header bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(requests[0].Header)) {
		if slices.Contains([]string{"Api-Key", "Authorization", "Content-Type", "X-Api-Key", "X-Goog-Api-Key"}, name) || strings.HasPrefix(name, "Anthropic-") {
			fmt.Fprintf(&header, "%s: %s\n", name, strings.Join(requests[0].Header[name], ","))
		}
	}
	a := &txtar.Archive{Comment: fmt.Appendf(nil, "A conversation on the wire %q: what the adapter asks, and what the scripted provider answers.\n\n", w)}
	a.Files = append(a.Files, txtar.File{Name: "headers", Data: header.Bytes()})
	for i, r := range requests {
		a.Files = append(a.Files, txtar.File{Name: fmt.Sprintf("request %d: %s %s", i+1, r.Method, r.Path), Data: laid(t, r.Body)},
			txtar.File{Name: fmt.Sprintf("answer %d: %d %s", i+1, r.Status, http.StatusText(r.Status)), Data: laid(t, r.Answer)})
	}
	return txtar.Format(a)
}

// laid is JSON with a line for each field, and for each item of a list in one.
func laid(t *testing.T, raw []byte) []byte {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		var items []json.RawMessage
		value := canonical(t, fields[name])
		if json.Unmarshal(fields[name], &items) == nil && len(items) > 1 {
			var inner []string
			for _, item := range items {
				inner = append(inner, "  "+canonical(t, item))
			}
			value = "[\n" + strings.Join(inner, ",\n") + "\n]"
		}
		lines = append(lines, fmt.Sprintf("%q: %s", name, value))
	}
	return []byte("{" + strings.Join(lines, ",\n") + "}\n")
}

// canonical is JSON without the accidents of its writer.
func canonical(t *testing.T, raw []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// obj is JSON written by hand.
type obj = map[string]any
