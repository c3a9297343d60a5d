package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Listing says how an input schema is shown to clients. A path names a field within
// objects and lists of objects, such as options.viewport.
type Listing struct {
	Plain    []string            // inputs whose fields are listed without descriptions
	Unlisted []string            // paths that are left out and still accepted
	Enums    map[string][]string // values of the texts at these paths
}

// Forms holds schemas of inputs by name.
type Forms = map[string]*jsonschema.Schema

// Brief shortens an input schema to what clients are shown: every model pays for every
// byte of it in every conversation. What is left out still holds, and CheckArguments
// reports a breach: bounds, formats, that there are no other arguments. A map of names
// and values is a list of texts name=value there: some providers refuse an object
// without fields of its own. [FromLists] reads such a list.
func Brief(s *jsonschema.Schema, l Listing) *jsonschema.Schema {
	for _, path := range l.Unlisted {
		at := strings.LastIndexByte(path, '.')
		parent, name := s, path[at+1:]
		if at >= 0 {
			parent = field(s, path[:at])
		}
		field(parent, name) // panics where there is none
		delete(parent.Properties, name)
	}
	for path, values := range l.Enums {
		field(s, path).Enum = enum(values).Enum
	}
	for _, name := range l.Plain {
		if input := s.Properties[name]; input != nil {
			description := input.Description
			plain(input)
			input.Description = description
		}
	}
	slim(s)
	return s
}

// field returns the schema of the field at a path.
func field(s *jsonschema.Schema, path string) *jsonschema.Schema {
	for name := range strings.SplitSeq(path, ".") {
		next := s.Properties[name]
		if next == nil {
			panic(fmt.Sprintf("schema: there is no field %s", path))
		}
		for s = next; s.Type == "array"; {
			s = s.Items
		}
	}
	return s
}

// plain takes the descriptions of a schema and its insides away.
func plain(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.Description = ""
	for _, p := range s.Properties {
		plain(p)
	}
	plain(s.Items)
}

func slim(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if isMap(s) {
		listed(s)
	}
	s.AdditionalProperties, s.Minimum, s.Format = nil, nil, ""
	for _, p := range s.Properties {
		slim(p)
	}
	slim(s.Items)
}

// isMap reports whether a schema is of an object with names of the caller's own.
func isMap(s *jsonschema.Schema) bool {
	return s.Type == "object" && len(s.Properties) == 0 && s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil
}

// listed turns the schema of a map into the form that all providers take: a list of
// texts, or one JSON text where a value may be anything.
func listed(s *jsonschema.Schema) {
	if s.AdditionalProperties.Type == "" {
		*s = jsonschema.Schema{Type: "string", Description: s.Description}
		return
	}
	*s = jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: s.Description}
}

// EnvelopeSchema wraps the schema of a tool's data in the envelope's: every field of
// an answer, and those that no answer lacks. Of these it has the types of numbers and
// booleans; there is no room for more, and assay://schemas has those of the domain.
func EnvelopeSchema(data *jsonschema.Schema) (json.RawMessage, error) {
	brief := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, Required: data.Required}
	for name, p := range data.Properties {
		switch required := slices.Contains(data.Required, name); {
		case !required:
			brief.Properties[name] = &jsonschema.Schema{}
		case !slices.Contains([]string{"string", "array", "object"}, p.Type):
			brief.Properties[name] = &jsonschema.Schema{Type: p.Type}
		}
	}
	envelope, err := json.Marshal(&jsonschema.Schema{
		Type:       "object",
		Properties: map[string]*jsonschema.Schema{"ok": {Type: "boolean"}, "data": brief},
		Required:   []string{"ok"},
	})
	// Some clients refuse the schema true, which means the same as {}.
	return bytes.ReplaceAll(envelope, []byte(":true"), []byte(":{}")), err
}
