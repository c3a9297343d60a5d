package guard

import (
	"embed"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"

	"github.com/assay-qa/assay/internal/pattern"
)

// wordFiles hold what the belt's consequences are called, one file a language. The
// form stands at the head of en.txt.
//
//go:embed words/*.txt
var wordFiles embed.FS

// phrase is one or several words in a row, as one language calls one kind of thing.
type phrase struct {
	words    []string // folded; the last may be a stem
	stem     bool     // the last word may go on
	sign     bool     // of a language without spaces: it counts anywhere
	head     bool     // a sign that the name must begin with, as a word of its own
	language int
	kind     int
}

// lexicon holds all phrases by how their first word is found in a text.
type lexicon struct {
	words     map[string][]phrase // by the first word
	stems     map[string][]phrase // by the first word where that is a stem
	signs     []sign              // the longest first: a short one may be a piece of it
	languages []string
	english   int // its number among the languages
}

// sign is a text that counts wherever it stands, and what it means.
type sign struct {
	text    string
	phrases []phrase
}

// built is parsed when something is judged for the first time.
var built = sync.OnceValue(func() *lexicon {
	l, err := readLexicon()
	if err != nil {
		panic(err) // a file of this build is broken, and a test reads them all
	}
	return l
})

func readLexicon() (*lexicon, error) {
	l := &lexicon{words: map[string][]phrase{}, stems: map[string][]phrase{}}
	files, err := wordFiles.ReadDir("words")
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		text, err := wordFiles.ReadFile("words/" + f.Name())
		if err != nil {
			return nil, err
		}
		l.languages = append(l.languages, strings.TrimSuffix(f.Name(), ".txt"))
		if l.languages[i] == english {
			l.english = i
		}
		if err := l.read(i, "words/"+f.Name(), string(text)); err != nil {
			return nil, err
		}
	}
	sort.SliceStable(l.signs, func(i, j int) bool { return len(l.signs[i].text) > len(l.signs[j].text) })
	return l, nil
}

// read adds a file of words.
func (l *lexicon) read(language int, file, text string) error {
	signs := false
	return pattern.Lines(file, text, func(line string) error {
		if line == "joined" {
			signs = true
			return nil
		}
		key, list, _ := strings.Cut(line, ":")
		kind := kindOf(key)
		if kind < 0 {
			return fmt.Errorf("no consequence and no kind of words is called %q", key)
		}
		for entry := range strings.SplitSeq(list, ",") {
			p := phrase{language: language, kind: kind, sign: signs}
			if err := l.add(p, strings.TrimSpace(entry)); err != nil {
				return err
			}
		}
		return nil
	})
}

// minUnmarked is the length, in letters, from which a word counts without its accents
// too: shorter ones are words of other languages.
const minUnmarked = 4

func (l *lexicon) add(p phrase, entry string) error {
	entry, p.head = strings.CutPrefix(entry, "^")
	entry, p.stem = strings.CutSuffix(entry, "*")
	entry = folded(composed(entry))
	if p.sign {
		p.words = []string{entry}
		l.addSign(p)
		return nil
	}
	if p.words = tokens(entry); len(p.words) == 0 {
		return fmt.Errorf("an entry without a word: %q", entry)
	}
	l.index(p)
	for _, bare := range []string{skeleton(unmarked(entry)), umlauts.Replace(entry)} {
		if bare != entry && alphabetic(entry) && len([]rune(bare)) >= minUnmarked {
			p.words = tokens(bare)
			l.index(p)
		}
	}
	return nil
}

// umlauts are written with two letters where accents are none.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "å", "aa", "ø", "oe", "æ", "ae")

func (l *lexicon) addSign(p phrase) {
	for i := range l.signs {
		if l.signs[i].text == p.words[0] {
			l.signs[i].phrases = append(l.signs[i].phrases, p)
			return
		}
	}
	l.signs = append(l.signs, sign{text: p.words[0], phrases: []phrase{p}})
}

func (l *lexicon) index(p phrase) {
	into := l.words
	if p.stem && len(p.words) == 1 {
		into = l.stems
	}
	into[p.words[0]] = append(into[p.words[0]], p)
}

// alphabetic reports whether a word is of a script whose accents can be left out.
func alphabetic(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
	})
}

// folded returns a text in lower case. Turkish has a dotted capital I.
func folded(s string) string {
	return strings.ReplaceAll(strings.ToLower(s), "i\u0307", "i")
}

