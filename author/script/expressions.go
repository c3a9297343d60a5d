package script

import (
	"slices"
	"strconv"
	"strings"
)

func (c *checker) expression(e *Node) {
	if e == nil {
		return
	}
	switch e.Kind {
	case "Hole", "BooleanLiteral", "NullLiteral", "NumericLiteral", "BigIntLiteral", "StringLiteral":
	case "Identifier":
		c.variable(e)
	case "ArrayExpression":
		c.expressions(e.all("elements"))
	case "ObjectExpression":
		for _, p := range e.all("properties") {
			c.property(p)
		}
	case "SpreadElement":
		c.expression(e.part("argument"))
	case "TemplateLiteral":
		c.expressions(e.all("expressions"))
	case "RegExpLiteral":
		c.pattern(e)
	case "ArrowFunctionExpression", "FunctionExpression":
		c.functionBody(e, nil)
	case "AwaitExpression":
		c.awaited[e.part("argument")] = true
		c.expression(e.part("argument"))
	case "AssignmentExpression":
		c.assignment(e)
	case "UpdateExpression":
		c.changed(e.part("argument"), "only variables are counted up and down")
	case "UnaryExpression", "BinaryExpression":
		c.operation(e)
	case "MemberExpression":
		c.memberOf(e, false)
	case "CallExpression":
		c.call(e)
	case "NewExpression":
		c.construct(e)
	default:
		c.refuseKind(e)
	}
}

func (c *checker) expressions(list []*Node) {
	for _, e := range list {
		c.expression(e)
	}
}

// refuseKind says why a kind of expression is not on the list, where there is more to
// say than that.
func (c *checker) refuseKind(e *Node) {
	switch e.Kind {
	case "ConditionalExpression":
		c.refuse(e, "a choice by ?: is not accepted: a test takes one path")
	case "OptionalMemberExpression", "OptionalCallExpression":
		c.refuse(e, "?. is not accepted: a test takes one path")
	case "LogicalExpression":
		c.refuse(e, "%s is not accepted: a test takes one path", e.word("operator"))
	case "TaggedTemplateExpression":
		c.refuse(e, "a tag before a template is not accepted: call a function")
	default:
		c.refuse(e, "%s is not accepted in a test", described(e))
	}
}

// reference finds what a variable refers to: something of the file, or a global that is
// on the list.
func (c *checker) reference(id *Node) *binding {
	name := c.name(id)
	b := c.scope.find(name)
	if b == nil && !c.words.globals[name] {
		c.refuse(id, "%s is neither declared in the file nor one of the globals that a test may use", name)
	}
	return b
}

// variable checks a name that stands as a value. test and expect are called and never
// handed on, where other names could hide them.
func (c *checker) variable(id *Node) {
	c.reference(id)
	if name := id.name(); name == "test" || name == "expect" {
		c.refuse(id, "%s can't be handed on: call it", name)
	}
}

func (c *checker) member(at *Node, name string) {
	if _, matcher := c.words.matchers[name]; matcher || c.words.members[name] {
		return
	}
	c.refuse(at, "the member %s is not on the list of those that a test may use%s", name, instead(name))
}

// instead names the way out for members that many would write.
func instead(name string) string {
	switch name {
	case "skip", "fixme", "only", "fail", "slow", "configure", "setTimeout", "soft":
		return ": every test runs, and as strictly as the project says"
	case "waitForTimeout", "sleep", "waitForFunction":
		return ": wait for a condition, as with await expect(locator).toBeVisible()"
	case "evaluate", "evaluateAll", "evaluateHandle", "addInitScript", "$eval", "$$eval":
		return ": look at the page as a user does, with locators"
	case "toBeTruthy", "toBeFalsy", "toBeDefined", "toBeUndefined", "toBeNull", "toBeNaN", "toBeInstanceOf", "anything", "any":
		return ": say which value is expected"
	case "catch", "then", "finally", "toPass", "race", "allSettled":
		return ": what fails fails the test; use await"
	}
	return ""
}

// memberOf checks a member, called or not. A member of data that the file itself made has
// no place on the list: arrays have no names.
func (c *checker) memberOf(e *Node, called bool) {
	object := e.part("object")
	if computed := e.part("computed"); computed != nil {
		if !computed.is("NumericLiteral") {
			c.refuse(computed, "a computed member is not accepted: write a name after a dot, a number in the brackets, or take arrays apart: for (const [name, price] of …)")
			c.expression(computed)
		}
		c.expression(object)
		return
	}
	at := e.part("property")
	name := c.name(at)
	c.member(at, name)
	if name == "goto" && !called {
		c.refuse(at, "goto is called, and never handed on")
	}
	if object.is("Identifier") {
		c.reference(object)
		return
	}
	c.expression(object)
}

func (c *checker) property(p *Node) {
	if p.is("SpreadElement") {
		c.refuse(p, "spreading an object is not accepted: write its keys")
		return
	}
	name, ok := p.key()
	if !ok {
		c.refuse(p, "a computed key is not accepted: write the key itself")
		c.expression(p.part("computed"))
	}
	c.key(p, name)
	if !p.is("ObjectProperty") {
		c.refuse(p, "getters, setters and methods of objects are not accepted")
		c.functionBody(p, nil)
		return
	}
	c.expression(p.part("value"))
}

// maxTimeoutMS bounds one wait of a test.
const maxTimeoutMS = 60_000

// key checks one key of an object: options of Playwright are objects.
func (c *checker) key(p *Node, name string) {
	if c.words.keys[name] {
		c.refuse(p, "the key %s is not accepted: Playwright would reach files, programs or other hosts by it, or look less closely", name)
	}
	if name != "timeout" {
		return
	}
	value := p.part("value")
	if !value.is("NumericLiteral") {
		c.refuse(p, "a timeout is a number")
		return
	}
	if ms, ok := integer(value); !ok || ms < 1 || ms > maxTimeoutMS {
		c.refuse(p, "the timeout %s is not within 1 to %d ms", c.file.text(value), maxTimeoutMS)
	}
}

// integer returns the value of a number that is written down.
func integer(n *Node) (int64, bool) {
	value, err := strconv.ParseInt(n.word("value"), 10, 64)
	return value, err == nil && n.is("NumericLiteral")
}

// pattern checks a regular expression. What stands before it leaves no doubt that it
// is one, and no division, for any reader.
func (c *checker) pattern(e *Node) {
	before := strings.TrimRight(c.file.Source[:e.From], " \t\r\n")
	if before == "" || !slices.Contains([]byte("(,[:="), before[len(before)-1]) {
		c.refuse(e, "a regular expression stands only as an argument, in a list, or as the value of a key or variable")
	}
}

// operation checks an operator and what it stands between, or before.
func (c *checker) operation(e *Node) {
	unary := e.is("UnaryExpression")
	if operator := e.word("operator"); unary && !unaryOperators()[operator] || !unary && !binaryOperators()[operator] {
		c.refuse(e, "the operator %s is not accepted in a test", operator)
	}
	c.expressions(e.Parts)
}

func (c *checker) construct(e *Node) {
	callee := e.part("callee")
	if name := callee.name(); !c.words.constructors[name] || c.scope.find(name) != nil {
		c.refuse(e, "new is accepted with Date, RegExp, URL and URLSearchParams alone")
		c.expression(callee)
	}
	c.expressions(e.all("arguments"))
}
