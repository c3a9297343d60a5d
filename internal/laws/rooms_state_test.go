package laws_test

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// programs are the rooms that meet the outside world: those with a main, and the
// benchmarks, which measure by the clock.
func programs() []string {
	return []string{"cmd/assay", "cmd/assay-broker", "bench", "bench/peer", "bench/endurance", "bench/sanity", "bench/visual", "bench/evidence", "bench/tokens", "bench/agent", "bench/author", "bench/growth", "bench/explore", "bench/look", "bench/health", "bench/helpdesk", "bench/truth", "bench/wire", "bench/measure", "bench/heal", "bench/install", "internal/testcost", "internal/othersystems", "packaging"}
}

// world lists what only a program may touch. Waiting (the room wait, contexts) is
// allowed everywhere; telling the time is not.
func world() map[string][]string {
	return map[string][]string{
		"time":     {"Now", "Since"},
		"os":       {"Getenv", "LookupEnv", "Environ", "Setenv", "Unsetenv", "Clearenv", "Stdin", "Stdout", "Stderr", "Args", "Exit"},
		"fmt":      {"Print", "Printf", "Println"},
		"log":      {"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "SetOutput", "Default"},
		"log/slog": {"Debug", "Info", "Warn", "Error", "Default", "SetDefault"},
	}
}

func worldAccess(t tree) []breach {
	const why = "stdout belongs to the protocol, and a clock or an environment that isn't handed in can't be tested: take it as a value that cmd/assay gives"
	var out []breach
	for _, f := range t.product() {
		if slices.Contains(programs(), f.room()) || testRooms[f.room()] {
			continue
		}
		for pkg, names := range world() {
			qualifier := f.qualifier(pkg)
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				if name, ok := uses(n, qualifier); ok && slices.Contains(names, name) {
					out = append(out, t.breach(f, n, why, "%s.%s", qualifier, name))
				}
				return true
			})
		}
	}
	return out
}

func initFunctions(t tree) []breach {
	var out []breach
	for _, f := range t.files {
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				out = append(out, t.breach(f, fn, "what runs by being imported can't be ordered, configured or tested", "func init"))
			}
		}
	}
	return out
}

// mutableState finds package-level variables that something can write. What is
// set where it is declared and never written again is a constant that Go can't
// spell: a compiled pattern, a table, a sentinel error, an embedded file.
func mutableState(t tree) []breach {
	var out []breach
	for folder, files := range t.byRoom() {
		s := packageState{tree: t, info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}}
		s.check(folder, files)
		out = append(out, s.breaches...)
	}
	return out
}

// packageState looks at one package's variables and at who writes them.
type packageState struct {
	tree
	info     *types.Info
	breaches []breach
}

// offline stands in for the compiler's importer: only names within the package
// have to be resolved.
type offline struct{}

func (offline) Import(string) (*types.Package, error) { return nil, errors.New("not needed") }

func (s *packageState) check(folder string, files []goFile) {
	syntax := make([]*ast.File, len(files))
	for i, f := range files {
		syntax[i] = f.syntax
	}
	lenient := types.Config{Importer: offline{}, Error: func(error) {}} // imports stay unresolved
	_, _ = lenient.Check(folder, s.fset, syntax, s.info)

	vars := map[types.Object]bool{}
	for _, f := range files {
		for _, d := range f.syntax.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				s.declaration(f, g, vars)
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			for _, target := range written(n) {
				if id := root(target); id != nil && vars[s.info.Uses[id]] {
					s.add(f, n, "writes %s", id.Name)
				}
			}
			return true
		})
	}
}

func (s *packageState) add(f goFile, n ast.Node, format string, args ...any) {
	const why = "two sessions in one process would share it: keep state in a value that its user holds"
	s.breaches = append(s.breaches, s.breach(f, n, why, format, args...))
}

// declaration remembers the variables of one var statement, and refuses those
// that can only be there to be written.
func (s *packageState) declaration(f goFile, g *ast.GenDecl, vars map[types.Object]bool) {
	for _, raw := range g.Specs {
		spec := raw.(*ast.ValueSpec)
		for i, name := range spec.Names {
			if name.Name == "_" {
				continue
			}
			vars[s.info.Defs[name]] = true
			switch {
			case embedded(g.Doc) || embedded(spec.Doc):
			case i >= len(spec.Values):
				s.add(f, name, "var %s has no value, so something writes it", name.Name)
			case stateful(f, spec.Values[i]):
				s.add(f, name, "var %s holds state", name.Name)
			case name.IsExported() && !strings.HasPrefix(name.Name, "Err"):
				s.add(f, name, "var %s is exported, so anybody can write it", name.Name)
			}
		}
	}
}

func embedded(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:embed ") })
}

// stateful reports values that make sense only when they change: make, new,
// locks and counters.
func stateful(f goFile, value ast.Expr) bool {
	if u, ok := value.(*ast.UnaryExpr); ok {
		value = u.X
	}
	switch v := value.(type) {
	case *ast.CallExpr:
		id, ok := v.Fun.(*ast.Ident)
		return ok && (id.Name == "make" || id.Name == "new")
	case *ast.CompositeLit:
		_, lock := uses(v.Type, f.qualifier("sync"))
		_, counter := uses(v.Type, f.qualifier("sync/atomic"))
		return lock || counter
	}
	return false
}

// written returns the expressions that a node changes, or makes changeable by
// taking their address.
func written(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	case *ast.CallExpr:
		id, ok := n.Fun.(*ast.Ident)
		if ok && (id.Name == "delete" || id.Name == "clear" || id.Name == "copy") && len(n.Args) > 0 {
			return n.Args[:1]
		}
	}
	return nil
}

// root is the variable that an expression such as v.f[i] leads into.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}
