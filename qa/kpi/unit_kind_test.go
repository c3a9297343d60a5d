package kpi_test

import (
	"testing"

	"github.com/assay-qa/assay/qa/kpi"
)

// line is a text of a card; deep ones stand in an element of their own within
// the card's head.
type line struct {
	text string
	font float64
	deep bool
}

// A5, A9: on a healthy page a remark, a figure of another kind, or a legend
// without values is not taken for the label's figure; where the card has
// nothing else, it still is.
func TestPickTellsFiguresFromRemarks(t *testing.T) {
	title, subtitle := line{"Open pipeline", 14, true}, line{"42 active deals", 11, true}
	for _, tt := range []struct {
		name, label, unit string
		cards             [][]line
		want              string
	}{
		{"a count in the subtitle of an amount", "Open pipeline", "USD", [][]line{{title, subtitle, {"$1,284,500", 30, false}}}, "$1,284,500"},
		{"no unit, and much larger", "Open pipeline", "", [][]line{{title, subtitle, {"$1,284,500", 30, false}}}, "$1,284,500"},
		{"an amount without its sign", "Open pipeline", "USD", [][]line{{title, subtitle, {"1,284,500", 11, false}}}, "1,284,500"},
		{"no unit, and as small", "Open pipeline", "", [][]line{{title, subtitle, {"$1,284,500", 11, false}}}, "42 active deals"},
		{"a percentage of the target", "Open pipeline", "USD", [][]line{{title, {"86%", 40, true}, {"$1,284,500", 30, false}}}, "$1,284,500"},
		{"an amount beside a rate", "Open pipeline", "percent", [][]line{{title, {"$1,200", 40, true}, {"31.2%", 30, false}}}, "31.2%"},
		{"an amount beside a count", "Open pipeline", "count", [][]line{{title, {"$1,200", 40, true}, {"42", 30, false}}}, "42"},
		{"one element, another kind", "Open pipeline", "USD", [][]line{{{"Open pipeline", 14, false}, {"86%", 40, false}, {"$1,284,500", 30, false}}}, "$1,284,500"},
		{"only a remark", "Open pipeline", "USD", [][]line{{title, subtitle}}, "42 active deals"},
		{"only another kind: what the page shows is wrong", "Open pipeline", "USD", [][]line{{title, {"86%", 30, false}}}, "86%"},
		{"another card's figure is not taken for a remark's", "Open pipeline", "USD",
			[][]line{{title, subtitle}, {{"Closed", 16, true}, {"$284,300", 30, false}}}, "42 active deals"},
		{"a legend without values", "Page views", "", [][]line{{{"6,782", 24, true}, {"Sessions", 11, false}, {"Page views", 11, false}}}, ""},
		{"a legend's own values", "Page views", "", [][]line{{{"Sessions", 11, false}, {"Page views", 11, false}, {"17", 11, false}, {"23", 11, false}}}, "17"},
		{"a label below its figure", "Page views", "", [][]line{{{"6,782", 24, true}, {"Page views", 11, false}}}, "6,782"},
		{"a card's head with a link", "Page views", "", [][]line{{{"Page views", 11, true}, {"Details", 11, true}, {"6,782", 24, false}}}, "6,782"},
	} {
		s := &sheet{}
		page := s.box(-1, kpi.Box{Tag: "main"})
		for _, lines := range tt.cards {
			card := s.box(page, kpi.Box{Tag: "div"})
			head, foot := s.box(card, kpi.Box{Tag: "div"}), s.box(card, kpi.Box{Tag: "div"})
			for _, l := range lines {
				in := foot
				if l.deep {
					in = head
				}
				s.text(s.box(in, kpi.Box{Tag: "p"}), l.text, l.font)
			}
		}
		s.Settle()
		pick, got := s.Pick(tt.label, tt.unit, []string{tt.label}), ""
		if pick.Best != nil {
			got = pick.Best.Value.Text
		}
		if got != tt.want || len(pick.Ambiguous) > 0 {
			t.Errorf("%s: %q, want %q (ambiguous: %v)", tt.name, got, tt.want, pick.Ambiguous)
		}
	}
}
