package script

import (
	"regexp"
	"strings"

	"github.com/grafana/sobek/ast"

	"github.com/assay-qa/assay/internal/pattern"
)

// call checks a call: of test, of expect with its matcher, of a member, or of a
// function of the file.
func (c *checker) call(e *ast.CallExpression) {
	switch callee := e.Callee.(type) {
	case *ast.Identifier:
		c.callOfName(e, callee)
	case *ast.DotExpression:
		name := callee.Identifier.Name.String()
		if root, ok := expectation(callee); ok {
			c.matched(e, callee, root)
			return
		}
		if id, ok := callee.Left.(*ast.Identifier); ok && id.Name.String() == "expect" && !c.claimed[e] {
			c.refuse(e.Idx0(), "an expectation needs a matcher: await expect(locator).toHaveText('…')")
		}
		switch name {
		case "goto":
			c.address(e)
		case "use":
			c.settings(e)
		}
		c.dot(callee, true)
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		c.expression(callee)
	default:
		c.refuse(e.Idx0(), "a call of %s is not accepted: call a function by its name", kind(e.Callee))
		c.expression(e.Callee)
	}
	c.expressions(e.ArgumentList)
}

func (c *checker) callOfName(e *ast.CallExpression, callee *ast.Identifier) {
	b := c.reference(callee)
	switch callee.Name.String() {
	case "test":
		c.test(e)
	case "expect":
		if !c.claimed[e] {
			c.refuse(e.Idx0(), "an expectation needs a matcher: await expect(locator).toHaveText('…')")
		}
	default:
		if b != nil && b.function != nil {
			c.function.calls = append(c.function.calls, b.function)
		}
	}
}

// test checks that the body of a test reaches an expectation.
func (c *checker) test(e *ast.CallExpression) {
	c.tests++
	if len(e.ArgumentList) < 2 {
		c.refuse(e.Idx0(), "a test needs a title and a function")
		return
	}
	body := &function{}
	switch f := e.ArgumentList[len(e.ArgumentList)-1].(type) {
	case *ast.ArrowFunctionLiteral:
		c.arrow(f, body)
	case *ast.FunctionLiteral:
		c.functionLiteral(f, body)
	case *ast.Identifier:
		if b := c.scope.find(f.Name.String()); b != nil && b.function != nil {
			body = b.function
		}
	}
	c.after = append(c.after, func() {
		if !body.looks(map[*function]bool{}) {
			c.refuse(e.Idx0(), "the test expects nothing, so it can't fail")
		}
	})
	e.ArgumentList = e.ArgumentList[:len(e.ArgumentList)-1] // it is checked
}

// expectation returns the call of expect that a matcher belongs to.
func expectation(matcher *ast.DotExpression) (root *ast.CallExpression, ok bool) {
	left := matcher.Left
	if dot, isDot := left.(*ast.DotExpression); isDot && dot.Identifier.Name.String() == "not" {
		left = dot.Left
	}
	root, ok = left.(*ast.CallExpression)
	if !ok {
		return nil, false
	}
	switch callee := root.Callee.(type) {
	case *ast.Identifier:
		return root, callee.Name.String() == "expect"
	case *ast.DotExpression:
		id, isName := callee.Left.(*ast.Identifier)
		return root, isName && id.Name.String() == "expect"
	}
	return nil, false
}

// matched checks an expectation: a matcher on the list, awaited where it has to be, of
// something that can differ.
func (c *checker) matched(e *ast.CallExpression, matcher *ast.DotExpression, root *ast.CallExpression) {
	name := c.name(matcher.Identifier.Idx, matcher.Identifier.Name.String())
	wait, known := c.words.matchers[name]
	_, plain := root.Callee.(*ast.Identifier)
	switch {
	case !known:
		c.refuse(matcher.Identifier.Idx, "the matcher %s is not on the list of those that a test may use%s", name, instead(name))
	case (wait || !plain) && !c.awaited[e]:
		c.refuse(e.Idx0(), "nothing awaits this expectation, so it can't fail: write await before it")
	}
	c.function.expectations++
	c.claimed[root] = true
	c.expression(matcher.Left)
	c.expressions(e.ArgumentList)
	if len(root.ArgumentList) == 0 {
		c.refuse(root.Idx0(), "an expectation needs something to look at")
		return
	}
	seen := root.ArgumentList[0]
	scope := c.scope
	c.after = append(c.after, func() {
		if constant(seen, scope, 0) {
			c.refuse(root.Idx0(), "what is expected of a value that is written down can't fail")
		}
	})
	if len(e.ArgumentList) > 0 {
		wanted := e.ArgumentList[0]
		if c.file.Text(seen.Idx0(), seen.Idx1()) == c.file.Text(wanted.Idx0(), wanted.Idx1()) {
			c.refuse(wanted.Idx0(), "a value is compared with itself")
		}
		if name == "toHaveAttribute" { // the first one is the attribute's name
			wanted = e.ArgumentList[len(e.ArgumentList)-1]
		}
		if c.words.textMatchers[name] && emptyText(wanted) && !exactEmpty(name, wanted) {
			c.refuse(wanted.Idx0(), "this is found in every text: say what is expected")
		}
	}
	if name == "toMatchAriaSnapshot" && (len(e.ArgumentList) == 0 || !isText(e.ArgumentList[0])) {
		c.refuse(e.Idx0(), "toMatchAriaSnapshot needs its snapshot as a text: without one Playwright writes files")
	}
}

