package kpi

import (
	"maps"
	"slices"
)

// Tables holds what the reader of figures knows beside Intl, for a reader in another
// language: [Parse] and it are held equal by a test.
type Tables struct {
	Scales [][3]any `json:"scales"` // word, powers of ten, languages: see scales.txt
	Money  []string `json:"money"`  // signs and codes
	Minor  []string `json:"minor"`  // currencies with more than two decimals, and their signs
	Units  []string `json:"units"`
	Shares []string `json:"shares"` // words of one word for parts of a whole
	Months []string `json:"months"`
	Refuse []string `json:"refuse"` // words before a number that change it
	Plain  string   `json:"plain"`  // signs beside a number that leave it as it is, with those that Unicode lists
}

// ReaderTables returns the tables, in an order that is always the same.
func ReaderTables() Tables {
	out := Tables{Money: slices.Concat(units().currencies, slices.Sorted(maps.Keys(units().signs))), Minor: slices.Clone(units().fine), Units: slices.Concat(units().words...),
		Shares: slices.Sorted(maps.Keys(units().shares)), Months: figureWords.Entries("month"), Refuse: append([]string{"than"}, figureWords.Entries("minus")...), Plain: plainMarks}
	for _, sign := range slices.Sorted(maps.Keys(units().signs)) {
		if slices.ContainsFunc(units().signs[sign], func(code string) bool { return slices.Contains(units().fine, code) }) {
			out.Minor = append(out.Minor, sign)
		}
	}
	for _, s := range listedScales() {
		out.Scales = append(out.Scales, [3]any{s.word, s.powers, s.langs})
	}
	return out
}
