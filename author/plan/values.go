package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// value reads a value at the start of s: a text in quotes, a code span, or, where it has
// neither, all of s. It returns what follows.
func value(s string) (text, after string, err error) {
	switch {
	case strings.HasPrefix(s, `"`):
		return readQuoted(s)
	case strings.HasPrefix(s, "`"):
		return readCode(s)
	default:
		return s, "", nil
	}
}

// whole reads a value that is all of s.
func whole(s string) (string, error) {
	text, after, err := value(s)
	if err == nil && after != "" {
		err = fmt.Errorf("%q follows the value: a quote within quotes is written \\\"", after)
	}
	return text, err
}

// markdownEscapes are the characters that may follow a backslash for themselves, as in
// Markdown.
const markdownEscapes = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// readQuoted reads a text in double quotes; see [pagetext.MarkdownQuoted].
func readQuoted(s string) (text, after string, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] == '"' {
			return b.String(), s[i+1:], nil
		}
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			break
		}
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'u':
			n, err := strconv.ParseUint(s[i+1:min(i+5, len(s))], 16, 16)
			if err != nil || i+5 > len(s) || n >= 0xd800 && n < 0xe000 {
				return "", "", fmt.Errorf(`\u is not followed by four hexadecimal digits of a character`)
			}
			b.WriteRune(rune(n))
			i += 4
		default:
			if strings.IndexByte(markdownEscapes, s[i]) >= 0 {
				b.WriteByte(s[i])
				continue
			}
			return "", "", fmt.Errorf(`\%c is no escape: a backslash is written \\`, s[i])
		}
	}
	return "", "", fmt.Errorf("a closing quote is missing")
}

// readCode reads a code span; see [pagetext.MarkdownSpan].
func readCode(s string) (text, after string, err error) {
	fence := s[:len(s)-len(strings.TrimLeft(s, "`"))]
	rest := s[len(fence):]
	for from := 0; ; {
		at := strings.Index(rest[from:], fence)
		if at < 0 {
			return "", "", fmt.Errorf("a closing backtick is missing")
		}
		at += from
		run := len(rest[at:]) - len(strings.TrimLeft(rest[at:], "`"))
		if run > len(fence) { // a longer run is part of the text
			from = at + run
			continue
		}
		text, after = rest[:at], rest[at+len(fence):]
		if inner, ok := strings.CutPrefix(text, " "); ok && strings.HasSuffix(inner, " ") {
			if inner = inner[:len(inner)-1]; strings.HasPrefix(inner, "`") || strings.HasSuffix(inner, "`") {
				text = inner
			}
		}
		return text, after, nil
	}
}

// readNotable reads a notable element without its bullet.
func readNotable(s string) (n Notable, err error) {
	if !strings.HasPrefix(s, "`") && !strings.HasPrefix(s, `"`) {
		return n, fmt.Errorf("a notable element begins with its selector in backticks")
	}
	n.Selector, s, err = value(s)
	if err != nil {
		return n, fmt.Errorf("selector: %w", err)
	}
	if rest, ok := strings.CutPrefix(s, ` "`); ok {
		n.Text, s, err = readQuoted(`"` + rest)
		if err != nil {
			return n, fmt.Errorf("text: %w", err)
		}
	}
	if rest, ok := strings.CutPrefix(s, " - "); ok {
		if n.Description, err = whole(strings.TrimSpace(rest)); err != nil {
			return n, fmt.Errorf("description: %w", err)
		}
		s = ""
	}
	if s = strings.TrimSpace(s); s != "" {
		return n, fmt.Errorf("%q stands where a description is written: ` - ` and words", s)
	}
	return n, nil
}
