// Package script parses test files: JavaScript modules without type annotations. What
// does not parse is refused with its line. A file is bounded in size, so that deep
// nesting can't exhaust the stack, and nothing that a file points to is read.
package script
