package flow

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// parseTOML reads a TOML document into a node. line tells where it is wrong.
func parseTOML(data []byte) (n node, line int, err error) {
	if line := tooDeep(data); line > 0 {
		return node{}, line, fmt.Errorf("it is nested deeper than %d levels", maxDepth)
	}
	var tree map[string]any
	if _, err := toml.Decode(string(data), &tree); err != nil {
		var syntax toml.ParseError
		if errors.As(err, &syntax) {
			return node{}, syntax.Position.Line, fmt.Errorf("not valid TOML: %s", syntax.Message)
		}
		return node{}, 0, err
	}
	return tomlNode(tree, "", tomlLines(data)), 0, nil
}

// tomlNode turns decoded data into nodes, with the lines that were found for
// each path.
func tomlNode(data any, path string, lines map[string]int) node {
	n := node{line: lines[path]}
	switch v := data.(type) {
	case map[string]any:
		n.kind = table
		for _, name := range slices.Sorted(maps.Keys(v)) {
			at := name
			if path != "" {
				at = path + "." + name
			}
			child := tomlNode(v[name], at, lines)
			n.fields = append(n.fields, field{name: name, line: child.line, node: child})
		}
	case []map[string]any:
		n.kind = list
		for i, item := range v {
			n.items = append(n.items, tomlNode(item, fmt.Sprintf("%s[%d]", path, i), lines))
		}
	case []any:
		n.kind = list
		for i, item := range v {
			n.items = append(n.items, tomlNode(item, fmt.Sprintf("%s[%d]", path, i), lines))
		}
	case string, int64, float64, bool:
		n.value = v
	case time.Time:
		if !strings.HasSuffix(v.Location().String(), "-local") { // the package's name for times without an offset
			n.value = v
		}
	default:
	}
	return n
}
