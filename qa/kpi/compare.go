package kpi

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/assay-qa/assay/qa"
)

// Outcome describes how a shown value compares with the expected one.
type Outcome struct {
	Status     qa.KPIStatus
	Cause      qa.KPICause // of a mismatch, as far as the two values show it; see Explain
	Difference string      // such as +1,234.5 (+10.0 %)
	Hint       string      // what to declare, where that would settle it
}

// Compare holds a shown text against the expected value.
//
// A value holds when it differs by no more than the tolerance and the rounding
// of what is shown: half a unit of its last digit, so 12.3K shows 12,345. What
// is expected has no rounding of its own, however it is written, unless it is
// shortened itself: an expected 12.3K is shown by 12,345, and not by 12.4K. Of
// an absolute and a percent tolerance the one that admits more counts. Digits
// that are cut off instead of rounded are a mismatch, unless the tolerance
// admits them. An absolute tolerance counts in the unit of the expected value.
func Compare(shown Parsed, want Expected, tol qa.Tolerance) Outcome {
	switch {
	case len(want.Readings) == 0:
		return compareText(shown, want)
	case shown.Compound && !shown.moment:
		return Outcome{Status: qa.KPIAmbiguous, Hint: fmt.Sprintf("%q is a range, a ratio or of other numerals, and no single value: give the expected value as the "+
			"page writes it, or name the element of the one number in selectors", strings.TrimSpace(shown.Text))}
	case shown.NoValue || len(shown.Readings) == 0:
		return Outcome{Status: qa.KPIMismatch, Cause: qa.CauseNotANumber}
	}
	if reason := openReason(shown, want); reason != "" {
		return Outcome{Status: qa.KPIAmbiguous, Hint: reason}
	}
	shown.Readings = ofWord(shown.Readings, want.Word)
	t := tallyOf(shown, want, tol)
	o := Outcome{Difference: t.first.difference, Hint: t.first.hint}
	switch {
	case t.held == len(shown.Readings) && len(want.Readings) == 1:
		o.Status, o.Hint = qa.KPIOk, ""
	case t.held > 0 && len(want.Readings) > 1:
		o.Status, o.Hint = qa.KPIAmbiguous, fmt.Sprintf("the expected %q reads as %s: give it as a plain number", want.Text, alternatives(want.Readings))
	case t.held > 0:
		o.Status, o.Hint = qa.KPIAmbiguous, fmt.Sprintf("%q reads as %s: %s", strings.TrimSpace(shown.Text), alternatives(shown.Readings), declareLocale)
	case t.likely:
		o.Status, o.Hint = qa.KPIAmbiguous, fmt.Sprintf("%q may be another currency than the expected %q: give the expected value with its code, such as USD", strings.TrimSpace(shown.Text), want.Text)
	case t.money:
		o.Status, o.Cause = qa.KPIMismatch, qa.CauseCurrency
	case t.otherWord != "":
		o.Status, o.Hint = qa.KPIAmbiguous, fmt.Sprintf("the figure is of %s, and the expected one of %s: give the expected value as the page writes it, or as a plain number", t.otherWord, want.Word)
	default:
		o.Status, o.Cause = qa.KPIMismatch, qa.CauseWrongValue
	}
	return o
}

// tally says what came of the readings of a figure.
type tally struct {
	first         readingOutcome
	held          int    // how many hold
	likely, money bool   // one holds in a currency that may be another, or is
	otherWord     string // of what one is that would hold
}

func tallyOf(shown Parsed, want Expected, tol qa.Tolerance) (t tally) {
	for i, s := range shown.Readings {
		v := compareReading(s, want, tol)
		if i == 0 {
			t.first = v
		}
		switch {
		case !v.holds:
		case want.Word != "" && !sameWord(s.Word, want.Word):
			if !unitWord(s.Word) {
				t.otherWord = s.Word
			}
		case !sameRate(s.Per, want.per()):
			if !unitWord(s.Per) || !unitWord(want.per()) {
				t.otherWord = s.Per
			}
		case v.currency:
			t.held++
		case v.likely:
			t.likely = true
		default:
			t.money = true
		}
	}
	return t
}

// declareLocale says what settles what a page leaves open.
const declareLocale = qa.DeclareNumberLocale

