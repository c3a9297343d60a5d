package kpi

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pattern"
)

//go:embed beside.txt
var besideFile string

// besideKind says what a word beside a figure does; a word may be of several kinds.
type besideKind uint8

const (
	besideThan  besideKind = 1 << iota // it begins a comparison
	besideGoal                         // it begins a further number that is no value of now
	besideWhole                        // it stands right before the number of a whole
	besideWay                          // it stands right before a change
	besideAt                           // it leads to a period or a comparison
	besidePer                          // it leads to the unit of a rate
	besidePoint                        // it counts points
)

var besideNames = []string{"than", "goal", "of", "way", "at", "per", "point"}

// besideLine is a line of beside.txt.
type besideLine struct {
	kind  besideKind
	langs []string
	words []string
}

var besideLines = sync.OnceValue(func() []besideLine {
	lines, err := readBeside(besideFile)
	if err != nil {
		panic(err) // a file of this build is broken, and a test reads it
	}
	return lines
})

func readBeside(text string) ([]besideLine, error) {
	var out []besideLine
	err := pattern.Lines("beside.txt", text, func(line string) error {
		fields := strings.Fields(line)
		kind := slices.Index(besideNames, fields[0])
		if kind < 0 || len(fields) < 3 {
			return fmt.Errorf("%q is not a kind, languages and words: the kinds are %s", line, strings.Join(besideNames, ", "))
		}
		out = append(out, besideLine{kind: 1 << kind, langs: strings.Split(fields[1], ","), words: fields[2:]})
		return nil
	})
	return out, err
}

// besideWords returns what words beside a figure do, by language; "" is none that is
// declared, or none that the file has.
var besideWords = sync.OnceValue(func() map[string]map[string]besideKind {
	out := map[string]map[string]besideKind{"": {}}
	for _, line := range besideLines() {
		for _, lang := range line.langs {
			if lang != "*" {
				out[lang] = map[string]besideKind{}
			}
		}
	}
	for _, line := range besideLines() {
		for lang, words := range out {
			if slices.Contains(line.langs, "*") || slices.Contains(line.langs, lang) {
				for _, word := range line.words {
					words[word] |= line.kind
				}
			}
		}
	}
	return out
})

// besideWordsOf returns what words do beside a figure of a language.
func besideWordsOf(lang string) map[string]besideKind {
	primary, _, _ := strings.Cut(strings.ToLower(lang), "-")
	if words, ok := besideWords()[primary]; ok {
		return words
	}
	return besideWords()[""]
}

// timeWords holds the words for times of a language, in lower case. now are those of
// periods that count from now, such as today and last, without their spans; parts those of them
// that say nothing alone, such as the last of last month; phrases are the whole ones.
type timeWords struct{ months, spans, periods, stems, now, parts, phrases map[string]bool }

// timeWordsOf returns the words for times of a writing, and those that are listed.
func timeWordsOf(w Writing) timeWords {
	out := timeWords{months: map[string]bool{}, spans: map[string]bool{}, periods: map[string]bool{}, stems: map[string]bool{},
		now: map[string]bool{}, parts: map[string]bool{}, phrases: map[string]bool{}}
	periods := besideWordsIn(w.Periods)
	for _, list := range []struct {
		to    map[string]bool
		words [][]string
	}{{out.periods, listedTimes()["month"]}, {out.periods, besideWordsIn(w.Months)}, {out.spans, listedTimes()["span"]}, {out.spans, besideWordsIn(w.Spans)},
		{out.periods, listedTimes()["period"]}, {out.periods, periods}} {
		for _, word := range slices.Concat(list.words...) {
			list.to[word] = true
			out.addStems(word)
		}
	}
	for _, month := range w.Months { // ส.ค. is one word
		out.months[monthKey(month)] = true
	}
	said := strings.Fields(strings.Join(w.Periods, " "))
	for _, month := range figureWords.Entries("month") { // mai is tomorrow in Vietnamese
		out.months[month] = out.months[month] || !slices.Contains(said, month)
	}
	for _, word := range append(slices.Concat(periods...), "today", "yesterday", "tomorrow", "now", "this") {
		if !out.spans[word] {
			out.now[word] = true
		}
	}
	out.addParts(periods)
	return out
}

