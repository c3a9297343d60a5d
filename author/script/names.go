package script

import (
	"reflect"
	"strings"

	"github.com/grafana/sobek/ast"
)

// kept is a locator that has a name.
type kept struct {
	how, name string
	locator   ast.Expression
}

// keeps returns the locator that a node keeps under a name: a variable, a member that is
// set or has a value, or a function that does nothing but find it.
func keeps(node any) (kept, bool) {
	var k kept
	var value ast.Expression
	switch n := node.(type) {
	case *ast.Binding:
		if id, ok := n.Target.(*ast.Identifier); ok {
			k.how, k.name, value = "variable", id.Name.String(), n.Initializer
		}
	case *ast.AssignExpression:
		if name, ok := member(n.Left); ok {
			k.how, k.name, value = "member", name, n.Right
		}
	case *ast.FieldDefinition:
		if name, ok := memberName(n.Key, n.Computed); ok {
			k.how, k.name, value = "field", name, n.Initializer
		}
	case *ast.MethodDefinition:
		if name, ok := memberName(n.Key, n.Computed); ok && n.Body != nil {
			k.how, k.name, value = "method "+string(n.Kind), name, n.Body
		}
	case *ast.PropertyKeyed:
		if name, ok := memberName(n.Key, n.Computed); ok && name != "has" && name != "hasNot" { // those of filter
			k.how, k.name, value = "property "+string(n.Kind), name, n.Value
		}
	}
	if k.locator = value; value != nil && !chain(value) {
		if k.locator = found(value); k.locator != nil {
			k.how += " with a function"
		}
	}
	return k, k.name != "" && k.locator != nil
}

// found returns the locator that a function without parameters finds, if it does nothing
// else.
func found(e ast.Expression) ast.Expression {
	var result ast.Expression
	switch f := e.(type) {
	case *ast.ArrowFunctionLiteral:
		if body, ok := f.Body.(*ast.ExpressionBody); ok && len(f.ParameterList.List) == 0 && f.ParameterList.Rest == nil && !f.Async {
			result = body.Expression
		} else if body, ok := f.Body.(*ast.BlockStatement); ok && len(f.ParameterList.List) == 0 && f.ParameterList.Rest == nil && !f.Async {
			result = returned(body)
		}
	case *ast.FunctionLiteral:
		if len(f.ParameterList.List) == 0 && f.ParameterList.Rest == nil && !f.Async && !f.Generator {
			result = returned(f.Body)
		}
	}
	if result == nil || !chain(result) {
		return nil
	}
	return result
}

func returned(body *ast.BlockStatement) ast.Expression {
	if body == nil || len(body.List) != 1 {
		return nil
	}
	if s, ok := body.List[0].(*ast.ReturnStatement); ok {
		return s.Argument
	}
	return nil
}

// member returns the name of a member of this object.
func member(e ast.Expression) (string, bool) {
	switch e := e.(type) {
	case *ast.DotExpression:
		_, own := e.Left.(*ast.ThisExpression)
		return e.Identifier.Name.String(), own
	case *ast.PrivateDotExpression:
		_, own := e.Left.(*ast.ThisExpression)
		return e.Identifier.Name.String(), own
	}
	return "", false
}

func memberName(e ast.Expression, computed bool) (string, bool) {
	switch e := e.(type) {
	case *ast.StringLiteral:
		return e.Value.String(), !computed
	case *ast.PrivateIdentifier:
		return e.Name.String(), true
	}
	return "", false
}

// LocatorUse is one place where a name is used.
type LocatorUse struct {
	Line int
	At   int  // its byte in the file
	Acts bool // an action on the element, or a wait for it, and nothing else
}

// Uses lists where a file uses the name of a locator, in any object and scope: more than
// the one that is meant may be called so. A variable of the same name is no use of a
// member, unless the file takes members of that name out of objects and works with what
// it got.
func (f NormalForm) Uses(l FormLocator) []LocatorUse {
	u := uses{form: f, name: strings.TrimPrefix(l.Name, "#"), member: l.member, local: l.Local}
	for _, s := range f.body {
		u.value(reflect.ValueOf(s))
	}
	if u.taken {
		u.found = append(u.found, u.worked...)
	}
	return u.found
}

type uses struct {
	form          NormalForm
	name          string
	member, local bool // of whom the name is
	found         []LocatorUse

	taken  bool         // out of an object
	worked []LocatorUse // of a variable that is called as the member is
}

func (u *uses) add(at ast.Node, acts bool) { u.found = append(u.found, u.use(at, acts)) }

