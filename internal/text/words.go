package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// WordsWithin reports whether wanted stands in text as whole words, at any place; see
// [Alone]. The case counts, and so does how letters are composed.
func WordsWithin(text, wanted string) bool {
	for from := 0; wanted != ""; {
		at := strings.Index(text[from:], wanted)
		if at < 0 {
			return false
		}
		at += from
		if WordsAlone(text[:at], wanted, text[at+len(wanted):]) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		from = at + size
	}
	return false
}

// WordsAlone reports whether text, which stands between before and after, is made of
// whole words. A word does not go on where a letter, a digit or an underscore
// meets anything else. A number goes on over the points, commas and apostrophes
// between its digits, and over the colons and strokes of times and dates; it
// begins with its minus sign: 5 is neither in 15 nor in 1.5, -5 or 12:05. Scripts
// that are written without spaces have no such limits.
func WordsAlone(before, text, after string) bool {
	before, after = lastWord(before), firstWord(after)
	first, last := letter(text), lastLetter(text)
	left, right := lastLetter(before), letter(after)
	switch {
	case unicode.IsMark(right) && text != "":
		return false // it belongs to the last letter
	case joined(left, first) || joined(last, right):
		return false
	case unicode.IsDigit(first) && (numberBefore(before) || negativeBefore(before)):
		return false
	case unicode.Is(unicode.Sc, first) && unicode.IsDigit(secondRune(text)) && negativeBefore(before):
		return false
	case isMinus(first) && unicode.IsDigit(secondRune(text)) && isWordLetter(left):
		return false // the dash of 7-5
	case unicode.IsDigit(last) && inNumber(right) && unicode.IsDigit(secondRune(after)):
		return false
	case unicode.IsLetter(first) && endsWithApostrophe(before) || isWordLetter(last) && isApostrophe(right) && unicode.IsLetter(secondRune(after)):
		return false // an apostrophe within a word
	default:
		return true
	}
}

// lastWord returns what a text ends with, from its last space on.
func lastWord(s string) string {
	return s[strings.LastIndexFunc(s, unicode.IsSpace)+1:]
}

func firstWord(s string) string {
	if at := strings.IndexFunc(s, unicode.IsSpace); at >= 0 {
		return s[:at]
	}
	return s
}

func isMinus(r rune) bool { return r == '-' || r == '−' }

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// inNumber reports whether r joins two digits to one number, date or time.
func inNumber(r rune) bool { return strings.ContainsRune(".,:/", r) && r != 0 || isApostrophe(r) }

// endsWithApostrophe reports whether a text ends with an apostrophe behind a letter.
func endsWithApostrophe(before string) bool {
	r, size := utf8.DecodeLastRuneInString(before)
	return isApostrophe(r) && unicode.IsLetter(lastLetter(before[:len(before)-size]))
}

// numberBefore reports whether the digits that follow go on a number.
func numberBefore(before string) bool {
	sign, size := utf8.DecodeLastRuneInString(before)
	if !inNumber(sign) {
		return false
	}
	rest := before[:len(before)-size]
	return unicode.IsDigit(lastLetter(rest)) || sign == '.' && (rest == "" || !isWordLetter(lastLetter(rest)))
}

// negativeBefore reports whether the number that follows has a minus sign, with a
// sign of currency behind it or not. The dash of 7-5 and of page-2 is none.
func negativeBefore(before string) bool {
	if sign, size := utf8.DecodeLastRuneInString(before); unicode.Is(unicode.Sc, sign) {
		before = before[:len(before)-size]
	}
	sign, size := utf8.DecodeLastRuneInString(before)
	last := lastLetter(before[:len(before)-size])
	return isMinus(sign) && !isWordLetter(last) && last != ')' && last != ']'
}

// joined reports whether two characters side by side are of one word.
func joined(a, b rune) bool { return isWordLetter(a) && isWordLetter(b) }

// isWordLetter reports whether words are made of a character, in a script that has
// spaces between them.
func isWordLetter(r rune) bool {
	if unicode.IsDigit(r) || r == '_' {
		return true
	}
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Yi,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese, unicode.Balinese, unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham)
}

// letter returns the first character, 0 where there is none.
func letter(s string) rune {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return 0
	}
	return r
}

// secondRune returns the character behind the first one and its marks.
func secondRune(s string) rune {
	_, size := utf8.DecodeRuneInString(s)
	return letter(strings.TrimLeftFunc(s[size:], unicode.IsMark))
}

// lastLetter returns the last character that is no mark, 0 where there is none.
func lastLetter(s string) rune {
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if s = s[:len(s)-size]; !unicode.IsMark(r) {
			return r
		}
	}
	return 0
}
