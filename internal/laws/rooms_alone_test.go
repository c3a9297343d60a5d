package laws_test

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// neighbours finds what names a place outside of the module: relative paths that
// climb beyond its root, and people's own folders. Values in a list are left
// alone, because tests list hostile paths there to see them refused; so are
// paths that a user gives.
func neighbours(t tree) []breach {
	const why = "the project stands alone: a clone with nothing beside it must build, test and run; what tests need lies in testdata"
	var out []breach
	for _, f := range t.files {
		listed := listElements(f.syntax)
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.CallExpr:
				if p := joined(n); leaves(f.room(), p) {
					out = append(out, t.breach(f, n, why, "names %s", p))
					return false
				}
			case *ast.BasicLit:
				if p, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && !listed[n] && (leaves(f.room(), p) || ofAPerson(p)) {
					out = append(out, t.breach(f, n, why, "names %s", p))
				}
			}
			return true
		})
	}
	for _, s := range t.scripts {
		for n, line := range strings.Split(s.text, "\n") {
			for _, m := range climbing.FindAllStringSubmatch(line, -1) {
				if leaves(path.Dir(s.path), m[1]) || ofAPerson(m[1]) {
					out = append(out, breach{file: s.path, line: n + 1, what: "names " + m[1], why: why})
				}
			}
		}
	}
	return out
}

// climbing is a path in a line that is not Go's: one that starts with ../, or
// is absolute.
var climbing = regexp.MustCompile(`(?:^|[\s"'` + "`" + `=:(>])((?:\.\./|/)[\w./-]*)`)

// leaves reports whether a relative path leads out of the module.
func leaves(room, p string) bool {
	if path.IsAbs(p) || strings.ContainsAny(p, "\n ") || p == "../" || p == ".." { // the last two are what paths are asked for
		return false
	}
	p = path.Join(room, p)
	return p == ".." || strings.HasPrefix(p, "../")
}

// ofAPerson reports whether a path begins in the home of whoever wrote it, or
// in a working folder at the root.
func ofAPerson(p string) bool {
	return slices.ContainsFunc([]string{"/home/", "/root/", "/Users/", "/work/", "~/"}, func(home string) bool { return strings.HasPrefix(p, home) })
}

// joined is the path that a call of Join puts together; what is no literal
// counts as the place where one stands.
func joined(call *ast.CallExpr) string {
	if s, ok := call.Fun.(*ast.SelectorExpr); !ok || s.Sel.Name != "Join" {
		return ""
	}
	var parts []string
	for _, a := range call.Args {
		if lit, ok := a.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			p, _ := strconv.Unquote(lit.Value)
			parts = append(parts, p)
		}
	}
	return path.Join(parts...)
}

// listElements are the texts that stand in lists and tables, other than as a
// named field of a struct.
func listElements(file *ast.File) map[*ast.BasicLit]bool {
	out := map[*ast.BasicLit]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		list, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, e := range list.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				if _, field := pair.Key.(*ast.Ident); field {
					continue
				}
				if key, ok := pair.Key.(*ast.BasicLit); ok {
					out[key] = true
				}
				e = pair.Value
			}
			if text, ok := e.(*ast.BasicLit); ok {
				out[text] = true
			}
		}
		return true
	})
	return out
}
