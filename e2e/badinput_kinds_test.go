package e2e_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"
)

// ofGo is what names Go, its packages and the types of a program in it.
var ofGo = regexp.MustCompile(`json: |Go (value|struct)|unmarshal|strconv\.|map\[|interface \{\}|\[\]\w|reflect\.|float64|int64|mcp\.[A-Z]|goroutine|runtime error|nil pointer|\.go:\d|0x[0-9a-f]{6}|%!|<nil>`)

// wrongKinds are values that are no text, no number, no list, or no object: each member
// of a message is wrong with most of them.
func wrongKinds() map[string]any {
	return map[string]any{"string": "x", "integer": 5, "fraction": 1.5, "boolean": true, "array": []any{}, "list of lists": []any{[]any{1}}, "object": map[string]any{}, "deep object": map[string]any{"a": map[string]any{"b": []any{1}}}}
}

// E2: whatever kind of value stands in place of whatever member of whatever message, the
// answer says what is wrong in words of the protocol: it names no type of the program.
func TestWrongKinds(t *testing.T) {
	t.Parallel()
	needsBinary(t)
	w := attach(t, november25)
	answers := 0
	look := func(method string, params map[string]any) {
		before := w.said()
		id := w.nextID()
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.Number(id), "method": method, "params": params})
		must(t, err)
		w.garble(string(line), id)
		m := w.awaitFrom(before, "answer to "+id, patience, func(m message) bool { return m.Method == "" && key(m.ID) == id })
		said := slices.Concat(m.Result, []byte(" "))
		if m.Error != nil {
			said = []byte(m.Error.Message)
		}
		answers++
		if found := ofGo.Find(said); found != nil {
			t.Errorf("%s %v: the answer holds %q: %s", method, params, found, brief(said))
		}
	}
	for _, method := range []string{"ping", "initialize", "tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list", "prompts/list", "prompts/get", "completion/complete", "logging/setLevel", "nope"} {
		for _, member := range []string{"name", "arguments", "uri", "cursor", "level", "ref", "argument", "protocolVersion", "capabilities", "clientInfo", "_meta", "task"} {
			for kind, value := range wrongKinds() {
				if method == "initialize" && (kind == "object" || kind == "string") {
					continue // a second greeting, which is none of this test's
				}
				look(method, map[string]any{member: value})
			}
		}
	}
	for _, tool := range w.offered() {
		for _, value := range wrongKinds() {
			if _, object := value.(map[string]any); !object {
				look("tools/call", map[string]any{"name": tool.Name, "arguments": value})
			}
		}
		for member, schema := range tool.InputSchema.Properties {
			for kind, value := range wrongKinds() {
				if kind != schema.Type && (kind != "integer" || schema.Type != "number") && schema.Type != "" && (schema.Type != "array" || kind != "list of lists") && (schema.Type != "object" || kind != "deep object") && (schema.Type != "number" || kind != "fraction") {
					look("tools/call", map[string]any{"name": tool.Name, "arguments": map[string]any{member: value}})
				}
			}
		}
	}
	w.greet() // some of these messages were greetings that declare nothing, and the last greeting counts
	if answers < 1000 {
		t.Errorf("only %d messages were tried", answers)
	}
	t.Logf("%d messages", answers)
}

// offeredTool is a tool as the server lists it.
type offeredTool struct {
	Name        string
	InputSchema struct {
		Properties map[string]struct{ Type string }
	}
}

func (w *wire) offered() []offeredTool {
	w.t.Helper()
	var list struct{ Tools []offeredTool }
	if err := json.Unmarshal(w.ask("tools/list", nil).Result, &list); err != nil {
		w.t.Fatal(err)
	}
	return list.Tools
}
