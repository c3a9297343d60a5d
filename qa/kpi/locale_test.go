package kpi_test

import (
	"fmt"
	"math/big"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"github.com/assay-qa/assay/qa/kpi"
)

// locales returns the locales whose figures must be read; between them they have every
// way to write a number that CLDR knows.
func locales() []string {
	return []string{"en", "de", "de-CH", "fr", "es", "it", "pl", "sv", "ru", "hi", "ar", "fa", "ja", "pt-BR"}
}

// Issue item 3, as a property: what a locale writes is read as what it was, or
// in several ways of which one is right; never as another number.
func TestWhatLocalesWriteIsRead(t *testing.T) {
	values := []float64{0, 1, 12, 123, 1234, 12345, 123456, 1234567, 12345678, 0.1, 0.12, 0.123, 1.5, 12.34, 123.456, 1234.5, 1234.567, 1234567.89, -1, -1234, -1234.56, -0.5, 999999.995}
	for _, tag := range locales() {
		p := message.NewPrinter(language.MustParse(tag))
		for _, v := range values {
			text := p.Sprint(number.Decimal(v, number.MaxFractionDigits(3)))
			readAs(t, tag, text, v, "")
			readAs(t, tag, p.Sprint(number.Percent(v, number.MaxFractionDigits(3))), v*100, kpi.UnitPercent)
			paid := p.Sprint(number.Decimal(v, number.MaxFractionDigits(2))) // no such money has thousandths
			for _, money := range []string{paid + " €", "$" + paid, "CHF " + paid, paid + "\u00a0kr"} {
				readAs(t, tag, money, v, "")
			}
		}
	}
}

// readAs checks that a text is read as a value, with and without its locale.
func readAs(t *testing.T, tag, text string, v float64, unit string) {
	t.Helper()
	want, ok := new(big.Rat).SetString(fmt.Sprintf("%.6f", v))
	if !ok {
		t.Fatal(v)
	}
	near := func(n kpi.Number) bool {
		d := new(big.Rat).Sub(n.Value, want)
		return d.Abs(d).Cmp(new(big.Rat).Quo(n.Step, big.NewRat(2, 1))) <= 0 && n.Unit == unit
	}
	for _, c := range []kpi.Writing{{}, writing(t, tag)} {
		p := kpi.Parse(text, c)
		if len(p.Readings) == 0 || c.Lang != "" && len(p.Readings) > 1 {
			t.Errorf("%s: %q is read in %d ways with %q", tag, text, len(p.Readings), c.Lang)
			continue
		}
		found := false
		for _, n := range p.Readings {
			found = found || near(n)
		}
		if !found {
			t.Errorf("%s: %q with %q is read as %s, want %v", tag, text, c.Lang, readings(p), v)
		}
	}
}

// FuzzParse: no text breaks it, and what it reads is sound.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"1,234.56", "1.234,56 €", "$12.3K", "(1,200)", "−5 %", "12,345 ▲ 3 %", "1.2e6", "—", "١٬٢٣٤٫٥٦", "12,34,567", "5m", "$-5", "($1)", "%-Punkte", "1e", "1e999", "..1", "1'", "5-", "- -5", "€$5", "v1.2.3", "3億円", "1\u00a0234", "+%5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range []kpi.Writing{{}, writing(t, "en"), writing(t, "de")} {
			p := kpi.Parse(text, c)
			if len(p.Readings) > 4 {
				t.Errorf("%q has %d readings", text, len(p.Readings))
			}
			if p.NoValue && len(p.Readings) > 0 {
				t.Errorf("%q is a value and none", text)
			}
			for _, n := range p.Readings {
				if n.Value == nil || n.Step == nil || n.Step.Sign() <= 0 {
					t.Errorf("%q: %+v", text, n)
				}
			}
			if c.Lang != "" && len(p.Readings) > len(kpi.Parse(text, kpi.Writing{}).Readings) {
				t.Errorf("%q: a locale adds readings", text)
			}
		}
	})
}
