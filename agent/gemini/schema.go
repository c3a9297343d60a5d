package gemini

import (
	"encoding/json"
	"fmt"
	"slices"
)

// keywords lists what the API reads of a JSON Schema (the doc comment of
// GenerationConfig.responseJsonSchema). It refuses some others.
func keywords() []string {
	return []string{"$anchor", "$defs", "$id", "$ref", "additionalProperties", "anyOf", "description", "enum", "format", "items", "maxItems",
		"maximum", "minItems", "minimum", "oneOf", "prefixItems", "properties", "propertyOrdering", "required", "title", "type"}
}

// dialect reduces a JSON Schema to the subset that the API reads. What it drops
// only narrowed values, and the tool itself checks those again.
func dialect(schema json.RawMessage) (map[string]any, error) {
	var v map[string]any
	if err := json.Unmarshal(schema, &v); err != nil {
		return nil, fmt.Errorf("gemini: a schema can't be read: %w", err)
	}
	return subset(v), nil
}

func subset(schema map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range schema {
		switch {
		case key == "const":
			out["enum"] = []any{v}
		case !slices.Contains(keywords(), key):
		case key == "properties" || key == "$defs":
			if named, ok := v.(map[string]any); ok && len(named) > 0 { // an object that is open has none
				out[key] = eachNamed(named)
			}
		default:
			out[key] = within(v)
		}
	}
	return out
}

// eachNamed reduces schemas under names, which are no keywords.
func eachNamed(schemas map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range schemas {
		out[name] = within(v)
	}
	return out
}

// within reduces a keyword's value: a schema, several, or neither.
func within(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return subset(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = within(v[i])
		}
		return out
	default:
		return v
	}
}