// listedTimes returns the words for times of words.txt, by their lists.
var listedTimes = sync.OnceValue(func() map[string][][]string {
	out := map[string][][]string{}
	for _, list := range []string{"month", "span", "period"} {
		out[list] = besideWordsIn(figureWords.Entries(list))
	}
	return out
})

// besideWordsIn splits texts into words as they stand beside figures, in lower case.
func besideWordsIn(texts []string) [][]string {
	out := make([][]string, len(texts))
	for i, text := range texts {
		out[i] = besideParts([]rune(strings.ToLower(string(normalise(text)))))
	}
	return out
}

// monthKey returns the form in which names of months are compared.
func monthKey(word string) string {
	return strings.TrimRightFunc(strings.ToLower(string(normalise(word))), func(r rune) bool { return !isWordRune(r) })
}

// addParts adds the words that periods have beside others, and that are none alone.
func (t timeWords) addParts(periods [][]string) {
	alone := map[string]bool{}
	for _, words := range periods {
		t.phrases[strings.Join(words, " ")] = true
		if len(words) == 1 {
			alone[words[0]] = true
		}
	}
	for _, word := range slices.Concat(periods...) {
		if !alone[word] && !t.spans[word] && !t.months[word] {
			t.parts[word] = true
		}
	}
}

// addStems adds what is left of a word without its last letters.
func (t timeWords) addStems(word string) {
	for range 2 {
		if word = trimLetter(word); letters(word) > stemLetters {
			t.stems[word] = true
		}
	}
}

// does reports whether a word does one of several things beside a figure.
func (l *lexicon) does(word string, kinds besideKind) bool {
	return besideWordsOf(l.lang)[strings.ToLower(strings.TrimSuffix(word, "."))]&kinds != 0
}

func (l *lexicon) isMonth(word string) bool { return word != "" && l.times().months[monthKey(word)] }

func (l *lexicon) isSpan(word string) bool { return isIn(l.times().spans, word) }

// isIn looks a word up as the lists have it.
func isIn(words map[string]bool, word string) bool {
	return word != "" && words[strings.ToLower(strings.TrimSuffix(word, "."))]
}

// isTime reports whether a word is one of those for days, months and spans of time.
func (l *lexicon) isTime(word string) bool {
	word = strings.ToLower(word)
	if isIn(l.times().periods, word) || isIn(l.times().months, word) || isIn(l.times().spans, word) || l.times().stems[word] {
		return true
	}
	for range 2 { // last, lasts: another ending
		if word = trimLetter(word); letters(word) > stemLetters && (l.times().periods[word] || l.times().months[word] || l.times().spans[word]) {
			return true
		}
	}
	return false
}

// stemLetters bounds how short a word may be of which only the ending differs.
const stemLetters = 4

func trimLetter(word string) string {
	_, size := utf8.DecodeLastRuneInString(word)
	return word[:len(word)-size]
}

// saysWhen reports whether words in a row say of when something is. One short word
// alone, such as the Polish w, does not.
func (l *lexicon) saysWhen(words []string) bool {
	return len(words) > 1 || len(words) == 1 && (letters(words[0]) > 2 || !isAlphabetic(words[0]))
}

// saysPartOfTime reports whether words in a row are parts of what says when, and no whole.
func (l *lexicon) saysPartOfTime(words []string) bool {
	return !l.times().phrases[strings.ToLower(strings.Join(words, " "))] && !slices.ContainsFunc(words, func(w string) bool { return !isIn(l.times().parts, w) })
}

// isAlphabetic distinguishes words of letters from those of ideographs.
func isAlphabetic(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Thai)
	})
}

// besideParts splits what stands beside numbers into words and signs.
func besideParts(s []rune) []string {
	return strings.FieldsFunc(string(s), func(r rune) bool {
		return !unicode.IsLetter(r) && (isSpace(r) || isPlain(r) || isPicture(r))
	})
}

// isScale reports whether a word stands for a power of ten, alone or beside money.
func (l *lexicon) isScale(word string) bool {
	bare := strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
	key := scaleKey(bare)
	return len(find(l.behind, key)) > 0 || bare != word && len(find(l.beside, key))+len(find(l.before, key)) > 0
}

