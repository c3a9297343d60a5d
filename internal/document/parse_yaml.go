package document

import (
	"errors"
	"math"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// notPlain refuses what turns one value into another, or into many.
const notPlain = "tags (!), anchors (&), aliases (*) and merges (<<) are not accepted; put the text in quotes if it is one"

// parseYAML reads the first document of a text. An empty document is a scalar that is null.
func parseYAML(data []byte) (Node, error) {
	parsed, err := parser.ParseBytes(data, 0)
	if err != nil {
		return Node{}, yamlError(err)
	}
	if len(parsed.Docs) == 0 || parsed.Docs[0].Body == nil {
		return Node{Line: 1, Null: true}, nil
	}
	return yamlNode(parsed.Docs[0].Body, 0)
}

func yamlError(err error) error {
	line, message := 1, err.Error()
	var ye yaml.Error
	if errors.As(err, &ye) && ye.GetToken() != nil {
		line, message = ye.GetToken().Position.Line, ye.GetMessage()
	}
	message, _, _ = strings.Cut(message, "\n")
	return &SyntaxError{Line: line, Message: message}
}

func lineOf(n ast.Node) int {
	if at := n.GetToken(); at != nil && at.Position != nil {
		return at.Position.Line
	}
	return 0
}

func yamlNode(v ast.Node, depth int) (Node, error) {
	n := Node{Line: lineOf(v)}
	if depth > MaxDepth {
		return n, tooDeep(n.Line, "")
	}
	switch v := v.(type) {
	case *ast.MappingNode:
		n.Kind = Table
		err := yamlFields(&n, v.Values, depth)
		return n, err
	case *ast.MappingValueNode:
		n.Kind = Table
		err := yamlFields(&n, []*ast.MappingValueNode{v}, depth)
		return n, err
	case *ast.SequenceNode:
		n.Kind = List
		for _, inside := range v.Values {
			item, err := yamlNode(inside, depth+1)
			if err != nil {
				return n, err
			}
			n.Items = append(n.Items, item)
		}
		return n, nil
	case *ast.StringNode:
		n.Value = v.Value
	case *ast.LiteralNode:
		n.Value = v.Value.Value
	case *ast.BoolNode:
		n.Value, n.Text = v.Value, v.GetToken().Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		n.Value, n.Text = yamlNumber(v), v.GetToken().Value
	case *ast.NullNode:
		n.Null = true
	default:
		return n, &SyntaxError{Line: n.Line, Message: notPlain}
	}
	return n, nil
}

func yamlFields(n *Node, pairs []*ast.MappingValueNode, depth int) error {
	for _, pair := range pairs {
		key, isText := pair.Key.(ast.ScalarNode)
		if !isText || pair.Key.Type() == ast.MergeKeyType {
			return &SyntaxError{Line: lineOf(pair.Key), Message: notPlain}
		}
		value, err := yamlNode(pair.Value, depth+1)
		if err != nil {
			return err
		}
		value.Line = lineOf(pair.Key) // where a reader looks for it
		n.Fields = append(n.Fields, Field{Name: key.GetToken().Value, Line: value.Line, Node: value})
	}
	return nil
}

// yamlNumber returns a number as the other formats have it.
func yamlNumber(v ast.Node) any {
	switch v := v.(type) {
	case *ast.IntegerNode:
		switch i := v.Value.(type) {
		case int64:
			return i
		case uint64:
			if i <= math.MaxInt64 {
				return int64(i)
			}
			return float64(i)
		}
	case *ast.FloatNode:
		return v.Value
	case *ast.InfinityNode:
		return v.Value
	}
	return math.NaN()
}
