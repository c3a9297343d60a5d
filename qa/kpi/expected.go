package kpi

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// Expected is a value as the oracle gives it.
type Expected struct {
	Text     string // as it stood
	Unit     string // as declared: UnitRatio, UnitPercent, a currency code, or ""
	Readings []Number
	Exact    bool // a plain number, which has no rounding of its own
	NoValue  bool // it says that there is no value
}

var literal = regexp.MustCompile(`^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?$`)

// ParseExpected reads an expected value: a plain number such as 12345.67 in the
// declared unit, or a text as people write it, which has a precision of its
// own. Anything else is compared as text. The error names an unknown unit.
func ParseExpected(text, unit, locale string) (Expected, error) {
	e := Expected{Text: strings.TrimSpace(text)}
	var err error
	if e.Unit, err = knownUnit(unit); err != nil {
		return e, err
	}
	if literal.MatchString(e.Text) && len(e.Text) <= 2*maxDigits {
		v, ok := new(big.Rat).SetString(e.Text)
		if !ok {
			return e, fmt.Errorf("expected value %q is no number", text)
		}
		n := Number{Value: v, Step: new(big.Rat), Unit: e.Unit}
		if slices.Contains(codes, e.Unit) {
			n.Currency, n.Unit = e.Unit, ""
		}
		e.Readings, e.Exact = []Number{n}, true
		return e, nil
	}
	p := Parse(e.Text, ConventionOf(locale))
	e.NoValue = p.NoValue
	if !p.Whole {
		return e, nil
	}
	e.Readings = p.Readings
	for i := range e.Readings {
		n := &e.Readings[i]
		switch {
		case slices.Contains(codes, e.Unit) && n.Currency == "":
			n.Currency = e.Unit
		case (e.Unit == UnitPercent || e.Unit == UnitRatio) && n.Unit == "":
			n.Unit = e.Unit
		}
	}
	return e, nil
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
	if code := strings.ToUpper(word); slices.Contains(codes, code) {
		return code, nil
	}
	if code, ok := currencyOf(word); ok {
		return code, nil
	}
	return "", fmt.Errorf("unit %q is unknown: use ratio, percent, count or a currency code such as USD", unit)
}

// value is the first reading, or nil.
func (e Expected) value() *big.Rat {
	if len(e.Readings) == 0 {
		return nil
	}
	return e.Readings[0].Value
}