// scalesIn lists the words for powers of ten that stand alone in what is no part of
// a figure: they may belong to it.
func (l *lexicon) scalesIn(s []rune) []string {
	return slices.DeleteFunc(besideParts(s), func(word string) bool { return letters(word) < 3 || !l.isScale(word) })
}

// asides marks what of a text is no part of its figure, whatever it says: a
// comparison, a change, a target, and brackets with a number of their own. Each
// goes to the next separator.
func (l *lexicon) asides(s []rune, tokens []token, best int) []bool {
	out := make([]bool, len(s)+1)
	mark := func(from, to int) {
		for i := from; i < to; i++ {
			out[i] = true
		}
	}
	value := tokens[best]
	l.bracketAsides(s, tokens, value, mark)
	for i, t := range tokens {
		if i > best && !out[t.start] && t.change {
			mark(t.start, asideEnd(s, t.start))
		}
	}
	for i := value.end; i < len(s); i++ {
		if out[i] || !unicode.IsLetter(s[i]) || unicode.IsLetter(at(s, i-1)) {
			continue
		}
		word := wordAfter(s, i)
		if stop := asideEnd(s, i); l.beginsAside(s, tokens, i+len([]rune(word)), stop, word) {
			mark(i, stop)
		}
	}
	return out
}

// beginsAside reports whether a word begins what is no part of the figure.
func (l *lexicon) beginsAside(s []rune, tokens []token, end, stop int, word string) bool {
	numbered := func(from, to int) bool {
		return slices.ContainsFunc(tokens, func(t token) bool { return t.start >= from && t.start < to })
	}
	next := end
	for at(s, next) == '.' || isSpace(at(s, next)) {
		next++
	}
	if second := wordAfter(s, next); l.does(word, besideWay|besideWhole) && l.does(second, besideWay|besideWhole|besideAt) { // down by 3 %, out of 20
		next += len([]rune(second)) + 1
	}
	switch {
	case l.does(word, besideThan):
		return true
	case l.does(word, besideGoal):
		return numbered(end, stop)
	default:
		return l.does(word, besideWay|besideWhole) && numbered(next, next+1)
	}
}

// asideEnd returns where the clause ends that begins at i.
func asideEnd(s []rune, i int) int {
	for ; i < len(s); i++ {
		if strings.ContainsRune(between, s[i]) {
			break
		}
	}
	return i
}

// bracketAsides marks the brackets with a number of their own. A power of ten in
// them may scale the figure, as in (in 1,000 €).
func (l *lexicon) bracketAsides(s []rune, tokens []token, value token, mark func(from, to int)) {
	for i := 0; i < len(s); i++ {
		if s[i] != '(' && s[i] != '[' {
			continue
		}
		end := i + slices.IndexFunc(s[i:], func(r rune) bool { return r == ')' || r == ']' }) + 1
		if end <= i || value.start < end && value.end > i {
			continue
		}
		numbers, scales := 0, false
		for _, t := range tokens {
			if t.start >= i && t.start < end {
				numbers++
				scales = scales || t.mayScale()
			}
		}
		if changes := strings.ContainsAny(string(s[i:end]), "+▲▼△▽↑↓↗↘⬆⬇"); numbers > 0 && (!scales || changes) {
			mark(i, end)
		}
		i = end - 1
	}
}

// mayScale reports whether a number can say by what another one is multiplied: it
// is a power of ten from a hundred on, and neither a share nor a change.
func (t token) mayScale() bool {
	return t.isZeros() || !t.moment && slices.ContainsFunc(t.readings, func(n Number) bool {
		return !isPartOfWhole(n.Unit) && n.Value.IsInt() && n.Value.Cmp(pow10(2)) >= 0 && strings.Trim(n.Value.Num().String()[1:], "0") == "" && n.Value.Num().String()[0] == '1'
	})
}

// isZeros reports whether a number is nothing but the zeros of a thousand: 000s.
func (t token) isZeros() bool {
	return len(t.readings) == 1 && t.readings[0].Value.Sign() == 0 && t.readings[0].Currency == "" && t.end-t.start > 2 && t.readings[0].Step.Cmp(pow10(0)) == 0
}
