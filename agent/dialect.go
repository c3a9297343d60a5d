package agent

import (
	"encoding/json"
	"maps"
	"slices"
)

// Schema is a JSON Schema, decoded.
type Schema = map[string]any

// Dialect says what a provider reads of a JSON Schema. What it drops only narrowed values,
// and the tool itself checks those again.
type Dialect struct {
	Words []string // the keywords that it reads
	// Needed lists, of the others, those that it could drop only by changing what is allowed; nil
	// means all: nothing may be dropped.
	Needed []string
	Typed  bool // each value says its type, and each object requires all that it has
}

// ReadSchema decodes a schema.
func ReadSchema(raw json.RawMessage) (s Schema, err error) {
	err = json.Unmarshal(raw, &s)
	return s, err
}

// SchemasIn returns the schemas right within one. Names of properties are no keywords.
func SchemasIn(s Schema) []any {
	var out []any
	for _, word := range []string{"properties", "$defs"} {
		if named, ok := s[word].(Schema); ok {
			out = slices.AppendSeq(out, maps.Values(named))
		}
	}
	for _, word := range []string{"items", "additionalProperties"} {
		if one, ok := s[word]; ok && one != false {
			out = append(out, one)
		}
	}
	for _, word := range []string{"anyOf", "oneOf", "prefixItems"} {
		if branches, ok := s[word].([]any); ok {
			out = append(out, branches...)
		}
	}
	return out
}

// EachSchema calls fn for the schemas within one, and then for it.
func EachSchema(s Schema, fn func(Schema)) {
	for _, in := range SchemasIn(s) {
		if sub, ok := in.(Schema); ok {
			EachSchema(sub, fn)
		}
	}
	fn(s)
}

// Reduce drops in place the keywords that the provider doesn't read.
func (d Dialect) Reduce(s Schema) {
	EachSchema(s, func(s Schema) {
		if only, ok := s["const"]; ok && !slices.Contains(d.Words, "const") {
			s["enum"] = []any{only}
		}
		maps.DeleteFunc(s, func(word string, _ any) bool { return !slices.Contains(d.Words, word) })
	})
}

// Closed reports whether a schema says all of what may be there, so that the provider can hold a
// model to it. An object without properties may hold anything; only that of a tool without
// arguments, the root, is empty.
func (d Dialect) Closed(s Schema, root bool) bool {
	for word := range s {
		if slices.Contains(d.Needed, word) || d.Needed == nil && !slices.Contains(d.Words, word) {
			return false
		}
	}
	if !slices.ContainsFunc(d.kinds(), func(word string) bool { return s[word] != nil }) {
		return false
	}
	properties, _ := s["properties"].(Schema)
	required, _ := s["required"].([]any)
	more, told := s["additionalProperties"]
	switch {
	case told && more != false,
		HasType(s, "object") && (len(properties) == 0 && !root || d.Typed && (!told || len(required) != len(properties))),
		HasType(s, "array") && s["items"] == nil:
		return false
	}
	return !slices.ContainsFunc(SchemasIn(s), func(in any) bool {
		sub, ok := in.(Schema)
		return !ok || !d.Closed(sub, false)
	})
}

// kinds returns the keywords of which a schema has one to say what its values are.
func (d Dialect) kinds() []string {
	if d.Typed {
		return []string{"type"}
	}
	return []string{"type", "anyOf", "$ref", "enum", "const"}
}

// HasType reports whether a schema takes values of a type.
func HasType(s Schema, name string) bool {
	if types, ok := s["type"].([]any); ok {
		return slices.Contains(types, any(name))
	}
	return s["type"] == name
}
