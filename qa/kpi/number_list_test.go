package kpi_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

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
