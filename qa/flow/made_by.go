package flow

import (
	"slices"

	"github.com/assay-qa/assay/internal/document"
)

// ByProgram reports whether the text of a flow file says that a program made it: it is
// recorded, or the calls of a run stand in it. What can't be read is no flow, and says
// nothing.
func ByProgram(name string, data []byte) bool {
	n, err := document.Parse(document.FormatOf(name), data)
	return err == nil && slices.ContainsFunc(n.Fields, func(f document.Field) bool { return f.Name == "recorded" || f.Name == "made_by" })
}
