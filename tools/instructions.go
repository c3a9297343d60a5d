package tools

import _ "embed" // the instructions are a file, so that they can be read as one

//go:embed instructions.md
var instructions string

// Instructions returns what a model is told when it attaches.
func Instructions() string { return instructions }
