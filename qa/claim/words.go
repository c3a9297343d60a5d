package claim

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// WordBounded reports whether want stands in text as whole words: what is before
// and behind it is no part of its first and last word, and a number is a whole
// number with its sign, groups and decimals ("5" is not in "15", "1.5", "-5" or
// "12:05"). Scripts without spaces between words need no boundary; in Hangul
// particles may follow. A hyphen before a word belongs to it ("Paid" is not in
// "Non-Paid"), one behind it doesn't. A space parts two numbers. Both texts must
// be in one normal form; the case counts.
func WordBounded(text, want string) bool {
	for from := 0; want != ""; {
		at := strings.Index(text[from:], want)
		if at < 0 {
			return false
		}
		at += from
		if beginsWord(text[:at], want) && endsWord(want, text[at+len(want):]) {
			return true
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		from = at + n
	}
	return false
}

// lastRunes are the last runes of a text, the very last first; 0 where there is
// none.
func lastRunes(s string) (last, second, third rune) {
	var out [3]rune
	for i := range out {
		r, n := utf8.DecodeLastRuneInString(s)
		if n == 0 {
			break
		}
		out[i], s = r, s[:len(s)-n]
	}
	return out[0], out[1], out[2]
}

func firstRunes(s string) (first, second rune) {
	first, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return 0, 0
	}
	if second, size := utf8.DecodeRuneInString(s[n:]); size > 0 {
		return first, second
	}
	return first, 0
}

// ofWord reports whether a rune is part of a word in scripts that part words.
func ofWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.M, r) || r == '_') && !spaceless(r)
}

// inNumber reports whether r joins two digits to one number, date or time.
func inNumber(r rune) bool {
	return strings.ContainsRune(".,:/'’٬٫\u00a0\u202f", r) || isMinus(r) || r == '‐' || r == '‑' || r == '–'
}

// beginsWord reports whether a word begins where want follows on before.
func beginsWord(before, want string) bool {
	last, second, third := lastRunes(before)
	first, next := firstRunes(want)
	switch {
	case last == 0:
		return !unicode.Is(unicode.M, first)
	case unicode.Is(unicode.M, first):
		return false
	case unicode.IsDigit(first):
		return beginsNumber(last, second, third)
	case unicode.Is(unicode.Sc, first) && unicode.IsDigit(next):
		return !isMinus(last) || ofWord(second)
	case (isMinus(first) || first == '+') && (unicode.IsDigit(next) || unicode.Is(unicode.Sc, next)):
		return !ofWord(last) && !isMinus(last)
	case !ofWord(first):
		return true
	case ofWord(last):
		return false
	case isHyphen(last) || last == '.' || last == '@':
		return !ofWord(second) || spaceless(second)
	}
	return true
}

func beginsNumber(last, second, third rune) bool {
	switch {
	case ofWord(last) || last == '+':
		return false
	case unicode.Is(unicode.Sc, last):
		return !isMinus(second) || ofWord(third)
	case isMinus(last) || isHyphen(last):
		return false
	case inNumber(last):
		return !unicode.IsDigit(second) && last != '.' && last != '٫' // .5 is no 5
	}
	return true
}

func isHyphen(r rune) bool { return r == '-' || r == '‐' || r == '‑' }

// endsWord reports whether a word ends where after follows on want.
func endsWord(want, after string) bool {
	first, next := firstRunes(after)
	last, _ := utf8.DecodeLastRuneInString(want)
	switch {
	case first == 0:
		return true
	case unicode.Is(unicode.M, first):
		return false
	case !ofWord(last):
		return true
	case unicode.IsDigit(last):
		if ofWord(first) || unicode.IsDigit(next) && inNumber(first) {
			return false
		}
		return !isMinus(first) || next != 0 && !ofWord(next) && next != ' ' // 5- is a debt
	case unicode.Is(unicode.Hangul, last):
		return true
	case ofWord(first):
		return false
	case isApostrophe(first) && ofWord(next):
		_, n := utf8.DecodeRuneInString(after)
		return possessive(after[n:])
	case first == '.' || first == '@':
		return !ofWord(next)
	}
	return true
}

// possessive reports whether what follows an apostrophe is the s of Paul's.
func possessive(s string) bool {
	first, next := firstRunes(s)
	return first == 's' && !ofWord(next)
}