// openReason says why a figure can be compared with nothing: what of it is not
// known, or which bound it says. What the expected value says as well is no
// reason.
func openReason(shown Parsed, want Expected) string {
	text, first := strings.TrimSpace(shown.Text), shown.Readings[0]
	if normal(text) == normal(want.Text) && len(shown.Readings) == 1 {
		return ""
	}
	unread := slices.DeleteFunc(slices.Clone(shown.Unread), func(word string) bool {
		return want.Word != "" && sameWord(strings.ToLower(strings.TrimSuffix(word, ".")), want.Word)
	})
	switch {
	case shown.Open != "":
		return fmt.Sprintf("%q is open: %s; %s", text, shown.Open, declareLocale)
	case len(unread) > 0 && strings.HasPrefix(unread[0], "/") && len(shown.Rest) > 0:
		return fmt.Sprintf("%q has several numbers: name the element of the one that is meant in selectors, or give the expected value as the page writes it", text)
	case len(unread) > 0:
		return fmt.Sprintf("%q is open: %q is no number, scale, currency or unit, and no word of the KPI's label; %s, or give the expected value as the page writes it", text, unread[0], declareLocale)
	case first.Bound != want.Readings[0].Bound:
		return fmt.Sprintf("%q says a bound, and no value", text)
	case first.Approx && !want.Readings[0].Approx:
		return fmt.Sprintf("%q says about how much, and no value", text)
	case countsPoints(first.Unit) != countsPoints(want.Readings[0].Unit) && (isShare(first.Unit) || isShare(want.Readings[0].Unit)):
		return fmt.Sprintf("%q may count percentage points, which are a change and no share, and the expected %q: give the expected value as the page writes it, such as 12 pp", text, want.Text)
	case want.Open:
		return fmt.Sprintf("the expected %q can't be read for sure: give it as a plain number", want.Text)
	}
	return ""
}

// ofWord leaves the readings in the unit that is expected, where one has it.
func ofWord(all []Number, word string) []Number {
	kept := slices.DeleteFunc(slices.Clone(all), func(n Number) bool { return word == "" || n.Unit == "" || !sameWord(n.Unit, word) })
	if len(kept) > 0 {
		return kept
	}
	return all
}

func alternatives(ns []Number) string {
	var out []string
	for _, n := range ns {
		out = append(out, strings.TrimSpace(Shown(n.Value)+" "+n.Unit))
	}
	return strings.Join(out, " or ")
}

func compareText(shown Parsed, want Expected) Outcome {
	if want.NoValue && shown.NoValue || normal(shown.Text) == normal(want.Text) {
		return Outcome{Status: qa.KPIOk}
	}
	return Outcome{Status: qa.KPIMismatch, Cause: qa.CauseWrongValue}
}

// readingOutcome holds the comparison of one reading with the expected value.
type readingOutcome struct {
	holds      bool
	currency   bool // the currencies agree
	likely     bool // they may agree: a sign stands for several
	difference string
	hint       string
}

// compareReading holds one reading against each of the expected value's.
func compareReading(s Number, want Expected, tol qa.Tolerance) readingOutcome {
	var out readingOutcome
	for i, w := range want.Readings {
		v := compareNumbers(s, w, want, tol)
		if i == 0 || v.holds {
			out = v
		}
	}
	return out
}

func compareNumbers(s, w Number, want Expected, tol qa.Tolerance) readingOutcome {
	agree, likely := agreeingCurrencies(s.Currency, w.Currency)
	out := readingOutcome{currency: agree, likely: likely}
	shown, step := inUnitOf(s, w)
	out.holds = within(shown, step, w, tol) && sameKind(s, w, want)
	out.difference = Difference(shown, w.Value)
	if want.Unit == "" && w.Unit == "" && w.Currency == "" && isPartOfWhole(s.Unit) {
		// The unit of the expected number is not declared, and the page says percent.
		other := within(s.Value, s.Step, w, tol)
		if s.Unit == UnitBasisPoints {
			other = other || within(times(s.Value, big.NewRat(1, 100)), times(s.Step, big.NewRat(1, 100)), w, tol)
		}
		if new(big.Rat).Abs(w.Value).Cmp(big.NewRat(1, 1)) > 0 {
			out.holds = other && sameKind(s, w, want)
			out.difference = Difference(s.Value, w.Value)
			return out
		}
		if !out.holds && other {
			out.hint = "the page shows it in percent and the expected value was read as a ratio: declare units: percent, if it is none"
		}
	}
	return out
}

