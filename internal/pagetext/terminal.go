package pagetext

import (
	"strings"
	"unicode"

	"github.com/assay-qa/assay/internal/text"
)

// Terminal returns a text as a part of one line of a terminal: it can't look like
// another line, nor tell the terminal anything, nor turn the order of what follows.
func Terminal(t Text) string { return text.Line(string(t)) }

// Visible returns a text whose characters are all shown as what they are: it keeps line
// breaks and tabs, and has U+FFFD for what changes how others are shown. It escapes
// nothing for the place that it comes to.
func Visible[S ~string](s S) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && acts(r) {
			return unicode.ReplacementChar
		}
		return r
	}, string(s))
}

// acts reports whether a character does something to others rather than being shown.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// Clip returns the first n characters of a text, and whether that is all of it.
func Clip(s string, n int) (head string, whole bool) {
	for i := range s {
		if n == 0 {
			return s[:i], false
		}
		n--
	}
	return s, true
}
