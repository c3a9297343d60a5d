package flow

import (
	"slices"
	"strings"
)

// ByProgram reports whether the text of a flow file says that a program made it: it is
// recorded, or the calls of a run stand in it. What can't be read is no flow, and says
// nothing.
func ByProgram(name string, data []byte) bool {
	parse := parseTOML
	if strings.HasSuffix(name, ".json") {
		parse = parseJSON
	}
	n, _, err := parse(data)
	return err == nil && slices.ContainsFunc(n.fields, func(f field) bool { return f.name == "recorded" || f.name == "made_by" })
}
