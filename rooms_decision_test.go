package assay_test

import (
	"go/ast"
	"slices"
)

// decisions finds whatever reaches for a person's decision on a baseline
// outside of the command that a person calls (B8).
func decisions(t tree) []breach {
	var out []breach
	for _, f := range t.product() {
		if f.path == "cmd/assay/baseline_decide.go" || f.room() == "evidence/baseline" {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains([]string{"Approve", "Reject", "Import"}, s.Sel.Name) {
				out = append(out, t.breach(f, s, "what a tool or a model can approve proves nothing: only a person's command decides on a baseline", "uses .%s", s.Sel.Name))
			}
			return true
		})
	}
	return out
}
