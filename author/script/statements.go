package script

import (
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"
)

// block checks statements in a scope of their own. A return ends a function, and
// nothing else does.
func (c *checker) block(list []ast.Statement, returns bool) {
	c.hoist(list)
	for i, s := range list {
		if r, ok := s.(*ast.ReturnStatement); ok {
			if !returns || i < len(list)-1 {
				c.refuse(r.Return, "a return before the end leaves out what follows: a test takes one path")
			}
			if r.Argument != nil {
				c.expression(r.Argument)
			}
			continue
		}
		c.statement(s)
	}
}

// hoist enters the functions and the variables of a block before it is checked, as the
// language does.
func (c *checker) hoist(list []ast.Statement) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.FunctionDeclaration:
			if s.Function.Name != nil {
				c.declare(s.Function.Name, &binding{function: &function{}})
			}
		case *ast.LexicalDeclaration:
			for _, b := range s.List {
				c.declareTarget(b.Target, initial(b))
			}
			c.nameFunctions(s)
		}
	}
}

// nameFunctions records which variables are names of functions.
func (c *checker) nameFunctions(s *ast.LexicalDeclaration) {
	for _, b := range s.List {
		id, ok := b.Target.(*ast.Identifier)
		if !ok {
			continue
		}
		switch b.Initializer.(type) {
		case *ast.ArrowFunctionLiteral, *ast.FunctionLiteral:
			c.scope.names[id.Name.String()].function = &function{}
		}
	}
}

func initial(b *ast.Binding) []ast.Expression {
	if b.Initializer == nil {
		return nil
	}
	return []ast.Expression{b.Initializer}
}

func (c *checker) statement(s ast.Statement) {
	switch s := s.(type) {
	case *ast.EmptyStatement:
	case *ast.ExpressionStatement:
		c.used(s.Expression)
		c.expression(s.Expression)
	case *ast.BlockStatement:
		c.within(func() { c.block(s.List, false) })
	case *ast.LexicalDeclaration:
		c.declaration(s)
	case *ast.FunctionDeclaration:
		name := s.Function.Name
		if name == nil {
			c.refuse(s.Idx0(), "a function needs a name")
			return
		}
		c.functionLiteral(s.Function, c.functionNamed(name.Name.String()))
	case *ast.ForOfStatement:
		c.forOf(s)
	case *ast.VariableStatement:
		c.refuse(s.Var, "var is not accepted: use const or let")
	case *ast.IfStatement, *ast.SwitchStatement, *ast.TryStatement, *ast.WhileStatement, *ast.DoWhileStatement, *ast.ForStatement, *ast.ForInStatement, *ast.BranchStatement, *ast.ThrowStatement:
		c.refuse(s.Idx0(), "%s is not accepted: a test takes one path, and what fails in it fails", kind(s))
	default:
		c.refuse(s.Idx0(), "%s is not accepted in a test", kind(s))
	}
}

// used refuses a call that nothing awaits: what fails in it would fail no test.
func (c *checker) used(e ast.Expression) {
	call, ok := e.(*ast.CallExpression)
	if !ok {
		return
	}
	switch callee := call.Callee.(type) {
	case *ast.Identifier:
		if callee.Name.String() == "test" {
			return
		}
	case *ast.DotExpression:
		if _, ok := expectation(callee); ok || c.words.immediate[callee.Identifier.Name.String()] {
			return
		}
	}
	c.refuse(e.Idx0(), "nothing awaits this call, so what fails in it fails no test: write await before it")
}

// functionNamed returns the function that a name stands for; nil: another value.
func (c *checker) functionNamed(name string) *function {
	if b := c.scope.find(name); b != nil {
		return b.function
	}
	return nil
}

