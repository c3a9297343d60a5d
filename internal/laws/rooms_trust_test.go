package laws_test

import (
	"go/ast"
	"slices"
)

// secondReaders finds a second way past the table of authorities: whoever reads settings beside wiring would take the
// word of a folder that nobody trusted.
func secondReaders(t tree) []breach {
	var out []breach
	for _, f := range t.product() {
		if f.path == "internal/wiring/settings.go" || f.room() == "config" {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Load", "Read", "DotEnv"}, s.Sel.Name) {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "config" {
				out = append(out, t.breach(f, s, "a folder may be a stranger's: what it says is read where it is known who trusted it", "config.%s", s.Sel.Name))
			}
			return true
		})
	}
	return out
}
