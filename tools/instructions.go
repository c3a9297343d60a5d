package tools

import _ "embed"

// the instructions are a file, so that they can be read as one

//go:embed instructions.md
var instructions string

// Instructions returns the server's instructions for a model that attaches.
func Instructions() string { return instructions }
