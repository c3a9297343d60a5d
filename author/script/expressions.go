package script

import (
	"slices"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
	"github.com/grafana/sobek/token"
)

func (c *checker) expression(e ast.Expression) {
	switch e := e.(type) {
	case nil: // a hole in a list
	case *ast.BooleanLiteral, *ast.NullLiteral, *ast.NumberLiteral, *ast.StringLiteral:
	case *ast.Identifier:
		c.variable(e)
	case *ast.ArrayLiteral:
		c.expressions(e.Value)
	case *ast.ObjectLiteral:
		c.object(e)
	case *ast.SpreadElement:
		c.expression(e.Expression)
	case *ast.TemplateLiteral:
		if e.Tag != nil {
			c.refuse(e.OpenQuote, "a tag before a template is not accepted: call a function")
		}
		c.expressions(e.Expressions)
	case *ast.RegExpLiteral:
		c.pattern(e)
	case *ast.ArrowFunctionLiteral:
		c.arrow(e, nil)
	case *ast.FunctionLiteral:
		c.functionLiteral(e, nil)
	case *ast.AwaitExpression:
		c.awaited[e.Argument] = true
		c.expression(e.Argument)
	case *ast.AssignExpression:
		c.assignment(e)
	case *ast.UnaryExpression:
		c.unary(e)
	case *ast.BinaryExpression:
		c.binary(e)
	case *ast.DotExpression:
		c.dot(e, false)
	case *ast.BracketExpression:
		c.bracket(e)
	case *ast.CallExpression:
		c.call(e)
	case *ast.NewExpression:
		c.construct(e)
	default:
		c.refuseKind(e)
	}
}

func (c *checker) expressions(list []ast.Expression) {
	for _, e := range list {
		c.expression(e)
	}
}

// refuseKind says why a kind of expression is not on the list, where there is more to
// say than that.
func (c *checker) refuseKind(e ast.Expression) {
	switch e := e.(type) {
	case *ast.ConditionalExpression, *ast.OptionalChain, *ast.Optional:
		c.refuse(e.Idx0(), "%s is not accepted: a test takes one path", map[bool]string{true: "a choice by ?:", false: "?."}[isConditional(e)])
	case *ast.DynamicImportExpression:
		c.refuse(e.Idx, "import() is not accepted: only import { expect, test } from '@playwright/test' is")
	case *ast.ThisExpression:
		c.refuse(e.Idx, "this is not accepted in a test")
	default:
		c.refuse(e.Idx0(), "%s is not accepted in a test", kind(e))
	}
}

func isConditional(e ast.Expression) bool {
	_, ok := e.(*ast.ConditionalExpression)
	return ok
}

// reference finds what a variable refers to: something of the file, or a global that is
// on the list.
func (c *checker) reference(id *ast.Identifier) *binding {
	name := c.name(id.Idx, id.Name.String())
	b := c.scope.find(name)
	if b == nil && !c.words.globals[name] {
		c.refuse(id.Idx, "%s is neither declared in the file nor one of the globals that a test may use", name)
	}
	return b
}

// variable checks a name that stands as a value. test and expect are called and never
// handed on, where other names could hide them.
func (c *checker) variable(id *ast.Identifier) {
	c.reference(id)
	if name := id.Name.String(); name == "test" || name == "expect" {
		c.refuse(id.Idx, "%s can't be handed on: call it", name)
	}
}

