package kpi

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pattern/patterntest"
)

// Issue 31, point 7: each line of units.txt is reached by what reads figures.
func TestEachUnitIsReached(t *testing.T) {
	table := units()
	for _, code := range table.currencies {
		if got, ok := currencyOf(code); !ok || got != code {
			t.Errorf("%s is read as %q, %v", code, got, ok)
		}
	}
	for sign, meanings := range table.signs {
		if got, ok := currencyOf(sign); !ok || got != sign && got != meanings[0] {
			t.Errorf("%s is read as %q, %v", sign, got, ok)
		}
	}
	for word, unit := range table.shares {
		if p := Parse("12 "+word, Writing{}); len(p.Readings) == 0 || p.Readings[0].Unit != unit {
			t.Errorf("12 %s is read as %+v, want %q", word, p.Readings, unit)
		}
	}
	for _, words := range table.words {
		for _, word := range words {
			if !unitWord(word) || !sameWord(words[0], word) {
				t.Errorf("%s is no unit, or not that of %s", word, words[0])
			}
		}
	}
	patterntest.Check(t, figureWords)
	times := timeWordsOf(Writing{})
	for list, known := range map[string]map[string]bool{"month": times.months, "span": times.spans, "period": times.periods} {
		for _, word := range figureWords.Entries(list) {
			if !known[word] {
				t.Errorf("%s is no %s", word, list)
			}
		}
	}
}

// A line of units.txt that cannot be read is told by its number.
func TestUnitsThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"# x\ncurrency":          `units.txt:2: "currency" says nothing of a unit`,
		"currency EUR\r\nsign €": `units.txt:2: "sign €" says nothing of a unit`,
		"\n\ncurency EUR":        `units.txt:3: nobody knows "curency"`,
	} {
		if _, err := readUnits(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := readBeside("than * vs\nthen * vs\n"); err == nil || !strings.HasPrefix(err.Error(), `beside.txt:2: "then * vs" is not a kind`) {
		t.Errorf("an unknown kind: %v", err)
	}
	if _, err := readScales("# word\nk 3 *\nM six *\n"); err == nil || err.Error() != `scales.txt:3: the power "six" of M is no number` {
		t.Errorf("a power in words: %v", err)
	}
}