func (u *uses) use(at ast.Node, acts bool) LocatorUse {
	offset := u.form.file.Offset(at.Idx0())
	return LocatorUse{Line: 1 + strings.Count(u.form.source[:offset], "\n"), At: offset, Acts: acts}
}

// variable reports whether an expression is a variable of the name.
func (u *uses) variable(e ast.Expression) bool {
	id, ok := e.(*ast.Identifier)
	return ok && u.is(id.Name.String())
}

func (u *uses) is(name string) bool { return strings.TrimPrefix(name, "#") == u.name }

func (u *uses) value(v reflect.Value) {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() || v.Kind() == reflect.Pointer && u.special(v.Interface()) {
			return
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Source" && name != "DeclarationList" && v.Type().Field(i).IsExported() {
				u.value(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			u.value(v.Index(i))
		}
	}
}

// special reads what may be a use.
func (u *uses) special(node any) bool {
	if k, ok := keeps(node); ok && u.is(k.name) {
		u.value(reflect.ValueOf(k.locator))
		return true
	}
	switch n := node.(type) {
	case *ast.CallExpression:
		return u.action(n)
	case *ast.DotExpression:
		u.dot(n, n.Identifier.Name.String(), n.Left)
		return true
	case *ast.PrivateDotExpression:
		u.dot(n, n.Identifier.Name.String(), n.Left)
		return true
	case *ast.Identifier:
		if !u.member && u.is(n.Name.String()) {
			u.add(n, false)
		}
		return true
	case *ast.BracketExpression:
		if s, ok := n.Member.(*ast.StringLiteral); ok && u.is(s.Value.String()) {
			u.add(n, false)
		}
	case *ast.ObjectPattern:
		for _, p := range n.Properties {
			u.taken = u.taken || u.takes(p)
		}
	case *ast.PropertyShort:
		if !u.member && u.is(n.Name.Name.String()) {
			u.add(&n.Name, false)
		}
	}
	return false
}

// dot reads a member of an object.
func (u *uses) dot(at ast.Expression, name string, of ast.Expression) {
	if u.is(name) && !u.local {
		u.add(at, false)
	}
	u.work(of)
	u.value(reflect.ValueOf(of))
}

// work notes a variable that is called as the member is, where it is worked with.
func (u *uses) work(e ast.Expression) {
	if u.member && u.variable(e) {
		u.worked = append(u.worked, u.use(e, false))
	}
}

// takes reports whether a part of a pattern takes the member out of an object: under its
// own name, or, which is a use, under another.
func (u *uses) takes(p ast.Property) bool {
	switch p := p.(type) {
	case *ast.PropertyShort:
		return u.is(p.Name.Name.String())
	case *ast.PropertyKeyed:
		name, ok := memberName(p.Key, p.Computed)
		if ok && u.is(name) {
			u.add(p.Key, false)
			return true
		}
	}
	return false
}

// action reads a call that acts on what has the name, or waits for it.
func (u *uses) action(call *ast.CallExpression) bool {
	expects := call.Callee
	if dot, ok := expects.(*ast.DotExpression); ok { // such as expect.soft
		expects = dot.Left
	}
	if id, ok := expects.(*ast.Identifier); ok && id.Name == "expect" {
		for _, a := range call.ArgumentList {
			u.work(a)
		}
	}
	dot, ok := call.Callee.(*ast.DotExpression)
	if !ok {
		return false
	}
	name := dot.Identifier.Name.String()
	if !actions(name) && (name != "waitFor" || len(call.ArgumentList) > 0) {
		return false
	}
	targets := []ast.Expression{dot.Left}
	if name == "dragTo" {
		targets = append(targets, call.ArgumentList...)
	} else {
		for _, a := range call.ArgumentList {
			u.value(reflect.ValueOf(a))
		}
	}
	for _, e := range targets {
		if base, ok := u.leads(e); ok {
			u.add(e, true)
			e = base
		}
		u.work(e)
		u.value(reflect.ValueOf(e))
	}
	return true
}

// leads reports whether an expression is what has the name, and returns whose member it
// is, if it is one.
func (u *uses) leads(e ast.Expression) (base ast.Expression, ok bool) {
	if call, isCall := e.(*ast.CallExpression); isCall && len(call.ArgumentList) == 0 {
		e = call.Callee
	}
	switch e := e.(type) {
	case *ast.Identifier:
		return nil, !u.member && u.is(e.Name.String())
	case *ast.DotExpression:
		return e.Left, !u.local && u.is(e.Identifier.Name.String())
	case *ast.PrivateDotExpression:
		return e.Left, u.is(e.Identifier.Name.String())
	}
	return nil, false
}
