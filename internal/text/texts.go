package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Shorten returns the first limit characters of s, and "…" behind them if there
// are more.
func Shorten(s string, limit int) string {
	n := 0
	for i := range s {
		if n == limit {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// Fit returns s if it has at most limit characters, or else its beginning with
// "…" as the last of so many.
func Fit(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return Shorten(s, limit-1)
}

// Bytes returns the longest beginning of s that has at most limit bytes and ends
// between two characters.
func Bytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// Cut returns the first limit bytes of s at most, up to a character's edge, and "…"
// behind them if there are more.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return Bytes(s, limit) + "…"
}

// Count writes a number of things: "1 file", "3 files". The plural is with an s.
func Count(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, Plural(n, noun))
}

// Plural returns noun for one thing, and its plural with an s for any other number.
func Plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// Around returns the limit characters of s that are around its first occurrence of part,
// with an ellipsis where something is left out; s itself where it is shorter, or has no
// such part.
func Around(s, part string, limit int) string {
	at := strings.Index(s, part)
	all := []rune(s)
	if at < 0 || part == "" || len(all) <= limit {
		return s
	}
	first := utf8.RuneCountInString(s[:at])
	length := utf8.RuneCountInString(part)
	if length >= limit {
		return s
	}
	from := min(max(0, first-(limit-length)/2), len(all)-limit)
	out := string(all[from : from+limit])
	if from > 0 {
		out = "…" + out
	}
	if from+limit < len(all) {
		out += "…"
	}
	return out
}

// Alike reports whether two texts look the same to a reader: they differ at most in white
// space, in characters that paint nothing, and in how a character is composed.
func Alike(a, b string) bool { return painted(a) == painted(b) }

func painted(s string) string {
	unseen := func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}
	return strings.Join(strings.Fields(strings.Map(unseen, norm.NFKC.String(s))), " ")
}
