package kpi

import (
	"math/big"
	"strings"
)

// Number describes one way to read a text as a number.
type Number struct {
	Value    *big.Rat // exact; a percentage counts in percent
	Step     *big.Rat // what one unit of the last shown digit is worth: 100 for 12.3K, 0.01 for 1.20
	Currency string   // ISO 4217 code, or a sign that stands for several, such as "$"; "" for none
	Unit     string   // UnitPercent, UnitPoints, UnitPermille, a word such as "h", or ""
	Word     string   // the word behind it, such as "ms" or "orders", in lower case
	Short    bool     // written with a word for thousands or more, such as 12.3K
	Approx   bool     // marked as about, more than or less than
	Bound    rune     // '<' or '>': marked as less than or more than; 0 for neither
}

// The units that are understood beside currencies. Ratio is only for expected
// values: a 0.021 that pages show as 2.1 %.
const (
	UnitPercent  = "percent"
	UnitPoints   = "pp" // percentage points
	UnitPermille = "permille"
	UnitRatio    = "ratio"
)

// Parsed describes a text as far as it says a number.
type Parsed struct {
	Text     string   // as it was given
	Readings []Number // none: it shows no number; several: it can be read in several ways
	NoValue  bool     // it says that there is no value, such as — or N/A
	Whole    bool     // nothing but the number is in it
	Trend    bool     // its only number is a change, such as ▲ 3 %
	Worded   bool     // its number counts hours, days and the like
	Lean     bool     // of several readings, the first is that of the tester's locale, which the page does not confirm
	Rest     []string // the other numbers in it, as written
	At, End  int      // where the number stands in the normalised text, in runes
}

// Convention names how decimals are written: '.' or ',', or 0 when that is not
// known.
type Convention rune

// maxText bounds what is taken for a text with a figure, in bytes.
const maxText = 2000

// Parse reads a text as people write numbers. What the text itself leaves open,
// such as 1,234, is settled by the convention; where that is unknown, too, both
// readings are given.
func Parse(text string, c Convention) Parsed {
	out := Parsed{Text: text}
	if len(text) > maxText {
		return out
	}
	runes := normalise(text)
	plain := strings.TrimSpace(string(runes))
	if isEmptyMark(plain) {
		out.NoValue = true
		return out
	}
	tokens := scan(runes, c)
	best := -1
	for i, t := range tokens {
		if len(t.readings) > 0 && (best < 0 || t.rank < tokens[best].rank) {
			best = i
		}
	}
	for i, t := range tokens {
		if i != best {
			out.Rest = append(out.Rest, string(runes[t.start:t.end]))
		}
	}
	if best < 0 {
		return out
	}
	t := tokens[best]
	out.Readings, out.Trend, out.At, out.End = t.readings, t.rank == rankTrend, t.start, t.end
	out.Worded = t.rank == rankWorded
	out.Whole = strings.TrimSpace(string(runes[:t.start])) == "" && strings.TrimSpace(string(runes[t.end:])) == ""
	return out
}

// Ambiguous reports whether the text reads as more than one number, and nothing
// favours one of them.
func (p Parsed) Ambiguous() bool { return len(p.Readings) > 1 && !p.Lean }

// isEmptyMark recognises what stands where there is no value.
func isEmptyMark(text string) bool {
	switch strings.ToLower(text) {
	case "-", "–", "—", "--", "---", "–-", "n/a", "n.a.", "n. a.", "na", "k.a.", "k. a.", "null", "nan", "undefined", "…", "...", "none", "no data":
		return true
	}
	return false
}

// Shown formats an exact number for a reader: plain digits, with at most six
// decimals.
func Shown(v *big.Rat) string {
	if v == nil {
		return ""
	}
	if v.IsInt() {
		return v.Num().String()
	}
	return strings.TrimRight(strings.TrimRight(v.FloatString(6), "0"), ".")
}

// pow10 returns 10 to the n.
func pow10(n int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

func times(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

func half(a *big.Rat) *big.Rat { return times(a, big.NewRat(1, 2)) }

func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
