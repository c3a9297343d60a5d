package schema

import (
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// Brief shortens an input schema to what clients are shown: every model pays
// for every byte of it in every conversation. What is left out still holds,
// and CheckArguments reports a breach: bounds, formats, that there are no
// other arguments, the inside of the named inputs, which their descriptions
// summarise, and the inputs that are not listed.
func Brief(s *jsonschema.Schema, insides, unlisted []string) *jsonschema.Schema {
	for _, name := range insides {
		Loosen(s.Properties[name])
	}
	for _, name := range unlisted {
		delete(s.Properties, name)
	}
	slim(s)
	return s
}

func slim(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.AdditionalProperties, s.Minimum, s.Format = nil, nil, ""
	for _, p := range s.Properties {
		slim(p)
	}
	slim(s.Items)
}

// EnvelopeSchema wraps the schema of a tool's data in the envelope's. It is
// terse: clients validate with it, and models pay for every byte. Error and
// screenshot are the same in every answer.
func EnvelopeSchema(data *jsonschema.Schema, fields []string) *jsonschema.Schema {
	if len(fields) > 0 {
		for name := range data.Properties {
			if !slices.Contains(fields, name) {
				delete(data.Properties, name)
			}
		}
	}
	terse(data)
	return &jsonschema.Schema{
		Type:       "object",
		Properties: map[string]*jsonschema.Schema{"ok": {Type: "boolean"}, "data": data},
	}
}

// terse drops from an output schema what only a writer of arguments needs, and
// the inside of lists and objects; assay://schemas has those of the domain.
func terse(s *jsonschema.Schema) {
	s.Description, s.AdditionalProperties, s.Required, s.Format, s.Items = "", nil, nil, "", nil
	for _, p := range s.Properties {
		terse(p)
		if p.Type == "object" {
			p.Properties = map[string]*jsonschema.Schema{}
		}
	}
}
