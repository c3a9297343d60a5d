package pagetext

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
)

// Marked returns an answer for a model: our own words, then, between marks that a page
// can't guess, the page's lines. Control characters, which may act where a client shows
// the answer, are U+FFFD in them; marks of direction stay, as names of selectors have them.
func Marked(own string, page []Text) string {
	if len(page) == 0 {
		return own
	}
	var nonce [6]byte
	_, _ = rand.Read(nonce[:]) // never fails, see crypto/rand
	mark := "page-" + hex.EncodeToString(nonce[:])
	return strings.TrimPrefix(fmt.Sprintf("%s\n<%s>\n%s\n</%s>", own, mark, withoutControls(string(Join(page, "\n"))), mark), "\n")
}

// withoutControls returns a text in which line breaks and tabs are the only controls.
func withoutControls(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Apart formats a line of an answer whose own words stay outside of the marks: in place
// of each text stands a number, such as [2], under which the page's part has it; first is
// the first number. A text that known accepts, since the caller said it itself, stays
// where it is, in one line; a nil one accepts none.
func Apart(first int, known func(Text) bool, format string, args ...any) (own string, page []Text) {
	shown := make([]any, len(args))
	for i, arg := range args {
		shown[i] = arg
		t, ok := arg.(Text)
		switch {
		case !ok:
		case t == "" || known != nil && known(t):
			shown[i] = Terminal(t)
		default:
			number := fmt.Sprintf("[%d]", first+len(page))
			shown[i] = unquoted(number)
			page = append(page, Text(number)+" "+t)
		}
	}
	return fmt.Sprintf(format, shown...), page
}

// unquoted prints itself whatever verb it is given.
type unquoted string

// Format writes the text.
func (u unquoted) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(u)) }
