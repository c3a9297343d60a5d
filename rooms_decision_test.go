package assay_test

import (
	"go/ast"
	"slices"
)

// decisions finds whatever reaches for a person's decision outside of the
// command that a person calls: on baselines, on runs that are deleted or held,
// on the key of the log (B8, A14).
func decisions(t tree) []breach {
	where := map[string][]string{}
	for _, d := range []struct {
		names []string
		in    []string // the command's file, and the room that carries it out
	}{
		{[]string{"Approve", "Reject", "Import"}, []string{"cmd/assay/baseline_decide.go", "evidence/baseline"}},
		{[]string{"Prune", "Hold", "Release"}, []string{"cmd/assay/runs_prune.go", "evidence/retain"}},
		{[]string{"Rotate"}, []string{"cmd/assay/key.go", "evidence/ledger"}},
	} {
		for _, name := range d.names {
			where[name] = d.in
		}
	}
	var out []breach
	for _, f := range t.product() {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if in, decides := where[s.Sel.Name]; decides && !slices.Contains(in, f.path) && !slices.Contains(in, f.room()) {
				out = append(out, t.breach(f, s, "what a tool or a model can decide proves nothing: only a person's command decides", "uses .%s", s.Sel.Name))
			}
			return true
		})
	}
	return out
}
