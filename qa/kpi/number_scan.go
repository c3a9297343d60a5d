package kpi

import (
	"strings"
	"unicode"
)

const nbsp = '\u00a0'

// mixedDigit stands for a digit of another script than those before it in the same
// number.
const mixedDigit = unicode.ReplacementChar

// zeroOf returns the zero of a digit's script; 0 where it is no digit that is known.
func zeroOf(r rune) rune {
	if isDigit(r) {
		return '0'
	}
	for _, block := range unicode.Nd.R16 {
		if r >= rune(block.Lo) && r <= rune(block.Hi) {
			return r - (r-rune(block.Lo))%10
		}
	}
	for _, block := range unicode.Nd.R32 {
		if r >= rune(block.Lo) && r <= rune(block.Hi) {
			return r - (r-rune(block.Lo))%10
		}
	}
	return 0
}

// normalise brings digits, signs, spaces and apostrophes to one form each, and
// drops what is invisible. Spaces that don't break stay distinct from others: they
// group digits. Digits of two scripts make no number.
func normalise(text string) []rune {
	out := make([]rune, 0, len(text))
	script := rune(0) // the zero of the number's digits so far
	for _, r := range text {
		if zero := zeroOf(r); zero != 0 {
			if script == 0 {
				script = zero
			}
			r = '0' + r - zero
			if zero != script {
				r = mixedDigit
			}
			out = append(out, r)
			continue
		}
		if unicode.IsLetter(r) || r == ' ' {
			script = 0
		}
		switch {
		case r == '\u00a0' || r == '\u202f' || r == '\u2009' || r == '\u2007' || r == '\u2008' || r == '\u200a':
			out = append(out, nbsp)
		case unicode.IsSpace(r):
			out = append(out, ' ')
		case strings.ContainsRune("\u2212\ufe63\uff0d\u2010\u2011\u02d7\u207b\u2796", r):
			out = append(out, '-')
		case r == '’' || r == '‘' || r == 'ʼ' || r == '＇':
			out = append(out, '\'')
		case r == '，':
			out = append(out, ',')
		case r == '．':
			out = append(out, '.')
		case r == '％' || r == '٪' || r == '﹪':
			out = append(out, '%')
		case r == '（':
			out = append(out, '(')
		case r == '）':
			out = append(out, ')')
		case r == '＄' || r == '﹩':
			out = append(out, '$')
		case r == '＋':
			out = append(out, '+')
		case unicode.Is(unicode.Cf, r) || unicode.IsControl(r):
		default:
			out = append(out, r)
		}
	}
	return out
}

// The ranks of numbers in a text: the lowest is the one that the text is about.
const (
	rankValue  = iota
	rankWorded // with a word of time: 45 min
	rankTrend  // a change, or what it is compared with
)

// token holds one number of a text, or what looks like one.
type token struct {
	start, end int
	readings   []Number // none for dates, times, versions and the like
	rank       int
	unread     []string // words of it that are no scale, currency or unit
	either     bool     // its digits alone can be read in two ways
	foreign    bool     // the page's language does not write its digits so
	moment     bool     // it is a date or a time
	compound   bool     // separators hold several numbers together
	change     bool     // it has the mark of a change: an arrow, or a sign
	by         string   // the word before it that makes it no value
	spanned    bool     // it counts days, hours and the like
}

// isDigitOfAny recognises the digits of every script.
func isDigitOfAny(r rune) bool { return zeroOf(r) != 0 }

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isSpace(r rune) bool { return r == ' ' || r == nbsp }

