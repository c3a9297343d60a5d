// Package pagetext holds words that a page chose, or whoever can write into it. They
// have a type of their own, so that the compiler asks wherever they are printed: what
// takes a string does not take them, and only writers that escape or mark them do. A
// law of the tree forbids the way round that, a conversion to string.
//
// Words of ours that quote the page's are the page's too: [Sprintf] and [Join] make
// them. A [Sentence] knows which of its words it quotes. Making a Text of a string is
// always right; it costs no more than a mark.
package pagetext

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/text"
)

// Text holds words of a page as they are: with line breaks, escape sequences and marks.
// In JSON it is a string.
type Text string

// Matcher is a pattern.
type Matcher interface{ MatchString(s string) bool }

// Contains reports whether the text has a part.
func (t Text) Contains(part Text) bool { return strings.Contains(string(t), string(part)) }

// HasPrefix reports whether the text begins with prefix.
func (t Text) HasPrefix(prefix Text) bool { return strings.HasPrefix(string(t), string(prefix)) }

// HasSuffix reports whether the text ends with suffix.
func (t Text) HasSuffix(suffix Text) bool { return strings.HasSuffix(string(t), string(suffix)) }

// Cut returns what stands before and after a separator, and whether the text has it; all
// stands before one that it does not have.
func (t Text) Cut(separator string) (before, after Text, found bool) {
	b, a, found := strings.Cut(string(t), separator)
	return Text(b), Text(a), found
}

// CutPrefix returns the text without prefix, and whether it begins with it.
func (t Text) CutPrefix(prefix string) (after Text, found bool) {
	a, found := strings.CutPrefix(string(t), prefix)
	return Text(a), found
}

// CutSuffix returns the text without suffix, and whether it ends with it.
func (t Text) CutSuffix(suffix string) (before Text, found bool) {
	b, found := strings.CutSuffix(string(t), suffix)
	return Text(b), found
}

// Split returns the parts between separators.
func (t Text) Split(separator string) []Text { return Of(strings.Split(string(t), separator)...) }

// Length returns the number of characters.
func (t Text) Length() int { return utf8.RuneCountInString(string(t)) }

// Words returns the number of words.
func (t Text) Words() int { return len(strings.Fields(string(t))) }

// Equal reports whether the text is s.
func (t Text) Equal(s string) bool { return string(t) == s }

// Fold reports whether the text is s but for upper and lower case.
func (t Text) Fold(s string) bool { return strings.EqualFold(string(t), s) }

// LooksLike reports whether the text and s look the same to a reader.
func (t Text) LooksLike(s string) bool { return text.Alike(string(t), s) }

// Matches reports whether a pattern is found in the text.
func (t Text) Matches(m Matcher) bool { return m.MatchString(string(t)) }

// Map returns what f makes of the text.
func (t Text) Map(f func(string) string) Text { return Text(f(string(t))) }

// Trim returns the text without white space around it.
func (t Text) Trim() Text { return t.Map(strings.TrimSpace) }

// Shorten returns the first limit characters, and "…" behind them if there are more.
func (t Text) Shorten(limit int) Text { return Text(text.Shorten(string(t), limit)) }

// CutBytes returns the first limit bytes at most, up to a character's edge, and "…"
// behind them if there are more.
func (t Text) CutBytes(limit int) Text { return Text(text.Cut(string(t), limit)) }

// Around returns the limit characters around the first occurrence of a part; all of a
// shorter text, and of one that has no such part.
func (t Text) Around(part string, limit int) Text { return Text(text.Around(string(t), part, limit)) }

// maxLine bounds a text that stands in a line with others, in characters.
const maxLine = 200

// OneLine returns a text without line breaks, and with at most 200 characters.
func OneLine[S ~string](s S) S {
	return S(text.Shorten(strings.Join(strings.Fields(string(s)), " "), maxLine))
}

// Of returns strings as texts.
func Of[S ~string](all ...S) []Text {
	if all == nil {
		return nil
	}
	out := make([]Text, len(all))
	for i, s := range all {
		out[i] = Text(s)
	}
	return out
}

// Join returns texts with a separator between them.
func Join[S ~string](all []S, separator string) Text {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = string(s)
	}
	return Text(strings.Join(parts, separator))
}

// Sprintf formats a sentence in which words of a page stand as they are: all of it
// becomes theirs.
func Sprintf(format string, args ...any) Text {
	whole := make([]any, len(args))
	for i, arg := range args {
		whole[i] = arg
		switch words := arg.(type) {
		case Text:
			whole[i] = string(words)
		case Sentence:
			whole[i] = string(words.Text())
		case []Text:
			plain := make([]string, len(words))
			for j, w := range words {
				plain[j] = string(w)
			}
			whole[i] = plain
		}
	}
	return Text(fmt.Sprintf(format, whole...))
}

// Format prints the text where it is printed by mistake: as [Terminal] does, in one line
// and without anything that acts.
func (t Text) Format(s fmt.State, verb rune) {
	words := Terminal(t)
	if verb == 'q' && !s.Flag('#') { // it escapes by itself
		words = string(t)
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), words)
}
