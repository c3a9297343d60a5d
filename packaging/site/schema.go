package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Schema is the part of JSON Schema that our tools use.
type Schema struct {
	Type        string     `json:"type"`
	Description string     `json:"description"`
	Enum        []string   `json:"enum"`
	Items       *Schema    `json:"items"`
	Required    []string   `json:"required"`
	Properties  Properties `json:"properties"`
}

// Property is a field of an object.
type Property struct {
	Name string
	Schema
}

// Properties keep the order in which the tool's Go type declares them.
type Properties []Property

// UnmarshalJSON reads an object, in its order.
func (p *Properties) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		next := Property{Name: fmt.Sprint(name)}
		if err := d.Decode(&next.Schema); err != nil {
			return err
		}
		*p = append(*p, next)
	}
	return nil
}

// ReadSchema reads a JSON Schema; nothing is the empty one.
func ReadSchema(raw []byte) (s Schema, err error) {
	if len(raw) > 0 {
		err = json.Unmarshal(raw, &s)
	}
	return s, err
}

// Property returns the schema of a field; nil: there is none of that name.
func (s Schema) Property(name string) *Schema {
	i := slices.IndexFunc(s.Properties, func(p Property) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Properties[i].Schema
}

func (s Schema) names() []string {
	var out []string
	for _, p := range s.Properties {
		out = append(out, "`"+p.Name+"`")
	}
	return out
}

// allNames are the names of the fields that an answer always has, and of the others.
func (s Schema) allNames() []string {
	var out []string
	for _, name := range s.Required {
		out = append(out, "`"+name+"`")
	}
	for _, name := range s.names() {
		if !slices.Contains(out, name) {
			out = append(out, name+" (sometimes)")
		}
	}
	return out
}

// kind is the type in words: its values, its fields, or what it is a list of.
func (s Schema) kind() string {
	switch {
	case len(s.Enum) > 0:
		return strings.Join(s.Enum, " · ")
	case s.Items != nil:
		return "list of " + s.Items.kind()
	case len(s.Properties) > 0:
		return "object {" + strings.Join(s.names(), ", ") + "}"
	default:
		return s.Type
	}
}
