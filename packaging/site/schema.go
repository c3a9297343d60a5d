package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// schema is the part of JSON Schema that our tools use.
type schema struct {
	Type        string     `json:"type"`
	Description string     `json:"description"`
	Enum        []string   `json:"enum"`
	Items       *schema    `json:"items"`
	Required    []string   `json:"required"`
	Properties  properties `json:"properties"`
}

type property struct {
	name string
	schema
}

// properties keep the order in which the tool's Go type declares them.
type properties []property

func (p *properties) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		next := property{name: fmt.Sprint(name)}
		if err := d.Decode(&next.schema); err != nil {
			return err
		}
		*p = append(*p, next)
	}
	return nil
}

func readSchema(raw []byte) (s schema, err error) {
	if len(raw) > 0 {
		err = json.Unmarshal(raw, &s)
	}
	return s, err
}

func (s schema) property(name string) *schema {
	i := slices.IndexFunc(s.Properties, func(p property) bool { return p.name == name })
	if i < 0 {
		return nil
	}
	return &s.Properties[i].schema
}

func (s schema) names() []string {
	var out []string
	for _, p := range s.Properties {
		out = append(out, "`"+p.name+"`")
	}
	return out
}

// allNames are the names of the fields that an answer always has, and of the others.
func (s schema) allNames() []string {
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
func (s schema) kind() string {
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
