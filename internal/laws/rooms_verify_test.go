package laws_test

import (
	"go/ast"
	"slices"
)

// verifying finds whatever could write in the room that checks evidence: who
// looks for traces must leave none (B8).
func verifying(t tree) []breach {
	writing := []string{
		"Create", "CreateTemp", "WriteFile", "OpenFile", "NewFile", "Mkdir", "MkdirAll", "MkdirTemp", "Remove", "RemoveAll", "Rename", "Symlink", "Link", "Truncate", "Chmod", "Chown", "Chtimes", "CopyFS",
		"Write", "WriteString", "WriteAt", "Put", "Delete", "Update", "Append", "Rotate", "Key", "Seal", "Prepare",
	}
	var out []breach
	for _, f := range t.product() {
		if f.room() != "evidence/verify" {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(writing, s.Sel.Name) {
				out = append(out, t.breach(f, s, "whoever verifies changes nothing: a verifier that could write could make what it finds", "uses .%s", s.Sel.Name))
			}
			return true
		})
	}
	return out
}