func (c *checker) member(at file.Idx, name string) {
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

// dot checks a member, called or not. A member of data that the file itself made has no
// place on the list: arrays have no names.
func (c *checker) dot(e *ast.DotExpression, called bool) {
	name := c.name(e.Identifier.Idx, e.Identifier.Name.String())
	c.member(e.Identifier.Idx, name)
	if name == "goto" && !called {
		c.refuse(e.Identifier.Idx, "goto is called, and never handed on")
	}
	if id, ok := e.Left.(*ast.Identifier); ok {
		c.reference(id)
		return
	}
	c.expression(e.Left)
}

func (c *checker) bracket(e *ast.BracketExpression) {
	if _, ok := e.Member.(*ast.NumberLiteral); !ok {
		c.refuse(e.LeftBracket, "a computed member is not accepted: write a name after a dot, a number in the brackets, or take arrays apart: for (const [name, price] of …)")
		c.expression(e.Member)
	}
	c.expression(e.Left)
}

func (c *checker) object(e *ast.ObjectLiteral) {
	for _, p := range e.Value {
		switch p := p.(type) {
		case *ast.PropertyShort:
			c.key(p.Name.Idx, p.Name.Name.String(), &p.Name)
			c.variable(&p.Name)
		case *ast.PropertyKeyed:
			name, ok := propertyName(p)
			if !ok {
				c.refuse(p.Key.Idx0(), "a computed key is not accepted: write the key itself")
				c.expression(p.Key)
			}
			if p.Kind != ast.PropertyKindValue {
				c.refuse(p.Key.Idx0(), "getters, setters and methods of objects are not accepted")
			}
			c.key(p.Key.Idx0(), name, p.Value)
			c.expression(p.Value)
		case *ast.SpreadElement:
			c.refuse(p.Idx0(), "spreading an object is not accepted: write its keys")
		default:
			c.refuse(p.Idx0(), "%s is not accepted in an object", kind(p))
		}
	}
}

// maxTimeoutMS bounds one wait of a test.
const maxTimeoutMS = 60_000

// key checks one key of an object: options of Playwright are objects.
func (c *checker) key(at file.Idx, name string, value ast.Expression) {
	if c.words.keys[name] {
		c.refuse(at, "the key %s is not accepted: Playwright would reach files, programs or other hosts by it, or look less closely", name)
	}
	if name != "timeout" {
		return
	}
	n, ok := value.(*ast.NumberLiteral)
	if !ok {
		c.refuse(at, "a timeout is a number")
		return
	}
	if ms, ok := n.Value.(int64); !ok || ms < 1 || ms > maxTimeoutMS {
		c.refuse(at, "the timeout %s is not within 1 to %d ms", n.Literal, maxTimeoutMS)
	}
}

// pattern checks a regular expression. What stands before it leaves no doubt that it
// is one, and no division, for any reader.
func (c *checker) pattern(e *ast.RegExpLiteral) {
	before := strings.TrimRight(c.file.Source[:c.file.Offset(e.Idx)], " \t\r\n")
	if before == "" || !slices.Contains([]byte("(,[:="), before[len(before)-1]) {
		c.refuse(e.Idx, "a regular expression stands only as an argument, in a list, or as the value of a key or variable")
	}
}

func (c *checker) unary(e *ast.UnaryExpression) {
	switch e.Operator {
	case token.NOT, token.MINUS, token.PLUS, token.TYPEOF:
		c.expression(e.Operand)
	case token.INCREMENT, token.DECREMENT:
		id, ok := e.Operand.(*ast.Identifier)
		if !ok {
			c.refuse(e.Idx0(), "only variables are counted up and down")
			return
		}
		if b := c.reference(id); b != nil {
			b.assigned = true
		}
	default:
		c.refuse(e.Idx0(), "the operator %s is not accepted in a test", e.Operator)
	}
}

func (c *checker) binary(e *ast.BinaryExpression) {
	switch e.Operator {
	case token.PLUS, token.MINUS, token.MULTIPLY, token.REMAINDER, token.EXPONENT, token.EQUAL, token.NOT_EQUAL,
		token.STRICT_EQUAL, token.STRICT_NOT_EQUAL, token.LESS, token.GREATER, token.LESS_OR_EQUAL, token.GREATER_OR_EQUAL:
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		c.refuse(e.Idx0(), "%s is not accepted: a test takes one path", e.Operator)
	default:
		c.refuse(e.Idx0(), "the operator %s is not accepted in a test", e.Operator)
	}
	c.expression(e.Left)
	c.expression(e.Right)
}

func (c *checker) construct(e *ast.NewExpression) {
	id, ok := e.Callee.(*ast.Identifier)
	if !ok || !c.words.constructors[id.Name.String()] || c.scope.find(id.Name.String()) != nil {
		c.refuse(e.New, "new is accepted with Date, RegExp, URL and URLSearchParams alone")
		c.expression(e.Callee)
	}
	c.expressions(e.ArgumentList)
}
