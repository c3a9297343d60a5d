package claim

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind int

const (
	word     kind = iota // also one sign of punctuation, or one letter of a script without spaces
	quote                // a quoted text
	number               // a number with its sign
	location             // a path, an address, a query or a fragment
	money                // a sign of a currency, or of a share
)

// token holds a word of a sentence, or what counts as one.
type token struct {
	kind     kind
	low      string // how tables have it: of a word in lower case, of a number its plain value, of a quotation its text
	orig     string // as written; of a quotation its text
	from, to int    // where it stands
}

// maxSentence bounds a sentence, in characters. A longer one says more than one
// thing anyway.
const maxSentence = 2000

// lex splits a sentence into tokens. An error names a quotation mark that has no partner.
func lex(s string) ([]token, error) {
	var out []token
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r) || r == '\u200e' || r == '\u200f' || r == '\u061c' || r == '\ufeff':
			i += n
			continue
		case isQuotationMark(r):
			text, size, err := quotation(s[i:])
			if err != nil {
				return out, fmt.Errorf("%w (character %d)", err, utf8.RuneCountInString(s[:i])+1)
			}
			out = append(out, token{quote, text, text, i, i + size})
		case unicode.IsDigit(r):
			out = append(out, numberAt(s, i))
		case pathLength(s[i:]) > 0 && !isJoined(s[:i]):
			end := i + pathLength(s[i:])
			out = append(out, token{location, s[i:end], s[i:end], i, end})
		case (isMinus(r) || r == '+') && isNumberSign(s, i):
			i += n // the number takes it
			continue
		case isSpacelessScript(r):
			out = append(out, token{word, string(r), string(r), i, i + n})
		case unicode.IsLetter(r):
			end := i + wordLength(s[i:])
			out = append(out, token{word, strings.ToLower(strings.ReplaceAll(s[i:end], "’", "'")), s[i:end], i, end})
		case unicode.Is(unicode.Sc, r) || strings.ContainsRune("%‰％", r):
			out = append(out, token{money, string(r), string(r), i, i + n})
		default:
			out = append(out, token{word, punctuation(r), string(r), i, i + n})
		}
		i = out[len(out)-1].to
	}
	return out, nil
}

// punctuation returns a sign as tables have it.
func punctuation(r rune) string {
	switch r {
	case '，', '、', '،', '､':
		return ","
	case '；', '؛':
		return ";"
	case '：':
		return ":"
	case '。', '．', '｡':
		return "."
	case '！':
		return "!"
	case '？', '؟':
		return "?"
	case '（':
		return "("
	case '）':
		return ")"
	}
	return string(r)
}

// isJoined reports whether what follows belongs to the word before it.
func isJoined(before string) bool {
	r, n := utf8.DecodeLastRuneInString(before)
	return n > 0 && isSpacedLetter(r)
}

// isNumberSign reports whether the sign at i is that of a number behind it.
func isNumberSign(s string, i int) bool {
	_, n := utf8.DecodeRuneInString(s[i:])
	next, _ := utf8.DecodeRuneInString(s[i+n:])
	_, ok := signBefore(s[:i+n])
	return ok && unicode.IsDigit(next)
}

// numberAt reads what begins with a digit at i: a number with the sign before it,
// or a word such as 2xx, 12:30 or 1.2.3.
func numberAt(s string, i int) token {
	end := i + numberLength(s[i:])
	more := end
	for more < len(s) {
		r, n := utf8.DecodeRuneInString(s[more:])
		next, _ := utf8.DecodeRuneInString(s[more+n:])
		inside := strings.ContainsRune(".,:/-−–_@'’", r) && (isSpacedLetter(next) || unicode.IsDigit(next))
		if !inside && !isSpacedLetter(r) && !unicode.Is(unicode.M, r) {
			break
		}
		more += n
	}
	value, ok := asciiNumber(s[i:end])
	if more > end || !ok {
		return token{word, strings.ToLower(s[i:more]), s[i:more], i, more}
	}
	from := i
	if negative, signed := signBefore(s[:i]); signed {
		_, n := utf8.DecodeLastRuneInString(s[:i])
		if from -= n; negative {
			value = "-" + value
		}
	}
	return token{number, value, s[from:end], from, end}
}

// wordLength returns the length of the word at the start of s. Apostrophes, hyphens
// and the signs of and/or, a.b and a@b join.
func wordLength(s string) int {
	end := 0
	for end < len(s) {
		r, n := utf8.DecodeRuneInString(s[end:])
		next, size := utf8.DecodeRuneInString(s[end+n:])
		switch {
		case isSpacedLetter(r) || unicode.Is(unicode.M, r) && !isSpacelessScript(r) || r == '_':
		case isApostrophe(r) && (size == 0 || !isApostrophe(next)):
			// At the end of a word it is one, too: l'"utente", the users' list.
		case strings.ContainsRune("-‐‑/.@·", r) && size > 0 && isSpacedLetter(next):
		default:
			return end
		}
		end += n
	}
	return end
}

// pathLength returns the length of the address at the start of s, 0 if there is none.
func pathLength(s string) int {
	if !startsAddress(s) {
		return 0
	}
	end := 0
	for i, r := range s {
		if unicode.IsSpace(r) || isSpacelessScript(r) || isQuotationMark(r) && r != '\'' || r > 0x7f && unicode.IsPunct(r) {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return len(strings.TrimRight(s[:end], ".,;:!?)'"))
}

func startsAddress(s string) bool {
	low := s
	if len(low) > 8 {
		low = low[:8]
	}
	low = strings.ToLower(low)
	switch {
	case strings.HasPrefix(low, "http://"), strings.HasPrefix(low, "https://"):
		return true
	case len(s) < 2:
		return s == "/"
	}
	r, _ := utf8.DecodeRuneInString(s[1:])
	switch s[0] {
	case '/':
		return true
	case '#', '?':
		return unicode.IsLetter(r) || r == '/' || s[0] == '#' && r == '!'
	case '*':
		return strings.HasPrefix(s, "**/") || strings.HasPrefix(s, "*/")
	}
	return false
}

// isSpacelessScript reports whether a letter is of a script that is written without
// spaces between words.
func isSpacelessScript(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Bopomofo, unicode.Yi)
}

// Quotes returns the quoted texts of a sentence, in its order, up to a mark without a
// partner.
func Quotes(sentence string) []string {
	var out []string
	tokens, _ := lex(sentence) // Parse reports what can't be read
	for _, t := range tokens {
		if t.kind == quote {
			out = append(out, t.orig)
		}
	}
	return out
}

// Numbers returns the numbers of a sentence outside of quoted texts and addresses, in
// its order, up to a quotation mark without a partner.
func Numbers(sentence string) []Number {
	var out []Number
	tokens, _ := lex(sentence)
	for _, t := range tokens {
		if t.kind == number {
			out = append(out, Number{t.orig, t.low})
		}
	}
	return out
}

// Addresses returns the paths and addresses of a sentence outside of quoted texts, in
// its order, up to a quotation mark without a partner.
func Addresses(sentence string) []string {
	var out []string
	tokens, _ := lex(sentence)
	for _, t := range tokens {
		if t.kind == location {
			out = append(out, t.orig)
		}
	}
	return out
}
