package wiretest

import (
	"fmt"
	"maps"
	"slices"
)

// strictWords are the keywords of OpenAI's strict mode ("Supported schemas" of
// its guide to structured outputs).
func strictWords() []string {
	return []string{"type", "description", "title", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs", "definitions",
		"pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"}
}

// strictFormats are the formats of strings in strict mode.
func strictFormats() []string {
	return []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
}

// strict finds where a schema breaks the rules of strict mode: an object at the
// root, every property required, nothing beside them, at each level, up to ten
// levels and 5,000 properties, and no keyword beyond the subset.
func strict(schema any) []string {
	root, ok := schema.(map[string]any)
	if !ok || root["type"] != "object" {
		return []string{"its root is no object"}
	}
	w := strictWalk{}
	w.schema(root, "", 1)
	if w.properties > 5000 {
		w.problem("", "%d properties: 5000 are allowed", w.properties)
	}
	return w.found
}

type strictWalk struct {
	properties int
	found      []string
}

func (w *strictWalk) problem(at, format string, args ...any) {
	w.found = append(w.found, "at "+at+"/: "+fmt.Sprintf(format, args...))
}

func (w *strictWalk) schema(v any, at string, depth int) {
	s, ok := v.(map[string]any)
	if !ok {
		w.problem(at, "a schema is %v and no object", v)
		return
	}
	for _, word := range slices.Sorted(maps.Keys(s)) {
		if !slices.Contains(strictWords(), word) {
			w.problem(at, "%s is not permitted", word)
		}
	}
	if f, ok := s["format"].(string); ok && !slices.Contains(strictFormats(), f) {
		w.problem(at, "format %s is not permitted", f)
	}
	if len(s) == 0 || s["type"] == nil && s["anyOf"] == nil && s["$ref"] == nil && s["enum"] == nil && s["const"] == nil {
		w.problem(at, "it has no type")
	}
	w.object(s, at, depth)
	if items, ok := s["items"]; ok {
		w.schema(items, at+"/items", depth)
	} else if typed(s, "array") {
		w.problem(at, "an array without items")
	}
	for _, key := range []string{"$defs", "definitions"} {
		named, _ := s[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(named)) {
			w.schema(named[name], at+"/"+key+"/"+name, depth)
		}
	}
	for _, alternative := range list(s["anyOf"]) {
		w.schema(alternative, at+"/anyOf", depth)
	}
}

func (w *strictWalk) object(s map[string]any, at string, depth int) {
	properties, has := s["properties"].(map[string]any)
	if !has && !typed(s, "object") {
		return
	}
	if depth > 10 {
		w.problem(at, "more than ten levels")
		return
	}
	if s["additionalProperties"] != false {
		w.problem(at, "additionalProperties is not false")
	}
	w.found = append(w.found, unrequired(s, at)...)
	w.properties += len(properties)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		w.schema(properties[name], at+"/"+name, depth+1)
	}
}

// unrequired finds the properties of an object that it doesn't require, and what
// it requires without having it.
func unrequired(s map[string]any, at string) []string {
	properties, _ := s["properties"].(map[string]any)
	required := list(s["required"])
	var out []string
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(required, any(name)) {
			out = append(out, fmt.Sprintf("at %s/: property %s is not required", at, name))
		}
	}
	for _, name := range required {
		if n, ok := name.(string); !ok || properties[n] == nil {
			out = append(out, fmt.Sprintf("at %s/: it requires %v, which is no property", at, name))
		}
	}
	return out
}

// allRequired is Azure's rule, for strict tools and for others: every property
// of each object is required.
func allRequired(v any, at string) []string {
	var out []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			out = append(out, allRequired(e, at)...)
		}
	case map[string]any:
		properties, _ := v["properties"].(map[string]any)
		if properties != nil {
			out = append(out, unrequired(v, at)...)
		}
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			out = append(out, allRequired(properties[name], at+"/"+name)...)
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if k != "properties" || properties == nil {
				out = append(out, allRequired(v[k], at)...)
			}
		}
	}
	return out
}

// typed reports whether a schema's type is, or may be, the given one.
func typed(s map[string]any, name string) bool {
	return s["type"] == name || slices.Contains(list(s["type"]), any(name))
}

// list is a JSON array; anything else is none.
func list(v any) []any {
	l, _ := v.([]any)
	return l
}
