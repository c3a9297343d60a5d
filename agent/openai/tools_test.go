package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/tool"
)

// offered are the function tools of a request, as the provider sees them.
func (w *wire) offered() map[string]offer {
	w.t.Helper()
	var tools []struct {
		Name       string
		Strict     bool
		Parameters object
	}
	if err := json.Unmarshal(w.sent()[0]["tools"], &tools); err != nil {
		w.t.Fatal(err)
	}
	out := map[string]offer{}
	for _, t := range tools {
		out[t.Name] = offer{strict: t.Strict, schema: t.Parameters}
	}
	return out
}

type offer struct {
	strict bool
	schema object
}

// filled are arguments that a model sends under a schema: everything that is
// required, null where that may be.
func filled(schema any) any {
	s, _ := schema.(object)
	if kinds, ok := s["type"].([]any); ok {
		if slices.Contains(kinds, "null") {
			return nil
		}
		s = maps.Clone(s)
		s["type"] = kinds[0]
	}
	if values, ok := s["enum"].([]any); ok {
		return values[0]
	}
	switch s["type"] {
	case "object":
		out := object{}
		properties, _ := s["properties"].(object)
		required, _ := s["required"].([]any)
		for _, name := range required {
			out[name.(string)] = filled(properties[name.(string)])
		}
		return out
	case "array":
		return []any{filled(s["items"])}
	case "integer", "number":
		return 1
	case "boolean":
		return true
	default:
		return "x"
	}
}

// untold reports arguments that hold an empty object: what must be in it is
// told in words, and the test can't guess it.
func untold(v any) bool {
	switch v := v.(type) {
	case object:
		return len(v) == 0 || slices.ContainsFunc(slices.Collect(maps.Values(v)), untold)
	case []any:
		return slices.ContainsFunc(v, untold)
	}
	return false
}

// TestCatalogue (D2): every tool of the catalogue goes through the dialect of
// both wires (the provider judges strict tools by the rules, and Azure's by
// its own), and what a model sends back under it is accepted by the tool.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	d := desk(t)
	all, offering := catalogue(t, d), tools.Catalogue(d)
	for w, tried := range map[wiretest.Wire]int{wiretest.OpenAI: 22, wiretest.Azure: 24} {
		t.Run(string(w), func(t *testing.T) {
			first := connect(t, w, nil, wiretest.Say{Text: "hi"})
			first.next(talk(all...))
			offers := first.offered()
			strict := 0
			var calls []wiretest.Call
			for _, tool := range all {
				o, ok := offers[tool.Name]
				if !ok {
					t.Fatalf("%s is not offered", tool.Name)
				}
				if o.strict {
					strict++
				}
				args := filled(o.schema)
				switch tool.Name { // those that want one or the other
				case "computer_action":
					args.(object)["action"] = "screenshot"
				case "page_fill":
					args.(object)["selector"], args.(object)["value"] = "#x", "x"
				case "page_navigate":
					args.(object)["url"] = "http://shop.test/"
				}
				if len(args.(object)) == 0 || !untold(args) {
					calls = append(calls, wiretest.Call{Name: tool.Name, Args: args})
				}
			}
			if strict != len(all) {
				t.Errorf("%d of %d tools are strict", strict, len(all))
			}
			if len(calls) < tried {
				t.Errorf("only %d tools are tried", len(calls))
			}
			second := connect(t, w, nil, wiretest.Say{Calls: calls})
			nulls := 0
			for i, call := range second.next(talk(all...)).Calls {
				if complaint := refused(t, offering, call); complaint != "" {
					t.Errorf("%s refuses what it asked for: %s\n%s", call.Name, complaint, call.Arguments)
				}
				sent, err := json.Marshal(calls[i].Args)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Contains(sent, []byte("null")) {
					continue
				}
				nulls++
				if bytes.Contains(call.Arguments, []byte("null")) {
					t.Errorf("%s: the nulls that the model sends for what it leaves out are handed on: %s", call.Name, call.Arguments)
				}
			}
			if nulls < 15 {
				t.Errorf("only %d calls had nulls", nulls)
			}
		})
	}
}

// refused is what a tool has against the form of a call: an argument that is
// missing, unknown or of the wrong kind. The tool's own work doesn't begin: the
// context has ended.
func refused(t *testing.T, all []tool.Tool, call agent.Call) string {
	t.Helper()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	text := doOf(over, t, all, call).Text()
	for _, complaint := range []string{"is missing", "unknown argument", "arguments:"} {
		if strings.Contains(text, complaint) {
			return text
		}
	}
	return ""
}
