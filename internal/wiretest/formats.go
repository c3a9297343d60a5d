package wiretest

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// formats are the rules of rules.json that no JSON Schema can say: what compares
// places of a document with each other, counts in it, or looks into pictures.
func formats() map[string]func(any) error {
	return map[string]func(any) error{
		"all-required":      func(v any) error { return required(v, true) },
		"known-required":    func(v any) error { return required(v, false) },
		"all-required-deep": requiredDeep,
		"ten-levels":        levels,
		"json-schema":       isSchema,
		"unique-names":      uniqueNames,
		"strict-budget":     strictBudget,
		"few-marks":         fewMarks,
		"alternating":       alternating,
		"edges":             edges,
		"picture":           isPicture,
		"picture-url":       isPictureURL,
	}
}

// required reports a property that an object schema requires without having it
// and, if all must be, one that it doesn't require.
func required(v any, all bool) error {
	s, _ := v.(jsonObject)
	properties, _ := s["properties"].(jsonObject)
	names := List(s["required"])
	for _, name := range names {
		if n, ok := name.(string); !ok || properties[n] == nil {
			return fmt.Errorf("it requires %v, which is no property", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if all && !slices.Contains(names, any(name)) {
			return fmt.Errorf("property %s is not required", name)
		}
	}
	return nil
}

// requiredDeep is Azure's rule, for strict tools and for others: every property
// of each object is required.
func requiredDeep(v any) error {
	for _, e := range List(v) {
		if err := requiredDeep(e); err != nil {
			return err
		}
	}
	s, _ := v.(jsonObject)
	properties, has := s["properties"].(jsonObject)
	if has {
		if err := required(v, true); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if err := requiredDeep(properties[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s)) {
		if key == "properties" && has {
			continue
		}
		if err := requiredDeep(s[key]); err != nil {
			return err
		}
	}
	return nil
}

// levels bounds OpenAI's strict schemas: ten levels, 5,000 properties.
func levels(v any) error {
	count := 0
	for s := range Objects(v) {
		properties, _ := s["properties"].(jsonObject)
		count += len(properties)
	}
	if depth(v) > 10 || count > 5000 {
		return fmt.Errorf("%d properties in more than ten levels: 5000 in ten are allowed", count)
	}
	return nil
}

// depth is how many objects of a schema lie within each other.
func depth(v any) int {
	most := 0
	for _, e := range List(v) {
		most = max(most, depth(e))
	}
	s, _ := v.(jsonObject)
	for _, e := range s {
		most = max(most, depth(e))
	}
	if properties, ok := s["properties"].(jsonObject); ok && properties["properties"] == nil {
		most++
	}
	return most
}

// isSchema reports what is no JSON Schema 2020-12.
func isSchema(v any) error {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	err := c.AddResource("urn:schema", v)
	if err == nil {
		_, err = c.Compile("urn:schema")
	}
	if err != nil {
		return fmt.Errorf("it is no JSON Schema 2020-12: %w", err)
	}
	return nil
}

// Functions returns the tools of a request, whatever the wire keeps around them.
func Functions(tools any) []map[string]any {
	var out []map[string]any
	for _, e := range List(tools) {
		t, _ := e.(jsonObject)
		if inner, ok := t["function"].(jsonObject); ok {
			t = inner
		}
		if inner, ok := t["functionDeclarations"]; ok {
			out = append(out, Functions(inner)...)
		}
		out = append(out, t)
	}
	return out
}

func uniqueNames(v any) error {
	var names []string
	for _, t := range Functions(v) {
		name, ok := t["name"].(string)
		if ok && slices.Contains(names, name) {
			return errors.New("two tools are called " + name)
		}
		names = append(names, name)
	}
	return nil
}

// strictBudget bounds strict mode over all tools ("Structured outputs" of
// Anthropic's documentation): 20 tools, 24 optional properties.
func strictBudget(v any) error {
	strict, optional := 0, 0
	for _, t := range Functions(v) {
		if t["strict"] == true {
			strict++
			optional += optionals(t["input_schema"])
		}
	}
	if strict > 20 || optional > 24 {
		return fmt.Errorf("%d strict tools with %d optional properties: 20 and 24 are allowed", strict, optional)
	}
	return nil
}

// optionals counts the properties that a schema doesn't require, at all levels.
func optionals(schema any) int {
	n := 0
	for s := range Objects(schema) {
		properties, _ := s["properties"].(jsonObject)
		n += max(0, len(properties)-len(List(s["required"])))
	}
	return n
}

// Objects yields each object in decoded JSON, but for what is under some names.
func Objects(v any, skip ...string) iter.Seq[jsonObject] {
	return func(yield func(jsonObject) bool) {
		var walk func(v any) bool
		walk = func(v any) bool {
			for _, e := range List(v) {
				if !walk(e) {
					return false
				}
			}
			o, ok := v.(jsonObject)
			if ok && !yield(o) {
				return false
			}
			for key, e := range o {
				if !slices.Contains(skip, key) && !walk(e) {
					return false
				}
			}
			return true
		}
		walk(v)
	}
}

// fewMarks bounds the cache breakpoints of a request. What tools take and were
// given is the user's, and has none.
func fewMarks(v any) error {
	n := 0
	for o := range Objects(v, "input", "input_schema") {
		if o["cache_control"] != nil {
			n++
		}
	}
	if n > 4 {
		return fmt.Errorf("%d cache breakpoints: 4 are allowed", n)
	}
	return nil
}

// alternating wants neighbours of different roles.
func alternating(v any) error {
	before := any(nil)
	for i, e := range List(v) {
		m, _ := e.(jsonObject)
		if i > 0 && m["role"] == before {
			return fmt.Errorf("/%d is the %v's, as the one before", i, before)
		}
		before = m["role"]
	}
	return nil
}
