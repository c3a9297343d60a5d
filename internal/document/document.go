// Package document reads TOML, JSON and YAML into one tree, in which every value knows
// its line, and fills Go values from it. It is strict: keys that nobody knows, values of
// another kind and keys that stand twice are problems with their lines, and with the key
// that was most likely meant.
package document

import (
	"errors"
	"fmt"
	"strings"
)

// MaxDepth bounds how deep tables and lists may stand in each other; it is deeper than
// any document of ours nests.
const MaxDepth = 12

// Node is a value of a document, with the line on which it stands.
type Node struct {
	Kind   Kind
	Line   int     // from 1; 0 where it is not known
	Fields []Field // of a table
	Items  []Node  // of a list
	Value  any     // of a scalar: string, int64, float64, bool or time.Time; nil for nothing
	Null   bool    // it was written as null
	Text   string  // of a number or a truth value of YAML: as it was written
}

// Field is a key of a table with its value.
type Field struct {
	Name string
	Line int
	Node
}

// Field returns the value of a key of a table.
func (n Node) Field(name string) (Node, bool) {
	for _, f := range n.Fields {
		if f.Name == name {
			return f.Node, true
		}
	}
	return Node{}, false
}

// Kind tells values, tables and lists apart.
type Kind int

// The kinds of nodes.
const (
	Scalar Kind = iota
	Table
	List
)

// Format is the language of a document.
type Format int

// The formats.
const (
	TOML Format = iota
	JSON
	YAML
)

// FormatOf returns the format of a file by the ending of its name: TOML where no other is told.
func FormatOf(name string) Format {
	switch {
	case strings.HasSuffix(name, ".json"):
		return JSON
	case strings.HasSuffix(name, ".yaml"), strings.HasSuffix(name, ".yml"):
		return YAML
	}
	return TOML
}

// SyntaxError says why a document can't be read. Its text does not name the line.
type SyntaxError struct {
	Line    int    // 0 where it is not known
	Key     string // the last key of a TOML document that was read before it
	Message string
}

func (e *SyntaxError) Error() string { return e.Message }

// LineOf returns the line that an error of [Parse] names; 0 for none.
func LineOf(err error) int {
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Line
	}
	return 0
}

// Parse reads a document. Its error is a [*SyntaxError]. The caller bounds how many bytes
// it reads.
func Parse(format Format, data []byte) (Node, error) {
	switch format {
	case JSON:
		return parseJSON(data)
	case YAML:
		return parseYAML(data)
	case TOML:
	}
	return parseTOML(data)
}

func tooDeep(line int, language string) error {
	return &SyntaxError{Line: line, Message: fmt.Sprintf("%sit is nested deeper than %d levels", language, MaxDepth)}
}
