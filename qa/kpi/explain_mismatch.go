package kpi

import (
	"fmt"
	"math/big"

	"github.com/assay-qa/assay/qa"
)

// Case pairs what is shown of one KPI in one range with what should be.
type Case struct {
	KPI, Range string
	Shown      Parsed
	Want       Expected
	Tolerance  qa.Tolerance
}

// Explain describes what a mismatch looks like, in one sentence with its cause. all
// are the run's other cases, in which the shown value may be the right one.
func Explain(c Case, all []Case) (qa.KPICause, string) {
	where := c.KPI
	if c.Range != "" {
		where += " (" + c.Range + ")"
	}
	if len(c.Shown.Readings) == 0 {
		return qa.CauseNotANumber, where + " shows no number"
	}
	if o := Compare(c.Shown, c.Want, c.Tolerance); o.Cause == qa.CauseCurrency {
		return o.Cause, fmt.Sprintf("%s shows the right number in another currency: %s instead of %s", where, c.Shown.Readings[0].Currency, c.Want.Readings[0].Currency)
	}
	if changed(c, func(n Number) Number { n.Value = new(big.Rat).Neg(n.Value); return n }) {
		return qa.CauseSign, where + " shows the right number with the wrong sign"
	}
	for _, other := range all {
		if other.KPI == c.KPI && other.Range != c.Range && showsExactly(c.Shown, other.Want) && !showsExactly(c.Shown, c.Want) {
			return qa.CauseStale, fmt.Sprintf("%s shows the value of %s", where, rangeSuffix(other.Range))
		}
	}
	for _, other := range all {
		if other.KPI != c.KPI && other.Range == c.Range && showsExactly(c.Shown, other.Want) && showsExactly(other.Shown, c.Want) {
			return qa.CauseSwapped, fmt.Sprintf("%s shows the value of %s: the two are swapped", where, other.KPI)
		}
	}
	for _, power := range []int{2, 3, 6, -2, -3, -6} {
		if changed(c, func(n Number) Number {
			n.Value, n.Step = times(n.Value, pow10(power)), times(n.Step, pow10(power))
			return n
		}) {
			off := "small"
			if power < 0 {
				off = "large"
			}
			return qa.CauseUnitSlip, fmt.Sprintf("%s is %s times too %s", where, map[int]string{2: "100", 3: "1,000", 6: "1,000,000"}[max(power, -power)], off)
		}
	}
	for _, other := range all {
		if other.KPI != c.KPI && other.Range == c.Range && len(other.Want.Readings) > 0 && other.Want.value().Sign() != 0 && showsExactly(c.Shown, other.Want) {
			return qa.CauseWrongValue, fmt.Sprintf("%s shows the value of %s", where, other.KPI)
		}
	}
	return qa.CauseWrongValue, where + " shows a wrong value"
}

func rangeSuffix(rangeName string) string {
	if rangeName == "" {
		return "another range"
	}
	return rangeName
}

// showsExactly reports whether a text shows a value, whatever the tolerance: a loose
// one would find causes everywhere.
func showsExactly(shown Parsed, want Expected) bool {
	return len(want.Readings) > 0 && len(shown.Readings) > 0 && isMatch(Compare(shown, want, qa.Tolerance{}))
}

// changed reports whether the value is right once it is changed.
func changed(c Case, change func(Number) Number) bool {
	if c.Want.value() == nil || c.Want.value().Sign() == 0 {
		return false
	}
	p := c.Shown
	p.Readings = nil
	for _, n := range c.Shown.Readings {
		p.Readings = append(p.Readings, change(n))
	}
	return isMatch(Compare(p, c.Want, c.Tolerance))
}

// isMatch reports whether a value holds in any of its readings.
func isMatch(o Outcome) bool { return o.Status == qa.KPIOk || o.Status == qa.KPIAmbiguous }
