package script

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
)

// maxProblems bounds what a reader is shown at once.
const maxProblems = 20

// Check returns what keeps a test file from being run, in the order in which it is
// found; none: it may be run.
func Check(source []byte) []Problem {
	parsed, err := Parse(source)
	if err != nil {
		var p Problem
		if !errors.As(err, &p) {
			p = Problem{Line: 1, Column: 1, Message: err.Error()}
		}
		return []Problem{p}
	}
	c := &checker{file: parsed, root: &function{}, awaited: map[ast.Expression]bool{}, claimed: map[ast.Expression]bool{}}
	c.function = c.root
	c.words = words{globals(), constructors(), members(), matchers(), textMatchers(), keys(), useSettings(), immediate()}
	c.readByTools()
	c.within(func() { c.program(parsed.Body) })
	for _, later := range c.after {
		later()
	}
	return c.problems
}

// words holds the lists, made once a file.
type words struct {
	globals, constructors, members nameSet
	matchers                       map[string]bool
	textMatchers, keys, uses       nameSet
	immediate                      nameSet
}

// checker walks one file.
type checker struct {
	file     File
	words    words
	scope    *scope
	function *function // the one that is walked through
	root     *function // the file itself
	tests    int
	awaited  map[ast.Expression]bool // calls that an await stands before
	claimed  map[ast.Expression]bool // expect(...) that a matcher follows
	after    []func()                // what is known when all of the file was read
	problems []Problem
}

func (c *checker) refuse(at file.Idx, format string, args ...any) {
	p := c.file.Problem(at, format, args...)
	for _, known := range c.problems {
		if known == p {
			return
		}
	}
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, p)
	}
}

// readByTools refuses what other programs read in comments and texts: the place of a
// source map, how JSX is compiled, comments of HTML.
func (c *checker) readByTools() {
	for _, mark := range []string{"sourceMappingURL", "sourceURL", "@jsx", "<!--", "-->"} {
		if at := strings.Index(c.file.Source, mark); at >= 0 {
			c.refuse(file.Idx(at+1), "%s is not accepted anywhere in the file: other programs act on it", mark)
		}
	}
}

// program checks the statements of the file itself: imports, declarations and calls of
// test.
func (c *checker) program(body []ast.Statement) {
	imports := map[string]bool{}
	for _, s := range body {
		if i, ok := s.(*ast.ImportDeclaration); ok {
			c.imported(i, imports)
		}
	}
	for _, name := range []string{"test", "expect"} {
		if !imports[name] {
			c.refuse(1, "the file needs: import { expect, test } from '@playwright/test';")
		}
	}
	c.hoist(body)
	for _, s := range body {
		switch s := s.(type) {
		case *ast.ImportDeclaration:
		case *ast.ExpressionStatement:
			call, ok := s.Expression.(*ast.CallExpression)
			if !ok || rootName(call.Callee) != "test" {
				c.refuse(s.Idx0(), "outside of tests only calls of test, imports and declarations are accepted")
			}
			c.statement(s)
		case *ast.LexicalDeclaration, *ast.FunctionDeclaration, *ast.EmptyStatement:
			c.statement(s)
		default:
			c.refuse(s.Idx0(), "outside of tests only calls of test, imports and declarations are accepted, and no %s", kind(s))
		}
	}
	if c.tests == 0 {
		c.refuse(1, "the file has no test")
	}
}

// imported checks an import: names of @playwright/test that start nothing.
func (c *checker) imported(i *ast.ImportDeclaration, imports map[string]bool) {
	const way = "only import { expect, test } from '@playwright/test' is accepted"
	from := i.ModuleSpecifier.String()
	if i.FromClause != nil {
		from = i.FromClause.ModuleSpecifier.String()
	}
	if from != "@playwright/test" || i.ImportClause == nil || i.ImportClause.NamedImports == nil || i.ImportClause.ImportedDefaultBinding != nil || i.ImportClause.NameSpaceImport != nil {
		c.refuse(i.Idx, "import from %q: %s", from, way)
		return
	}
	for _, s := range i.ImportClause.NamedImports.ImportsList {
		name, alias := s.IdentifierName.String(), s.Alias.String()
		if name != "test" && name != "expect" || alias != "" && alias != name {
			c.refuse(i.Idx, "import of %s: %s, each by its own name", strings.TrimSpace(name+" "+alias), way)
			continue
		}
		imports[name] = true
		c.scope.names[name] = &binding{}
	}
}

// kind says what a node is, in the language's words.
func kind(n ast.Node) string {
	name := strings.TrimPrefix(fmt.Sprint(reflect.TypeOf(n)), "*ast.")
	for _, end := range []string{"Expression", "Statement", "Literal", "Declaration"} {
		name = strings.TrimSuffix(name, end)
	}
	return strings.ToLower(name)
}

// rootName returns the variable that a chain of members and calls begins with.
func rootName(e ast.Expression) string {
	for {
		switch x := e.(type) {
		case *ast.Identifier:
			return x.Name.String()
		case *ast.DotExpression:
			e = x.Left
		case *ast.CallExpression:
			e = x.Callee
		default:
			return ""
		}
	}
}
