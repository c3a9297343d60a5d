package kpi

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pattern"
)

// Writing says how a language writes numbers. It is made by the page's own
// browser; the zero value is that of a document that declares no language.
type Writing struct {
	Lang     string   // as the document declares it
	Decimals []string // the marks before decimals; none: Intl does not know the language
	OfMoney  []string // the marks before decimals of amounts of money
	Scales   []struct {
		Before, Behind string // the words around the digits; one of both may be empty
		Power          int    // of ten
		Alone          bool   // Before stands without digits, for one
	}
	Money   []struct{ Sign, Code string } // signs of money that are no ISO 4217 codes
	Months  []string                      // words of their names
	Spans   []string                      // words beside a number of days, hours and the like
	Periods []string                      // words for days and for spans of time by now, such as today and last month
	Days    []string                      // what stands behind the number of a day, with {m} for the name of its month or # for its number, such as de {m}
}

// Convention names how decimals are written: '.' or ',', or 0 when that is not
// known.
type Convention rune

// conventionOf returns the mark that stands before decimals.
func conventionOf(marks []string) Convention {
	for _, mark := range marks {
		if mark == "." || mark == "," {
			return Convention(mark[0])
		}
	}
	return 0
}

// anyMoney stands for a sign or a code of money in the list of scales.
const anyMoney = "¤"

// lexicon holds what marks and words mean in one writing.
type lexicon struct {
	lang     string // "" where none is declared, or none that is known
	point    Convention
	ofMoney  Convention
	alone    map[string]int // scales without digits
	contrary string         // a figure of the page that this language does not write
	behind   map[string][]int
	beside   map[string][]int // beside money alone
	before   map[string][]int // right in front of money alone
	around   []roundScale
	money    map[string]string
	longest  int // of the words behind, in runes
	times    func() timeWords
	days     []string // see Writing
}

// roundScale is a scale with a word in front of the digits.
type roundScale struct {
	before, behind string
	power          int
}

//go:embed scales.txt
var scalesFile string

// listedScale is a line of scales.txt.
type listedScale struct {
	word   string
	powers []int
	langs  []string
}

// listedScales reads what Intl does not write.
var listedScales = sync.OnceValue(func() []listedScale {
	scales, err := readScales(scalesFile)
	if err != nil {
		panic(err) // a file of this build is broken, and a test reads it
	}
	return scales
})

func readScales(text string) ([]listedScale, error) {
	var out []listedScale
	err := pattern.Lines("scales.txt", text, func(line string) error {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			return fmt.Errorf("%q is not a word, its powers of ten and languages", line)
		}
		l := listedScale{word: fields[0], langs: fields[2:]}
		for power := range strings.SplitSeq(fields[1], ",") {
			n, err := strconv.Atoi(power)
			if err != nil {
				return fmt.Errorf("the power %q of %s is no number", power, l.word)
			}
			l.powers = append(l.powers, n)
		}
		out = append(out, l)
		return nil
	})
	return out, err
}

// fits reports whether a line is of a language; "" is none.
func (l listedScale) fits(lang string) bool {
	if lang == "" {
		return slices.Contains(l.langs, "-") || slices.Contains(l.langs, "*")
	}
	primary, _, _ := strings.Cut(strings.ToLower(lang), "-")
	return slices.Contains(l.langs, "*") || slices.Contains(l.langs, primary)
}

// newLexicon returns what a writing means.
func newLexicon(w Writing) *lexicon {
	l := &lexicon{point: conventionOf(w.Decimals), ofMoney: conventionOf(w.OfMoney), alone: map[string]int{},
		behind: map[string][]int{}, beside: map[string][]int{}, before: map[string][]int{}, money: map[string]string{}, days: w.Days}
	if len(w.Decimals) > 0 {
		l.lang = w.Lang
	}
	for _, s := range w.Scales {
		switch {
		case s.Alone:
			l.alone[scaleKey(s.Before)] = s.Power
		case s.Before != "":
			l.around = append(l.around, roundScale{scaleKey(s.Before), scaleKey(s.Behind), s.Power})
		default:
			add(l.behind, s.Behind, s.Power)
		}
	}
	slices.SortStableFunc(l.around, func(a, b roundScale) int { return len(b.before) + len(b.behind) - len(a.before) - len(a.behind) })
	for _, m := range w.Money {
		if _, listed := currencyOf(m.Sign); !listed {
			l.money[string(normalise(m.Sign))] = m.Code
		}
	}
	l.addListed()
	l.times = sync.OnceValue(func() timeWords { return timeWordsOf(w) })
	for _, words := range []map[string][]int{l.behind, l.beside, l.before} {
		for word := range words {
			l.longest = max(l.longest, utf8.RuneCountInString(word)+1)
		}
	}
	return l
}

