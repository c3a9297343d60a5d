package script

import "strings"

// Assertion is an expectation of a test file with what it names.
type Assertion struct {
	Matcher  string
	Not      bool
	Subject  []string // texts of what is looked at: roles, names, texts, selectors
	Expected []string // texts and numbers that it is compared with
	Calls    []string // members that lead to what is looked at, such as getByRole
	From, To int      // its lines
}

// Assertions lists the expectations of a test file. One that leaves a choice, as by or
// and by a pattern, names nothing in that place.
func Assertions(f File) []Assertion {
	w := walker{file: f, values: map[string]*Node{}}
	f.Program.walk(w.declared)
	f.Program.walk(w.asserted)
	return w.found
}

type walker struct {
	file   File
	values map[string]*Node // of constants; nil where a name has several
	found  []Assertion
}

// declared notes the value of a constant. A name that is declared twice has none.
func (w *walker) declared(n *Node) bool {
	name, value := n.name(), (*Node)(nil)
	if n.is("VariableDeclarator") {
		name, value = n.part("id").name(), n.part("init")
	} else if n.Role != "params" {
		return true
	}
	if _, known := w.values[name]; known {
		value = nil
	}
	w.values[name] = value
	return true
}

// asserted notes expect(subject)[.not].matcher(expected).
func (w *walker) asserted(call *Node) bool {
	dot := call.part("callee")
	if !call.is("CallExpression") || dot.member() == "" {
		return true
	}
	a := Assertion{Matcher: dot.member(), From: w.file.line(call.From), To: w.file.line(call.To - 1)}
	of := dot.part("object")
	if of.member() == "not" {
		a.Not, of = true, of.part("object")
	}
	looked := of.part("arguments")
	if callee := of.part("callee"); !of.is("CallExpression") || looked == nil || !callee.is("Identifier") || callee.name() != "expect" {
		return true
	}
	subject, expected := texts{of: w}, texts{of: w}
	subject.take(looked, 0)
	for _, argument := range call.all("arguments") {
		expected.take(argument, 0)
	}
	if !subject.choice {
		a.Subject, a.Calls = subject.words, subject.calls
	}
	if !expected.choice {
		a.Expected = expected.words
	}
	w.found = append(w.found, a)
	return true
}

// texts collects what an expression names.
type texts struct {
	of     *walker
	words  []string
	calls  []string
	choice bool // it may mean several things
}

// maxConstants bounds how constants that name constants are followed.
const maxConstants = 5

func (t *texts) take(e *Node, depth int) {
	e.walk(func(n *Node) bool {
		switch n.Kind {
		case "StringLiteral", "NumericLiteral":
			t.words = append(t.words, n.word("value"))
		case "TemplateLiteral":
			if text, ok := plainText(n); ok {
				t.words = append(t.words, text)
			} else {
				t.choice = true
			}
			return false
		case "RegExpLiteral":
			plain, ok := plainPattern(n.word("pattern"))
			if !ok {
				t.choice = true
			}
			t.words = append(t.words, plain)
		case "ObjectProperty":
			if key, ok := n.key(); ok {
				if !strings.HasPrefix(key, "hasNot") {
					t.take(n.part("value"), depth)
				}
				return false
			}
		case "MemberExpression":
			if name := n.member(); name != "" {
				t.calls = append(t.calls, name)
				t.choice = t.choice || name == "or"
			}
		case "Identifier":
			if value := t.of.values[n.name()]; value != nil && depth < maxConstants {
				t.take(value, depth+1)
			}
		case "BinaryExpression", "LogicalExpression", "ConditionalExpression", "FunctionExpression", "ArrowFunctionExpression":
			t.choice = true
		}
		return true
	})
}

// plainPattern returns the text that a pattern matches, where it is one text, at most
// with ^ and $ around it.
func plainPattern(pattern string) (string, bool) {
	var out strings.Builder
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$")
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern) && strings.IndexByte(`/.-?+()[]{}*^$|\`, pattern[i+1]) >= 0:
			i++
			out.WriteByte(pattern[i])
		case strings.IndexByte(`\?+()[]{}*^$|`, c) >= 0:
			return "", false
		default: // a dot is any character: it can't make another text of words
			out.WriteByte(c)
		}
	}
	return out.String(), true
}