// declaration checks what variables begin with.
func (c *checker) declaration(s *ast.LexicalDeclaration) {
	for _, b := range s.List {
		c.defaults(b.Target)
		if b.Initializer == nil {
			continue
		}
		var named *function
		if id, ok := b.Target.(*ast.Identifier); ok {
			named = c.functionNamed(id.Name.String())
		}
		switch f := b.Initializer.(type) {
		case *ast.ArrowFunctionLiteral:
			c.arrow(f, named)
		case *ast.FunctionLiteral:
			c.functionLiteral(f, named)
		default:
			c.expression(b.Initializer)
		}
	}
}

// forOf checks a loop. One over values that are written down has at least one of them.
func (c *checker) forOf(s *ast.ForOfStatement) {
	c.expression(s.Source)
	array, written := s.Source.(*ast.ArrayLiteral)
	if written && len(array.Value) == 0 {
		c.refuse(s.For, "a loop over nothing looks at nothing")
	}
	into, ok := s.Into.(*ast.ForDeclaration)
	if !ok {
		c.refuse(s.For, "a loop needs a variable of its own: for (const name of …)")
		return
	}
	c.within(func() {
		var values []ast.Expression
		if written {
			values = array.Value
		}
		c.declareTarget(into.Target, values)
		c.defaults(into.Target)
		switch s.Body.(type) {
		case *ast.BlockStatement, *ast.ExpressionStatement, *ast.ForOfStatement:
			c.statement(s.Body)
		default:
			c.refuse(s.Body.Idx0(), "the body of a loop is a block or a call")
		}
	})
}

// defaults checks the values that patterns have for what is missing.
func (c *checker) defaults(target ast.Expression) {
	switch t := target.(type) {
	case *ast.ArrayPattern:
		for _, e := range t.Elements {
			c.defaults(e)
		}
	case *ast.ObjectPattern:
		for _, p := range t.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				if p.Initializer != nil {
					c.expression(p.Initializer)
				}
			case *ast.PropertyKeyed:
				c.defaults(p.Value)
			}
		}
	case *ast.AssignExpression:
		c.defaults(t.Left)
		c.expression(t.Right)
	}
}

func (c *checker) functionLiteral(f *ast.FunctionLiteral, named *function) {
	if f.Generator {
		c.refuse(f.Function, "generators are not accepted in a test")
	}
	c.functionBody(f.ParameterList, named, func() { c.block(f.Body.List, true) })
}

func (c *checker) arrow(f *ast.ArrowFunctionLiteral, named *function) {
	c.functionBody(f.ParameterList, named, func() {
		switch body := f.Body.(type) {
		case *ast.BlockStatement:
			c.block(body.List, true)
		case *ast.ExpressionBody:
			c.expression(body.Expression)
		default:
			c.refuse(f.Start, "%s is not accepted as the body of a function", kind(body))
		}
	})
}

// functionBody checks a function. What one without a name does counts for the one
// around it.
func (c *checker) functionBody(parameters *ast.ParameterList, named *function, check func()) {
	outer := c.function
	if named != nil {
		c.function = named
	}
	c.within(func() {
		for _, p := range parameters.List {
			c.declareTarget(p.Target, nil)
			c.defaults(p.Target)
			if p.Initializer != nil {
				c.expression(p.Initializer)
			}
		}
		if parameters.Rest != nil {
			c.declareTarget(parameters.Rest, nil)
		}
		c.within(check)
	})
	c.function = outer
}

// assignment checks that only variables of the file change.
func (c *checker) assignment(e *ast.AssignExpression) {
	id, ok := e.Left.(*ast.Identifier)
	if !ok {
		c.refuse(e.Idx0(), "only variables are assigned to: members stay as they are")
	} else if b := c.reference(id); b != nil {
		b.assigned = true
	}
	switch e.Operator {
	case token.ASSIGN, token.PLUS, token.MINUS, token.MULTIPLY:
	default:
		c.refuse(e.Idx0(), "the assignment %s= is not accepted", e.Operator)
	}
	c.expression(e.Right)
}
