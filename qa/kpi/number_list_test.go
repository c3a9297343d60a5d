package kpi_test

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode"

	"github.com/assay-qa/assay/qa"

	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/qa/kpi/kpitest"
)

func TestReadList(t *testing.T) {
	for _, tt := range []struct {
		texts []string
		lang  string
		want  string
		doubt bool
	}{
		{[]string{"$1,234.50", "1,234"}, "", "[[1234.5 1234]]", false},
		{[]string{"1.234,50 €", "1.234"}, "", "[[1234.5 1234]]", false},
		{[]string{"1.234,50 €", "1.234"}, "en", "[[ 1.234]]", true},
		{[]string{"1,234"}, "", "[[1234] [1.234]]", false},
		{[]string{"1,234"}, "de", "[[1.234]]", false},
		{[]string{"1,234"}, "en", "[[1234]]", false},
		{[]string{"12 %", "−3", "(4)"}, "", "[[12 -3 -4]]", false},
		{[]string{"12.3K", "none"}, "en", "[[12300 ]]", false},
		{[]string{"5 of 10"}, "en", "[[]]", true},
		{[]string{"1,000+"}, "en", "[[]]", true},
		{[]string{"Total"}, "", "[[]]", false},
		{[]string{"l,234"}, "", "[[]]", false},
	} {
		ways, doubt := kpi.ReadList(tt.texts, writing(t, tt.lang))
		shown := make([][]string, len(ways))
		for i, way := range ways {
			for _, n := range way {
				shown[i] = append(shown[i], kpi.Shown(n))
			}
		}
		if got := fmt.Sprint(shown); got != tt.want || (doubt != "") != tt.doubt {
			t.Errorf("%q in %q: %s, %q, want %s", tt.texts, tt.lang, got, doubt, tt.want)
		}
	}
}

// What the lines of numbers.txt say is read, and what says no number for sure is not.
func TestNumbers(t *testing.T) {
	vectors, err := kpitest.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	langs := map[string]bool{}
	for _, v := range vectors {
		langs[v.Lang] = v.Lang != ""
	}
	delete(langs, "")
	writings, err := kpitest.Ask(t.Context(), slices.Sorted(maps.Keys(langs)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		got := kpitest.NotANumber
		if ways, doubt := kpi.ReadList([]string{v.Text}, writings[v.Lang].Writing); doubt == "" && len(ways) == 1 && ways[0][0] != nil {
			got = kpi.Shown(ways[0][0])
		}
		if got != v.Value {
			t.Errorf("%q in %q: %s, want %s", v.Text, v.Lang, got, v.Value)
		}
	}
}

// sureOf returns the number that a text says for sure, "" where it says none.
func sureOf(t *testing.T, lang, text string) string {
	t.Helper()
	if ways, doubt := kpi.ReadList([]string{text}, writing(t, lang)); doubt == "" && len(ways) == 1 {
		return kpi.Shown(ways[0][0])
	}
	return ""
}

// Issue 29, item 2, as a law: whatever sign stands at a number, in whatever language, the
// number is sure only where a check of the figure holds for it: both account for each sign.
func TestSignsAreAccountedForOnce(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(31, 6))
	signs := []rune{'.', ',', '٫', '٬', '\'', '"', '…', '′', '″', '=', '×', '÷', '/', '\\', '^', '~', '!', '?', '&', '@', '_', '؟', '‚', '·', '≠', '√', '∞', '㌔', '№', '℃', '´', '`', '¨'}
	for len(signs) < 60 {
		if r := rune(0x21 + random.IntN(0x3400)); unicode.In(r, unicode.P, unicode.S) {
			signs = append(signs, r)
		}
	}
	for _, r := range signs {
		for _, form := range []string{"%s5", "%s 5", "5%s", "5 %s", "$%s5", "%[1]s%[1]s5"} {
			for _, lang := range []string{"en", "de", "ar"} {
				text := fmt.Sprintf(form, string(r))
				if sure := sureOf(t, lang, text); sure != "" && statusOf(t, lang, text, sure, "") != qa.KPIOk {
					t.Errorf("%q in %q is %s for sure, and no check of it holds", text, lang, sure)
				}
			}
		}
	}
}

// A mark before digits is that of decimals or none, in each language; what encloses a number
// or ends a clause leaves it as it is.
func TestMarksBeforeAndAroundNumbers(t *testing.T) {
	t.Parallel()
	for lang, l := range languages(t) {
		for _, mark := range []string{".", ",", "٫", "٬"} {
			want := "0.5"
			if mark == "٬" || (mark == "." || mark == ",") && !slices.Contains(l.Writing.Decimals, mark) {
				want = ""
			}
			if got := sureOf(t, lang, mark+"5"); got != want && (got != "" || mark != "٫") {
				t.Errorf("%s %q: %q, want %q", lang, mark+"5", got, want)
			}
		}
		for _, text := range []string{"(x) 5", "“5”", "„5“", "«5»", "「5」", "'5'", `"5"`, "{5}", "5,", "5;", "x: 5", "合計、5", "5。", "★ 5", "x · 5", "5*", "₡5", "5 ₾", "؋5"} {
			if got := sureOf(t, lang, text); got != "5" {
				t.Errorf("%s %q: %q", lang, text, got)
			}
		}
	}
}

// What Intl writes of a day is no figure, in no language: neither for a check nor in a list.
func TestDatesOfIntlAreNoFigures(t *testing.T) {
	t.Parallel()
	dates := 0
	for lang, l := range languages(t) {
		dates += len(l.Dates)
		ways, _ := kpi.ReadList(l.Dates, writing(t, lang))
		for i, date := range l.Dates {
			if slices.ContainsFunc(ways, func(way []*big.Rat) bool { return way[i] != nil }) {
				t.Errorf("%s %q is %s", lang, date, kpi.Shown(ways[0][i]))
			}
			if i%10 == 0 && statusOf(t, lang, date, "5", "") == qa.KPIOk {
				t.Errorf("%s %q is 5 for a check", lang, date)
			}
		}
	}
	if dates < 5000 {
		t.Errorf("only %d dates", dates)
	}
}
