package seen

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	texts "github.com/assay-qa/assay/internal/text"
)

// FindWords lists where wanted stands as whole words, each place as [Text.Find]
// does; see [text.WordsAlone].
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

// written returns the text of units, and where each of them begins in it.
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

// unitsOf returns the units that a stretch of the written text touches.
func unitsOf(units []unit, at []int, from, to int) []unit {
	var out []unit
	for i, u := range units {
		if at[i] < to && at[i+1] > from {
			out = append(out, u)
		}
	}
	return out
}

// Words returns the text as painted: neighbours have a space between them only
// where they are painted apart.
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
	var text strings.Builder
	for _, u := range units[start:end] {
		text.WriteString(u.text)
	}
	return texts.WordsAlone(textBefore(units, start), text.String(), textAfter(units, end))
}

// reach bounds how many units around a place are looked at.
const reach = 4

// textBefore returns what is written before a place, up to the next space.
func textBefore(units []unit, at int) string {
	text := ""
	for i := at - 1; i >= max(0, at-reach); i-- {
		if ends(units[i]) {
			break
		}
		text = units[i].text + text
	}
	return text
}

func textAfter(units []unit, at int) string {
	text := ""
	for i := at; i < min(len(units), at+reach); i++ {
		if ends(units[i]) {
			break
		}
		text += units[i].text
	}
	return text
}

// ends reports whether a unit parts words: a space, or a gap that is seen.
func ends(u unit) bool { return u.text == " " || u.text == "" && u.apart }

// Key returns a text in the form in which texts are ordered: case and accents don't
// count.
func Key(text string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(Normal(text))))
}
