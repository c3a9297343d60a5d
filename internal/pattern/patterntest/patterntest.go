// Package patterntest is test code: it holds lists of expressions to what they
// promise, that each entry can match and that none is there in vain.
package patterntest

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/assay-qa/assay/internal/pattern"
)

// Check fails where a file cannot be read, where an expression does not compile, and
// where an entry of a list is not reached: no text is found by it that no other entry
// of its list finds.
func Check(t *testing.T, lists *pattern.Lists) {
	t.Helper()
	names, err := lists.Names()
	if err != nil || len(names) == 0 {
		t.Fatalf("%d lists: %v", len(names), err)
	}
	for _, name := range names {
		entries := lists.Entries(name)
		whole := compile(t, lists, name, entries)
		for i, entry := range entries {
			alone := compile(t, lists, name, []string{entry})
			others := compile(t, lists, name, slices.Delete(slices.Clone(entries), i, i+1))
			if letter, lost := LostBoundary(alone.String()); lost {
				t.Errorf("%s, entry %q: \\b knows no letter such as %c: use [^\\pL]", name, entry, letter)
			}
			members := Members(alone.String())
			switch {
			case !slices.ContainsFunc(members, whole.MatchString):
				t.Errorf("%s, entry %q: the list finds none of %q", name, entry, members)
			case len(entries) > 1 && !slices.ContainsFunc(members, func(m string) bool { return !others.MatchString(m) }):
				t.Errorf("%s, entry %q: the others find all that it finds: %q", name, entry, members)
			}
		}
		if members := Members(whole.String()); len(members) == 0 {
			t.Errorf("%s: %s can't match", name, whole)
		}
	}
}

func compile(t *testing.T, lists *pattern.Lists, name string, entries []string) *regexp.Regexp {
	t.Helper()
	text, err := lists.Expression(name, entries)
	if err != nil {
		t.Fatal(err)
	}
	if text == "(?:"+strings.Join(entries, "|")+")" { // a piece of other lists
		text = "^" + text + "$"
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return compiled
}

// Members returns texts that an expression finds something in: the plainest, and one
// for each other way that it leaves open.
func Members(expression string) []string {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	compiled := regexp.MustCompile(expression)
	texts := ways(parsed)
	texts = append(texts, texts[0]+"x", "x"+texts[0]) // where more may stand around it
	return slices.DeleteFunc(texts, func(m string) bool { return !compiled.MatchString(m) })
}

// ways returns the texts that an expression is made of, the plainest first. What
// anchors ask for is not looked at.
func ways(e *syntax.Regexp) []string {
	switch e.Op {
	case syntax.OpLiteral:
		return []string{string(e.Rune)}
	case syntax.OpCharClass:
		return letters(e.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return []string{"x", " "}
	case syntax.OpCapture:
		return ways(e.Sub[0])
	case syntax.OpQuest:
		return append([]string{""}, ways(e.Sub[0])...)
	case syntax.OpStar:
		return append([]string{""}, repeated(ways(e.Sub[0]), 1, -1)...)
	case syntax.OpPlus:
		return ways(e.Sub[0])
	case syntax.OpRepeat:
		return repeated(ways(e.Sub[0]), e.Min, e.Max)
	case syntax.OpAlternate:
		var out []string
		for _, sub := range e.Sub {
			out = append(out, ways(sub)...)
		}
		return out
	case syntax.OpConcat:
		return joined(e.Sub)
	default:
		return []string{""}
	}
}

// letters returns some members of a class of letters, given as pairs of bounds.
func letters(bounds []rune) []string {
	var out []string
	for _, r := range "xX1 .a" {
		for i := 0; i+1 < len(bounds); i += 2 {
			if bounds[i] <= r && r <= bounds[i+1] {
				out = append(out, string(r))
			}
		}
	}
	for i := 0; i < len(bounds) && len(out) < 8; i += 2 {
		out = append(out, string(bounds[i]))
	}
	return out
}

// repeated returns each way as often as it has to stand, and once more.
func repeated(each []string, least, most int) []string {
	var out []string
	for _, way := range each {
		text := ""
		for range least {
			text += way
		}
		out = append(out, text)
		if most != least {
			out = append(out, text+way)
		}
	}
	return out
}

// joined returns the plainest way of all parts, and each other way of one of them.
func joined(parts []*syntax.Regexp) []string {
	texts := []string{""}
	for _, part := range parts {
		own := ways(part)
		before := texts[0]
		for k := range texts {
			texts[k] += own[0]
		}
		for _, other := range own[1:] {
			texts = append(texts, before+other)
		}
	}
	return texts
}

// LostBoundary returns a letter of an expression beside which \b stands although it is
// no letter for \b, which knows those of ASCII alone: there is no boundary between it
// and a space, and what ends or begins with it is not found.
func LostBoundary(expression string) (letter rune, lost bool) {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0, false
	}
	return lostBoundary(parsed)
}

func lostBoundary(e *syntax.Regexp) (rune, bool) {
	for i, sub := range e.Sub {
		if r, lost := lostBoundary(sub); lost {
			return r, true
		}
		if e.Op != syntax.OpConcat || sub.Op != syntax.OpWordBoundary {
			continue
		}
		var beside []rune
		if i > 0 {
			beside = edge(e.Sub[i-1], true)
		}
		if i+1 < len(e.Sub) {
			beside = append(beside, edge(e.Sub[i+1], false)...)
		}
		for _, r := range beside {
			if r > unicode.MaxASCII && unicode.IsLetter(r) {
				return r, true
			}
		}
	}
	return 0, false
}

// edge returns the letters that an expression may end or begin with, as far as they are
// written out.
func edge(e *syntax.Regexp, end bool) []rune {
	switch e.Op {
	case syntax.OpLiteral:
		if end {
			return e.Rune[len(e.Rune)-1:]
		}
		return e.Rune[:1]
	case syntax.OpCapture:
		return edge(e.Sub[0], end)
	case syntax.OpConcat:
		if end {
			return edge(e.Sub[len(e.Sub)-1], end)
		}
		return edge(e.Sub[0], end)
	case syntax.OpAlternate:
		var out []rune
		for _, sub := range e.Sub {
			out = append(out, edge(sub, end)...)
		}
		return out
	}
	return nil
}
