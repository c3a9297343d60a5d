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
// of each text, and of what a sentence or an error quotes, stands a number, such as [2],
// under which the page's part has it; first is the first number. A text that known
// accepts, since the caller said it itself, stays where it is, in one line; a nil one
// accepts none.
func Apart(first int, known func(Text) bool, format string, args ...any) (own string, page []Text) {
	said := func(t Text) bool { return t == "" || known != nil && known(t) }
	number := func(t Text) string {
		n := fmt.Sprintf("[%d]", first+len(page))
		page = append(page, Text(n)+" "+t)
		return n
	}
	shown := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case Text:
			if said(arg) {
				shown[i] = Terminal(arg)
			} else {
				shown[i] = unquoted(number(arg))
			}
		case Sentence, error:
			shown[i] = unquoted(Sentencef("%v", arg).apart(func(t Text) string {
				if said(t) {
					return Terminal(t)
				}
				return number(t)
			}))
		default:
			shown[i] = arg
		}
	}
	return fmt.Sprintf(format, shown...), page
}

// unquoted prints itself whatever verb it is given.
type unquoted string

// Format writes the text.
func (u unquoted) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(u)) }
