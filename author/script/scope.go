package script

import (
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
)

// binding is a name that a file declares.
type binding struct {
	values   []ast.Expression // what it may stand for, as far as that is written down
	assigned bool             // later, to something else
	fixture  string           // the member that it was taken from
	function *function        // that it names
}

// function counts what makes a test one.
type function struct {
	expectations int
	calls        []*function
}

// looks reports whether an expectation is reached from a function.
func (f *function) looks(seen map[*function]bool) bool {
	if f.expectations > 0 {
		return true
	}
	seen[f] = true
	for _, called := range f.calls {
		if !seen[called] && called.looks(seen) {
			return true
		}
	}
	return false
}

// scope holds the names of a block, within those around it.
type scope struct {
	outer *scope
	names map[string]*binding
}

func (s *scope) find(name string) *binding {
	for ; s != nil; s = s.outer {
		if b := s.names[name]; b != nil {
			return b
		}
	}
	return nil
}

// within checks something in a new scope.
func (c *checker) within(check func()) {
	c.scope = &scope{outer: c.scope, names: map[string]*binding{}}
	check()
	c.scope = c.scope.outer
}

// declare enters a name into the current scope.
func (c *checker) declare(id *ast.Identifier, b *binding) {
	name := c.name(id.Idx, id.Name.String())
	switch {
	case reserved()[name] || globals()[name]:
		c.refuse(id.Idx, "%s can't be the name of a variable here: call it otherwise", name)
	case c.scope.names[name] != nil:
		c.refuse(id.Idx, "%s is declared twice", name)
	}
	c.scope.names[name] = b
}

// declareTarget enters the names of a variable, a parameter or a pattern.
func (c *checker) declareTarget(target ast.Expression, values []ast.Expression) {
	switch t := target.(type) {
	case nil:
	case *ast.Identifier:
		c.declare(t, &binding{values: values})
	case *ast.ArrayPattern:
		for i, element := range t.Elements {
			c.declareTarget(element, elements(values, i))
		}
		if t.Rest != nil {
			c.declareTarget(t.Rest, nil)
		}
	case *ast.ObjectPattern:
		c.declareFields(t)
	case *ast.AssignExpression: // a default
		c.declareTarget(t.Left, nil)
	case *ast.Binding:
		c.declareTarget(t.Target, nil)
	default:
		c.refuse(target.Idx0(), "%s is not accepted in a pattern", kind(target))
	}
}

func (c *checker) declareFields(t *ast.ObjectPattern) {
	if t.Rest != nil {
		c.refuse(t.Rest.Idx0(), "the rest of an object is not accepted: name its members")
	}
	for _, p := range t.Properties {
		switch p := p.(type) {
		case *ast.PropertyShort:
			c.member(p.Name.Idx, c.name(p.Name.Idx, p.Name.Name.String()))
			c.declare(&p.Name, &binding{fixture: p.Name.Name.String()})
		case *ast.PropertyKeyed:
			name, ok := propertyName(p)
			if !ok {
				c.refuse(p.Key.Idx0(), "a computed name in a pattern is not accepted: write the name itself")
			}
			c.member(p.Key.Idx0(), name)
			c.declareTarget(p.Value, nil)
		default:
			c.refuse(p.Idx0(), "%s is not accepted in a pattern", kind(p))
		}
	}
}

// elements returns what stands at a place of arrays that are written down.
func elements(values []ast.Expression, at int) []ast.Expression {
	var out []ast.Expression
	for _, v := range values {
		array, ok := v.(*ast.ArrayLiteral)
		if !ok || at >= len(array.Value) {
			return nil
		}
		out = append(out, array.Value[at])
	}
	return out
}

// propertyName returns the name of a property that is written down.
func propertyName(p *ast.PropertyKeyed) (name string, ok bool) {
	switch key := p.Key.(type) {
	case *ast.StringLiteral: // the parser keeps plain names as texts
		return key.Value.String(), !p.Computed
	case *ast.NumberLiteral:
		return key.Literal, !p.Computed
	}
	return "", false
}

// name returns a name as it is written, and refuses one that is written in escapes.
func (c *checker) name(at file.Idx, name string) string {
	if offset := c.file.Offset(at); len(c.file.Source) < offset+len(name) || c.file.Source[offset:offset+len(name)] != name {
		c.refuse(at, "the name %s is written with escapes: write it plainly", name)
	}
	for _, r := range name {
		if r > 127 {
			c.refuse(at, "the name %q has letters beyond ASCII", name)
			break
		}
	}
	return name
}
