package texts

import (
	"fmt"
	"unicode/utf8"
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
