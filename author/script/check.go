package script

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Bounds of a file that a model wrote, and of what a reader of its problems is shown.
const (
	maxModelBytes = 32 << 10
	maxNesting    = 100
	maxProblems   = 20
)

// Check returns what keeps a test file from being run, in the order in which it is
// found; none: it may be run. Its error says that the file could not be read.
func (r *Reader) Check(ctx context.Context, s Source) ([]Problem, error) {
	if obscure := obscurities(s.Text); len(obscure) > 0 {
		return obscure, nil
	}
	f, err := r.Read(ctx, s)
	var p Problem
	if errors.As(err, &p) {
		return []Problem{p}, nil
	}
	if err != nil {
		return nil, err
	}
	return check(f), nil
}

// obscurities returns what keeps a text from being looked at at all: other readers could read
// it otherwise, or never end.
func obscurities(text []byte) []Problem {
	f := File{Source: string(text)}
	if len(text) > maxModelBytes {
		return []Problem{f.problem(0, fmt.Sprintf("the file has %d bytes, more than %d: split it", len(text), maxModelBytes))}
	}
	if bytes.HasPrefix(text, []byte("#!")) {
		return []Problem{f.problem(0, "a first line that names an interpreter is not accepted")}
	}
	depth := 0 // texts are counted too, which only ever refuses more
	for at, r := range f.Source {
		switch {
		case hidden(r):
			return []Problem{f.problem(at, fmt.Sprintf("the character U+%04X is not accepted: it is not seen, or ends lines for some readers only", r))}
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth = max(depth-1, 0)
		}
		if depth > maxNesting {
			return []Problem{f.problem(at, fmt.Sprintf("brackets are nested more than %d deep", maxNesting))}
		}
	}
	return nil
}

// hidden reports whether a character is invisible, reorders text, or is a line end in
// JavaScript alone.
func hidden(r rune) bool {
	return r != '\n' && r != '\t' && r != '\r' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029')
}

func check(f File) []Problem {
	c := &checker{file: f, root: &function{}, awaited: map[*Node]bool{}, claimed: map[*Node]bool{}}
	c.function = c.root
	c.words = words{globals(), constructors(), members(), matchers(), textMatchers(), keys(), useSettings(), immediate()}
	c.readByTools()
	c.plainJavaScript()
	c.within(func() { c.program(f.Program) })
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
	awaited  map[*Node]bool // calls that an await stands before
	claimed  map[*Node]bool // expect(...) that a matcher follows
	after    []func()       // what is known when all of the file was read
	problems []Problem
}

func (c *checker) refuse(at *Node, format string, args ...any) { c.refuseAt(at.From, format, args...) }

func (c *checker) refuseAt(at int, format string, args ...any) {
	p := c.file.problem(at, fmt.Sprintf(format, args...))
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
			c.refuseAt(at, "%s is not accepted anywhere in the file: other programs act on it", mark)
		}
	}
}

// plainJavaScript refuses what is left out of a file or made into something else before
// it runs: types, JSX, and whatever the lists of the language do not know.
func (c *checker) plainJavaScript() {
	known := nodeWords()
	c.file.Program.walk(func(n *Node) bool {
		foreign := strings.HasPrefix(n.Kind, "TS") || strings.HasPrefix(n.Kind, "JSX") || n.is("Decorator")
		for word, value := range n.Words {
			foreign = foreign || !known[word] || strings.HasSuffix(word, "Kind") && value != "value"
		}
		if foreign {
			c.refuse(n, "it is no plain JavaScript: leave out types, JSX and what is newer than ES2022")
		}
		return !foreign
	})
}

// program checks the statements of the file itself: imports, declarations and calls of
// test.
func (c *checker) program(p *Node) {
	imports := map[string]bool{}
	for _, s := range p.all("body") {
		if s.is("ImportDeclaration") {
			c.imported(s, imports)
		}
	}
	for _, name := range []string{"test", "expect"} {
		if !imports[name] {
			c.refuseAt(0, "the file needs: import { expect, test } from '@playwright/test';")
		}
	}
	c.hoist(p)
	for _, s := range p.all("body") {
		switch {
		case s.is("ImportDeclaration"):
		case s.is("VariableDeclaration", "FunctionDeclaration", "EmptyStatement"):
			c.statement(s)
		case s.is("ExpressionStatement"):
			if call := s.part("expression"); !call.is("CallExpression") || rootName(call) != "test" {
				c.refuse(s, "outside of tests only calls of test, imports and declarations are accepted")
			}
			c.statement(s)
		default:
			c.refuse(s, "outside of tests only calls of test, imports and declarations are accepted, and no %s", described(s))
		}
	}
	if c.tests == 0 {
		c.refuseAt(0, "the file has no test")
	}
}

// imported checks an import: names of @playwright/test that start nothing.
func (c *checker) imported(i *Node, imports map[string]bool) {
	const way = "only import { expect, test } from '@playwright/test' is accepted"
	from, names := i.part("source").word("value"), i.all("specifiers")
	if from != "@playwright/test" || len(names) == 0 || i.part("attributes") != nil {
		c.refuse(i, "import from %q: %s", from, way)
		return
	}
	for _, s := range names {
		name, alias := s.part("imported").name(), s.part("local").name()
		if name != "test" && name != "expect" || alias != name {
			c.refuse(i, "import of %s: %s, each by its own name", strings.TrimSpace(name+" "+alias), way)
			continue
		}
		imports[name] = true
		c.scope.names[name] = &binding{}
	}
}

// rootName returns the variable that a chain of members and calls begins with.
func rootName(e *Node) string {
	for {
		switch {
		case e.is("Identifier"):
			return e.name()
		case e.member() != "":
			e = e.part("object")
		case e.is("CallExpression"):
			e = e.part("callee")
		default:
			return ""
		}
	}
}
