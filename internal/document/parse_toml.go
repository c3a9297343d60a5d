package document

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// parseTOML reads values by one parser and places by another: the one that knows the
// values tells the lines of errors alone.
func parseTOML(data []byte) (Node, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	places := placesOf(data)
	if places.deep > 0 { // the other parser's memory grows with the square of the depth
		return Node{}, tooDeep(places.deep, "")
	}
	var tree map[string]any
	_, err := toml.Decode(string(data[:places.read]), &tree)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		return Node{}, &SyntaxError{Line: syntax.Position.Line, Key: syntax.LastKey, Message: "not valid TOML: " + syntax.Message}
	case err != nil:
		return Node{}, &SyntaxError{Message: err.Error()}
	case places.problem != "":
		return Node{}, &SyntaxError{Line: places.line, Message: "not valid TOML: " + places.problem}
	}
	return tomlNode(tree, places.root), nil
}

// tomlNode puts values and places together.
func tomlNode(data any, at *place) Node {
	if at == nil {
		at = &place{}
	}
	n := Node{Line: at.line}
	switch v := data.(type) {
	case map[string]any:
		n.Kind = Table
		for _, name := range slices.Sorted(maps.Keys(v)) {
			child := tomlNode(v[name], at.fields[name])
			n.Fields = append(n.Fields, Field{Name: name, Line: child.Line, Node: child})
		}
	case []map[string]any:
		n.Kind = List
		for i, item := range v {
			n.Items = append(n.Items, tomlNode(item, at.item(i)))
		}
	case []any:
		n.Kind = List
		for i, item := range v {
			n.Items = append(n.Items, tomlNode(item, at.item(i)))
		}
	case string, int64, float64, bool:
		n.Value = v
	case time.Time:
		n.Value = LocalTime{}
		if !strings.HasSuffix(v.Location().String(), "-local") { // the package's name for times without an offset
			n.Value = v
		}
	default:
	}
	return n
}

// LocalTime stands for a date or a time without an offset, which is another time on
// another machine.
type LocalTime struct{}
