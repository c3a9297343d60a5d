package wiretest

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestStrict holds OpenAI's rules for strict schemas: each break of them is
// found, and nothing else is.
func TestStrict(t *testing.T) {
	inner := func(s string) string {
		return `{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":` + s + `}}`
	}
	deep := `{"type":"string"}`
	for range 10 {
		deep = inner(deep)
	}
	cases := []struct{ name, schema, words string }{
		{"a plain one", inner(`{"type":["string","null"],"enum":["x",null],"description":"d"}`), ""},
		{"nothing to say", `{"type":"object","additionalProperties":false,"properties":{},"required":[]}`, ""},
		{"a list of objects", inner(`{"type":"array","maxItems":20,"items":` + inner(`{"type":"integer","minimum":0}`) + `}`), ""},
		{"alternatives", inner(`{"anyOf":[{"type":"null"},` + inner(`{"const":1}`) + `]}`), ""},
		{"a reference", `{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":` + inner(`{"$ref":"#/$defs/n"}`) + `}}`, ""},
		{"ten levels", deep, ""},
		{"eleven levels", inner(deep), "more than ten levels"},
		{"no object at the root", `{"type":"array","items":{"type":"string"}}`, "no object"},
		{"nothing at all", `null`, "no object"},
		{"optional within alternatives", inner(`{"anyOf":[{"type":"object","additionalProperties":false,"properties":{"b":{"type":"string"}}}]}`), "at /a/anyOf/: property b is not required"},
		{"open within a list", inner(`{"type":"array","items":{"type":"object","required":["b"],"properties":{"b":{"type":"string"}}}}`), "at /a/items/: additionalProperties is not false"},
		{"open within a definition", `{"type":"object","additionalProperties":false,"required":[],"properties":{},"$defs":{"n":{"type":"object"}}}`, "at /$defs/n/: additionalProperties"},
		{"a map", inner(`{"type":"object","additionalProperties":{"type":"string"}}`), "additionalProperties is not false"},
		{"required and absent", `{"type":"object","additionalProperties":false,"required":["a"],"properties":{}}`, "it requires a, which is no property"},
		{"oneOf", inner(`{"oneOf":[{"type":"string"}]}`), "oneOf is not permitted"},
		{"a default", inner(`{"type":"string","default":"x"}`), "default is not permitted"},
		{"a format", inner(`{"type":"string","format":"uri"}`), "format uri is not permitted"},
		{"anything", inner(`{}`), "it has no type"},
		{"true", inner(`true`), "no object"},
		{"an array of anything", inner(`{"type":"array"}`), "an array without items"},
	}
	for _, c := range cases {
		var v any
		if err := json.Unmarshal([]byte(c.schema), &v); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := strings.Join(strict(v), "; ")
		if c.words == "" && got != "" || !strings.Contains(got, c.words) {
			t.Errorf("%s: %q, want %q", c.name, got, c.words)
		}
	}
}

// TestAllRequired holds Azure's rule, which reaches into lists and alternatives.
func TestAllRequired(t *testing.T) {
	for schema, words := range map[string]string{
		`{"type":"object","required":["properties"],"properties":{"properties":{"type":"string"}}}`:                                "",
		`{"type":"object","properties":{"a":{"type":"string"}}}`:                                                                   "at /: property a is not required",
		`{"type":"object","required":["a"],"properties":{"a":{"type":"array","items":{"properties":{"b":{"type":"string"}}}}}}`:    "at /a/: property b is not required",
		`{"type":"object","required":["a"],"properties":{"a":{"anyOf":[{"type":"null"},{"properties":{"c":{"type":"string"}}}]}}}`: "property c is not required",
	} {
		var v any
		if err := json.Unmarshal([]byte(schema), &v); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(allRequired(v, ""), "; "); words == "" && got != "" || !strings.Contains(got, words) {
			t.Errorf("%s: %q, want %q", schema, got, words)
		}
	}
}
