package gemini_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-qa/assay/agent"
)

// read are the keywords of JSON Schema that the API reads (the SDK's doc
// comment of ResponseJsonSchema).
func read() []string {
	return []string{"$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items", "prefixItems", "minItems", "maxItems",
		"minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties", "required", "propertyOrdering"}
}

// foreign are the keywords of a schema that the API does not read.
func foreign(schema any) []string {
	m, ok := schema.(map[string]any)
	if !ok {
		return nil
	}
	var out []string
	for k, v := range m {
		switch {
		case !slices.Contains(read(), k):
			out = append(out, k)
		case k == "properties":
			named, _ := v.(map[string]any)
			for _, inner := range named {
				out = append(out, foreign(inner)...)
			}
		default:
			list, _ := v.([]any)
			for _, inner := range append(list, v) {
				out = append(out, foreign(inner)...)
			}
		}
	}
	return out
}

// sample is what a model may send under a schema: all of it, or what it must.
func sample(schema any, all bool) any {
	m, _ := schema.(map[string]any)
	if e, ok := m["enum"].([]any); ok {
		return e[0]
	}
	switch m["type"] {
	case "string":
		return "text"
	case "integer", "number":
		return 1
	case "boolean":
		return true
	case "array":
		return []any{sample(m["items"], all)}
	case "object":
		out := map[string]any{}
		named, _ := m["properties"].(map[string]any)
		required, _ := m["required"].([]any)
		for name, inner := range named {
			if all || slices.Contains(required, any(name)) {
				out[name] = sample(inner, all)
			}
		}
		return out
	default:
		return "anything"
	}
}

// sent is a tool's schema as it goes out.
func sent(t *testing.T, tools ...agent.Tool) []any {
	t.Helper()
	a := newAPI(t, turns(`{"text":"{}"}`))
	if _, err := a.model(t, nil).Next(t.Context(), agent.Conversation{Task: task, Tools: tools}); err != nil {
		t.Fatal(err)
	}
	out, _ := at(a.bodies[0], "tools", 0, "functionDeclarations").([]any)
	return out
}

// Every tool of the catalogue goes out in the subset that the API reads, and
// what a model sends under it is what the tool takes (C2).
func TestSchemasOfTools(t *testing.T) {
	t.Parallel()
	for i, f := range sent(t, catalogue()...) {
		tool := catalogue()[i]
		dialect := at(f, "parametersJsonSchema")
		if at(f, "name") != tool.Name || at(f, "description") != tool.Description || len(foreign(dialect)) > 0 {
			t.Errorf("%s goes out as %s; not read: %v", tool.Name, text(f), foreign(dialect))
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(tool.Schema, &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, all := range []bool{true, false} {
			if err := resolved.Validate(sample(dialect, all)); err != nil {
				t.Errorf("%s takes no %s: %v", tool.Name, text(sample(dialect, all)), err)
			}
		}
		if got, want := len(at(sample(dialect, true)).(map[string]any)), len(schema.Properties); got != want {
			t.Errorf("%s has %d arguments, of %d", tool.Name, got, want)
		}
	}
}

// Keywords that the API does not read are dropped, and names are no keywords.
func TestSchemaDialect(t *testing.T) {
	t.Parallel()
	schema := `{"$schema":"x","type":"object","default":{},"required":["a"],"properties":{
		"a":{"type":"string","pattern":"^x","minLength":1},"pattern":{"const":"b","examples":["b"]},
		"open":{"type":"object","properties":{},"description":"{x, y}"},
		"l":{"type":"array","uniqueItems":true,"items":{"anyOf":[{"type":"integer","exclusiveMinimum":0,"maximum":9},{"type":"null"}]}},
		"m":{"type":"object","additionalProperties":{"type":"string","maxLength":3}}}}`
	functions := sent(t, agent.Tool{Name: "odd", Schema: []byte(schema)})
	wants(t, "the dialect", at(functions, 0, "parametersJsonSchema"), `{"type":"object","required":["a"],"properties":{
		"a":{"type":"string"},"pattern":{"enum":["b"]},"open":{"type":"object","description":"{x, y}"},
		"l":{"type":"array","items":{"anyOf":[{"type":"integer","maximum":9},{"type":"null"}]}},
		"m":{"type":"object","additionalProperties":{"type":"string"}}}}`)
	if got := slices.Sorted(maps.Keys(functions[0].(map[string]any))); !slices.Equal(got, []string{"name", "parametersJsonSchema"}) {
		t.Errorf("a function has %v", got)
	}
}
