package script

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
)

// NormalForm is the normal form of a test file.
type NormalForm struct {
	Locators []FormLocator // of actions, and those that have a name, in order
	Timeouts []TimeoutForm
	Titles   []string // of tests, in order

	source string
	words  []word
	body   []ast.Statement
	file   File
}

// FormLocator is where the element of an action is found.
type FormLocator struct {
	Action   string // such as click; empty: it has a name
	Name     string // of the variable, member or method that it is kept in; empty: it is the action's own
	Local    bool   // nothing outside of Scope knows the name
	Base     string // source of what it begins with: a page, or another locator
	Text     string // source of the locator
	Line     int
	From, To int    // bytes of the file that another locator takes the place of
	Dot      int    // byte of the dot before the action
	Scope    [2]int // bytes of the innermost function that it stands in

	member bool // of an object
	short  bool // a selector that the action itself takes, as in page.click('#a')
}

// With returns what stands in the file, in place of From to To, once text is the locator.
func (l FormLocator) With(text string) string {
	if l.short {
		return text + "." + l.Action + "("
	}
	return text
}

// TimeoutForm is a time-out that is written down.
type TimeoutForm struct {
	Line int
	MS   int64
}

// word is a piece of the tree, and the line of its statement.
type word struct {
	text string
	line int
}

// NormalFormOf reads the normal form of a test file. Plain is the same file byte for byte, but
// with spaces in place of what JavaScript does not have, such as types.
func NormalFormOf(source, plain []byte) (NormalForm, error) {
	if len(source) != len(plain) {
		return NormalForm{}, fmt.Errorf("the file has %d bytes, and %d without types", len(source), len(plain))
	}
	parsed, err := ParseOwn(plain)
	if err != nil {
		return NormalForm{}, err
	}
	d := dumper{file: parsed, form: NormalForm{source: string(source), body: parsed.Body, file: parsed}, scope: [2]int{0, len(source)}}
	for _, s := range parsed.Body {
		d.value(reflect.ValueOf(s))
	}
	return d.form, nil
}

// dumper walks a tree.
type dumper struct {
	file  File
	form  NormalForm
	line  int
	scope [2]int
	inner bool // of a function
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
	case *ast.FunctionLiteral:
		return d.within(n.Idx0(), n.Idx1(), *n)
	case *ast.ArrowFunctionLiteral:
		return d.within(n.Idx0(), n.Idx1(), *n)
	case *ast.CallExpression:
		if id, ok := n.Callee.(*ast.Identifier); ok && id.Name == "test" && len(n.ArgumentList) > 0 {
			d.form.Titles = append(d.form.Titles, d.file.Text(n.ArgumentList[0].Idx0(), n.ArgumentList[0].Idx1()))
		}
		return d.action(n)
	case *ast.PropertyKeyed:
		if d.named(n) {
			return true
		}
		key, isText := n.Key.(*ast.StringLiteral)
		number, isNumber := n.Value.(*ast.NumberLiteral)
		if !isText || !isNumber || key.Value != "timeout" {
			return false
		}
		ms, ok := number.Value.(int64)
		if ok {
			d.form.Timeouts = append(d.form.Timeouts, TimeoutForm{Line: d.lineOf(n.Idx0()), MS: ms})
			d.say("timeout")
		}
		return ok
	case *ast.Binding, *ast.AssignExpression, *ast.FieldDefinition, *ast.MethodDefinition:
		return d.named(n)
	}
	return false
}

// within writes a function, which bounds the names in it.
func (d *dumper) within(from, to file.Idx, function any) bool {
	scope, inner := d.scope, d.inner
	d.scope, d.inner = [2]int{d.file.Offset(from), d.file.Offset(to)}, true
	d.value(reflect.ValueOf(function))
	d.scope, d.inner = scope, inner
	return true
}

// named masks a locator that is kept under a name.
func (d *dumper) named(node any) bool {
	kept, ok := keeps(node)
	if !ok || !d.plainly(kept.locator) {
		return false
	}
	d.say("%s %s is", kept.how, kept.name)
	_, variable := node.(*ast.Binding)
	d.mask(FormLocator{Name: kept.name, Local: variable && d.inner, member: !variable}, kept.locator)
	return true
}

func (d *dumper) lineOf(at file.Idx) int {
	return strings.Count(d.form.source[:d.file.Offset(at)], "\n") + 1
}

// action masks the locator of a call such as page.getByText('a').click().
func (d *dumper) action(call *ast.CallExpression) bool {
	dot, ok := call.Callee.(*ast.DotExpression)
	if !ok || !actions(dot.Identifier.Name.String()) {
		return false
	}
	action := dot.Identifier.Name.String()
	if takesSelector(action, call.ArgumentList) && variable(dot.Left) {
		return d.short(call, dot, action)
	}
	if !chain(dot.Left) || !d.plainly(dot.Left) {
		return false
	}
	d.say("action %s(", action)
	d.mask(FormLocator{Action: action}, dot.Left)
	for _, a := range call.ArgumentList {
		if action == "dragTo" && chain(a) && d.plainly(a) {
			d.mask(FormLocator{Action: action}, a)
			continue
		}
		d.value(reflect.ValueOf(a))
	}
	d.say(")")
	return true
}

