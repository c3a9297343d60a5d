package kpi_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/qa/kpi/kpitest"
)

// statusOf compares a text of a page in a language with an expected value.
func statusOf(t *testing.T, lang, shown, want, unit string) qa.KPIStatus {
	t.Helper()
	e, err := kpi.ParseExpected(want, unit, writing(t, "en"))
	if err != nil {
		t.Fatal(err)
	}
	return kpi.Compare(kpi.Parse(shown, writing(t, lang)), e, qa.Tolerance{}).Status
}

// Issue 29, item 2: what is no number, scale, currency, unit, change, target or
// period leaves a figure open in both directions; what is one of them is read.
func TestEveryTokenIsAccountedFor(t *testing.T) {
	for _, tt := range []struct {
		lang, shown, want, unit string
		status                  qa.KPIStatus
	}{
		{"en", "2.0G", "2", "", qa.KPIAmbiguous},
		{"en", "2.0G", "2000000000", "", qa.KPIAmbiguous},
		{"en", "532m", "0.532", "", qa.KPIAmbiguous},
		{"en", "532m", "532", "", qa.KPIAmbiguous},
		{"en", "4.2µ", "4.2", "", qa.KPIAmbiguous},
		{"en", "1.5P", "1500000000000000", "", qa.KPIAmbiguous},
		{"en", "125 bps", "125", "percent", qa.KPIMismatch},
		{"en", "125 bps", "1.25", "percent", qa.KPIOk},
		{"en", "125 bps", "0.0125", "ratio", qa.KPIOk},
		{"en", "125 bps", "125 bps", "", qa.KPIOk},
		{"en", "1.2×10⁶", "1.2", "", qa.KPIAmbiguous},
		{"en", "1.2 x 10^6", "1200000", "", qa.KPIAmbiguous},
		{"en", "10⁶", "10", "", qa.KPIAmbiguous},
		{"en", "$1,234¹", "1234", "USD", qa.KPIOk},
		{"en", "CA$1,234", "$1,234", "", qa.KPIAmbiguous},
		{"en", "CA$1,234", "1234", "USD", qa.KPIMismatch},
		{"en", "CA$1,234", "CA$1,234", "", qa.KPIOk},
		{"en", "XY$1,234", "1234", "USD", qa.KPIAmbiguous},
		{"en", "≈ 1,234", "1234", "", qa.KPIAmbiguous},
		{"en", "≈ 1,234", "≈ 1,234", "", qa.KPIOk},
		{"en", "over 9,000", "9000", "", qa.KPIAmbiguous},
		{"en", "more than 9,000", "9000", "", qa.KPIAmbiguous},
		{"en", "9,000 or more", "9000", "", qa.KPIAmbiguous},
		{"en", "9,000+", "12000", "", qa.KPIAmbiguous},
		{"en", "€1.2bn", "1200000000", "EUR", qa.KPIOk},
		{"en", "3 lakh", "300000", "", qa.KPIOk},
		{"en", "3 lakh", "3", "", qa.KPIMismatch},
		{"de", "250 T€", "250000", "EUR", qa.KPIOk},
		{"de", "250 T€", "250000000000000", "EUR", qa.KPIMismatch},
		{"de", "250 TEUR", "250000", "EUR", qa.KPIOk},
		{"de", "250 TEUR", "250", "EUR", qa.KPIMismatch},
		{"en", "250 T€", "250000", "EUR", qa.KPIAmbiguous}, // English writes trillions so
		{"de", "12 Mio. €", "12000000", "EUR", qa.KPIOk},
		{"de", "1,2 Mrd. €", "1200000000", "EUR", qa.KPIOk},
		{"de", "1234-", "-1234", "", qa.KPIOk},
		{"de", "1.5 %", "1.5", "percent", qa.KPIAmbiguous}, // German does not write that
		{"tr", "12 B", "12000", "", qa.KPIOk},
		{"tr", "12 B", "12000000000", "", qa.KPIMismatch},
		{"", "12 B", "12000", "", qa.KPIAmbiguous},
		{"", "12.5K", "12500", "", qa.KPIOk},
		{"id", "3 jt", "3000000", "", qa.KPIOk},
		{"en", "3 jt", "3", "", qa.KPIAmbiguous},
		{"en", "12,345 vs 11,000 last week", "12345", "", qa.KPIOk},
		{"en", "12,345 of 20,000", "12345", "", qa.KPIOk},
		{"en", "12,345 ▲ 3 % this month", "12345", "", qa.KPIOk},
		{"en", "$5, $12", "5", "", qa.KPIAmbiguous},
		{"en", "1,234 dollars", "1234", "USD", qa.KPIOk},
		{"en", "1,234 euros", "1234", "USD", qa.KPIMismatch},
	} {
		if got := statusOf(t, tt.lang, tt.shown, tt.want, tt.unit); got != tt.status {
			p := kpi.Parse(tt.shown, writing(t, tt.lang))
			t.Errorf("%s %q for %s %s: %s, want %s (%s, unread %q %s)", tt.lang, tt.shown, tt.want, tt.unit, got, tt.status, readings(p), p.Unread, p.Open)
		}
	}
}

