package kpi

import (
	"math/big"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fractionSlash stands between the digits of a fraction.
const fractionSlash = '\u2044'

// vulgar returns what a sign such as ½ stands for, such as 1⁄2; "" where it is none.
func vulgar(r rune) string {
	if r < 0x80 || !unicode.Is(unicode.No, r) {
		return ""
	}
	if text := norm.NFKC.String(string(r)); strings.ContainsRune(text, fractionSlash) {
		return text
	}
	return ""
}

// readFraction reads a fraction that stands for the digits, or behind them: ½, 2½,
// 2 ½, 1⁄2, 2 1⁄2.
func (f *affixes) readFraction() {
	i := f.end
	if isSpace(at(f.s, i)) {
		i++
	}
	if text := vulgar(at(f.s, i)); text != "" {
		f.takeFraction(text, i+1)
		return
	}
	stop := i
	for isDigit(at(f.s, stop)) {
		stop++
	}
	below := stop + 1
	for isDigit(at(f.s, below)) {
		below++
	}
	if at(f.s, stop) == fractionSlash && below > stop+1 {
		if stop == f.end { // the digits are those above
			i = f.end - len(f.digits())
			f.whole = -1
		}
		f.takeFraction(string(f.s[i:below]), below)
	}
}

// digits returns the plain digits that end where the number does.
func (f *affixes) digits() []rune {
	from := f.end
	for isDigit(at(f.s, from-1)) {
		from--
	}
	return f.s[from:f.end]
}

func (f *affixes) takeFraction(text string, end int) {
	above, below, _ := strings.Cut(text, string(fractionSlash))
	part, ok := new(big.Rat).SetString(above + "/" + below)
	if !ok || len(text) > 12 || part.Cmp(big.NewRat(1, 1)) >= 0 { // 21⁄2 may be 2½
		f.unread = append(f.unread, text)
	} else {
		f.fraction = part
	}
	f.end = end
}

// fractionStep is what a fraction is precise to: it is no rounding.
func fractionStep() *big.Rat { return big.NewRat(1, 100) }

// withFraction adds the fraction to readings of whole digits.
func (f *affixes) withFraction(cores []digitsReading) []digitsReading {
	if f.fraction == nil {
		return cores
	}
	if f.whole < 0 || len(cores) == 0 {
		return []digitsReading{{value: f.fraction, step: fractionStep()}}
	}
	var out []digitsReading
	for _, c := range cores {
		if c.step.Cmp(big.NewRat(1, 1)) == 0 {
			out = append(out, digitsReading{value: new(big.Rat).Add(c.value, f.fraction), step: fractionStep()})
		}
	}
	return out
}