func at(s []rune, i int) rune {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

// lastSeen returns the last rune before i that is no space.
func lastSeen(s []rune, i int) rune {
	for i--; isSpace(at(s, i)); i-- {
	}
	return at(s, i)
}

// scan finds the numbers of a text, from left to right.
func (l *lexicon) scan(s []rune) []token {
	var out []token
	for i := 0; i < len(s); {
		leads := strings.ContainsRune(separators, s[i]) && isDigit(at(s, i+1)) && !isDigit(at(s, i-1)) && !unicode.IsLetter(at(s, i-1))
		if !isDigit(s[i]) && !leads && vulgar(s[i]) == "" {
			i++
			continue
		}
		t, next := l.readToken(s, i)
		out = append(out, t)
		i = next
	}
	return out
}

// readToken reads what begins with the digit at i.
func (l *lexicon) readToken(s []rune, i int) (token, int) {
	end := coreEnd(s, i)
	if vulgar(s[i]) != "" {
		end = i
	}
	if stop, is := compound(s, i, end); is {
		return token{start: i, end: stop, compound: true, moment: isMoment(s[i:stop])}, stop
	}
	f := affixes{lexicon: l, s: s, start: i, end: end}
	f.readAround()
	f.readPrefix()
	f.readAround() // elfu -1,2
	if f.name {
		return token{start: i, end: end}, end
	}
	f.readTouching()
	exponent := f.exponent()
	f.readFraction()
	f.readSuffix()
	f.readRate()
	f.readQuotes()
	f.readBrackets()
	if stop, is := f.garbled(i); is {
		return token{start: i, end: stop}, stop
	}
	if f.isDate(s[i:end]) {
		return token{start: f.start, end: f.end, moment: true}, f.end
	}
	t := token{start: f.start, end: f.end, rank: f.likelihood(), unread: f.unread, by: f.by, spanned: f.isSpanned(), change: f.trend || f.plus || f.negative && isPartOfWhole(f.unit)}
	open := readDigits(s[i:end], 0, exponent != 0)
	cores := open
	point := l.point
	if f.currency != "" && l.ofMoney != 0 && point != 0 {
		point = l.ofMoney
	}
	if point != 0 && len(open) > 0 {
		cores = readDigits(s[i:end], point, exponent != 0)
	}
	if t.either = len(open) > 1; len(cores) == 0 {
		cores, t.foreign = open, len(open) > 0
	}
	if cores = f.withFraction(cores); len(cores) == 0 && f.fraction != nil {
		cores, t.unread = open, append(t.unread, string(s[end:f.end]))
	}
	if t.either && point == 0 && f.paysNoThousandths() {
		cores = open[:1]
	}
	for _, core := range cores {
		t.readings = append(t.readings, f.numbers(core, exponent)...)
	}
	if raised := at(s, t.end); string(s[i:end]) == "10" && strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹", raised) && raised != 0 {
		t.unread = append(t.unread, string(raised)) // a power, and no note
	}
	return t, max(f.end, end)
}

// coreEnd returns the index at which the digits and their separators end.
func coreEnd(s []rune, i int) int {
	run := 0 // digits since the last separator
	point := false
	for i < len(s) {
		r := s[i]
		switch {
		case isDigit(r):
			run++
		case strings.ContainsRune(".,'٫٬", r) && isDigit(at(s, i+1)):
			if r == '٫' {
				point = true
			}
			run = 0
		case isSpace(r) && run > 0 && run <= 3 && !point && groupAt(s, i+1):
			run = 0
		default:
			return i
		}
		i++
	}
	return i
}

// groupAt reports whether exactly three digits stand at i.
func groupAt(s []rune, i int) bool {
	return isDigit(at(s, i)) && isDigit(at(s, i+1)) && isDigit(at(s, i+2)) && !isDigit(at(s, i+3))
}

// compound recognises a date, a time, a version, a fraction or a range that the
// core begins, and returns its end.
func compound(s []rune, start, end int) (int, bool) {
	stop := end
	for strings.ContainsRune(":/-–", at(s, stop)) && at(s, stop) != 0 && isDigit(at(s, stop+1)) {
		stop = coreEnd(s, stop+1)
	}
	core := string(s[start:end])
	return stop, stop > end || strings.Count(core, ".") > 1 && !grouped(core)
}

// grouped reports whether three digits stand after each point.
func grouped(core string) bool {
	for _, p := range strings.Split(core, ".")[1:] {
		if digits, _, _ := strings.Cut(p, ","); len(digits) != 3 {
			return false
		}
	}
	return true
}

// isWordRune recognises letters, and the marks that stand at them.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// wordBefore returns the word that ends at i.
func wordBefore(s []rune, i int) string {
	begin := i
	for begin > 0 && (isWordRune(s[begin-1]) || s[begin-1] == '.') {
		begin--
	}
	return string(s[begin:i])
}

// wordAfter returns the word that begins at i.
func wordAfter(s []rune, i int) string {
	end := i
	for end < len(s) && (isWordRune(s[end]) && (end > i || unicode.IsLetter(s[end])) || s[end] == '.' && end > i && isWordRune(s[end-1])) {
		end++
	}
	return string(s[i:end])
}

// hasWord reports whether a word, with its dot or without it, stands in a list of
// words.txt.
func hasWord(list, word string) bool {
	word = strings.ToLower(word)
	return figureWords.Has(list, strings.TrimSuffix(word, ".")) || figureWords.Has(list, word)
}
