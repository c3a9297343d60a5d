package script

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// File is a test file that was read.
type File struct {
	Source  string
	Program *Node
}

// Node is a piece of a syntax tree, called as @babel/parser calls it, but for a name that
// is no variable, such as that of a member: its kind is Name. What a tree lacks is nil,
// and a nil node has nothing.
type Node struct {
	Role     string // in the node that it is a part of
	Kind     string
	From, To int               // bytes of the file
	Words    map[string]string // what is no node: a name, a value, an operator
	Parts    []*Node
}

func (n *Node) is(kinds ...string) bool { return n != nil && slices.Contains(kinds, n.Kind) }

func (n *Node) word(name string) string {
	if n == nil {
		return ""
	}
	return n.Words[name]
}

// name returns what a variable, a member or a private one is called; "": it is none.
func (n *Node) name() string {
	if !n.is("Identifier", "Name", "PrivateName") {
		return ""
	}
	return n.Words["name"]
}

// part returns the part that has a role.
func (n *Node) part(role string) *Node {
	if all := n.all(role); len(all) > 0 {
		return all[0]
	}
	return nil
}

// all returns the parts that have a role. A hole of a list is one, too.
func (n *Node) all(role string) (out []*Node) {
	if n == nil {
		return nil
	}
	for _, p := range n.Parts {
		if p.Role == role {
			out = append(out, p)
		}
	}
	return out
}

// walk calls visit for each node, until it says that what is below does not count.
func (n *Node) walk(visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, p := range n.Parts {
		p.walk(visit)
	}
}

// member returns the name behind the dot; "": it is no member, or a computed one.
func (n *Node) member() string {
	if !n.is("MemberExpression") {
		return ""
	}
	return n.part("property").name()
}

func (n *Node) function() bool {
	return n.is("ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration", "ObjectMethod", "ClassMethod", "ClassPrivateMethod")
}

// key returns the name of a property or a member of a class; ok: it is written down.
func (n *Node) key() (name string, ok bool) {
	switch key := n.part("key"); {
	case key.is("StringLiteral", "NumericLiteral"):
		return key.word("value"), true
	case key != nil:
		return key.name(), key.name() != ""
	}
	return "", false
}

// untyped returns an expression without what TypeScript puts around it.
func (n *Node) untyped() *Node {
	for n.is("TSNonNullExpression", "TSAsExpression", "TSSatisfiesExpression", "TSTypeAssertion", "TSInstantiationExpression") {
		n = n.part("expression")
	}
	return n
}

// described says what a node is, in the language's words.
func described(n *Node) string {
	name := n.Kind
	for _, end := range []string{"Expression", "Statement", "Literal", "Declaration"} {
		name = strings.TrimSuffix(name, end)
	}
	return strings.ToLower(name)
}

// Problem says what is wrong in a file, and where.
type Problem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func (p Problem) Error() string { return fmt.Sprintf("line %d:%d: %s", p.Line, p.Column, p.Message) }

func (f File) text(n *Node) string { return f.Source[n.From:n.To] }

func (f File) line(at int) int { return strings.Count(f.Source[:at], "\n") + 1 }

func (f File) problem(at int, message string) Problem {
	line := strings.LastIndexByte(f.Source[:at], '\n') + 1
	return Problem{Line: f.line(at), Column: utf8.RuneCountInString(f.Source[line:at]) + 1, Message: message}
}
