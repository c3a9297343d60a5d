package script

import "strings"

// binding is a name that a file declares.
type binding struct {
	values   []*Node   // what it may stand for, as far as that is written down
	assigned bool      // later, to something else
	fixture  string    // the member that it was taken from
	function *function // that it names
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
func (c *checker) declare(id *Node, b *binding) {
	name := c.name(id)
	switch {
	case reserved()[name] || globals()[name]:
		c.refuse(id, "%s can't be the name of a variable here: call it otherwise", name)
	case c.scope.names[name] != nil:
		c.refuse(id, "%s is declared twice", name)
	}
	c.scope.names[name] = b
}

// declareTarget enters the names of a variable, a parameter or a pattern.
func (c *checker) declareTarget(t *Node, values []*Node) {
	switch {
	case t == nil || t.is("Hole"):
	case t.is("Identifier"):
		c.declare(t, &binding{values: values})
	case t.is("ArrayPattern"):
		for i, element := range t.all("elements") {
			c.declareTarget(element, elements(values, i))
		}
	case t.is("ObjectPattern"):
		for _, p := range t.all("properties") {
			c.declareField(p)
		}
	case t.is("AssignmentPattern"):
		c.declareTarget(t.part("left"), nil)
	case t.is("RestElement"):
		c.declareTarget(t.part("argument"), nil)
	default:
		c.refuse(t, "%s is not accepted in a pattern", described(t))
	}
}

func (c *checker) declareField(p *Node) {
	if p.is("RestElement") {
		c.refuse(p, "the rest of an object is not accepted: name its members")
		return
	}
	name, ok := p.key()
	if !ok {
		c.refuse(p, "a computed name in a pattern is not accepted: write the name itself")
	}
	if key := p.part("key"); key.is("Name") {
		c.name(key)
	}
	c.member(p, name)
	value := p.part("value")
	if p.word("shorthand") == "" {
		c.declareTarget(value, nil)
		return
	}
	if value.is("AssignmentPattern") {
		value = value.part("left")
	}
	c.declare(value, &binding{fixture: name})
}

// elements returns what stands at a place of arrays that are written down.
func elements(values []*Node, at int) []*Node {
	var out []*Node
	for _, v := range values {
		if list := v.all("elements"); v.is("ArrayExpression") && at < len(list) {
			out = append(out, list[at])
		} else {
			return nil
		}
	}
	return out
}

// name returns a name as it is written, and refuses one that is written in escapes.
func (c *checker) name(n *Node) string {
	name := n.name()
	if !strings.HasPrefix(c.file.Source[n.From:], name) {
		c.refuse(n, "the name %s is written with escapes: write it plainly", name)
	}
	for _, r := range name {
		if r > 127 {
			c.refuse(n, "the name %q has letters beyond ASCII", name)
			break
		}
	}
	return name
}
