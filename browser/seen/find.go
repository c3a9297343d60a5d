package seen

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// FindWords lists where wanted stands as whole words, each place as [Text.Find]
// does. A word does not go on where a letter, a digit or an underscore meets
// anything else. A number goes on over the points and commas between its digits,
// and begins with its minus sign: 5 is neither in 15 nor in 1.5 nor in -5.
// Scripts that are written without spaces have no such limits.
func (t Text) FindWords(wanted string) [][]Span {
	letters := squeezed(appendLetters(nil, wanted, 0))
	var out [][]Span
	for form, units := range t.forms {
		if form == 1 && len(out) > 0 {
			break
		}
		for start := range units {
			if len(out) == maxFinds {
				break
			}
			if end, ok := match(units[start:], letters); ok && alone(units, start, start+end) {
				out = append(out, spans(units[start:start+end]))
			}
		}
	}
	return out
}

// FindExpression lists where the expression matches, each place as [Text.Find]
// does. It sees text side by side with a space and without one. A match of
// nothing but space is none.
func (t Text) FindExpression(expression *regexp.Regexp) [][]Span {
	var out [][]Span
	for form, units := range t.forms {
		for _, gap := range []string{" ", ""} {
			if len(out) > 0 && (form == 1 || gap == "") {
				return out
			}
			text, at := written(units, gap)
			for _, m := range expression.FindAllStringIndex(text, maxFinds) {
				if place := spans(unitsOf(units, at, m[0], m[1])); len(place) > 0 {
					out = append(out, place)
				}
			}
		}
	}
	return out
}

// written is the text of units, and where each of them begins in it.
func written(units []unit, gap string) (text string, at []int) {
	var b strings.Builder
	for _, u := range units {
		at = append(at, b.Len())
		if u.text == "" {
			b.WriteString(gap)
			continue
		}
		b.WriteString(u.text)
	}
	return b.String(), append(at, b.Len())
}

// unitsOf are the units that a stretch of the written text touches.
func unitsOf(units []unit, at []int, from, to int) []unit {
	var out []unit
	for i, u := range units {
		if at[i] < to && at[i+1] > from {
			out = append(out, u)
		}
	}
	return out
}

// Words is the text as painted: what stands side by side has a space between it
// only where it is painted apart.
func (t Text) Words() string {
	var b strings.Builder
	for _, u := range t.forms[1] {
		switch {
		case u.text != "":
			b.WriteString(u.text)
		case u.apart:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// alone reports whether the word or number at the beginning, and that at the end,
// of a stretch of units are whole.
func alone(units []unit, start, end int) bool {
	before, after := textBefore(units, start), textAfter(units, end)
	first, last := letterAt(units, start), letterAt(units, end-1)
	left, right := lastRune(before), firstRune(after)
	switch {
	case joined(left, first) || joined(last, right):
		return false
	case unicode.IsDigit(first) && (numberBefore(before) || negativeBefore(before)):
		return false
	case unicode.Is(unicode.Sc, first) && unicode.IsDigit(letterAt(units, start+1)) && negativeBefore(before):
		return false
	case first == '-' && unicode.IsDigit(letterAt(units, start+1)) && wordly(left):
		return false // the dash of 7-5
	case unicode.IsDigit(last) && strings.ContainsRune(".,'", right) && right != 0 && unicode.IsDigit(secondRune(after)):
		return false
	case unicode.IsLetter(first) && over(before) || wordly(last) && right == '\'' && unicode.IsLetter(secondRune(after)):
		return false // an apostrophe within a word
	default:
		return true
	}
}

// over reports whether a text ends with an apostrophe behind a letter.
func over(before string) bool {
	rest, ok := strings.CutSuffix(before, "'")
	return ok && unicode.IsLetter(lastRune(rest))
}

// numberBefore reports whether the digits that follow go on a number.
func numberBefore(before string) bool {
	sign := lastRune(before)
	if sign != '.' && sign != ',' && sign != '\'' {
		return false
	}
	rest := before[:len(before)-1]
	return unicode.IsDigit(lastRune(rest)) || sign == '.' && (rest == "" || !wordly(lastRune(rest)))
}

// negativeBefore reports whether the number that follows has a minus sign, with a
// sign of currency behind it or not. The dash of 7-5 and of page-2 is none.
func negativeBefore(before string) bool {
	if sign := lastRune(before); unicode.Is(unicode.Sc, sign) {
		before = strings.TrimSuffix(before, string(sign))
	}
	rest, ok := strings.CutSuffix(before, "-")
	last := lastRune(rest)
	return ok && !wordly(last) && !strings.ContainsRune(")]", orSpace(last))
}

func orSpace(r rune) rune {
	if r == 0 {
		return ' '
	}
	return r
}

// joined reports whether two characters side by side are of one word.
func joined(a, b rune) bool { return wordly(a) && wordly(b) }

// wordly reports whether words are made of a character, in a script that has
// spaces between them.
func wordly(r rune) bool {
	if unicode.IsDigit(r) || r == '_' {
		return true
	}
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Yi,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese, unicode.Balinese, unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham)
}

// look is how many units around a place are looked at.
const look = 4

// textBefore is what is written before a place, up to the next space.
func textBefore(units []unit, at int) string {
	text := ""
	for i := at - 1; i >= max(0, at-look); i-- {
		if ends(units[i]) {
			break
		}
		text = units[i].text + text
	}
	return text
}

func textAfter(units []unit, at int) string {
	text := ""
	for i := at; i < min(len(units), at+look); i++ {
		if ends(units[i]) {
			break
		}
		text += units[i].text
	}
	return text
}

// ends reports whether a unit parts words: a space, or a gap that is seen.
func ends(u unit) bool { return u.text == " " || u.text == "" && u.apart }

// letterAt is the first character of a unit, 0 where there is none.
func letterAt(units []unit, at int) rune {
	if at < 0 || at >= len(units) {
		return 0
	}
	return firstRune(units[at].text)
}

func firstRune(s string) rune {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return 0
	}
	return r
}

func secondRune(s string) rune {
	_, size := utf8.DecodeRuneInString(s)
	return firstRune(s[size:])
}

// lastRune is the last character that is no mark, 0 where there is none.
func lastRune(s string) rune {
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if s = s[:len(s)-size]; !unicode.IsMark(r) {
			return r
		}
	}
	return 0
}

// Key is a text in the form in which texts are ordered: case and accents don't
// count.
func Key(text string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(Normal(text))))
}
