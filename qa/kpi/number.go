package kpi

import (
	"math/big"
	"slices"
	"strings"
)

// Number describes one way to read a text as a number.
type Number struct {
	Value    *big.Rat // exact; a percentage counts in percent
	Step     *big.Rat // what one unit of the last shown digit is worth: 100 for 12.3K, 0.01 for 1.20
	Currency string   // ISO 4217 code, or a sign that stands for several, such as "$"; "" for none
	Unit     string   // UnitPercent, UnitPoints, UnitPermille, UnitBasisPoints, a word such as "h", or ""
	Word     string   // the word behind it, such as "ms" or "orders", in lower case
	Per      string   // what a rate counts by, such as "h" of 40/h, in lower case; "" for none
	Short    bool     // written with a word for thousands or more, such as 12.3K
	Approx   bool     // marked as about, more than or less than
	Bound    rune     // '<' or '>': marked as less than or more than; 0 for neither
}

// The units that are understood beside currencies. Ratio is only for expected
// values: a 0.021 that pages show as 2.1 %.
const (
	UnitPercent     = "percent"
	UnitPoints      = "pp"     // percentage points
	UnitAnyPoints   = "points" // of a score, or percentage points
	UnitPermille    = "permille"
	UnitBasisPoints = "bps" // hundredths of a percent
	UnitRatio       = "ratio"
)

// Parsed describes a text as far as it says a number.
type Parsed struct {
	Text     string   // as it was given
	Readings []Number // none: it shows no number; several: it can be read in several ways
	NoValue  bool     // it says that there is no value, such as — or N/A
	Whole    bool     // nothing but the number is in it
	Trend    bool     // its only number is a change, such as ▲ 3 %
	Worded   bool     // its number counts hours, days and the like
	Unread   []string // words, signs and numbers in it that are no part of a figure that is known
	Open     string   // why its digits have no reading for sure; "" where they have
	Compound bool     // it is nothing but what stands for no single value, or for one that is not read: a range, a ratio, a date, a time, other numerals
	moment   bool     // of Compound: a date or a time
	unsaid   bool     // it has digits that are no figure for sure: of a range, of a name, or with a word at them that says of what they are
	glued    []string // of Unread, what stands right at the number
	vague    []string // of Unread, what is no label: signs, and words that say which number it is, such as last and of
	either   bool     // its digits alone can be read in two ways
	Rest     []string // the other numbers in it, as written
	At, End  int      // where the number stands in the normalised text, in runes
}

// maxText bounds what is taken for a text with a figure, in bytes.
const maxText = 2000

// Parse reads a text as people write numbers in a language. Every token of it is
// accounted for: what is no number, scale, currency, unit, change, target or
// period is listed as unread. Where no language is declared, what the text itself
// leaves open, such as 1,234 or 5 B, has all its readings.
func Parse(text string, w Writing) Parsed { return newLexicon(w).parse(text) }

func (l *lexicon) parse(text string) Parsed {
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
	tokens := l.scan(runes)
	best := -1
	for i, t := range tokens {
		if len(t.readings) > 0 && (best < 0 || t.rank < tokens[best].rank) {
			best = i
		}
	}
	for i, t := range tokens {
		out.unsaid = out.unsaid || t.isUnsaid(runes)
		if i != best {
			out.Rest = append(out.Rest, string(runes[t.start:t.end]))
		}
	}
	if best < 0 {
		out.Compound = len(tokens) == 1 && tokens[0].compound && string(runes[tokens[0].start:tokens[0].end]) == plain
		out.moment = out.Compound && tokens[0].moment
		out.Compound = out.Compound || isOtherNumeral(plain)
		if power, ok := l.alone[scaleKey(plain)]; ok { // mille
			out.Readings, out.Whole = []Number{{Value: pow10(power), Step: pow10(power), Short: true}}, true
		}
		return out
	}
	t := tokens[best]
	out.take(t, l)
	beside := l.unaccounted(runes, tokens, best)
	out.Unread = append(out.Unread, beside...)
	out.vague = slices.DeleteFunc(beside, func(word string) bool {
		return !isSign(word) && (word != t.by || t.spanned) && (word == t.by || !isIn(l.times().parts, word))
	})
	out.Whole = strings.TrimSpace(string(runes[:t.start])) == "" && strings.TrimSpace(string(runes[t.end:])) == ""
	return out
}

// take makes a token the number of the text.
func (p *Parsed) take(t token, l *lexicon) {
	p.Readings, p.Trend, p.At, p.End = t.readings, t.rank == rankTrend, t.start, t.end
	p.Compound, p.moment = t.compound, t.compound && t.moment
	p.Worded, p.either = t.rank == rankWorded, t.either
	p.glued, p.Unread = t.unread, slices.Clone(t.unread)
	switch {
	case t.foreign:
		p.Open = "a page in " + l.lang + " does not write its digits so"
	case l.contrary != "" && t.either && !t.readings[0].isPaidWhole():
		p.Open = "the page also writes " + l.contrary + ", which " + l.lang + " does not"
	}
}

// isPaidWhole reports whether a number is an amount of a currency that has no
// thousandths, read without decimals: no three digits of it can be decimals.
func (n Number) isPaidWhole() bool {
	return n.Currency != "" && n.Step.Cmp(pow10(0)) == 0 && !slices.Contains(units().fine, n.Currency)
}

// Ambiguous reports whether the text reads as more than one number, or as one that
// is not sure.
func (p Parsed) Ambiguous() bool { return len(p.Readings) > 1 || p.Open != "" }

// unsure reports whether the number of a text can't be reckoned with: it is
// ambiguous, or something stands right at it that is not known.
func (p Parsed) unsure() bool { return p.Ambiguous() || len(p.glued) > 0 }

// valueOf returns one number of a text by itself.
func (l *lexicon) valueOf(runes []rune, t token) Parsed {
	p := Parsed{Text: strings.TrimSpace(string(runes[t.start:t.end])), Whole: true}
	p.take(t, l)
	return p
}

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
