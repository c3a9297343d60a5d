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
			for _, around := range []string{"", "Foo: #", "Foo: # · Bar: 12", "Bar: 12 | Foo: #"} {
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