// sameKind reports whether a shown figure can be of the expected kind: a share is
// no amount, an amount no share, and neither is a count.
func sameKind(s, w Number, want Expected) bool {
	switch {
	case s.Per != "" && s.Unit == "" && isShare(w.Unit):
		return false
	case want.Count:
		return s.Currency == "" && !isPartOfWhole(s.Unit)
	case w.Currency != "":
		return !isPartOfWhole(s.Unit)
	default:
		return s.Currency == "" || !isPartOfWhole(w.Unit) && w.Unit != UnitRatio
	}
}

// isShare reports whether a unit is a share of a whole, and no change of one.
func isShare(unit string) bool {
	return unit == UnitRatio || isPartOfWhole(unit) && unit != UnitPoints
}

// countsPoints reports whether a unit may be that of a change of a share.
func countsPoints(unit string) bool { return unit == UnitPoints || unit == UnitAnyPoints }

// isPartOfWhole reports whether a unit is a part of a whole.
func isPartOfWhole(unit string) bool {
	return unit == UnitPercent || unit == UnitPoints || unit == UnitPermille || unit == UnitBasisPoints
}

// inUnitOf returns the shown value and its step in the unit of the expected one.
func inUnitOf(s, w Number) (value, step *big.Rat) {
	factor := big.NewRat(1, 1)
	switch s.Unit {
	case w.Unit:
		return s.Value, s.Step
	case UnitPermille:
		factor = big.NewRat(1, 10)
	case UnitBasisPoints:
		factor = big.NewRat(1, 100)
	}
	switch w.Unit {
	case UnitPermille:
		factor = times(factor, big.NewRat(10, 1))
	case UnitBasisPoints:
		factor = times(factor, big.NewRat(100, 1))
	}
	if isPartOfWhole(s.Unit) && (w.Unit == UnitRatio || w.Unit == "") {
		factor = times(factor, big.NewRat(1, 100))
	}
	return times(s.Value, factor), times(s.Step, factor)
}

// within reports whether a shown value is as near to the expected one as
// tolerance and rounding admit.
func within(shown, step *big.Rat, w Number, tol qa.Tolerance) bool {
	allowed := new(big.Rat)
	if a := new(big.Rat).SetFloat64(tol.Absolute); a != nil {
		allowed = a
	}
	if p := new(big.Rat).SetFloat64(tol.Percent); p != nil {
		p = times(times(p, big.NewRat(1, 100)), new(big.Rat).Abs(w.Value))
		if p.Cmp(allowed) > 0 {
			allowed = p
		}
	}
	rounding := half(step)
	if own := half(w.Step); w.Short && own.Cmp(rounding) > 0 {
		rounding = own
	}
	allowed = new(big.Rat).Add(allowed, rounding)
	diff := minus(shown, w.Value)
	return diff.Abs(diff).Cmp(allowed) <= 0
}

// Difference writes how far a value is from the expected one, such as
// +1,234.5 (+10.0 %).
func Difference(shown, want *big.Rat) string {
	d := minus(shown, want)
	text := signed(d, -1)
	if want.Sign() == 0 || d.Sign() == 0 {
		return text
	}
	percent := times(new(big.Rat).Quo(d, new(big.Rat).Abs(want)), big.NewRat(100, 1))
	return text + " (" + signed(percent, 1) + " %)"
}

// signed writes a number with its sign and grouped digits; decimals below zero
// mean as many as it takes, up to four.
func signed(v *big.Rat, decimals int) string {
	abs := new(big.Rat).Abs(v)
	text := abs.FloatString(max(decimals, 4))
	if decimals < 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	} else {
		text = abs.FloatString(decimals)
	}
	whole, rest, point := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	switch v.Sign() {
	case 1:
		return "+" + whole
	case -1:
		return "−" + whole
	default:
		return whole
	}
}
