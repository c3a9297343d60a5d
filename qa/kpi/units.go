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

//go:embed units.txt
var unitsFile string

//go:embed words.txt
var wordsFile string

// figureWords are the words of words.txt.
var figureWords = pattern.NewLists("words.txt", wordsFile)

// unitTable holds what units.txt says; its head describes it.
type unitTable struct {
	currencies []string
	fine       []string
	signs      map[string][]string
	shares     map[string]string
	words      [][]string
}

var units = sync.OnceValue(func() unitTable {
	table, err := readUnits(unitsFile)
	if err != nil {
		panic(err) // a file of this build is broken, and a test reads it
	}
	return table
})

func readUnits(text string) (unitTable, error) {
	table := unitTable{signs: map[string][]string{}, shares: map[string]string{}}
	shares := map[string]string{"percent": UnitPercent, "points": UnitPoints, "permille": UnitPermille, "basis-points": UnitBasisPoints}
	err := pattern.Lines("units.txt", text, func(line string) error {
		key, rest, _ := strings.Cut(line, " ")
		words := strings.Fields(rest)
		switch {
		case len(words) == 0 || key == "sign" && len(words) < 2:
			return fmt.Errorf("%q says nothing of a unit", line)
		case key == "currency":
			table.currencies = append(table.currencies, rest)
		case key == "fine":
			table.fine = append(table.fine, rest)
		case key == "sign":
			table.signs[words[0]] = words[1:]
		case key == "unit":
			table.words = append(table.words, words)
		case shares[key] != "":
			table.shares[rest] = shares[key]
		default:
			return fmt.Errorf("nobody knows %q: use currency, fine, sign, percent, points, permille, basis-points or unit", key)
		}
		return nil
	})
	return table, err
}

// currencyOf recognises a currency: its code, or its sign as it stands.
func currencyOf(word string) (string, bool) {
	if slices.Contains(units().currencies, word) {
		return word, true
	}
	meanings, ok := units().signs[word]
	if ok && len(meanings) == 1 {
		return meanings[0], true
	}
	return word, ok || isMoneySign(word)
}

// isMoneySign recognises every sign of money that Unicode has; ¢ is that of a hundredth.
func isMoneySign(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.Is(unicode.Sc, r) && r != '¢'
}

// agreeingCurrencies reports whether a shown currency is the expected one. likely:
// the expected sign stands for it too, and for another one first, as $ does for CAD.
func agreeingCurrencies(shown, want string) (agree, likely bool) {
	if shown == "" || want == "" {
		return true, false
	}
	if meanings := units().signs[want]; shown != want && len(meanings) > 1 && slices.Contains(units().currencies, shown) && meanings[0] != shown {
		return false, slices.Contains(meanings, shown)
	}
	return sameCurrency(shown, want), false
}

// sameCurrency reports whether two currencies can be the same: a sign agrees
// with every code that it may stand for.
func sameCurrency(a, b string) bool {
	return a == b || slices.Contains(units().signs[a], b) || slices.Contains(units().signs[b], a)
}