func isText(e ast.Expression) bool {
	switch e.(type) {
	case *ast.StringLiteral, *ast.TemplateLiteral:
		return true
	}
	return false
}

// exactEmpty reports matchers for which an empty text is something to expect.
func exactEmpty(matcher string, wanted ast.Expression) bool {
	_, text := wanted.(*ast.StringLiteral)
	switch matcher {
	case "toHaveText", "toHaveValue", "toHaveTitle", "toHaveClass", "toHaveAttribute", "toHaveAccessibleName", "toHaveAccessibleDescription":
		return text
	}
	return false
}

// emptyText reports whether every text has a text or matches a pattern.
func emptyText(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.StringLiteral:
		return strings.TrimSpace(e.Value.String()) == ""
	case *ast.TemplateLiteral:
		return len(e.Expressions) == 0 && len(e.Elements) == 1 && strings.TrimSpace(e.Elements[0].Parsed.String()) == ""
	}
	return emptyPattern(e)
}

// emptyPattern reports whether a pattern matches the empty text. One that Go can't read
// is taken for a good one.
func emptyPattern(e ast.Expression) bool {
	pattern, ok := e.(*ast.RegExpLiteral)
	if !ok {
		return false
	}
	compiled, err := regexp.Compile(pattern.Pattern)
	return err == nil && compiled.MatchString("")
}

// maxDepth bounds how far constants are followed through variables.
const maxDepth = 8

// constant reports whether a value is the same in every run, because it is written down.
func constant(e ast.Expression, s *scope, depth int) bool {
	all := func(list []ast.Expression) bool {
		for _, x := range list {
			if x != nil && !constant(x, s, depth+1) {
				return false
			}
		}
		return true
	}
	if depth > maxDepth {
		return false
	}
	switch e := e.(type) {
	case *ast.BooleanLiteral, *ast.NullLiteral, *ast.NumberLiteral, *ast.StringLiteral, *ast.RegExpLiteral:
		return true
	case *ast.ArrayLiteral:
		return all(e.Value)
	case *ast.ArrowFunctionLiteral:
		body, ok := e.Body.(*ast.ExpressionBody)
		return ok && constant(body.Expression, s, depth+1)
	case *ast.TemplateLiteral:
		return all(e.Expressions)
	case *ast.UnaryExpression:
		return constant(e.Operand, s, depth+1)
	case *ast.BinaryExpression:
		return all([]ast.Expression{e.Left, e.Right})
	case *ast.AwaitExpression:
		return constant(e.Argument, s, depth+1)
	case *ast.ObjectLiteral:
		for _, p := range e.Value {
			if keyed, ok := p.(*ast.PropertyKeyed); !ok || !constant(keyed.Value, s, depth+1) {
				return false
			}
		}
		return true
	case *ast.Identifier:
		b := s.find(e.Name.String())
		if b == nil {
			return true // a global
		}
		for _, v := range b.values {
			if list, ok := v.(*ast.ArrayLiteral); ok && len(list.Value) == 0 {
				return false // one that is filled later
			}
		}
		return !b.assigned && len(b.values) > 0 && all(b.values)
	}
	return false
}

// settings checks what test.use sets.
func (c *checker) settings(e *ast.CallExpression) {
	if len(e.ArgumentList) != 1 {
		c.refuse(e.Idx0(), "test.use takes one object")
		return
	}
	object, ok := e.ArgumentList[0].(*ast.ObjectLiteral)
	if !ok {
		c.refuse(e.Idx0(), "test.use takes an object that is written in place")
		return
	}
	for _, p := range object.Value {
		keyed, ok := p.(*ast.PropertyKeyed)
		name := ""
		if ok {
			name, _ = propertyName(keyed)
		}
		if !c.words.uses[name] {
			c.refuse(p.Idx0(), "test.use may set how the page is shown, and not %s: the configuration of the project does", c.file.Text(p.Idx0(), p.Idx0()+32))
		}
	}
}

// address checks what goto opens: a path of the site, or a web address.
func (c *checker) address(e *ast.CallExpression) {
	if len(e.ArgumentList) == 0 {
		return
	}
	target, scope := e.ArgumentList[0], c.scope
	c.after = append(c.after, func() {
		if !webAddress(target, scope, 0) {
			c.refuse(target.Idx0(), "goto takes a path such as '/login' or an http(s) address that is written down, at least its beginning")
		}
	})
}

// beginning is how addresses of the web and paths of a site begin.
var beginning = pattern.New(`^(?:https?://[^/]|/|\.{1,2}/|\?|#|about:blank$)`)

// webAddress reports whether an expression is an address that a page may be opened with.
func webAddress(e ast.Expression, s *scope, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch e := e.(type) {
	case *ast.StringLiteral:
		return beginning.MatchString(e.Value.String())
	case *ast.TemplateLiteral:
		if first := e.Elements[0].Parsed.String(); first != "" {
			return beginning.MatchString(first)
		}
		return len(e.Expressions) > 0 && webAddress(e.Expressions[0], s, depth+1)
	case *ast.BinaryExpression:
		return webAddress(e.Left, s, depth+1)
	case *ast.Identifier:
		b := s.find(e.Name.String())
		if b == nil || b.assigned {
			return false
		}
		for _, v := range b.values {
			if !webAddress(v, s, depth+1) {
				return false
			}
		}
		return len(b.values) > 0 || b.fixture == "baseURL"
	}
	return false
}
