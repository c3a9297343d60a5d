package kpi_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
)

// boundPhrases say a bound or about how much, in languages of which some have no words
// in the list of those beside figures.
var boundPhrases = map[string]string{
	"en": "more than # | fewer than # | last # | # at most | close to # | down by # | out of # | target # | vs #",
	"fr": "plus de # | moins de # | près de # | au-delà de # | pas moins de # | sur # | en hausse de #",
	"es": "más de # | menos de # | cerca de # | alrededor de # | no menos de # | por encima de #",
	"pt": "cerca de # | mais de # | menos de # | acima de # | por volta de #",
	"it": "più di # | meno di # | non meno di # | su #", "nl": "meer dan # | minder dan # | van # | ruim #", "pl": "z # | ponad # | mniej niż #", "ru": "из # | более # | около #", "sv": "av # | mer än # | drygt #",
	"fi": "yli # | alle # | noin # | lähes # | vähintään # | # enintään", "hu": "több mint # | kb. # | közel # | legalább # | # alatt", "tr": "yaklaşık # | # üzerinde | en az # | #'den fazla", "el": "πάνω από # | περίπου # | σχεδόν #",
	"he": "יותר מ-# | כ-# | מעל # | לפחות #", "hi": "# से अधिक | लगभग # | करीब #", "sw": "zaidi ya # | karibu # | chini ya #", "vi": "hơn # | khoảng # | gần # | dưới #", "uk": "понад # | близько # | менше ніж #", "eu": "# baino gehiago | ia # | gutxienez #",
	"": "more than # | environ # | über #",
}

// Issue 29, item 2, as a law: whatever words stand beside the digits at a label's place, in
// whatever language, the figure is never missing; and of a bound it is never right.
func TestNoWordDecidesThatAFigureIsMissing(t *testing.T) {
	t.Parallel()
	for _, lang := range slices.Sorted(maps.Keys(boundPhrases)) {
		for phrase := range strings.SplitSeq(boundPhrases[lang], " | ") {
			for _, around := range []string{"", "Foo: #", "Foo: # · Bar: 12", "Foo: # (12 % of 90)", "Bar: 12 | Foo: #"} {
				shown := strings.Replace(phrase, "#", "13480", 1)
				if status := statusOnPage(t, lang, shown, "13480", around); status != qa.KPIAmbiguous {
					t.Errorf("%s %q in %q: %s", lang, phrase, around, status)
				}
			}
		}
	}
}

// statusOnPage compares the value of Foo, which stands in a card, or, around, in a line, as
// check_kpis does.
func statusOnPage(t *testing.T, lang, shown, want, around string) qa.KPIStatus {
	t.Helper()
	s := &sheet{Page: kpi.Page{Lang: lang, Writings: []kpi.Writing{writing(t, lang)}}}
	card := s.box(-1, kpi.Box{Tag: "div"})
	if around != "" {
		s.text(s.box(card, kpi.Box{Tag: "p"}), strings.Replace(around, "#", shown, 1), 12)
	} else {
		s.text(s.box(card, kpi.Box{Tag: "h3"}), "Foo", 12)
		s.text(s.box(card, kpi.Box{Tag: "p"}), shown, 20)
	}
	s.Settle()
	pick := s.Pick("Foo", "", []string{"Foo"})
	switch {
	case pick.Best == nil && pick.Picture == "" && len(pick.Ambiguous) == 0:
		return qa.KPIMissing
	case pick.Best == nil || pick.Best.Doubt != "":
		return qa.KPIAmbiguous
	}
	return kpi.Compare(pick.Best.Value, expected(t, want, ""), qa.Tolerance{}).Status
}

// Issue 29, item 2, as a law: a word that says when only beside another one, such as the last
// of last month, says nothing of a figure by itself, in no language; the whole does.
func TestPartsOfPeriodsLeaveAFigureOpen(t *testing.T) {
	t.Parallel()
	parts, whole, open := 0, 0, 0
	for lang, l := range languages(t) {
		alone := map[string]bool{}
		for _, period := range slices.Concat(l.Writing.Periods, l.Writing.Spans, l.Writing.Months) {
			if words := strings.Fields(period); len(words) == 1 {
				alone[strings.ToLower(strings.Trim(period, ".,"))] = true
			}
		}
		for i, period := range l.Writing.Periods {
			for _, word := range strings.Fields(period) {
				if word = strings.ToLower(strings.Trim(word, ".,")); alone[word] || word == "this" || word == "now" || len([]rune(word)) < 3 || strings.ContainsAny(word, "-–’'‘\u200c") {
					continue
				}
				parts++
				if got := statusOf(t, lang, word+" 5", "5", ""); got == qa.KPIOk {
					t.Errorf("%s %q: %s", lang, word+" 5", got)
				}
			}
			shown := []string{period + " 5", "5 " + period}[i%2]
			switch whole++; statusOf(t, lang, shown, "5", "") {
			case qa.KPIAmbiguous:
				open++
			case qa.KPIMismatch: // one word alone may be a month, a scale, a unit as well
				if words := strings.Fields(period); len(words) > 1 && (!slices.Contains(l.Writing.Months, words[len(words)-1]) || slices.Contains(l.Writing.Spans, words[len(words)-1])) {
					t.Errorf("%s %q is another figure", lang, shown)
				}
			}
		}
	}
	if parts < 200 || whole < 1000 || open > whole/10 {
		t.Errorf("%d parts, %d whole ones, %d of them open", parts, whole, open)
	}
}
