package guard

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pattern/patterntest"
)

// Issue 31, point 7: each entry of the lists is reached: it finds what no other entry of
// its list does.
func TestEachEntryIsReached(t *testing.T) {
	patterntest.Check(t, programWords)
	for letter, latin := range lookAlikes() {
		if got := skeleton(string(letter)); got != string(latin) {
			t.Errorf("%q is read as %q, and the list says %q", letter, got, latin)
		}
	}
}

// Each phrase of each language is found in a name that is nothing else.
func TestEachPhraseIsReached(t *testing.T) {
	lexicon := built()
	for _, index := range []map[string][]phrase{lexicon.words, lexicon.stems} {
		for _, phrases := range index {
			for _, want := range phrases {
				found := false
				lexicon.match(want.words, func(p phrase, _ int) {
					found = found || p.kind == want.kind && p.language == want.language && strings.Join(p.words, " ") == strings.Join(want.words, " ")
				})
				if !found {
					t.Errorf("%s: nothing finds %q", lexicon.languages[want.language], want.words)
				}
			}
		}
	}
}

// A line of look_alikes.txt that cannot be read is told by its number.
func TestLookAlikesThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"a а\n# note\nb вв":  `look_alikes.txt:3: "вв" is not one letter`,
		"\nа a":              `look_alikes.txt:2: 'а' is no Latin letter`,
		"a а\r\ne а":         `look_alikes.txt:2: 'а' stands here and beside 'a'`,
		"\ufeffa а\nbad а\n": `look_alikes.txt:2: "bad" is not one letter`,
	} {
		if _, err := readLookAlikes(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
