package guard

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-qa/assay/internal/pattern"
)

// maxName bounds how much of a name is judged, in bytes.
const maxName = 2000

// forms returns the readings of a name: as it is written, without marks on its
// letters, with look-alikes as the Latin letters that they resemble, with its
// spaced letters joined, and with a program's name cut into its words.
func forms(name string) []string {
	raw := composed(name[:min(len(name), maxName)])
	plain := readable(raw)
	if plain == "" {
		return nil
	}
	out := []string{plain}
	add := func(form string) {
		if form != "" && !slices.Contains(out, form) {
			out = append(out, form)
		}
	}
	bare := unmarked(plain)
	add(bare)
	latin := skeleton(bare)
	add(latin)
	add(unleet(latin))
	add(brand.ReplaceAllString(strings.Join(words(latin), " "), " "))
	for _, joined := range joinedLetters(skeleton(unmarked(raw))) {
		add(joined)
	}
	if strings.ContainsRune(raw, '\u202e') { // what follows is shown from right to left
		letters := []rune(latin)
		slices.Reverse(letters)
		add(string(letters))
	}
	return out
}

// composed returns a text in which letters that only look different are one letter, and
// letters stand together with their marks.
func composed(s string) string { return norm.NFKC.String(s) }

// readable returns a name as a person sees it: without characters that draw
// nothing, and with single spaces.
func readable(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || r == '\u00ad' || unicode.Is(unicode.Variation_Selector, r) { // soft hyphens, zero-width joiners
			return -1
		}
		return r
	}, name)
	return strings.Join(strings.Fields(name), " ")
}

// unmarked takes accents and strokes off letters.
func unmarked(s string) string {
	if ascii(s) {
		return s
	}
	return norm.NFC.String(strings.Map(func(r rune) rune { // Korean syllables are whole again
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(s)))
}

// skeleton replaces letters by the Latin ones that they look like, in words that
// are Latin altogether afterwards.
func skeleton(s string) string {
	if ascii(s) {
		return s
	}
	return wordRuns.ReplaceAllStringFunc(s, func(word string) string {
		latin := strings.Map(lookAlike, word)
		if strings.ContainsFunc(latin, func(r rune) bool { return r > unicode.MaxASCII }) {
			return word
		}
		return latin
	})
}

var wordRuns = pattern.New(`[\pL\pM\pN\x{1F150}-\x{1F189}]+`)

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// unleet reads digits and signs within a word as the letters that they stand for.
func unleet(s string) string {
	return leet.ReplaceAllStringFunc(s, func(word string) string {
		if signs := len(leetSigns.FindAllString(word, -1)); signs*2 > len(word) || !asciiLetter(word[0]) { // 3D, H2O
			return word
		}
		return leetLetters.Replace(word)
	})
}

var (
	leet        = pattern.New(`[A-Za-z0-9@$!]*[A-Za-z][0-9@$!]+[A-Za-z][A-Za-z0-9@$!]*`)
	leetSigns   = pattern.New(`[0-9@$!]`)
	leetLetters = strings.NewReplacer("3", "e", "1", "l", "0", "o", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")
)

func asciiLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// brand lists names of firms that would be read as two words.
var brand = pattern.New(`(?i)\bpay pal\b`)

// minSpaced sets how many single letters in a row count as one word with spaces
// in it.
const minSpaced = 3

// joinedLetters joins letters that are set apart by single signs: "D e l e t e".
// Where no wider gap shows where a word ends, each beginning is a reading.
func joinedLetters(raw string) (out []string) {
	var parts []string
	for _, part := range wideGaps.Split(strings.TrimSpace(raw), -1) {
		letters := strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		if len(letters) < minSpaced || slices.ContainsFunc(letters, func(l string) bool { return len([]rune(l)) > 1 }) {
			parts = append(parts, part)
			continue
		}
		joined := strings.Join(letters, "")
		parts = append(parts, joined)
		for end := minSpaced + 2; end < len(joined) && end <= 20; end++ {
			if joined[end]&0xC0 != 0x80 {
				out = append(out, joined[:end])
			}
		}
	}
	whole := strings.Join(parts, " ")
	if whole == strings.Join(wideGaps.Split(strings.TrimSpace(raw), -1), " ") {
		return nil
	}
	return append(out, whole)
}

var wideGaps = pattern.New(`\s{2,}`)

// words cuts a name into its words, a program's name too: deleteAccount,
// delete_account, HTMLDelete.
func words(name string) []string {
	var out []string
	for _, run := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) }) {
		letters, from := []rune(run), 0
		for i := 1; i < len(letters); i++ {
			up := unicode.IsUpper(letters[i])
			if up && unicode.IsLower(letters[i-1]) || up && i+1 < len(letters) && unicode.IsLower(letters[i+1]) && unicode.IsUpper(letters[i-1]) {
				out, from = append(out, string(letters[from:i])), i
			}
		}
		out = append(out, string(letters[from:]))
	}
	return out
}

// nameless reports whether a name has no letter that a person could read: icon
// fonts use the private area.
func nameless(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Co, r) })
}