// tokens cuts a folded text into its words.
func tokens(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) })
}

// reading collects what a text says, by kind: in which languages.
type reading struct {
	kinds map[int][]int
	long  bool // a text of many words, in which two of them have little to do with one another
}

// manyWords is how many words make a text long; in scripts without spaces, letters.
const (
	manyWords   = 8
	manyLetters = 24
)

func (r *reading) add(kind, language int) {
	if !slices.Contains(r.kinds[kind], language) {
		r.kinds[kind] = append(r.kinds[kind], language)
	}
}

// both reports whether a text has words of both kinds in one language.
func (r *reading) both(a, b int) bool {
	return slices.ContainsFunc(r.kinds[a], func(language int) bool { return slices.Contains(r.kinds[b], language) })
}

// readText finds the words of all languages in a folded text. What is done already is
// taken out before.
func (l *lexicon) readText(text string) reading {
	r := reading{kinds: map[int][]int{}}
	ws := tokens(text)
	r.long = len(ws) > manyWords
	done := make([]bool, len(ws))
	l.match(ws, func(p phrase, at int) {
		for i := at; p.kind == doneWords && i < at+len(p.words); i++ {
			done[i] = true
		}
	})
	l.match(ws, func(p phrase, at int) {
		end := at + len(p.words)
		if slices.Contains(done[at:end], true) || p.kind < len(consequences) && consequences[p.kind].isNoun() && end < len(ws) && l.means(ws[end], recordWords, p.language) {
			return
		}
		r.add(p.kind, p.language)
	})
	if !ascii(text) {
		r.readSigns(l.signs, text)
	}
	return r
}

// means reports whether a word is of a kind, in one language.
func (l *lexicon) means(word string, kind, language int) bool {
	return slices.ContainsFunc(l.words[word], func(p phrase) bool {
		return p.kind == kind && p.language == language && len(p.words) == 1
	})
}

// readSigns adds the signs of a text: first those of what is done already, then all.
// What a sign has taken is no piece of a shorter one.
func (r *reading) readSigns(signs []sign, text string) {
	for _, wanted := range []bool{true, false} {
		for _, s := range signs {
			found := false
			for _, p := range s.phrases {
				if (p.kind == doneWords) == wanted && signIn(text, p) {
					r.add(p.kind, p.language)
					found = true
				}
			}
			if found {
				text = strings.ReplaceAll(text, s.text, " ")
				r.long = r.long || len([]rune(text)) > manyLetters
			}
		}
	}
}

// match yields the phrases that stand in a row of words, and where.
func (l *lexicon) match(ws []string, yield func(p phrase, at int)) {
	for at, w := range ws {
		for _, p := range l.words[w] {
			if standsAt(ws[at:], p) {
				yield(p, at)
			}
		}
		for end := range w { // every beginning of the word, and the word
			for _, p := range l.stems[w[:end]] {
				yield(p, at)
			}
		}
		for _, p := range l.stems[w] {
			yield(p, at)
		}
	}
}

func standsAt(ws []string, p phrase) bool {
	if len(ws) < len(p.words) {
		return false
	}
	last := len(p.words) - 1
	return slices.Equal(ws[:last], p.words[:last]) && (ws[last] == p.words[last] || p.stem && strings.HasPrefix(ws[last], p.words[last]))
}

func signIn(text string, p phrase) bool {
	if !p.head {
		return strings.Contains(text, p.words[0])
	}
	rest, found := strings.CutPrefix(strings.TrimSpace(text), p.words[0])
	return found && !startsHan(rest)
}

func startsHan(s string) bool {
	for _, r := range s {
		return unicode.Is(unicode.Han, r)
	}
	return false
}

// rule returns the rule of the first consequence that a text means, "" for none.
func (r *reading) rule() string {
	view := len(r.kinds[viewWords]) > 0
	credentials := !r.long && r.both(changeWords, passwordWords)
	for kind, c := range consequences {
		if len(r.kinds[kind]) == 0 || c.rule == "delete" && view {
			continue
		}
		if credentials && c.rule != "delete" && c.rule != "pay" {
			return credentialsRule
		}
		if !c.weak || !r.long && r.both(kind, thingWords) {
			return c.rule
		}
	}
	if credentials {
		return credentialsRule
	}
	return ""
}
