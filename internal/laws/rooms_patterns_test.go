package laws_test

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pattern/patterntest"
)

// earlyPatterns finds regular expressions that are compiled before main. The
// benchmarks are left alone: they are another program.
func earlyPatterns(t tree) []breach {
	const why = "every start of the program pays for it, also those that never match anything: use pattern.New, or sync.OnceValue"
	var out []breach
	for _, f := range t.product() {
		if f.room() == "bench" || strings.HasPrefix(f.room(), "bench/") {
			continue
		}
		qualifier := f.qualifier("regexp")
		for _, v := range variables(f) {
			runAtStart(v, func(n ast.Node) {
				if name, ok := uses(n, qualifier); ok && slices.Contains([]string{"MustCompile", "MustCompilePOSIX", "Compile", "CompilePOSIX"}, name) {
					out = append(out, t.breach(f, n, why, "%s.%s in a variable of the package", qualifier, name))
				}
			})
		}
	}
	return out
}

// variables returns the values that a file gives to variables of its package.
func variables(f goFile) []ast.Expr {
	var out []ast.Expr
	for _, d := range f.syntax.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				out = append(out, spec.(*ast.ValueSpec).Values...)
			}
		}
	}
	return out
}

// runAtStart visits what of a variable's value runs before main: all but the bodies
// of functions that are not called there.
func runAtStart(value ast.Expr, visit func(ast.Node)) {
	called := map[ast.Node]bool{}
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
		case *ast.FuncLit:
			if !called[n] {
				return false
			}
		}
		visit(n)
		return true
	})
}

// brokenPatterns compiles the text of every pattern, since the program does so on the
// first use. It finds those that it cannot read: a text that is no constant, and one in
// a function, which makes a new pattern at each call.
func brokenPatterns(t tree) []breach {
	var out []breach
	for folder, files := range t.byRoom() {
		var scope *types.Package // made for rooms that have patterns
		for _, f := range files {
			qualifier := f.qualifier(modulePath + "/internal/pattern")
			if qualifier == "" {
				continue
			}
			if scope == nil {
				scope = t.namesOf(folder, files)
			}
			lasting := map[ast.Node]bool{}
			for _, v := range variables(f) {
				runAtStart(v, func(n ast.Node) { lasting[n] = true })
			}
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if name, ok := uses(call.Fun, qualifier); ok && name == "New" {
					out = append(out, t.brokenPattern(f, call, scope, lasting[call])...)
				}
				return true
			})
		}
	}
	return out
}

// maxPattern bounds a pattern that stands in Go, in bytes.
const maxPattern = 240

// brokenPattern judges one call of pattern.New.
func (t tree) brokenPattern(f goFile, call *ast.CallExpr, scope *types.Package, lasting bool) []breach {
	if !lasting {
		return []breach{t.breach(f, call, "each call compiles it again: make it a variable of the package", "pattern.New in a function")}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	err := types.CheckExpr(t.fset, scope, token.NoPos, call.Args[0], info)
	text := info.Types[call.Args[0]].Value
	if err != nil || text == nil || text.Kind() != constant.String {
		return []breach{t.breach(f, call, "a text that is first known at run time is first compiled there, and may panic: use regexp.Compile", "the text of pattern.New is no constant of its package")}
	}
	if _, err := regexp.Compile(constant.StringVal(text)); err != nil {
		return []breach{t.breach(f, call, "its first use would panic", "pattern.New: %v", err)}
	}
	if letter, lost := patterntest.LostBoundary(constant.StringVal(text)); lost {
		return []breach{t.breach(f, call, "\\b knows the letters of ASCII alone: what begins or ends there is not found", "pattern.New: \\b beside %c", letter)}
	}
	if n := len(constant.StringVal(text)); n > maxPattern {
		return []breach{t.breach(f, call, "nobody reviews it: put its entries into a list (pattern.NewLists)", "pattern.New: %d characters", n)}
	}
	return nil
}

// brokenLists finds names of lists that no file of their room has, and lists that
// nothing uses.
func brokenLists(t tree) []breach {
	var out []breach
	for folder, files := range t.byRoom() {
		var texts strings.Builder
		var first ast.Node
		asked, written := map[string]bool{}, map[string]bool{}
		for _, f := range files {
			qualifier := f.qualifier(modulePath + "/internal/pattern")
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
					written[strings.Trim(text.Value, "`\"")] = true
				}
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				argument, _ := call.Args[0].(*ast.BasicLit)
				if argument == nil || argument.Kind != token.STRING {
					return true
				}
				text, _ := strconv.Unquote(argument.Value)
				if name, ok := uses(call.Fun, qualifier); ok && name == "NewLists" {
					first = call
					texts.WriteString(t.lists[folder+"/"+text] + "\n")
				} else if method, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Pattern", "Entries", "Has"}, method.Sel.Name) {
					asked[text] = true
				}
				return true
			})
		}
		if first == nil {
			continue
		}
		there := map[string]bool{}
		for line := range strings.Lines(texts.String()) {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "list "); ok {
				name, _, _ := strings.Cut(rest, " ")
				there[name] = true
			}
		}
		for name := range asked {
			if !there[name] {
				out = append(out, t.breach(files[0], first, "its first use would panic", "no list %q in %s", name, folder))
			}
		}
		for name := range there {
			if !written[name] && !strings.Contains(texts.String(), "{"+name+"}") {
				out = append(out, t.breach(files[0], first, "a person would extend it in vain", "nothing uses the list %q of %s", name, folder))
			}
		}
	}
	return out
}

// namesOf returns a room's package with its own names; what it imports stays
// unresolved.
func (t tree) namesOf(folder string, files []goFile) *types.Package {
	syntax := make([]*ast.File, len(files))
	for i, f := range files {
		syntax[i] = f.syntax
	}
	lenient := types.Config{Importer: offline{}, Error: func(error) {}, IgnoreFuncBodies: true}
	scope, _ := lenient.Check(folder, t.fset, syntax, nil)
	return scope
}
