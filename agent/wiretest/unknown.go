package wiretest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// unknown finds the names in v that none of the schemas that may apply has:
// providers answer 400 to those, although their schemas leave it open.
func (o *official) unknown(schemas []any, v any, at string) []string {
	flat := o.flatten(schemas, v, 0)
	var out []string
	switch v := v.(type) {
	case []any:
		var items []any
		for _, s := range flat {
			if i, ok := s["items"]; ok {
				items = append(items, i)
			}
		}
		for i, e := range v {
			out = append(out, o.unknown(items, e, at+"/"+strconv.Itoa(i))...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fields, open := field(flat, name)
			switch {
			case len(fields) > 0:
				out = append(out, o.unknown(fields, v[name], at+"/"+name)...)
			case !open:
				out = append(out, at+"/"+name)
			}
		}
	}
	return out
}

// field finds the schemas of a property, and whether an object may have any.
func field(flat []map[string]any, name string) (fields []any, open bool) {
	closed := false
	for _, s := range flat {
		properties, ok := s["properties"].(map[string]any)
		if f, found := properties[name]; found {
			fields = append(fields, f)
		}
		if more := s["additionalProperties"]; more != nil && more != false {
			open = true
		}
		closed = closed || ok
	}
	return fields, open || !closed
}

// flatten resolves references and alternatives. Alternatives of another type, by
// the field that tells them apart, are left out.
func (o *official) flatten(schemas []any, v any, depth int) []map[string]any {
	var out []map[string]any
	for _, schema := range schemas {
		s, ok := schema.(map[string]any)
		if !ok || depth > 30 || !o.meant(s, v) {
			continue
		}
		out = append(out, s)
		if ref, ok := s["$ref"].(string); ok {
			out = append(out, o.flatten([]any{o.schemas[strings.TrimPrefix(ref, schemaPrefix)]}, v, depth+1)...)
		}
		for _, key := range []string{"allOf", "anyOf"} {
			if list, ok := s[key].([]any); ok {
				out = append(out, o.flatten(list, v, depth+1)...)
			}
		}
	}
	return out
}

// meant reports whether a schema's type and role are those of the value.
func (o *official) meant(s map[string]any, v any) bool {
	object, ok := v.(map[string]any)
	properties, has := s["properties"].(map[string]any)
	if !ok || !has {
		return true
	}
	for _, name := range []string{"type", "role"} {
		tag, ok := properties[name].(map[string]any)
		if enum, has := tag["enum"].([]any); ok && has && object[name] != nil && !slices.Contains(enum, object[name]) {
			return false
		}
	}
	return true
}
