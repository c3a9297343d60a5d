package kpi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa/kpi"
)

// readings writes what a text was read as: value, step, currency and unit.
func readings(p kpi.Parsed) string {
	var out []string
	for _, n := range p.Readings {
		text := kpi.Shown(n.Value) + "/" + kpi.Shown(n.Step)
		for _, word := range []string{n.Currency, n.Unit} {
			if word != "" {
				text += " " + word
			}
		}
		if n.Approx {
			text += " ~"
		}
		out = append(out, text)
	}
	if p.NoValue {
		return "no value"
	}
	return strings.Join(out, " or ")
}

// Issue item 3: what a person reads is read, with currency, unit and precision;
// what is ambiguous stays so.
func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text       string
		convention kpi.Convention
		want       string
	}{
		{"1,234.56", 0, "1234.56/0.01"},
		{"1.234,56 €", 0, "1234.56/0.01 EUR"},
		{"1\u00a0234,5", 0, "1234.5/0.1"},
		{"1\u202f234,5", 0, "1234.5/0.1"},
		{"1\u2009234\u2009567", 0, "1234567/1"},
		{"1 234,5", 0, "1234.5/0.1"},
		{"1'234", 0, "1234/1"},
		{"1’234’567.80", 0, "1234567.8/0.01"},
		{"$12.3K", 0, "12300/100 $"},
		{"12,3 Mio.", 0, "12300000/100000"},
		{"12,3 Mio. €", 0, "12300000/100000 EUR"},
		{"1,5 Mrd. EUR", 0, "1500000000/100000000 EUR"},
		{"250 Tsd.", 0, "250000/1000"},
		{"1.2bn", 0, "1200000000/100000000"},
		{"$1.2m", 0, "1200000/100000 $"},
		{"5m", 0, "5/1 m or 5000000/1000000"},
		{"(1,200)", '.', "-1200/1"},
		{"(1,200)", 0, "-1200/1 or -1.2/0.001"},
		{"($1,200.00)", 0, "-1200/0.01 $"},
		{"$(1,200.00)", 0, "-1200/0.01 $"},
		{"−5 %", 0, "-5/1 percent"},
		{"-$5", 0, "-5/1 $"},
		{"$-5", 0, "-5/1 $"},
		{"- $5", 0, "-5/1 $"},
		{"1.234,56-", 0, "-1234.56/0.01"},
		{"5-", 0, "-5/1"},
		{"3.4pp", 0, "3.4/0.1 pp"},
		{"3,4 Prozentpunkte", 0, "3.4/0.1 pp"},
		{"0,4 %-Punkte", 0, "0.4/0.1 pp"},
		{"1.2e6", 0, "1200000/100000"},
		{"1.234e3", 0, "1234/1"},
		{"—", 0, "no value"}, {"–", 0, "no value"}, {"N/A", 0, "no value"}, {"n/a", 0, "no value"}, {"NaN", 0, "no value"},
		{"١٬٢٣٤٫٥٦", 0, "1234.56/0.01"},
		{"۱۲٬۳۴۵", 0, "12345/1"},
		{"٪ ٥", 0, "5/1"},
		{"12,34,567", 0, "1234567/1"},
		{"₹12,34,567.50", 0, "1234567.5/0.01 INR"},
		{"₹1.2 lakh", 0, "120000/10000 INR"},
		{"2.5 crore", 0, "25000000/1000000"},
		{"1.2万", 0, "12000/1000"},
		{"3億円", 0, "300000000/100000000 JPY"},
		{"≈ 1,200.5", 0, "1200.5/0.1 ~"},
		{"~5", 0, "5/1 ~"},
		{"1,000+", '.', "1000/1 ~"},
		{"12,345 ▲ 3 %", '.', "12345/1"},
		{"▲ 3 % 12,345", '.', "12345/1"},
		{"12,345 (+3%)", '.', "12345/1"},
		{"12,345 vs 11,000 last week", '.', "12345/1"},
		{"Last 7 days: $1,234.00", 0, "1234/0.01 $"},
		{"1,234", 0, "1234/1 or 1.234/0.001"},
		{"1,234", '.', "1234/1"},
		{"1,234", ',', "1.234/0.001"},
		{"1.234", 0, "1234/1 or 1.234/0.001"},
		{"1.234", ',', "1234/1"},
		{"1,234,567", 0, "1234567/1"},
		{"1,23", 0, "1.23/0.01"},
		{"0,123", 0, "0.123/0.001"},
		{"1234,567", 0, "1234.567/0.001"},
		{".5", 0, "0.5/0.1"},
		{"CHF 1'200.50", 0, "1200.5/0.01 CHF"},
		{"USD 12", 0, "12/1 USD"}, {"EUR12", 0, "12/1 EUR"}, {"12 kr", 0, "12/1 kr"}, {"R$ 5,00", 0, "5/0.01 BRL"}, {"US$5", 0, "5/1 USD"}, {"5 zł", 0, "5/1 PLN"},
		{"45 min", 0, "45/1"},
		{"3.2s", 0, "3.2/0.1 s"},
		{"12:30", 0, ""}, {"2024-11-21", 0, ""}, {"11/21/2024", 0, ""}, {"21.11.2024", 0, ""}, {"Nov 21", 0, ""}, {"21 Nov 2026", 0, ""}, {"v1.2.3", 0, ""}, {"Q3", 0, ""}, {"#17", 0, ""}, {"10–20", 0, ""}, {"1,23,4", 0, ""},
		{"", 0, ""}, {"Revenue", 0, ""},
		{"1,234 orders", '.', "1234/1"},
		{"Revenue: $12,345", '.', "12345/1 $"},
		{"１２３４", 0, "1234/1"},
		{"+12", 0, "12/1"},
		{"12\u00a0345\u00a0678,90\u00a0€", 0, "12345678.9/0.01 EUR"},
	} {
		if got := readings(kpi.Parse(tt.text, tt.convention)); got != tt.want {
			t.Errorf("%q with %q: %s, want %s", tt.text, rune(tt.convention), got, tt.want)
		}
	}
}

// What stands beside the value is noted, and a change alone is known as one.
func TestParseTellsTheRest(t *testing.T) {
	p := kpi.Parse("12,345 ▲ 3 %", '.')
	if fmt.Sprint(p.Rest) != "[▲ 3 %]" || p.Trend || p.Whole {
		t.Errorf("%+v", p)
	}
	if p := kpi.Parse("▲ 3 %", '.'); !p.Trend {
		t.Errorf("a change alone: %+v", p)
	}
	if p := kpi.Parse(" $12,345 ", '.'); !p.Whole {
		t.Errorf("a number alone: %+v", p)
	}
}
