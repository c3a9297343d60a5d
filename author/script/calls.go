package script

import (
	"regexp"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// call checks a call: of test, of expect with its matcher, of a member, or of a
// function of the file.
func (c *checker) call(e *Node) {
	callee, args := e.part("callee"), e.all("arguments")
	switch {
	case callee.is("Identifier"):
		args = c.callOfName(e, callee)
	case callee.member() != "":
		if root, ok := expectation(callee); ok {
			c.matched(e, callee, root)
			return
		}
		if callee.part("object").name() == "expect" && !c.claimed[e] {
			c.refuse(e, "an expectation needs a matcher: await expect(locator).toHaveText('…')")
		}
		switch callee.member() {
		case "goto":
			c.address(e)
		case "use":
			c.settings(e)
		}
		c.memberOf(callee, true)
	case callee.function():
		c.expression(callee)
	case callee.is("Import"):
		c.refuse(e, "import() is not accepted: only import { expect, test } from '@playwright/test' is")
	default:
		c.refuse(e, "a call of %s is not accepted: call a function by its name", described(callee))
		c.expression(callee)
	}
	c.expressions(args)
}

// callOfName checks the call of a variable, and returns the arguments that are left.
func (c *checker) callOfName(e, callee *Node) []*Node {
	b := c.reference(callee)
	switch callee.name() {
	case "test":
		return c.test(e)
	case "expect":
		if !c.claimed[e] {
			c.refuse(e, "an expectation needs a matcher: await expect(locator).toHaveText('…')")
		}
	default:
		if b != nil && b.function != nil {
			c.function.calls = append(c.function.calls, b.function)
		}
	}
	return e.all("arguments")
}

// test checks that the body of a test reaches an expectation. It returns the arguments
// before the body.
func (c *checker) test(e *Node) []*Node {
	c.tests++
	args := e.all("arguments")
	if len(args) < 2 {
		c.refuse(e, "a test needs a title and a function")
		return args
	}
	body := &function{}
	switch f := args[len(args)-1]; {
	case f.function():
		c.functionBody(f, body)
	case f.is("Identifier"):
		if b := c.scope.find(f.name()); b != nil && b.function != nil {
			body = b.function
		}
	}
	c.after = append(c.after, func() {
		if !body.looks(map[*function]bool{}) {
			c.refuse(e, "the test expects nothing, so it can't fail")
		}
	})
	return args[:len(args)-1]
}

// expectation returns the call of expect that a matcher belongs to.
func expectation(matcher *Node) (root *Node, ok bool) {
	if matcher.member() == "" {
		return nil, false
	}
	root = matcher.part("object")
	if root.member() == "not" {
		root = root.part("object")
	}
	if !root.is("CallExpression") {
		return nil, false
	}
	callee := root.part("callee")
	if callee.member() != "" {
		callee = callee.part("object")
	}
	return root, callee.is("Identifier") && callee.name() == "expect"
}

// matched checks an expectation: a matcher on the list, awaited where it has to be, of
// something that can differ.
func (c *checker) matched(e, matcher, root *Node) {
	at := matcher.part("property")
	name := c.name(at)
	wait, known := c.words.matchers[name]
	switch {
	case !known:
		c.refuse(at, "the matcher %s is not on the list of those that a test may use%s", name, instead(name))
	case (wait || !root.part("callee").is("Identifier")) && !c.awaited[e]:
		c.refuse(e, "nothing awaits this expectation, so it can't fail: write await before it")
	}
	c.function.expectations++
	c.claimed[root] = true
	c.expression(matcher.part("object"))
	args := e.all("arguments")
	c.expressions(args)
	seen := root.part("arguments")
	if seen == nil {
		c.refuse(root, "an expectation needs something to look at")
		return
	}
	scope := c.scope
	c.after = append(c.after, func() {
		if constant(seen, scope, 0) {
			c.refuse(root, "what is expected of a value that is written down can't fail")
		}
	})
	if len(args) > 0 {
		wanted := args[0]
		if c.file.text(seen) == c.file.text(wanted) {
			c.refuse(wanted, "a value is compared with itself")
		}
		if name == "toHaveAttribute" { // the first one is the attribute's name
			wanted = args[len(args)-1]
		}
		if c.words.textMatchers[name] && emptyText(wanted) && !exactEmpty(name, wanted) {
			c.refuse(wanted, "this is found in every text: say what is expected")
		}
	}
	if name == "toMatchAriaSnapshot" && !e.part("arguments").is("StringLiteral", "TemplateLiteral") {
		c.refuse(e, "toMatchAriaSnapshot needs its snapshot as a text: without one Playwright writes files")
	}
}

// exactEmpty reports matchers for which an empty text is something to expect.
func exactEmpty(matcher string, wanted *Node) bool {
	switch matcher {
	case "toHaveText", "toHaveValue", "toHaveTitle", "toHaveClass", "toHaveAttribute", "toHaveAccessibleName", "toHaveAccessibleDescription":
		return wanted.is("StringLiteral")
	}
	return false
}

// emptyText reports whether every text has a text or matches a pattern. A pattern that Go
// can't read is taken for a good one.
func emptyText(e *Node) bool {
	if text, ok := plainText(e); ok {
		return strings.TrimSpace(text) == ""
	}
	if !e.is("RegExpLiteral") {
		return false
	}
	compiled, err := regexp.Compile(e.word("pattern"))
	return err == nil && compiled.MatchString("")
}

// plainText returns a text that is written down.
func plainText(e *Node) (string, bool) {
	if e.is("TemplateLiteral") {
		return e.part("quasis").word("value"), e.part("expressions") == nil
	}
	return e.word("value"), e.is("StringLiteral")
}

// maxDepth bounds how far constants are followed through variables.
const maxDepth = 8

// constant reports whether a value is the same in every run, because it is written down.
func constant(e *Node, s *scope, depth int) bool {
	all := func(list []*Node) bool {
		for _, x := range list {
			if !constant(x, s, depth+1) {
				return false
			}
		}
		return true
	}
	if depth > maxDepth {
		return false
	}
	switch e.Kind {
	case "Hole", "BooleanLiteral", "NullLiteral", "NumericLiteral", "BigIntLiteral", "StringLiteral", "RegExpLiteral":
		return true
	case "ArrayExpression", "UnaryExpression", "BinaryExpression", "AwaitExpression":
		return all(e.Parts)
	case "TemplateLiteral":
		return all(e.all("expressions"))
	case "ArrowFunctionExpression":
		return constant(e.part("body"), s, depth+1)
	case "ObjectExpression":
		for _, p := range e.all("properties") {
			if !p.is("ObjectProperty") || p.word("shorthand") != "" || !constant(p.part("value"), s, depth+1) {
				return false
			}
		}
		return true
	case "Identifier":
		b := s.find(e.name())
		if b == nil {
			return true // a global
		}
		for _, v := range b.values {
			if v.is("ArrayExpression") && len(v.Parts) == 0 {
				return false // one that is filled later
			}
		}
		return !b.assigned && len(b.values) > 0 && all(b.values)
	}
	return false
}

// settings checks what test.use sets.
func (c *checker) settings(e *Node) {
	args := e.all("arguments")
	if len(args) != 1 {
		c.refuse(e, "test.use takes one object")
		return
	}
	if !args[0].is("ObjectExpression") {
		c.refuse(e, "test.use takes an object that is written in place")
		return
	}
	for _, p := range args[0].all("properties") {
		if name, _ := p.key(); !p.is("ObjectProperty") || p.word("shorthand") != "" || !c.words.uses[name] {
			text := c.file.text(p)
			c.refuse(p, "test.use may set how the page is shown, and not %s: the configuration of the project does", text[:min(len(text), 32)])
		}
	}
}

// address checks what goto opens: a path of the site, or a web address.
func (c *checker) address(e *Node) {
	target, scope := e.part("arguments"), c.scope
	if target == nil {
		return
	}
	c.after = append(c.after, func() {
		if !webAddress(target, scope, 0) {
			c.refuse(target, "goto takes a path such as '/login' or an http(s) address that is written down, at least its beginning")
		}
	})
}

// beginning is how addresses of the web and paths of a site begin.
var beginning = pattern.New(`^(?:https?://[^/]|/|\.{1,2}/|\?|#|about:blank$)`)

// webAddress reports whether an expression is an address that a page may be opened with.
func webAddress(e *Node, s *scope, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch e.Kind {
	case "StringLiteral":
		return beginning.MatchString(e.word("value"))
	case "TemplateLiteral":
		if first := e.part("quasis").word("value"); first != "" {
			return beginning.MatchString(first)
		}
		first := e.part("expressions")
		return first != nil && webAddress(first, s, depth+1)
	case "BinaryExpression":
		return webAddress(e.part("left"), s, depth+1)
	case "Identifier":
		b := s.find(e.name())
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
