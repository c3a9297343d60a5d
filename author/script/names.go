package script

import "strings"

// kept is a locator that has a name.
type kept struct {
	how, name string
	locator   *Node
}

// keeps returns the locator that a node keeps under a name: a variable, a member that is
// set or has a value, or a function that does nothing but find it.
func keeps(n *Node) (kept, bool) {
	var k kept
	var value *Node
	switch n.Kind {
	case "VariableDeclarator":
		k.how, k.name, value = "variable", n.part("id").name(), n.part("init")
	case "AssignmentExpression":
		if to := n.part("left"); to.part("object").is("ThisExpression") {
			k.how, k.name, value = "member", to.member(), n.part("right")
		}
	case "ClassProperty", "ClassPrivateProperty", "ClassAccessorProperty":
		k.how, value = "field", n.part("value")
		k.name, _ = n.key()
	case "ClassMethod", "ClassPrivateMethod":
		k.how, value = "method "+n.word("kind"), n
		k.name, _ = n.key()
	case "ObjectProperty", "ObjectMethod":
		if name, _ := n.key(); name != "has" && name != "hasNot" { // those of filter
			k.how, k.name, value = "property "+n.word("kind"), name, n.part("value")
		}
		if n.is("ObjectMethod") {
			value = n
		}
	}
	if k.name == "" || value == nil {
		return k, false
	}
	if k.locator = value.untyped(); !chain(value) {
		k.locator = found(value).untyped()
		k.how += " with a function"
	}
	return k, k.locator != nil
}

// found returns the locator that a function without parameters finds, if it does nothing
// else.
func found(f *Node) *Node {
	if !f.function() || f.part("params") != nil || f.word("async") != "" || f.word("generator") != "" {
		return nil
	}
	result := f.part("body")
	if result.is("BlockStatement") {
		if len(result.Parts) != 1 || !result.Parts[0].is("ReturnStatement") {
			return nil
		}
		result = result.Parts[0].part("argument")
	}
	if !chain(result) {
		return nil
	}
	return result
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
	u := uses{file: f.file, name: strings.TrimPrefix(l.Name, "#"), member: l.member, local: l.Local}
	u.value(f.file.Program)
	if u.taken {
		u.found = append(u.found, u.worked...)
	}
	return u.found
}

type uses struct {
	file          File
	name          string
	member, local bool // of whom the name is
	found         []LocatorUse

	taken  bool         // out of an object
	worked []LocatorUse // of a variable that is called as the member is
}

func (u *uses) add(at *Node, acts bool) { u.found = append(u.found, u.use(at, acts)) }

func (u *uses) use(at *Node, acts bool) LocatorUse {
	return LocatorUse{Line: u.file.line(at.From), At: at.From, Acts: acts}
}

func (u *uses) is(name string) bool { return strings.TrimPrefix(name, "#") == u.name }

func (u *uses) value(n *Node) {
	if n == nil || u.special(n) {
		return
	}
	for _, p := range n.Parts {
		if !strings.HasPrefix(n.Kind, "TS") || p.Role == "expression" || p.Role == "parameter" { // the rest are types
			u.value(p)
		}
	}
}

// special reads what may be a use.
func (u *uses) special(n *Node) bool {
	if k, ok := keeps(n); ok && u.is(k.name) {
		u.value(k.locator)
		return true
	}
	switch n.Kind {
	case "ImportDeclaration", "ExportSpecifier":
		return true
	case "CallExpression":
		return u.action(n)
	case "MemberExpression", "OptionalMemberExpression":
		return u.dot(n)
	case "Identifier":
		if !u.member && u.is(n.name()) {
			u.add(n, false)
		}
		return true
	case "ObjectPattern":
		for _, p := range n.all("properties") {
			u.taken = u.taken || u.takes(p)
		}
	}
	return false
}

// dot reads a member of an object.
func (u *uses) dot(n *Node) bool {
	if computed := n.part("computed"); computed != nil {
		if u.is(computed.word("value")) && computed.is("StringLiteral") {
			u.add(n, false)
		}
		return false
	}
	if u.is(n.part("property").name()) && !u.local {
		u.add(n, false)
	}
	u.work(n.part("object"))
	u.value(n.part("object"))
	return true
}

// work notes a variable that is called as the member is, where it is worked with.
func (u *uses) work(e *Node) {
	if e = e.untyped(); u.member && e.is("Identifier") && u.is(e.name()) {
		u.worked = append(u.worked, u.use(e, false))
	}
}

// takes reports whether a part of a pattern takes the member out of an object: under its
// own name, or, which is a use, under another.
func (u *uses) takes(p *Node) bool {
	name, ok := p.key()
	if !ok || !u.is(name) {
		return false
	}
	if p.word("shorthand") == "" {
		u.add(p, false)
	}
	return true
}

// action reads a call that acts on what has the name, or waits for it.
func (u *uses) action(call *Node) bool {
	dot, args := call.part("callee"), call.all("arguments")
	expects := dot
	if dot.member() != "" { // such as expect.soft
		expects = dot.part("object")
	}
	if expects.is("Identifier") && expects.name() == "expect" {
		for _, a := range args {
			u.work(a)
		}
	}
	name := dot.member()
	if !actions(name) && (name != "waitFor" || len(args) > 0) {
		return false
	}
	targets := []*Node{dot.part("object")}
	if name == "dragTo" {
		targets = append(targets, args...)
	} else {
		for _, a := range args {
			u.value(a)
		}
	}
	for _, e := range targets {
		if base, ok := u.leads(e); ok {
			u.add(e, true)
			e = base
		}
		u.work(e)
		u.value(e)
	}
	return true
}

// leads reports whether an expression is what has the name, and returns whose member it
// is, if it is one.
func (u *uses) leads(e *Node) (base *Node, ok bool) {
	e = e.untyped()
	if e.is("CallExpression") && e.part("arguments") == nil {
		e = e.part("callee")
	}
	if e.is("Identifier") {
		return nil, !u.member && u.is(e.name())
	}
	return e.part("object"), !u.local && e.member() != "" && u.is(e.member())
}