// Issue 29, item 2, as a law: whatever word or sign that nobody knows stands at a
// number, the figure is open, whichever value is expected.
func TestUnknownTokensOpenAFigure(t *testing.T) {
	random := rand.New(rand.NewPCG(29, 2))
	letters, signs := []rune("bcdfghjlnpqvwyzGHJPQRVWYZµλψж"), []rune("×÷∙^~≈#§¶&@=_")
	for range 2000 {
		n := 2 + random.IntN(9_000)
		var token string
		if random.IntN(2) == 0 {
			for range 1 + random.IntN(5) {
				token += string(letters[random.IntN(len(letters))])
			}
			token += "q"
		} else {
			token = string(signs[random.IntN(len(signs))])
		}
		text := fmt.Sprintf([]string{"%[1]d%[2]s", "%[1]d %[2]s", "%[2]s %[1]d", "$%[1]d %[2]s", "%[1]d%% %[2]s"}[random.IntN(5)], n, token)
		for _, lang := range []string{"en", "de", ""} {
			for _, want := range []string{fmt.Sprint(n), fmt.Sprint(n * 1000), "1"} {
				if got := statusOf(t, lang, text, want, ""); got == qa.KPIOk {
					t.Fatalf("%q in %q for %s: %s", text, lang, want, got)
				}
			}
		}
	}
}

// Issue 29, the measure, as a law: what the browser's own Intl writes of a value,
// in each language, is that value or open; and no other value is.
func TestWhatIntlWritesIsRead(t *testing.T) {
	healthy, open := 0, 0
	for lang, l := range languages(t) {
		for _, f := range l.Shown {
			p := kpi.Parse(f.Text, l.Writing)
			healthy++
			switch o := kpi.Compare(p, exactly(t, f.Value), qa.Tolerance{}); o.Status {
			case qa.KPIOk:
			case qa.KPIAmbiguous:
				open++
				t.Logf("%s: %q for %.0f is open: %s", lang, f.Text, f.Value, o.Hint)
			default:
				t.Errorf("%s: %q for %.0f: %s, read as %s, unread %q %s", lang, f.Text, f.Value, o.Status, readings(p), p.Unread, p.Open)
			}
			for _, wrong := range []float64{f.Value * 1000, f.Value / 1000, f.Value * 10, f.Value + f.Value/2, -f.Value} {
				if o := kpi.Compare(p, exactly(t, wrong), qa.Tolerance{}); o.Status == qa.KPIOk {
					t.Errorf("%s: %q passes for %g", lang, f.Text, wrong)
				}
			}
		}
	}
	t.Logf("%d figures of %d languages, %d open", healthy, len(kpitest.Languages()), open)
	if len(kpitest.Languages()) < 60 || open*100 > healthy*3 {
		t.Errorf("%d of %d healthy figures of %d languages are open", open, healthy, len(kpitest.Languages()))
	}
}

// exactly returns an expected value.
func exactly(t *testing.T, v float64) kpi.Expected {
	t.Helper()
	e, err := kpi.ParseExpected(new(big.Rat).SetFloat64(v).FloatString(6), "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A word of scales.txt has, where no language is declared, every power that the
// Intl of some language gives it.
func TestScalesWithoutALanguageHaveEveryMeaning(t *testing.T) {
	for lang, l := range languages(t) {
		for _, s := range l.Writing.Scales {
			if s.Before != "" {
				continue
			}
			p := kpi.Parse("7"+s.Behind, kpi.Writing{})
			if len(p.Readings) == 0 || len(p.Unread) > 0 || strings.TrimSpace(s.Behind) == "" {
				continue // it is open
			}
			want := fmt.Sprintf("%d", 7)
			found := false
			for _, n := range p.Readings {
				found = found || kpi.Shown(n.Value) == want+strings.Repeat("0", s.Power)
			}
			if !found {
				t.Errorf("%s: %q is 10^%d there, and without a language %s", lang, s.Behind, s.Power, readings(p))
			}
		}
	}
}

// What holds several numbers together is found as the value of its label, and is no
// number: it holds as it is written.
func TestRangesRatiosDatesAndTimes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		shown, want string
		status      qa.KPIStatus
	}{
		{"1–2", "1–2", qa.KPIOk}, {"1–2", "1-3", qa.KPIMismatch}, {"1–2", "1", qa.KPIAmbiguous}, {"3:1", "3:1", qa.KPIOk}, {"3:1", "3", qa.KPIAmbiguous}, {"2/3", "2", qa.KPIAmbiguous},
		{"14:30", "14:30", qa.KPIOk}, {"14:30", "14:31", qa.KPIMismatch}, {"14:30", "14", qa.KPIMismatch}, {"2026-11-21", "2026-11-21", qa.KPIOk}, {"2026-11-21", "2026", qa.KPIMismatch}, {"21.11.2026", "21.11.2026", qa.KPIOk},
	} {
		s := &sheet{Page: kpi.Page{Lang: "en", Writings: []kpi.Writing{writing(t, "en")}}}
		card := s.box(-1, kpi.Box{Tag: "div"})
		s.text(s.box(card, kpi.Box{Tag: "h3"}), "Orders", 12)
		s.text(s.box(card, kpi.Box{Tag: "p"}), tt.shown, 20)
		s.Settle()
		pick := s.Pick("Orders", "", []string{"Orders"})
		if pick.Best == nil {
			t.Errorf("%q is not found", tt.shown)
			continue
		}
		if o := kpi.Compare(pick.Best.Value, expected(t, tt.want, ""), qa.Tolerance{}); o.Status != tt.status {
			t.Errorf("%q for %q: %s, want %s", tt.shown, tt.want, o.Status, tt.status)
		}
	}
}
