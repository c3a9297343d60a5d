package openai

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// strictMode is the subset of JSON Schema that strict mode accepts, as
// https://developers.openai.com/api/docs/guides/structured-outputs has it: every
// property is required, none is allowed beside them, and what was optional may
// be null. A schema with a word that is needed is sent as it is.
func strictMode() agent.Dialect {
	return agent.Dialect{
		Words: strings.Fields("type properties required additionalProperties items enum const anyOf $ref $defs description title pattern " +
			"multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems"),
		Needed: strings.Fields("oneOf allOf not if then else patternProperties propertyNames prefixItems contains dependentRequired dependentSchemas " +
			"unevaluatedProperties unevaluatedItems additionalItems"),
	}
}

// dialect puts the schema of a tool into the form that the provider takes, and
// reports whether it can hold a model to it. all makes every property required
// even where it can't.
func dialect(raw json.RawMessage, all bool) (s agent.Schema, strict bool, err error) {
	if s, err = agent.ReadSchema(raw); err != nil {
		return nil, false, err
	}
	if s == nil {
		s = agent.Schema{}
	}
	if s["properties"] == nil {
		s["type"], s["properties"] = "object", agent.Schema{} // no arguments
	}
	if strict = strictMode().Closed(s, true); strict {
		strictMode().Reduce(s)
	}
	if strict || all {
		agent.EachSchema(s, func(s agent.Schema) { complete(s, strict) })
	}
	return s, strict, nil
}

// complete makes every property required, and those that were not nullable.
// With strict it also closes objects.
func complete(s agent.Schema, strict bool) {
	properties, ok := s["properties"].(agent.Schema)
	if !ok {
		return
	}
	for name, p := range properties {
		if p, ok := p.(agent.Schema); ok && !requires(s, name) {
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

func requires(s agent.Schema, name string) bool {
	required, _ := s["required"].([]any)
	return slices.Contains(required, any(name))
}

// allowsNull reports whether a agent.Schema takes null.
func allowsNull(s agent.Schema) bool {
	if agent.HasType(s, "null") {
		return true
	}
	branches, _ := s["anyOf"].([]any)
	return slices.ContainsFunc(branches, func(b any) bool {
		sub, ok := b.(agent.Schema)
		return ok && allowsNull(sub)
	})
}

// nullable returns the schema that also takes null.
func nullable(s agent.Schema) agent.Schema {
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
		return agent.Schema{"anyOf": []any{s, agent.Schema{"type": "null"}}}
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
	var s agent.Schema
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
func prune(v any, s, root agent.Schema) bool {
	if name, ok := s["$ref"].(string); ok {
		defs, _ := root["$defs"].(agent.Schema)
		target, ok := defs[strings.TrimPrefix(name, "#/$defs/")].(agent.Schema)
		return ok && prune(v, target, root)
	}
	changed := false
	branches, _ := s["anyOf"].([]any)
	for _, b := range branches {
		if sub, ok := b.(agent.Schema); ok {
			changed = prune(v, sub, root) || changed
		}
	}
	switch v := v.(type) {
	case map[string]any:
		properties, _ := s["properties"].(agent.Schema)
		for name, item := range v {
			p, known := properties[name].(agent.Schema)
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
		items, _ := s["items"].(agent.Schema)
		for _, item := range v {
			changed = prune(item, items, root) || changed
		}
	}
	return changed
}
