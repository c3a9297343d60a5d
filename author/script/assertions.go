package script

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
)

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
func Assertions(source []byte) ([]Assertion, error) {
	parsed, err := Parse(source)
	if err != nil {
		return nil, err
	}
	w := walker{file: parsed, values: map[string]ast.Expression{}}
	w.walk(reflect.ValueOf(parsed.Body), w.declared)
	w.walk(reflect.ValueOf(parsed.Body), w.asserted)
	return w.found, nil
}

type walker struct {
	file   File
	values map[string]ast.Expression // of constants; nil where a name has several
	found  []Assertion
}

// walk calls visit for each node, until it says that what is below does not count.
func (w *walker) walk(v reflect.Value, visit func(any) bool) {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		if v.Kind() == reflect.Pointer && !visit(v.Interface()) {
			return
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[file.File]() {
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "DeclarationList" {
				w.walk(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i), visit)
		}
	}
}

// declared notes the value of a constant. A name that is declared twice has none.
func (w *walker) declared(node any) bool {
	b, ok := node.(*ast.Binding)
	if !ok {
		return true
	}
	if id, ok := b.Target.(*ast.Identifier); ok {
		name := id.Name.String()
		if _, known := w.values[name]; known {
			w.values[name] = nil
		} else {
			w.values[name] = b.Initializer
		}
	}
	return true
}

// asserted notes expect(subject)[.not].matcher(expected).
func (w *walker) asserted(node any) bool {
	call, ok := node.(*ast.CallExpression)
	if !ok {
		return true
	}
	dot, ok := call.Callee.(*ast.DotExpression)
	if !ok {
		return true
	}
	a := Assertion{Matcher: dot.Identifier.Name.String(), From: w.line(call.Idx0()), To: w.line(call.Idx1() - 1)}
	of := dot.Left
	if not, ok := of.(*ast.DotExpression); ok && not.Identifier.Name == "not" {
		a.Not, of = true, not.Left
	}
	looked, ok := of.(*ast.CallExpression)
	if !ok || len(looked.ArgumentList) == 0 {
		return true
	}
	if id, ok := looked.Callee.(*ast.Identifier); !ok || id.Name != "expect" {
		return true
	}
	subject, expected := texts{of: w}, texts{of: w}
	subject.take(looked.ArgumentList[0], 0)
	for _, argument := range call.ArgumentList {
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

func (w *walker) line(at file.Idx) int {
	return strings.Count(w.file.Source[:w.file.Offset(at)], "\n") + 1
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

func (t *texts) take(e ast.Expression, depth int) {
	t.of.walk(reflect.ValueOf(&e), func(node any) bool {
		switch n := node.(type) {
		case *ast.StringLiteral:
			t.words = append(t.words, n.Value.String())
		case *ast.NumberLiteral:
			t.words = append(t.words, number(n.Value))
		case *ast.TemplateLiteral:
			if len(n.Expressions) == 0 && len(n.Elements) == 1 {
				t.words = append(t.words, n.Elements[0].Parsed.String())
			} else {
				t.choice = true
			}
			return false
		case *ast.RegExpLiteral:
			plain, ok := plainPattern(n.Pattern)
			if !ok {
				t.choice = true
			}
			t.words = append(t.words, plain)
		case *ast.PropertyKeyed:
			if key, ok := n.Key.(*ast.StringLiteral); ok {
				if strings.HasPrefix(key.Value.String(), "hasNot") {
					return false
				}
				t.take(n.Value, depth)
				return false
			}
		case *ast.DotExpression:
			name := n.Identifier.Name.String()
			t.calls = append(t.calls, name)
			t.choice = t.choice || name == "or"
		case *ast.Identifier:
			if value := t.of.values[n.Name.String()]; value != nil && depth < maxConstants {
				t.take(value, depth+1)
			}
		case *ast.BinaryExpression, *ast.ConditionalExpression, *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
			t.choice = true
		}
		return true
	})
}

func number(v any) string {
	switch n := v.(type) {
	case int64:
		return strconv.FormatInt(n, 10)
	case float64:
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return ""
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
