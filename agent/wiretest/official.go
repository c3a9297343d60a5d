package wiretest

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// official is a provider's own description of its messages.
type official struct {
	schemas  map[string]any // components/schemas that are reached
	compiled map[string]*jsonschema.Schema
}

const schemaPrefix = "#/components/schemas/"

// newOfficial reads an OpenAPI 3.1 description, whose schemas are JSON Schema
// 2020-12, and compiles the named ones with what they refer to.
func newOfficial(path string, names ...string) (*official, error) {
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return nil, fmt.Errorf("the official description: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var doc struct {
		Components struct{ Schemas map[string]json.RawMessage } // most are never reached
	}
	if err := json.NewDecoder(z).Decode(&doc); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	o := &official{schemas: map[string]any{}, compiled: map[string]*jsonschema.Schema{}}
	for _, name := range names {
		if err := o.reach(name, doc.Components.Schemas); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseRegexpEngine(ecma)
	const at = "urn:official"
	if err := c.AddResource(at, map[string]any{"components": map[string]any{"schemas": o.schemas}}); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, name := range names {
		if o.compiled[name], err = c.Compile(at + schemaPrefix + name); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, name, err)
		}
	}
	return o, nil
}

// ecma compiles a pattern of ECMAScript, as JSON Schema has them. Of what Go
// spells otherwise, the descriptions use escapes of four digits.
func ecma(pattern string) (jsonschema.Regexp, error) {
	return regexp.Compile(ecmaEscape.ReplaceAllString(pattern, `\x{$1}`))
}

var ecmaEscape = regexp.MustCompile(`\\u([0-9a-fA-F]{4})`)

// reach decodes a schema and all that it refers to.
func (o *official) reach(name string, all map[string]json.RawMessage) error {
	if _, ok := o.schemas[name]; ok || all[name] == nil { // the compiler says what is missing
		return nil
	}
	var v any
	if err := json.Unmarshal(all[name], &v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	o.schemas[name] = v
	for _, ref := range mend(name, v, nil) {
		if err := o.reach(ref, all); err != nil {
			return err
		}
	}
	return nil
}

// mend makes anyOf of each oneOf (the description's alternatives overlap, for
// example the two forms of a user's message), and a reference of the recursion
// that JSON Schema spelt differently before 2020-12. It adds what v refers to.
func mend(name string, v any, refs []string) []string {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			refs = mend(name, e, refs)
		}
	case map[string]any:
		if one, ok := v["oneOf"].([]any); ok && v["anyOf"] == nil {
			v["anyOf"] = one
			delete(v, "oneOf")
		}
		if v["$recursiveRef"] == "#" {
			v["$ref"] = schemaPrefix + name
			delete(v, "$recursiveRef")
		}
		if v["$recursiveAnchor"] == true {
			delete(v, "$recursiveAnchor")
		}
		if ref, ok := v["$ref"].(string); ok {
			refs = append(refs, strings.TrimPrefix(ref, schemaPrefix))
		}
		for _, e := range v {
			refs = mend(name, e, refs)
		}
	}
	return refs
}

// judge holds decoded JSON against a schema, and finds names that the schema
// doesn't have.
func (o *official) judge(name string, v any) []string {
	var out []string
	if err := o.compiled[name].Validate(v); err != nil {
		var invalid *jsonschema.ValidationError
		if !errors.As(err, &invalid) {
			return []string{err.Error()}
		}
		for _, leaf := range leaves(invalid) {
			out = append(out, fmt.Sprintf("not a %s: at /%s: %s", name, strings.Join(leaf.InstanceLocation, "/"), leaf.DetailedOutput().Error))
		}
	}
	for _, at := range o.unknown([]any{map[string]any{"$ref": schemaPrefix + name}}, v, "") {
		out = append(out, fmt.Sprintf("not a %s: %s is not a field of the description", name, at))
	}
	return out
}

// leaves are the causes of an error. Of alternatives that all failed, it follows
// the one that was meant: where the type is right, and least is wrong.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var out []*jsonschema.ValidationError
	if _, ok := e.ErrorKind.(*kind.AnyOf); !ok {
		for _, c := range e.Causes {
			out = append(out, leaves(c)...)
		}
		return out
	}
	depth := len(e.InstanceLocation)
	best := 1 << 30
	for _, c := range e.Causes {
		below := leaves(c)
		cost := len(below)
		for _, l := range below {
			if len(l.InstanceLocation) == depth { // the wrong JSON type, or properties missing
				cost += 10
			}
			if len(l.InstanceLocation) == depth+1 && slices.Contains([]string{"type", "role"}, l.InstanceLocation[depth]) {
				cost += 1000
			}
		}
		if cost < best {
			best, out = cost, below
		}
	}
	return out
}
