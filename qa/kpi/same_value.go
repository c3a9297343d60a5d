package kpi

import "math/big"

// Agree reports whether two texts can show the same value: 12.3K and 12,345
// do. Texts without a number agree when they say the same.
func Agree(a, b Parsed) bool {
	if len(a.Readings) == 0 || len(b.Readings) == 0 {
		return a.NoValue && b.NoValue || len(a.Readings) == len(b.Readings) && normal(a.Text) == normal(b.Text)
	}
	for _, x := range a.Readings {
		for _, y := range b.Readings {
			if agreeing(x, y) {
				return true
			}
		}
	}
	return false
}

func agreeing(x, y Number) bool {
	if x.Currency != "" && y.Currency != "" && !sameCurrency(x.Currency, y.Currency) {
		return false
	}
	if x.Currency != "" && isPartOfWhole(y.Unit) || y.Currency != "" && isPartOfWhole(x.Unit) {
		return false
	}
	one := big.NewRat(1, 1)
	scale := func(n Number, other Number) (*big.Rat, *big.Rat) {
		if isPartOfWhole(n.Unit) && !isPartOfWhole(other.Unit) && new(big.Rat).Abs(other.Value).Cmp(one) <= 0 {
			return times(n.Value, big.NewRat(1, 100)), times(n.Step, big.NewRat(1, 100))
		}
		return n.Value, n.Step
	}
	xv, xs := scale(x, y)
	yv, ys := scale(y, x)
	coarser := xs
	if ys.Cmp(xs) > 0 {
		coarser = ys
	}
	d := minus(xv, yv)
	return d.Abs(d).Cmp(half(coarser)) <= 0
}
