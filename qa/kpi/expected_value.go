package kpi

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// Expected describes a value as the oracle gives it.
type Expected struct {
	Text     string // as it stood
	Unit     string // as declared: UnitRatio, UnitPercent, a currency code, or ""
	Readings []Number
	Exact    bool   // a plain number
	Count    bool   // declared as a count, which is no amount and no share
	Word     string // the word behind the number, such as "ms", which the page must not contradict
	NoValue  bool   // it says that there is no value
	Open     bool   // it is a number with something that is not known
}

var literal = pattern.New(`^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?$`)

// ParseExpected reads an expected value: a plain number such as 12345.67 in the
// declared unit, or a text as people write it, with one word behind it at most,
// such as 340 ms. Anything else is compared as text. The first of the writings says
// how decimals are written, and any of them may say what a scale means. The error
// names an unknown unit.
func ParseExpected(text, unit string, writings ...Writing) (Expected, error) {
	e := Expected{Text: strings.TrimSpace(text)}
	var err error
	if e.Unit, err = knownUnit(unit); err != nil {
		return e, err
	}
	e.Count = declaredUnit(unit) == unitCount
	if literal.MatchString(e.Text) && len(e.Text) <= 2*maxDigits {
		v, ok := new(big.Rat).SetString(e.Text)
		if !ok {
			return e, fmt.Errorf("expected value %q is no number", text)
		}
		n := Number{Value: v, Step: new(big.Rat), Unit: e.Unit}
		if slices.Contains(units().currencies, e.Unit) {
			n.Currency, n.Unit = e.Unit, ""
		}
		e.Readings, e.Exact = []Number{n}, true
		return e, nil
	}
	p := newLexicon(together(writings)).parse(e.Text)
	e.NoValue = p.NoValue
	if !p.Whole && !p.withWord() {
		return e, nil
	}
	e.Readings, e.Open = p.Readings, len(p.accountedBy([]string{p.Readings[0].Word}).Unread) > 0 || p.Open != ""
	for i := range e.Readings {
		n := &e.Readings[i]
		e.Word = n.Word
		switch {
		case slices.Contains(units().currencies, e.Unit) && n.Currency == "":
			n.Currency = e.Unit
		case (e.Unit == UnitPercent || e.Unit == UnitRatio) && n.Unit == "":
			n.Unit = e.Unit
		}
	}
	return e, nil
}

// together puts several writings into one: the marks of the first, the words of
// all.
func together(writings []Writing) Writing {
	var out Writing
	for i, w := range writings {
		if i == 0 {
			out.Lang, out.Decimals = w.Lang, w.Decimals
		}
		out.Scales, out.Money = append(out.Scales, w.Scales...), append(out.Money, w.Money...)
	}
	return out
}

// withWord reports whether a text is a number with one word behind it.
func (p Parsed) withWord() bool {
	if len(p.Readings) == 0 || p.Readings[0].Word == "" || p.Trend {
		return false
	}
	runes := normalise(p.Text)
	rest := strings.TrimSuffix(strings.TrimSpace(string(runes[p.End:])), ".")
	return strings.TrimSpace(string(runes[:p.At])) == "" && (rest == "" || strings.EqualFold(rest, p.Readings[0].Word))
}

func unitWord(word string) bool {
	return slices.ContainsFunc(units().words, func(line []string) bool { return slices.Contains(line, word) })
}

// sameWord reports whether the word behind a shown number can be the expected
// one. Where the page writes none, the label may say it.
func sameWord(shown, want string) bool {
	return shown == "" || shown == want || slices.ContainsFunc(units().words, func(line []string) bool { return slices.Contains(line, shown) && slices.Contains(line, want) })
}

// sameRate reports whether a rate that is shown can be the expected one, or one of
// both names none.
func sameRate(shown, want string) bool { return want == "" || sameWord(shown, want) }

// per returns what an expected rate counts by.
func (e Expected) per() string {
	if len(e.Readings) == 0 {
		return ""
	}
	return e.Readings[0].Per
}

// knownUnit brings a declared unit to its one spelling.
func knownUnit(unit string) (string, error) {
	word := strings.TrimSpace(unit)
	switch lower := strings.ToLower(word); lower {
	case "", "count", "number", "none", "integer":
		return "", nil
	case UnitRatio, "fraction":
		return UnitRatio, nil
	case UnitPercent, "%", "percentage":
		return UnitPercent, nil
	}
	if code := strings.ToUpper(word); slices.Contains(units().currencies, code) {
		return code, nil
	}
	if code, ok := currencyOf(word); ok {
		return code, nil
	}
	return "", fmt.Errorf("unit %q is unknown: use ratio, percent, count or a currency code such as USD", unit)
}

// value returns the first reading, or nil.
func (e Expected) value() *big.Rat {
	if len(e.Readings) == 0 {
		return nil
	}
	return e.Readings[0].Value
}