// mask writes a locator by what it begins with only.
func (d *dumper) mask(l FormLocator, e ast.Expression) {
	base := first(e)
	l.From, l.To, l.Line, l.Scope = d.file.Offset(e.Idx0()), d.file.Offset(e.Idx1()), d.lineOf(e.Idx0()), d.scope
	l.Text = d.form.source[l.From:l.To]
	l.Dot = l.To + d.space(l.To)
	end := d.file.Offset(base.Idx1())
	l.Base = strings.TrimSpace(d.form.source[l.From : end+max(0, strings.IndexByte(d.file.Source[end:], '.'))])
	d.say("locator of %s", strings.Join(strings.Fields(d.file.Source[l.From:end]), ""))
	d.form.Locators = append(d.form.Locators, l)
}

// short masks the selector of page.click('#a'), which does what page.locator('#a').click()
// does where one element matches.
func (d *dumper) short(call *ast.CallExpression, dot *ast.DotExpression, action string) bool {
	args, source := call.ArgumentList, d.file.Source
	l := FormLocator{Action: action, From: d.file.Offset(dot.Left.Idx0()), Line: d.lineOf(dot.Left.Idx0()), Scope: d.scope, short: true}
	end, selector := d.file.Offset(dot.Left.Idx1()), [2]int{d.file.Offset(args[0].Idx0()), d.file.Offset(args[0].Idx1())}
	l.Dot = end + d.space(end)
	l.To = selector[1] + d.space(selector[1])
	if strings.HasPrefix(source[l.To:], ",") {
		l.To += len(",")
		l.To += d.space(l.To)
	}
	called := strings.Join(strings.Fields(source[l.Dot:selector[0]]), "")
	followed := len(args) > 1 && l.To == d.file.Offset(args[1].Idx0()) || len(args) == 1 && strings.HasPrefix(source[l.To:], ")")
	if called != "."+action+"(" || !followed { // brackets or a comment stand between
		return false
	}
	l.Base = strings.TrimSpace(d.form.source[l.From:l.Dot])
	l.Text = l.Base + ".locator(" + d.form.source[selector[0]:selector[1]] + ")"
	d.say("action %s(", action)
	d.say("locator of %s", strings.Join(strings.Fields(source[l.From:end]), ""))
	d.form.Locators = append(d.form.Locators, l)
	for _, a := range args[1:] {
		d.value(reflect.ValueOf(a))
	}
	d.say(")")
	return true
}

// space returns how many bytes of space begin at a place.
func (d *dumper) space(at int) int {
	rest := d.file.Source[at:]
	return len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
}

// takesSelector reports whether a call is an action of a page or a frame, which has a
// selector before all that the same action of a locator has.
func takesSelector(action string, args []ast.Expression) bool {
	if len(args) == 0 || !text(args[0]) {
		return false
	}
	switch action {
	case "click", "dblclick", "tap", "check", "uncheck", "hover", "focus":
		return true
	case "fill", "press", "type", "selectOption", "setInputFiles", "setChecked":
		if len(args) < 2 {
			return false
		}
		_, options := args[1].(*ast.ObjectLiteral) // such as { timeout: 5 } behind the value of a locator's action
		return !options
	}
	return false
}

// text reports whether an expression is a text that is written down.
func text(e ast.Expression) bool {
	if t, ok := e.(*ast.TemplateLiteral); ok {
		return t.Tag == nil && len(t.Expressions) == 0
	}
	_, ok := e.(*ast.StringLiteral)
	return ok
}

// plainly reports whether nothing but space stands between what a locator begins with
// and its first member: no bracket.
func (d *dumper) plainly(e ast.Expression) bool {
	rest := strings.TrimLeft(d.file.Source[d.file.Offset(first(e).Idx1()):], " \t\r\n")
	return strings.HasPrefix(rest, ".")
}

// actions reports the members that act on an element.
func actions(name string) bool {
	switch name {
	case "click", "dblclick", "tap", "fill", "clear", "check", "uncheck", "setChecked", "selectOption", "selectText",
		"hover", "focus", "blur", "press", "pressSequentially", "type", "dragTo", "scrollIntoViewIfNeeded", "setInputFiles":
		return true
	}
	return false
}

// locators reports the members that find elements.
func locators(name string) bool {
	switch name {
	case "locator", "getByRole", "getByText", "getByLabel", "getByPlaceholder", "getByAltText",
		"getByTitle", "getByTestId", "first", "last", "nth", "filter", "and", "or", "frameLocator", "contentFrame":
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
	return variable(dot.Left) || chain(dot.Left)
}

// variable reports whether an expression is a variable, or a member of one.
func variable(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.Identifier, *ast.ThisExpression:
		return true
	case *ast.DotExpression:
		return variable(e.Left)
	case *ast.PrivateDotExpression:
		return variable(e.Left)
	}
	return false
}

// first returns what a chain begins with.
func first(e ast.Expression) ast.Expression {
	for {
		call, ok := e.(*ast.CallExpression)
		if !ok {
			return e
		}
		dot, ok := call.Callee.(*ast.DotExpression)
		if !ok {
			return e
		}
		e = dot.Left
	}
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
