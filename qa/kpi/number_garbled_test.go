package kpi_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
)

// grouped writes an integer with commas.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Issue 14, item 5, as a property: whatever digit of a number a letter or a
// digit of another script stands for, no number is read.
func TestLettersForDigitsAreNoFigure(t *testing.T) {
	random := rand.New(rand.NewPCG(14, 5))
	for range 300 {
		text := grouped(random.IntN(100_000_000))
		if random.IntN(2) == 0 {
			text += fmt.Sprintf(".%02d", random.IntN(100))
		}
		runes := []rune(text)
		if len(runes) < 2 {
			continue
		}
		at := random.IntN(len(runes))
		for runes[at] == ',' || runes[at] == '.' {
			at = random.IntN(len(runes))
		}
		for _, liar := range "OlОІοS２٣३" {
			garbled := strings.TrimSpace([]string{"", "$", "−", "Revenue: "}[random.IntN(4)] + string(runes[:at]) + string(liar) + string(runes[at+1:]) + []string{"", "%", " €", " K"}[random.IntN(4)])
			if p := kpi.Parse(garbled, writing(t, "en")); len(p.Readings) > 0 && (liar < 0x660 || at > 0) {
				t.Fatalf("%q is read as %s", garbled, readings(p))
			}
		}
	}
	for text, want := range map[string]string{
		"120m2": "120/1 m", "12kg": "12/1 kg", "3x": "3/1 x", "CO2": "", "1,234 Orders": "1234/1", "1,234.": "1234/1", "５％": "5/1 percent", "1,234¹": "1234/1", "$12.99, $5": "12.99/0.01 $",
		"2h15m": "", "1O0": "", "12.O5": "", "Level3": "", "1,234 CR": "1234/1 or -1234/1", "1.2 Cr": "12000000/1000000", "minus 5": "-5/1", "—5": "-5/1", "⁻5": "-5/1", "Floor 1, 5 rooms": "1/1",
	} {
		if got := readings(kpi.Parse(text, writing(t, "en"))); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Issue 14, item 5, as a property: a value holds where it is shown rounded, in
// whatever way, and does not where its last shown digit is another, however the
// expected value is written.
func TestTheToleranceIsHalfAStepOfWhatIsShown(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 14))
	for range 300 {
		n := 1000 + random.IntN(900_000_000)
		for _, form := range []struct {
			pattern string
			power   int
		}{{"%s", 0}, {"$%s", 0}, {"%s €", 0}, {"%s%%", 0}, {"%sK", 3}, {"%s Mio.", 6}, {"$%sM", 6}, {"−%s", 0}} {
			decimals := random.IntN(3)
			step := new(big.Rat).Mul(power(form.power), power(-decimals))
			digits := rounded(n, step)
			want := fmt.Sprint(n)
			if strings.HasPrefix(form.pattern, "−") {
				want = "-" + want
			}
			for off := int64(-1); off <= 1; off++ {
				shown := new(big.Rat).Mul(new(big.Rat).SetInt64(digits+off), power(-decimals))
				text := fmt.Sprintf(form.pattern, shown.FloatString(decimals))
				o := kpi.Compare(kpi.Parse(text, writing(t, "en")), expected(t, want, ""), qa.Tolerance{})
				exact := kpi.Compare(kpi.Parse(text, writing(t, "en")), expected(t, fmt.Sprintf(form.pattern, grouped(n)), ""), qa.Tolerance{})
				if off == 0 && o.Status != qa.KPIOk || off != 0 && o.Status != qa.KPIMismatch && !tied(n, step) {
					t.Fatalf("%q for %s: %s", text, want, o.Status)
				}
				if off != 0 && form.power == 0 && exact.Status != qa.KPIMismatch {
					t.Fatalf("%q for %q: %s", text, fmt.Sprintf(form.pattern, grouped(n)), exact.Status)
				}
			}
		}
	}
}

func power(n int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		p.Inv(p)
	}
	return p
}

// rounded returns how many steps a number has, rounded half up.
func rounded(n int, step *big.Rat) int64 {
	q := new(big.Rat).Add(new(big.Rat).Quo(new(big.Rat).SetInt64(int64(n)), step), big.NewRat(1, 2))
	return new(big.Int).Div(q.Num(), q.Denom()).Int64()
}

// tied reports whether a number lies in the middle of two steps.
func tied(n int, step *big.Rat) bool {
	q := new(big.Rat).Mul(new(big.Rat).Quo(new(big.Rat).SetInt64(int64(n)), step), big.NewRat(2, 1))
	return q.IsInt() && q.Num().Bit(0) == 1
}
