package openai

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A schema here is a JSON Schema, decoded. The strict subset is that of
// https://developers.openai.com/api/docs/guides/structured-outputs: every
// property is required, none is allowed beside them, and what was optional may
// be null.
type schema = map[string]any

// strictWords lists the keywords that strict mode accepts. loosePlaces lists
// those that it could drop only by changing what is allowed, and the tool
// doesn't check that again for the model's sake: a schema with one of these is
// sent as it is.
const (
	strictWords = " type properties required additionalProperties items enum const anyOf $ref $defs description title pattern " +
		"multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems "
	loosePlaces = " oneOf allOf not if then else patternProperties propertyNames prefixItems contains dependentRequired dependentSchemas " +
		"unevaluatedProperties unevaluatedItems additionalItems "
)

// dialect puts the schema of a tool into the form that the provider takes, and
// reports whether it can hold a model to it. all makes every property required
// even where it can't.
func dialect(raw json.RawMessage, all bool) (s schema, strict bool, err error) {
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, false, err
	}
	if s == nil {
		s = schema{}
	}
	if s["properties"] == nil {
		s["type"], s["properties"] = "object", schema{} // no arguments
	}
	strict = closed(s, true)
	if strict || all {
		complete(s, strict)
	}
	return s, strict, nil
}

// closed reports whether a schema says all of what may be there. An object
// without properties may hold anything; only that of a tool without arguments
// is empty.
func closed(s schema, root bool) bool {
	for word := range s {
		if strings.Contains(loosePlaces, " "+word+" ") {
			return false
		}
	}
	if _, typed := s["type"]; !typed && s["anyOf"] == nil && s["$ref"] == nil && s["enum"] == nil && s["const"] == nil {
		return false
	}
	properties, _ := s["properties"].(schema)
	if more, ok := s["additionalProperties"]; ok && more != false {
		return false
	}
	if hasType(s, "object") && len(properties) == 0 && !root {
		return false
	}
	if hasType(s, "array") && s["items"] == nil {
		return false
	}
	return !slices.ContainsFunc(inside(s), func(in any) bool {
		sub, ok := in.(schema)
		return !ok || !closed(sub, false)
	})
}

// complete makes every property required, and those that were not nullable.
// With strict it also closes objects, and drops the keywords that strict mode
// refuses: what they bound is checked by the tool.
func complete(s schema, strict bool) {
	for _, in := range inside(s) {
		if sub, ok := in.(schema); ok {
			complete(sub, strict)
		}
	}
	if strict {
		maps.DeleteFunc(s, func(word string, _ any) bool { return !strings.Contains(strictWords, " "+word+" ") })
	}
	properties, ok := s["properties"].(schema)
	if !ok {
		return
	}
	for name, p := range properties {
		if p, ok := p.(schema); ok && !requires(s, name) {
			properties[name] = nullable(p)
		}
	}
	required := []any{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		required = append(required, name)
	}
	s["required"] = required
	if strict {
		s["additionalProperties"] = false
	}
}

// inside returns the schemas right within one.
func inside(s schema) []any {
	var out []any
	for _, word := range []string{"properties", "$defs"} {
		if m, ok := s[word].(schema); ok {
			out = slices.AppendSeq(out, maps.Values(m))
		}
	}
	if items, ok := s["items"]; ok {
		out = append(out, items)
	}
	if branches, ok := s["anyOf"].([]any); ok {
		out = append(out, branches...)
	}
	return out
}

func requires(s schema, name string) bool {
	required, _ := s["required"].([]any)
	return slices.Contains(required, any(name))
}

func hasType(s schema, name string) bool {
	switch t := s["type"].(type) {
	case string:
		return t == name
	case []any:
		return slices.Contains(t, any(name))
	}
	return false
}

// allowsNull reports whether a schema takes null.
func allowsNull(s schema) bool {
	if hasType(s, "null") {
		return true
	}
	branches, _ := s["anyOf"].([]any)
	return slices.ContainsFunc(branches, func(b any) bool {
		sub, ok := b.(schema)
		return ok && allowsNull(sub)
	})
}

// nullable returns the schema that also takes null.
func nullable(s schema) schema {
	if allowsNull(s) {
		return s
	}
	var types []any
	switch t := s["type"].(type) {
	case string:
		types = []any{t, "null"}
	case []any:
		types = append(slices.Clone(t), "null")
	}
	if types == nil || s["const"] != nil || s["anyOf"] != nil || s["$ref"] != nil {
		return schema{"anyOf": []any{s, schema{"type": "null"}}}
	}
	out := maps.Clone(s)
	out["type"] = types
	if values, ok := s["enum"].([]any); ok {
		out["enum"] = append(slices.Clone(values), nil)
	}
	return out
}

// withoutNulls takes out of a call's arguments the nulls that stand for what
// was optional in the tool's own schema. What can't be read comes back as it is.
func withoutNulls(arguments, raw json.RawMessage) json.RawMessage {
	var s schema
	var v any
	decoder := json.NewDecoder(strings.NewReader(string(arguments)))
	decoder.UseNumber() // long numbers stay what they are
	if !json.Valid(arguments) || json.Unmarshal(raw, &s) != nil || decoder.Decode(&v) != nil {
		return arguments
	}
	if !prune(v, s, s) {
		return arguments
	}
	out, err := json.Marshal(v)
	if err != nil {
		return arguments
	}
	return out
}

// prune deletes in place and reports whether it did.
func prune(v any, s, root schema) bool {
	if name, ok := s["$ref"].(string); ok {
		defs, _ := root["$defs"].(schema)
		target, ok := defs[strings.TrimPrefix(name, "#/$defs/")].(schema)
		return ok && prune(v, target, root)
	}
	changed := false
	branches, _ := s["anyOf"].([]any)
	for _, b := range branches {
		if sub, ok := b.(schema); ok {
			changed = prune(v, sub, root) || changed
		}
	}
	switch v := v.(type) {
	case map[string]any:
		properties, _ := s["properties"].(schema)
		for name, item := range v {
			p, known := properties[name].(schema)
			switch {
			case !known:
			case item == nil && !requires(s, name) && !allowsNull(p):
				delete(v, name)
				changed = true
			default:
				changed = prune(item, p, root) || changed
			}
		}
	case []any:
		items, _ := s["items"].(schema)
		for _, item := range v {
			changed = prune(item, items, root) || changed
		}
	}
	return changed
}
