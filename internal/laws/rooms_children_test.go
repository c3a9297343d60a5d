package laws_test

import (
	"go/ast"
	"slices"
	"strings"
)

// inheritedEnvironments finds functions that make a command and say nothing about its
// environment: it would be that of the process, which is made for driver and browser.
func inheritedEnvironments(t tree) []breach {
	const why = "the process's own environment is what driver and browser get (driver.Environment): a program of the person's needs theirs, and any other as little as it can do with"
	var out []breach
	for _, f := range t.product() {
		qualifier := f.qualifier("os/exec")
		if strings.HasPrefix(f.room(), "bench") || strings.HasPrefix(f.room(), "internal/") {
			continue
		}
		for _, d := range f.syntax.Decls {
			if setsEnv(d) {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if name, ok := uses(n, qualifier); ok && slices.Contains([]string{"Command", "CommandContext"}, name) {
					out = append(out, t.breach(f, n, why, "%s.%s without Env", qualifier, name))
				}
				return true
			})
		}
	}
	return out
}

// setsEnv reports whether a declaration assigns to a field Env.
func setsEnv(d ast.Decl) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		assigned, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for _, to := range assigned.Lhs {
			field, ok := to.(*ast.SelectorExpr)
			found = found || ok && field.Sel.Name == "Env"
		}
		return true
	})
	return found
}
