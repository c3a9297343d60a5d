package normalform

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"

	"github.com/assay-qa/assay/author/script"
)

// Form is the normal form of a test file.
type Form struct {
	Locators []Locator // of actions, in order
	Timeouts []Timeout
	Titles   []string // of tests, in order

	source string
	words  []word
}

// Locator is where the element of an action is found.
type Locator struct {
	Action   string // such as click
	Text     string // source of the locator
	Line     int
	From, To int // bytes of Text in the file
}

// Timeout is a time-out that is written down.
type Timeout struct {
	Line int
	MS   int64
}

// word is a piece of the tree, and the line of its statement.
type word struct {
	text string
	line int
}

// Of reads the normal form of a test file in JavaScript.
func Of(source []byte) (Form, error) {
	parsed, err := script.Parse(source)
	if err != nil {
		return Form{}, err
	}
	d := dumper{file: parsed, form: Form{source: parsed.Source}}
	for _, s := range parsed.Body {
		d.value(reflect.ValueOf(s))
	}
	return d.form, nil
}

// dumper walks a tree.
type dumper struct {
	file script.File
	form Form
	line int
}

func (d *dumper) say(format string, args ...any) {
	d.form.words = append(d.form.words, word{fmt.Sprintf(format, args...), d.line})
}

// value writes what a part of the tree holds, without places and layout.
func (d *dumper) value(v reflect.Value) {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			d.say("none")
			return
		}
		if v.Kind() == reflect.Pointer && d.special(v.Interface()) {
			return
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		d.say("%s(", v.Type().Name())
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if field.Type == reflect.TypeFor[file.Idx]() || field.Name == "Source" || field.Name == "DeclarationList" || field.Name == "Literal" {
				continue
			}
			d.value(v.Field(i))
		}
		d.say(")")
	case reflect.Slice:
		d.say("[")
		for i := range v.Len() {
			d.value(v.Index(i))
		}
		d.say("]")
	case reflect.String:
		d.say("%q", v.String())
	default:
		d.say("%v", v.Interface())
	}
}

// special writes what stands otherwise in the normal form than in the tree.
func (d *dumper) special(node any) bool {
	switch n := node.(type) {
	case *ast.ExpressionStatement:
		d.line = d.lineOf(n.Idx0())
		return waits(n.Expression)
	case ast.Statement:
		d.line = d.lineOf(n.Idx0())
	case *ast.CallExpression:
		if id, ok := n.Callee.(*ast.Identifier); ok && id.Name == "test" && len(n.ArgumentList) > 0 {
			d.form.Titles = append(d.form.Titles, d.file.Text(n.ArgumentList[0].Idx0(), n.ArgumentList[0].Idx1()))
		}
		return d.action(n)
	case *ast.PropertyKeyed:
		key, isText := n.Key.(*ast.StringLiteral)
		number, isNumber := n.Value.(*ast.NumberLiteral)
		if !isText || !isNumber || key.Value != "timeout" {
			return false
		}
		ms, ok := number.Value.(int64)
		if ok {
			d.form.Timeouts = append(d.form.Timeouts, Timeout{Line: d.lineOf(n.Idx0()), MS: ms})
			d.say("timeout")
		}
		return ok
	}
	return false
}

func (d *dumper) lineOf(at file.Idx) int {
	return strings.Count(d.file.Source[:d.file.Offset(at)], "\n") + 1
}

// action masks the locator of a call such as page.getByText('a').click().
func (d *dumper) action(call *ast.CallExpression) bool {
	dot, ok := call.Callee.(*ast.DotExpression)
	if !ok || !actions(dot.Identifier.Name.String()) || !chain(dot.Left) {
		return false
	}
	d.say("action %s(", dot.Identifier.Name)
	d.mask(dot.Identifier.Name.String(), dot.Left)
	for _, a := range call.ArgumentList {
		if dot.Identifier.Name == "dragTo" && chain(a) {
			d.mask("dragTo", a)
			continue
		}
		d.value(reflect.ValueOf(a))
	}
	d.say(")")
	return true
}

func (d *dumper) mask(action string, e ast.Expression) {
	d.say("locator")
	from, to := d.file.Offset(e.Idx0()), d.file.Offset(e.Idx1())
	d.form.Locators = append(d.form.Locators, Locator{Action: action, Text: d.file.Source[from:to], Line: d.lineOf(e.Idx0()), From: from, To: to})
}

// actions reports the members that act on an element.
func actions(name string) bool {
	switch name {
	case "click", "dblclick", "tap", "fill", "clear", "check", "uncheck", "setChecked", "selectOption", "selectText", "hover", "focus", "blur", "press", "pressSequentially", "type", "dragTo", "scrollIntoViewIfNeeded", "setInputFiles":
		return true
	}
	return false
}

// locators reports the members that find elements.
func locators(name string) bool {
	switch name {
	case "locator", "getByRole", "getByText", "getByLabel", "getByPlaceholder", "getByAltText", "getByTitle", "getByTestId", "first", "last", "nth", "filter", "and", "or", "frameLocator", "contentFrame":
		return true
	}
	return false
}

// chain reports whether an expression finds elements and does nothing else: members that
// find, from a variable on, with arguments that are written down or such chains again.
func chain(e ast.Expression) bool {
	call, ok := e.(*ast.CallExpression)
	if !ok {
		return false
	}
	dot, ok := call.Callee.(*ast.DotExpression)
	if !ok || !locators(dot.Identifier.Name.String()) {
		return false
	}
	for _, a := range call.ArgumentList {
		if !written(a) && !chain(a) {
			return false
		}
	}
	_, variable := dot.Left.(*ast.Identifier)
	return variable || chain(dot.Left)
}

// written reports whether a value is written down.
func written(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.StringLiteral, *ast.NumberLiteral, *ast.BooleanLiteral, *ast.RegExpLiteral:
		return true
	case *ast.UnaryExpression:
		return written(e.Operand)
	case *ast.TemplateLiteral:
		return e.Tag == nil && len(e.Expressions) == 0
	case *ast.ObjectLiteral:
		for _, p := range e.Value {
			keyed, ok := p.(*ast.PropertyKeyed)
			if !ok || keyed.Computed || keyed.Kind != ast.PropertyKindValue || !written(keyed.Value) && !chain(keyed.Value) {
				return false
			}
		}
		return true
	}
	return false
}

// waits reports whether a statement waits for an element and does nothing else.
func waits(e ast.Expression) bool {
	await, ok := e.(*ast.AwaitExpression)
	if !ok {
		return false
	}
	call, ok := await.Argument.(*ast.CallExpression)
	if !ok || len(call.ArgumentList) > 1 || len(call.ArgumentList) == 1 && !written(call.ArgumentList[0]) {
		return false
	}
	dot, ok := call.Callee.(*ast.DotExpression)
	return ok && dot.Identifier.Name == "waitFor" && chain(dot.Left)
}
