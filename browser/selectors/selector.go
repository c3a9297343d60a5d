package selectors

import (
	"fmt"
	"strings"
)

// Part holds one step of a chain: a snapshot line, or a query in one of Playwright's own engines.
type Part struct {
	Line   *Line
	Engine string // css, xpath, text, …; empty for a line
	Body   string
}

// Line holds the part of a printed line that finds the element again.
type Line struct {
	Role  string
	Name  string
	Named bool
	Nth   int // counted from 1; 0 means none was given
}

func (l Line) String() string {
	var b strings.Builder
	b.WriteString(l.Role)
	if l.Named {
		b.WriteString(` "` + lineEscaper.Replace(l.Name) + `"`)
	}
	if l.Nth > 0 {
		fmt.Fprintf(&b, " [%d]", l.Nth)
	}
	return b.String()
}

// String returns the selector in its canonical form: parsing it again gives the same one.
func (s Selector) String() string {
	parts := make([]string, len(s.Parts))
	for i, p := range s.Parts {
		parts[i] = p.String()
	}
	return s.Prefix() + strings.Join(parts, " >> ")
}

// Prefix returns what stands before every line of its last frame.
func (s Selector) Prefix() string {
	var b strings.Builder
	for _, hop := range s.Frames {
		b.WriteString(hop.String() + " > ")
	}
	return b.String()
}

func (p Part) String() string {
	if p.Line != nil {
		return p.Line.String()
	}
	return p.Engine + "=" + p.Body
}

// Unquote takes quotes off a text; ok is false when it has none.
func Unquote(s string) (text string, ok bool) {
	if len(s) < 2 || s[0] != s[len(s)-1] || (s[0] != '"' && s[0] != '\'') {
		return "", false
	}
	return s[1 : len(s)-1], true
}
