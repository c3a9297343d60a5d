package text

import (
	"errors"
	"fmt"
	"strings"
	"text/template/parse"
)

// Fill fills in a text. Values are strings, booleans, lists of strings, and
// maps of values. A name without a value is an error, as is a value that is
// written and is no string.
func Fill(text string, values map[string]any) (string, error) {
	tree := parse.New("text")
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, "", "", map[string]*parse.Tree{}); err != nil {
		return "", err
	}
	var out strings.Builder
	e := execution{values: values, out: &out}
	if err := e.list(tree.Root, values); err != nil {
		return "", err
	}
	return out.String(), nil
}

type execution struct {
	values map[string]any // what $ stands for
	out    *strings.Builder
}

func (e execution) list(list *parse.ListNode, dot any) error {
	if list == nil {
		return nil
	}
	for _, n := range list.Nodes {
		if err := e.node(n, dot); err != nil {
			return err
		}
	}
	return nil
}

func (e execution) node(n parse.Node, dot any) error {
	switch n := n.(type) {
	case *parse.TextNode:
		e.out.Write(n.Text)
		return nil
	case *parse.ActionNode:
		v, err := e.value(n.Pipe, dot)
		if err != nil {
			return err
		}
		text, ok := v.(string)
		if !ok {
			return fmt.Errorf("%s is a %T: only strings are written", n, v)
		}
		e.out.WriteString(text)
		return nil
	case *parse.IfNode:
		return e.branch(&n.BranchNode, dot, func(any) any { return dot })
	case *parse.WithNode:
		return e.branch(&n.BranchNode, dot, func(v any) any { return v })
	case *parse.RangeNode:
		v, err := e.value(n.Pipe, dot)
		if err != nil {
			return err
		}
		all, ok := v.([]string)
		if !ok {
			return fmt.Errorf("%s is a %T: only lists of strings are ranged over", n.Pipe, v)
		}
		for _, one := range all {
			if err := e.list(n.List, one); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf("%s is not known here", n)
	}
}

// branch executes the first list, with within of the value as its dot, or the other one.
func (e execution) branch(n *parse.BranchNode, dot any, within func(any) any) error {
	v, err := e.value(n.Pipe, dot)
	if err != nil {
		return err
	}
	if isTrue(v) {
		return e.list(n.List, within(v))
	}
	return e.list(n.ElseList, dot)
}

func isTrue(v any) bool {
	switch v := v.(type) {
	case string:
		return v != ""
	case bool:
		return v
	case []string:
		return len(v) > 0
	default:
		return v != nil
	}
}

func (e execution) value(n parse.Node, dot any) (any, error) {
	switch n := n.(type) {
	case *parse.PipeNode:
		if len(n.Cmds) == 1 && len(n.Decl) == 0 {
			return e.command(n.Cmds[0].Args, dot)
		}
	case *parse.DotNode:
		return dot, nil
	case *parse.FieldNode:
		return field(dot, n.Ident)
	case *parse.VariableNode:
		if n.Ident[0] == "$" {
			return field(e.values, n.Ident[1:])
		}
	case *parse.StringNode:
		return n.Text, nil
	}
	return nil, fmt.Errorf("%s is not known here", n)
}

func field(v any, names []string) (any, error) {
	for _, name := range names {
		var found bool
		switch m := v.(type) {
		case map[string]any:
			v, found = m[name]
		case map[string]bool: // a set: what is not in it is false
			v, found = m[name], true
		}
		if !found {
			return nil, fmt.Errorf("there is no value %q", name)
		}
	}
	return v, nil
}

// command calls a function, or returns the value that stands alone.
func (e execution) command(args []parse.Node, dot any) (any, error) {
	function, ok := args[0].(*parse.IdentifierNode)
	if !ok {
		if len(args) > 1 {
			return nil, fmt.Errorf("%s takes no arguments", args[0])
		}
		return e.value(args[0], dot)
	}
	var values []any
	for _, a := range args[1:] {
		v, err := e.value(a, dot)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%s needs arguments", function)
	}
	return call(function.Ident, values)
}

func call(name string, values []any) (any, error) {
	switch last := values[len(values)-1]; name {
	case "not":
		return !isTrue(values[0]), nil
	case "and", "or":
		for _, v := range values {
			if isTrue(v) == (name == "or") {
				return v, nil
			}
		}
		return last, nil
	case "eq", "ne":
		a, isText := values[0].(string)
		b, alsoText := last.(string)
		if len(values) != 2 || !isText || !alsoText {
			return nil, errors.New(name + " compares two strings")
		}
		return (a == b) == (name == "eq"), nil
	default:
		return nil, fmt.Errorf("there is no function %q", name)
	}
}
