package script

import (
	"fmt"
	"strings"
)

// NormalForm is the normal form of a test file.
type NormalForm struct {
	Locators []FormLocator // of actions, and those that have a name, in order
	Timeouts []TimeoutForm
	Titles   []string // of tests, in order

	words []word
	file  File
}

// FormLocator is where the element of an action is found.
type FormLocator struct {
	Action   string   // such as click; empty: it has a name
	Name     string   // of the variable, member or method that it is kept in; empty: it is the action's own
	Local    bool     // nothing outside of Scope knows the name
	Base     string   // source of what it begins with: a page, or another locator
	Document string   // source of what leads to the document that the element is in: Base, or the last frame
	Text     string   // source of the locator
	Texts    []string // that it names
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

// NormalFormOf returns the normal form of a test file.
func NormalFormOf(f File) NormalForm {
	d := dumper{form: NormalForm{file: f}, scope: [2]int{0, len(f.Source)}}
	d.value(f.Program)
	return d.form
}

// dumper walks a tree.
type dumper struct {
	form  NormalForm
	line  int
	scope [2]int
	inner bool // of a function
}

func (d *dumper) say(format string, args ...any) {
	d.form.words = append(d.form.words, word{fmt.Sprintf(format, args...), d.line})
}

// value writes what a part of the tree holds, without places and layout.
func (d *dumper) value(n *Node) {
	if strings.HasSuffix(n.Kind, "Statement") || strings.HasSuffix(n.Kind, "Declaration") {
		d.line = d.lineOf(n)
	}
	if d.special(n) {
		return
	}
	scope, inner := d.scope, d.inner
	if n.function() { // it bounds the names in it
		d.scope, d.inner = [2]int{n.From, n.To}, true
	}
	d.say("%s %s %q(", n.Role, n.Kind, n.Words)
	for _, p := range n.Parts {
		d.value(p)
	}
	d.say(")")
	d.scope, d.inner = scope, inner
}

// special writes what stands otherwise in the normal form than in the tree.
func (d *dumper) special(n *Node) bool {
	if d.named(n) {
		return true
	}
	switch n.Kind {
	case "ExpressionStatement":
		return waits(n.part("expression"))
	case "CallExpression":
		if title := n.part("arguments"); n.part("callee").name() == "test" && title != nil {
			d.form.Titles = append(d.form.Titles, d.form.file.text(title))
		}
		return d.action(n)
	case "ObjectProperty":
		ms, ok := integer(n.part("value"))
		if key, written := n.key(); !written || key != "timeout" || !ok {
			return false
		}
		d.form.Timeouts = append(d.form.Timeouts, TimeoutForm{Line: d.lineOf(n), MS: ms})
		d.say("timeout")
		return true
	}
	return false
}

// named masks a locator that is kept under a name.
func (d *dumper) named(n *Node) bool {
	kept, ok := keeps(n)
	if !ok || !d.plainly(kept.locator) {
		return false
	}
	d.say("%s %s is", kept.how, kept.name)
	variable := n.is("VariableDeclarator")
	l := FormLocator{Name: kept.name, Local: variable && d.inner, member: !variable}
	scope := d.scope
	if n.function() {
		d.scope = [2]int{n.From, n.To}
	}
	d.mask(l, kept.locator)
	d.scope = scope
	return true
}

func (d *dumper) lineOf(n *Node) int { return d.form.file.line(n.From) }

// action masks the locator of a call such as page.getByText('a').click().
func (d *dumper) action(call *Node) bool {
	dot, args := call.part("callee"), call.all("arguments")
	action, of := dot.member(), dot.part("object")
	if !actions(action) {
		return false
	}
	if takesSelector(action, args) && variable(of) {
		return d.short(args, of, action)
	}
	if of = of.untyped(); !chain(of) || !d.plainly(of) {
		return false
	}
	d.say("action %s(", action)
	d.mask(FormLocator{Action: action}, of)
	for _, a := range args {
		if action == "dragTo" && chain(a) && d.plainly(a) {
			d.mask(FormLocator{Action: action}, a.untyped())
			continue
		}
		d.value(a)
	}
	d.say(")")
	return true
}

// mask writes a locator by what it begins with only.
func (d *dumper) mask(l FormLocator, e *Node) {
	base := first(e)
	l.From, l.To, l.Line, l.Scope = e.From, e.To, d.lineOf(e), d.scope
	l.Text, l.Base, l.Texts = d.form.file.text(e), d.form.file.text(base), textsBelow(e)
	l.Document = d.form.file.Source[l.From:document(e, base).To]
	l.Dot = d.dot(l.To)
	d.sayBase(base)
	d.form.Locators = append(d.form.Locators, l)
}

// sayBase writes what a locator begins with.
func (d *dumper) sayBase(base *Node) {
	d.say("locator of %s", strings.Join(strings.Fields(d.form.file.text(base.untyped())), ""))
}

// short masks the selector of page.click('#a'), which does what page.locator('#a').click()
// does where one element matches.
func (d *dumper) short(args []*Node, of *Node, action string) bool {
	source, selector := d.form.file.Source, args[0]
	l := FormLocator{Action: action, From: of.From, Line: d.lineOf(of), Scope: d.scope, Base: d.form.file.text(of), Document: d.form.file.text(of), Texts: textsBelow(selector), short: true}
	l.Dot = d.dot(of.To)
	l.To = d.space(selector.To)
	if strings.HasPrefix(source[l.To:], ",") {
		l.To = d.space(l.To + len(","))
	}
	called := strings.Join(strings.Fields(source[l.Dot:selector.From]), "")
	followed := len(args) > 1 && l.To == args[1].From || len(args) == 1 && strings.HasPrefix(source[l.To:], ")")
	if called != "."+action+"(" || !followed { // brackets or a comment stand between
		return false
	}
	l.Text = l.Base + ".locator(" + d.form.file.text(selector) + ")"
	d.say("action %s(", action)
	d.sayBase(of)
	d.form.Locators = append(d.form.Locators, l)
	for _, a := range args[1:] {
		d.value(a)
	}
	d.say(")")
	return true
}

// space returns where space ends that begins at a place.
func (d *dumper) space(at int) int {
	source := d.form.file.Source
	return len(source) - len(strings.TrimLeft(source[at:], " \t\r\n"))
}

// dot returns where the dot of a member stands, behind what ends at a place.
func (d *dumper) dot(at int) int {
	source := d.form.file.Source
	return len(source) - len(strings.TrimLeft(source[at:], "! \t\r\n"))
}

// takesSelector reports whether a call is an action of a page or a frame, which has a
// selector before all that the same action of a locator has.
func takesSelector(action string, args []*Node) bool {
	if len(args) == 0 {
		return false
	}
	if _, ok := plainText(args[0]); !ok {
		return false
	}
	switch action {
	case "click", "dblclick", "tap", "check", "uncheck", "hover", "focus":
		return true
	case "fill", "press", "type", "selectOption", "setInputFiles", "setChecked": // options such as { timeout: 5 } stand behind the value of a locator's action
		return len(args) > 1 && !args[1].is("ObjectExpression")
	}
	return false
}

// plainly reports whether nothing but space stands between what a locator begins with
// and its first member: no bracket.
func (d *dumper) plainly(e *Node) bool {
	return strings.HasPrefix(d.form.file.Source[d.space(first(e).To):], ".")
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
func chain(e *Node) bool {
	e = e.untyped()
	dot := e.part("callee")
	if !e.is("CallExpression") || !locators(dot.member()) {
		return false
	}
	for _, a := range e.all("arguments") {
		if !written(a) && !chain(a) {
			return false
		}
	}
	return variable(dot.part("object")) || chain(dot.part("object"))
}

// variable reports whether an expression is a variable, or a member of one.
func variable(e *Node) bool {
	e = e.untyped()
	return e.is("Identifier", "ThisExpression") || e.member() != "" && variable(e.part("object"))
}

// first returns what a chain begins with.
func first(e *Node) *Node {
	for {
		call := e.untyped()
		dot := call.part("callee")
		if !call.is("CallExpression") || dot.member() == "" {
			return e
		}
		e = dot.part("object")
	}
}

// document returns the part of a chain that leads to the document of its element: up to
// the last frame, or what the chain begins with.
func document(e, base *Node) *Node {
	for at := e; at != base; {
		call := at.untyped()
		of := call.part("callee").part("object")
		switch call.part("callee").member() {
		case "contentFrame", "frameLocator":
			return call
		case "first", "last", "nth": // of several frames
			if of.untyped().part("callee").member() == "frameLocator" {
				return call
			}
		}
		at = of
	}
	return base
}

// textsBelow lists the texts below a node.
func textsBelow(n *Node) (out []string) {
	n.walk(func(n *Node) bool {
		if n.is("StringLiteral", "TemplateElement") && n.word("value") != "" {
			out = append(out, n.word("value"))
		}
		return true
	})
	return out
}

// Expected lists for each expectation of a file the texts that it may name: those of a
// call of expect, or of a function that has the word in its name.
func (f NormalForm) Expected() (out [][]string) {
	f.file.Program.walk(func(n *Node) bool {
		if !n.is("CallExpression") {
			return true
		}
		expects := false
		n.part("callee").walk(func(n *Node) bool {
			expects = expects || strings.Contains(n.name(), "expect")
			return !expects
		})
		if expects {
			out = append(out, textsBelow(n))
		}
		return !expects
	})
	return out
}

// written reports whether a value is written down.
func written(e *Node) bool {
	switch e.Kind {
	case "StringLiteral", "NumericLiteral", "BooleanLiteral", "RegExpLiteral":
		return true
	case "UnaryExpression":
		return written(e.part("argument"))
	case "TemplateLiteral":
		return e.part("expressions") == nil
	case "ObjectExpression":
		for _, p := range e.all("properties") {
			value := p.part("value")
			if _, ok := p.key(); !ok || !p.is("ObjectProperty") || !written(value) && !chain(value) {
				return false
			}
		}
		return true
	}
	return false
}

// waits reports whether a statement waits for an element and does nothing else.
func waits(e *Node) bool {
	call := e.part("argument")
	if !e.is("AwaitExpression") || !call.is("CallExpression") {
		return false
	}
	args, dot := call.all("arguments"), call.part("callee")
	return (len(args) == 0 || len(args) == 1 && written(args[0])) && dot.member() == "waitFor" && chain(dot.part("object"))
}
