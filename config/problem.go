package config

import (
	"cmp"
	"slices"
	"strings"
)

// Problem describes one thing that is wrong with the configuration.
type Problem struct {
	// Key holds the dotted name of the setting, as the user wrote it; empty if
	// there is none.
	Key string
	// Where the value came from: "mcp.toml:7", "ASSAY_BROWSER_TYPE" or "--browser-type".
	Where string
	// Message says what is wrong and what would be right. It never holds a secret's content.
	Message string

	line int // of the file, for the order of the report; 0 if not from the file
}

// Error returns place and message on one line.
func (p Problem) Error() string { return p.Where + ": " + p.Message }

// Error reports a configuration that was refused, with every problem found: those of the file in
// the order of its lines, then those of the environment, then those of the flags.
type Error struct {
	Problems []Problem
}

// Error returns one line per problem.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the problems for errors.As.
func (e *Error) Unwrap() []error {
	errs := make([]error, len(e.Problems))
	for i, p := range e.Problems {
		errs[i] = p
	}
	return errs
}

// inOrder sorts the problems of the file by line, and by key where maps have mixed them up.
func inOrder(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.Key, b.Key))
	})
}
