package browser

import (
	"fmt"
	"strings"
)

// selectorPart is one step of a chain: a snapshot line, or a query in one of
// Playwright's own engines.
type selectorPart struct {
	line   *snapshotLine
	engine string // css, xpath, text, …; empty for a line
	body   string
}

// snapshotLine is the part of a printed line that finds the element again.
type snapshotLine struct {
	role  string
	name  string
	named bool
	nth   int // counted from 1; 0 means none was given
}

func (l snapshotLine) String() string {
	var b strings.Builder
	b.WriteString(l.role)
	if l.named {
		b.WriteString(` "` + lineEscaper.Replace(l.name) + `"`)
	}
	if l.nth > 0 {
		fmt.Fprintf(&b, " [%d]", l.nth)
	}
	return b.String()
}

// String is the selector in its canonical form: parsing it again gives the same one.
func (s selector) String() string {
	parts := make([]string, len(s.parts))
	for i, p := range s.parts {
		parts[i] = p.String()
	}
	return s.prefix() + strings.Join(parts, " >> ")
}

// prefix is what stands before every line of its last frame.
func (s selector) prefix() string {
	var b strings.Builder
	for _, hop := range s.hops {
		b.WriteString(hop.String() + " > ")
	}
	return b.String()
}

func (p selectorPart) String() string {
	if p.line != nil {
		return p.line.String()
	}
	return p.engine + "=" + p.body
}

func unwrapQuotes(s string) (string, bool) {
	if len(s) < 2 || s[0] != s[len(s)-1] || (s[0] != '"' && s[0] != '\'') {
		return "", false
	}
	return s[1 : len(s)-1], true
}
