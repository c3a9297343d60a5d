package kpi

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plainMarks may stand beside a figure without changing it, as brackets, quotation marks
// and marks that end a clause may, which Unicode lists: marks of notes, of trends and
// of parts of a line.
const plainMarks = "·|•*†‡-–—'\"→←▲▼△▽↑↓↗↘⬆⬇⁰¹²³⁴⁵⁶⁷⁸⁹.。।"

// isPlain reports whether a sign beside a figure leaves it as it is. A figure may be
// asked about: ? and ! do not.
func isPlain(r rune) bool {
	return unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf) || strings.ContainsRune(plainMarks, r) ||
		unicode.Is(unicode.Terminal_Punctuation, r) && !unicode.Is(unicode.Sentence_Terminal, r)
}

// momentNames begin names of spans of time, such as Q3 and FY26.
var momentNames = []string{"q", "h", "w", "kw", "cw", "fy", "t"}

// unaccounted lists what of a text is neither its number nor known to leave it as
// it is: every word, sign and further number.
func (l *lexicon) unaccounted(s []rune, tokens []token, best int) []string {
	var out []string
	aside := l.asides(s, tokens, best)
	words := func(from, to int, next *token) {
		for from < to {
			end := from
			for end < to && aside[end] == aside[from] {
				end++
			}
			if aside[from] {
				out = append(out, l.scalesIn(s[from:end])...)
			} else {
				out = append(out,
					l.unknownWords(s[from:end], end < to || next != nil && (next.moment || next.isSpanName(s) || next.rank == rankWorded || hasWord("lasting", next.by)), end <= tokens[best].start)...)
			}
			from = end
		}
	}
	from := 0
	for i := range tokens {
		t := &tokens[i]
		words(from, t.start, t)
		if from = max(from, t.end); i != best && !aside[t.start] && !isAside(s, *t, tokens[best]) {
			out = append(out, strings.TrimSpace(string(s[t.start:t.end])))
		}
	}
	words(from, len(s), nil)
	if by := tokens[best].by; by != "" {
		out = append(out, by)
	}
	return out
}

// isSpanName reports whether a number is that of a span of time with a name, such
// as Q3.
func (t token) isSpanName(s []rune) bool {
	return len(t.readings) == 0 && slices.Contains(momentNames, strings.ToLower(wordBefore(s, t.start)))
}

// isUnsaid reports whether digits may be a figure, though they are not read as one:
// what they are is left to a word beside them, or to letters and marks within them.
// What a sign calls a change, and what says when, is read.
func (t token) isUnsaid(s []rune) bool {
	return t.by != "" || len(t.readings) == 0 && !t.moment && !t.isSpanName(s)
}

// isAside reports whether a further number of a text is known to be no value of
// its own: a change, a target, a date, a span.
func isAside(s []rune, t, value token) bool {
	switch {
	case t.moment:
		return true
	case len(t.readings) > 0:
		if t.isZeros() || hasWord("lasting", t.by) && (!t.spanned || t.mayScale() && t.readings[0].Unit != "") { // in 1,000 €, in 1000s, 1 in 20
			return false
		}
		return t.rank == rankTrend || t.readings[0].Unit == UnitPoints && value.readings[0].Unit == UnitPercent || t.rank == rankWorded && value.rank == rankValue
	default:
		return t.isSpanName(s)
	}
}

// unknownWords splits what stands beside numbers, and leaves what is not known.
// Words such as since are known where they lead to a time, or, toTime, what follows
// is one. ahead: they stand before the figure, where no unit does.
func (l *lexicon) unknownWords(s []rune, toTime, ahead bool) []string {
	var out []string
	parts := besideParts(s)
	for end := len(parts); end > 0; end-- {
		begin := end
		for begin > 0 && l.isTime(parts[begin-1]) {
			begin--
		}
		word := strings.ToLower(parts[end-1])
		switch {
		case ahead && unitWord(word) && begin >= end-1: // min 5 is a bound
			out, toTime = append(out, parts[end-1]), false
		case begin < end && !toTime && l.saysPartOfTime(parts[begin:end]): // la dernière 5
			out, end = append(out, parts[begin:end]...), begin+1
		case begin < end && (toTime || l.saysWhen(parts[begin:end])):
			end, toTime = begin+1, true
		case toTime && (l.does(word, besideAt) || slices.Contains(momentNames, word)):
		case isKnownBeside(word) && !l.isScale(parts[end-1]):
			toTime = false
		default:
			out, toTime = append(out, parts[end-1]), false
		}
	}
	slices.Reverse(out)
	return out
}

// isPicture recognises signs that are drawn as icons. What Unicode takes apart into
// letters, such as ℃ and ㌔, is a word, and ° is a unit.
func isPicture(r rune) bool {
	return unicode.Is(unicode.Co, r) || unicode.Is(unicode.So, r) && r != '°' && norm.NFKC.String(string(r)) == string(r) || r == 0xFE0F
}

// isSign reports whether what stands beside a figure has no letter: no label says it.
func isSign(word string) bool { return !strings.ContainsFunc(word, unicode.IsLetter) }

func isKnownBeside(word string) bool {
	for _, known := range []string{"minus", "total", "current"} {
		if hasWord(known, word) {
			return true
		}
	}
	_, share := units().shares[word]
	return share || unitWord(word)
}

// isUnit reports whether a word right behind the digits is a unit as it is
// written: a letter of the SI alone, such as G, µ and m, may be a power of ten.
func isUnit(word string) bool {
	word = strings.TrimSuffix(word, ".")
	switch len([]rune(word)) {
	case 1:
		return unitWord(word) && word != "m"
	case 2:
		if word != strings.ToLower(word) && word != strings.ToUpper(word) {
			return unitWord(strings.ToLower(word)) && !strings.HasSuffix(word, "M") // kW and Mb, and no mM
		}
	}
	return unitWord(strings.ToLower(word))
}

// isMoment recognises dates and times among what separators hold together; a
// range or a fraction of two numbers is none.
func isMoment(s []rune) bool {
	marks := 0
	for i, r := range s {
		switch {
		case r == ':' && isDigit(at(s, i+1)) && isDigit(at(s, i+2)): // 14:30, and no 3:1
			return true
		case strings.ContainsRune("/-–.", r):
			marks++
		}
	}
	return marks > 1
}

// accountedBy returns a reading of which the words of a page's own labels are
// accounted for.
func (p Parsed) accountedBy(labels []string) Parsed {
	p.Unread = slices.DeleteFunc(slices.Clone(p.Unread), func(word string) bool {
		return slices.ContainsFunc(labels, func(label string) bool { return sameStem(strings.ToLower(word), label) })
	})
	return p
}

// sameStem reports whether two words are the same up to an ending, as order and
// orders.
func sameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= 4 && len(b)-len(a) <= 2 && strings.HasPrefix(b, a)
}
