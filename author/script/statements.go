package script

// block checks the statements of a block or of the body of a function. A return ends a
// function, and nothing else does.
func (c *checker) block(b *Node, returns bool) {
	c.hoist(b)
	list := b.all("body")
	for i, s := range list {
		if !s.is("ReturnStatement") {
			c.statement(s)
			continue
		}
		if !returns || i < len(list)-1 {
			c.refuse(s, "a return before the end leaves out what follows: a test takes one path")
		}
		c.expression(s.part("argument"))
	}
}

// hoist enters the functions and the variables of a block before it is checked, as the
// language does.
func (c *checker) hoist(b *Node) {
	for _, d := range b.all("directives") {
		c.refuse(d, "a directive is not accepted: modules are strict")
	}
	for _, s := range b.all("body") {
		if s.is("FunctionDeclaration") && s.part("id") != nil {
			c.declare(s.part("id"), &binding{function: &function{}})
		}
		for _, d := range s.all("declarations") {
			id, value := d.part("id"), d.part("init")
			var values []*Node
			if value != nil {
				values = []*Node{value}
			}
			c.declareTarget(id, values)
			if id.is("Identifier") && value.function() {
				c.scope.names[id.name()].function = &function{}
			}
		}
	}
}

func (c *checker) statement(s *Node) {
	switch s.Kind {
	case "EmptyStatement":
	case "ExpressionStatement":
		e := s.part("expression")
		c.used(e)
		c.expression(e)
	case "BlockStatement":
		c.within(func() { c.block(s, false) })
	case "VariableDeclaration":
		if kind := s.word("kind"); kind != "const" && kind != "let" {
			c.refuse(s, "%s is not accepted: use const or let", kind)
		}
		for _, d := range s.all("declarations") {
			c.defaults(d.part("id"))
			c.named(d.part("init"), d.part("id").name())
		}
	case "FunctionDeclaration":
		c.named(s, s.part("id").name())
	case "ForOfStatement":
		c.forOf(s)
	case "IfStatement", "SwitchStatement", "TryStatement", "WhileStatement", "DoWhileStatement", "ForStatement", "ForInStatement", "BreakStatement", "ContinueStatement", "ThrowStatement":
		c.refuse(s, "%s is not accepted: a test takes one path, and what fails in it fails", described(s))
	default:
		c.refuse(s, "%s is not accepted in a test", described(s))
	}
}

// used refuses a call that nothing awaits: what fails in it would fail no test.
func (c *checker) used(e *Node) {
	if !e.is("CallExpression") {
		return
	}
	callee := e.part("callee")
	if _, ok := expectation(callee); ok || callee.name() == "test" || c.words.immediate[callee.member()] {
		return
	}
	c.refuse(e, "nothing awaits this call, so what fails in it fails no test: write await before it")
}

// named checks a value that has a name; "": it has none.
func (c *checker) named(value *Node, name string) {
	if !value.function() {
		c.expression(value)
		return
	}
	var known *function
	if b := c.scope.find(name); b != nil {
		known = b.function
	}
	c.functionBody(value, known)
}

// forOf checks a loop. One over values that are written down has at least one of them.
func (c *checker) forOf(s *Node) {
	source, into := s.part("right"), s.part("left")
	c.expression(source)
	var values []*Node
	if source.is("ArrayExpression") {
		if values = source.all("elements"); len(values) == 0 {
			c.refuse(s, "a loop over nothing looks at nothing")
		}
	}
	if kind := into.word("kind"); !into.is("VariableDeclaration") || kind != "const" && kind != "let" {
		c.refuse(s, "a loop needs a variable of its own: for (const name of …)")
		return
	}
	c.within(func() {
		target := into.part("declarations").part("id")
		c.declareTarget(target, values)
		c.defaults(target)
		if body := s.part("body"); body.is("BlockStatement", "ExpressionStatement", "ForOfStatement") {
			c.statement(body)
		} else {
			c.refuse(body, "the body of a loop is a block or a call")
		}
	})
}

// defaults checks the values that patterns have for what is missing.
func (c *checker) defaults(t *Node) {
	switch {
	case t == nil || t.Role == "key" || t.Role == "computed":
	case t.is("AssignmentPattern"):
		c.defaults(t.part("left"))
		c.expression(t.part("right"))
	default:
		for _, p := range t.Parts {
			c.defaults(p)
		}
	}
}

// functionBody checks a function. What one without a name does counts for the one
// around it.
func (c *checker) functionBody(f *Node, named *function) {
	if f.word("generator") != "" {
		c.refuse(f, "generators are not accepted in a test")
	}
	outer := c.function
	if named != nil {
		c.function = named
	}
	c.within(func() {
		for _, p := range f.all("params") {
			c.declareTarget(p, nil)
			c.defaults(p)
		}
		c.within(func() {
			if body := f.part("body"); body.is("BlockStatement") {
				c.block(body, true)
			} else {
				c.expression(body)
			}
		})
	})
	c.function = outer
}

// assignment checks that only variables of the file change.
func (c *checker) assignment(e *Node) {
	c.changed(e.part("left"), "only variables are assigned to: members stay as they are")
	switch operator := e.word("operator"); operator {
	case "=", "+=", "-=", "*=":
	default:
		c.refuse(e, "the assignment %s is not accepted", operator)
	}
	c.expression(e.part("right"))
}

// changed notes that a variable is; why says what is refused of everything else.
func (c *checker) changed(target *Node, why string) {
	if !target.is("Identifier") {
		c.refuse(target, "%s", why)
	} else if b := c.reference(target); b != nil {
		b.assigned = true
	}
}
