package pagetext

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pattern"
)

var (
	// hidden matches what can't stand in a line as it is: characters that end a line
	// somewhere, that an editor changes or hides, or that turn the order of others.
	hidden = pattern.New(`[\x00-\x1f\x7f\x{80}-\x{9f}\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}\x{feff}]`)
	// live matches what may have a meaning within a line of Markdown.
	live = pattern.New("[`*<>\\[\\]~|$\\\\]|&[#0-9A-Za-z]+;|^_|_$|[^0-9A-Za-z]_|_[^0-9A-Za-z]|__")
	// linking matches what some readers of Markdown make a link of.
	linking = pattern.New(`(?i)://|www\.`)
)

// MarkdownExact returns a text as it stands at the end of a line of a Markdown file from
// which it is read again: as it is, and in quotes where it would be read as something
// else; see [MarkdownQuoted].
func MarkdownExact(t Text) string {
	if linking.MatchString(string(t)) {
		return MarkdownQuoted(t)
	}
	return MarkdownAddress(t)
}

// MarkdownAddress returns an address as [MarkdownExact] does a text. Readers may make a
// link of it, which leads where it says.
func MarkdownAddress(t Text) string {
	s := string(t)
	if needsQuotes(s) || live.MatchString(s) || s[0] == '"' {
		return MarkdownQuoted(t)
	}
	return s
}

// needsQuotes reports whether nothing but quotes can hold a text.
func needsQuotes(s string) bool {
	return s == "" || hidden.MatchString(s) || !utf8.ValidString(s) || strings.TrimSpace(s) != s
}

// MarkdownSpan returns a text as a code span from which it is read again: with a fence
// longer than any run of backticks in it. What a code span can't hold is in quotes.
func MarkdownSpan(t Text) string {
	s := string(t)
	if needsQuotes(s) {
		return MarkdownQuoted(t)
	}
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// MarkdownQuoted returns a text in double quotes from which it is read again. A backslash
// stands before a quote, a backslash, and every character that has a meaning in Markdown;
// n, r, t and u with four hexadecimal digits after one stand for characters that a line
// can't hold. What is not UTF-8 becomes U+FFFD.
func MarkdownQuoted(t Text) string {
	s := strings.ToValidUTF8(string(t), "\ufffd")
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`, "~", `\~`,
		"&", `\&`, "$", `\$`, "://", `:\//`).Replace(s)
	s = linking.ReplaceAllStringFunc(s, func(www string) string { return www[:len(www)-1] + `\` + www[len(www)-1:] })
	s = hidden.ReplaceAllStringFunc(s, func(c string) string {
		switch c {
		case "\n":
			return `\n`
		case "\r":
			return `\r`
		case "\t":
			return `\t`
		}
		r, _ := utf8.DecodeRuneInString(c)
		return fmt.Sprintf(`\u%04x`, r)
	})
	return `"` + s + `"`
}
