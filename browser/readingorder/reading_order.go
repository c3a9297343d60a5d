// Package readingorder decides in which order a person reads what stands on the screen:
// one script, for pages that we look at and for Playwright tests that we write.
package readingorder

import (
	_ "embed"
	"strings"
)

//go:embed reading_order.js
var script string

// Script returns the script for a page.
func Script() string { return script }

// TypeScript returns the script with the types that its comments name.
func TypeScript() string {
	var b strings.Builder
	rest := script
	for {
		before, after, found := strings.Cut(rest, "/*: ")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, left, _ := strings.Cut(after, "*/")
		b.WriteString(": " + name)
		rest = left
	}
}