// addListed adds what Intl does not write. A word that the language's own Intl
// writes has the meaning that it has there.
func (l *lexicon) addListed() {
	own := map[string]bool{}
	for word := range l.behind {
		own[word] = true
	}
	for _, s := range listedScales() {
		if !s.fits(l.lang) {
			continue
		}
		for _, power := range s.powers {
			switch word, ahead := strings.CutSuffix(s.word, anyMoney); {
			case ahead:
				add(l.before, word, power)
			case strings.HasPrefix(s.word, anyMoney):
				add(l.beside, strings.TrimPrefix(s.word, anyMoney), power)
			case !own[scaleKey(s.word)]:
				add(l.behind, s.word, power)
			}
		}
	}
}

// add adds a word as it stands and, where it is long enough to be no symbol, in
// lower case.
func add(to map[string][]int, word string, power int) {
	key := scaleKey(word)
	keys := []string{key}
	if folded := strings.ToLower(key); letters(key) > 2 && folded != key {
		keys = append(keys, folded)
	}
	for _, k := range keys {
		if k != "" && !slices.Contains(to[k], power) {
			to[k] = append(to[k], power)
		}
	}
}

// find looks a word up as it stands, or, where it is long enough, in lower case.
func find(in map[string][]int, word string) []int {
	if powers := in[word]; powers != nil || letters(word) < 3 {
		return powers
	}
	return in[strings.ToLower(word)]
}

func letters(word string) int {
	n := 0
	for _, r := range word {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// scaleKey returns the form in which the words of scales are compared: without
// the point of an abbreviation, and with single spaces.
func scaleKey(word string) string {
	return strings.TrimRight(strings.Join(strings.FieldsFunc(string(normalise(word)), isSpace), " "), ".")
}

// scale reads the scale that begins at i, the longest one, and returns the powers
// that it may stand for and where it ends. money: the digits have a currency.
func (l *lexicon) scale(s []rune, i int, money bool) (powers []int, end int) {
	if !unicode.IsLetter(at(s, i)) {
		return nil, i
	}
	for n := min(l.longest, len(s)-i); n > 0; n-- {
		word := scaleKey(string(s[i : i+n]))
		if isSpace(s[i+n-1]) || word == "" {
			continue
		}
		paid := l.moneyAt(s, i+n)
		found := slices.Clone(find(l.behind, word))
		if money || paid {
			found = append(found, find(l.beside, word)...)
		}
		if paid {
			found = append(found, find(l.before, word)...)
		}
		if len(found) > 0 && l.endsWord(s, i+n) {
			slices.Sort(found)
			return slices.Compact(found), i + n
		}
	}
	return nil, i
}

// endsWord reports whether a scale may end before i: no letter of the same word
// follows, unless it is money. Scripts that are written without spaces have no
// words to end.
func (l *lexicon) endsWord(s []rune, i int) bool {
	next := at(s, i)
	if !unicode.IsLetter(next) && !unicode.IsMark(next) {
		return true
	}
	return unicode.In(s[i-1], unicode.Han, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && !unicode.IsMark(next) || l.moneyAt(s, i)
}

// moneyAt reports whether a currency begins at i, after a space or at once, and is
// the whole word.
func (l *lexicon) moneyAt(s []rune, i int) bool {
	if isSpace(at(s, i)) {
		i++
	}
	if l.moneySign(s, i) > 0 {
		return true
	}
	if word := wordAfter(s, i); word != "" {
		_, ok := l.currency(strings.TrimSuffix(word, "."))
		if !ok {
			_, ok = l.currency(word)
		}
		return ok
	}
	return false
}

// moneySign returns the length of the sign of money at i that is no mere word,
// such as €, US$ and kr., or 0.
func (l *lexicon) moneySign(s []rune, i int) int {
	for n := min(4, len(s)-i); n > 0; n-- {
		word := string(s[i : i+n])
		if _, ok := l.currency(word); ok && !unicode.IsLetter(s[i+n-1]) {
			return n
		}
	}
	return 0
}

// currency recognises a currency: its code, its sign as it stands, or as this
// language writes it.
func (l *lexicon) currency(word string) (string, bool) {
	if code, ok := currencyOf(word); ok {
		return code, true
	}
	code, ok := l.money[word]
	return code, ok
}
