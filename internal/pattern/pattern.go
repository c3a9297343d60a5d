// Package pattern holds regular expressions that are compiled on their first use, and
// lists of them that stand in embedded files, one entry a line: a program that needs a
// few of them at a start pays for these alone.
package pattern

import (
	"fmt"
	"regexp"
	"sync"
)

// Pattern is a regular expression that may not be compiled yet. It can be used by
// several goroutines at once.
type Pattern struct {
	text     string
	later    func() (string, error) // the text of a list, where it is one
	once     sync.Once
	compiled *regexp.Regexp
	err      error
}

// New returns the pattern that text is, as [regexp.Compile] reads it. A text that
// is none makes the first use panic; a law of the tree compiles the text of every
// call before.
func New(text string) *Pattern { return &Pattern{text: text} }

// expression returns the compiled expression.
func (p *Pattern) expression() *regexp.Regexp {
	p.once.Do(func() {
		if p.later != nil {
			if p.text, p.err = p.later(); p.err != nil {
				return
			}
		}
		p.compiled, p.err = regexp.Compile(p.text)
	})
	if p.err != nil {
		panic(fmt.Sprintf("pattern %#q: %v", p.text, p.err))
	}
	return p.compiled
}

// Match is [regexp.Regexp.Match].
func (p *Pattern) Match(b []byte) bool { return p.expression().Match(b) }

// MatchString is [regexp.Regexp.MatchString].
func (p *Pattern) MatchString(s string) bool { return p.expression().MatchString(s) }

// FindString is [regexp.Regexp.FindString].
func (p *Pattern) FindString(s string) string { return p.expression().FindString(s) }

// FindStringIndex is [regexp.Regexp.FindStringIndex].
func (p *Pattern) FindStringIndex(s string) []int { return p.expression().FindStringIndex(s) }

// FindSubmatch is [regexp.Regexp.FindSubmatch].
func (p *Pattern) FindSubmatch(b []byte) [][]byte { return p.expression().FindSubmatch(b) }

// FindAllSubmatch is [regexp.Regexp.FindAllSubmatch].
func (p *Pattern) FindAllSubmatch(b []byte, n int) [][][]byte {
	return p.expression().FindAllSubmatch(b, n)
}

// FindStringSubmatch is [regexp.Regexp.FindStringSubmatch].
func (p *Pattern) FindStringSubmatch(s string) []string { return p.expression().FindStringSubmatch(s) }

// FindStringSubmatchIndex is [regexp.Regexp.FindStringSubmatchIndex].
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	return p.expression().FindStringSubmatchIndex(s)
}

// FindAll is [regexp.Regexp.FindAll].
func (p *Pattern) FindAll(b []byte, n int) [][]byte { return p.expression().FindAll(b, n) }

// FindAllString is [regexp.Regexp.FindAllString].
func (p *Pattern) FindAllString(s string, n int) []string { return p.expression().FindAllString(s, n) }

// FindAllStringSubmatch is [regexp.Regexp.FindAllStringSubmatch].
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.expression().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is [regexp.Regexp.FindAllStringSubmatchIndex].
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.expression().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAll is [regexp.Regexp.ReplaceAll].
func (p *Pattern) ReplaceAll(in, with []byte) []byte { return p.expression().ReplaceAll(in, with) }

// ReplaceAllFunc is [regexp.Regexp.ReplaceAllFunc].
func (p *Pattern) ReplaceAllFunc(in []byte, with func([]byte) []byte) []byte {
	return p.expression().ReplaceAllFunc(in, with)
}

// ReplaceAllString is [regexp.Regexp.ReplaceAllString].
func (p *Pattern) ReplaceAllString(in, with string) string {
	return p.expression().ReplaceAllString(in, with)
}

// ReplaceAllLiteralString is [regexp.Regexp.ReplaceAllLiteralString].
func (p *Pattern) ReplaceAllLiteralString(in, with string) string {
	return p.expression().ReplaceAllLiteralString(in, with)
}

// ReplaceAllStringFunc is [regexp.Regexp.ReplaceAllStringFunc].
func (p *Pattern) ReplaceAllStringFunc(in string, with func(string) string) string {
	return p.expression().ReplaceAllStringFunc(in, with)
}

// Split is [regexp.Regexp.Split].
func (p *Pattern) Split(s string, n int) []string { return p.expression().Split(s, n) }
