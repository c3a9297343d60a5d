package kpi_test

import (
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
)

// Issue 29, item 2: what says a number in signs that are no digits, and several
// numbers in one, is open, and never missing or a wrong plain number.
func TestWhatIsNoPlainNumberIsOpen(t *testing.T) {
	t.Parallel()
	for _, shown := range []string{"XII", "Ⅻ", "⑫", "¹²", "MCMXCIV", "\ue001\ue002", "2/3", "500/1,000", "500 / 1,000", "$5 / $12", "2–3", "0 1 2 3 4 5 6 7 8 9"} {
		for _, line := range []bool{false, true} {
			s := &sheet{Page: kpi.Page{Lang: "en", Writings: []kpi.Writing{writing(t, "en")}}}
			card := s.box(-1, kpi.Box{Tag: "div"})
			if line && shown[0] < 'A' && shown[0] != '0' {
				s.text(s.box(card, kpi.Box{Tag: "p"}), "Orders: "+shown, 12)
			} else {
				s.text(s.box(card, kpi.Box{Tag: "h3"}), "Orders", 12)
				s.text(s.box(card, kpi.Box{Tag: "p"}), shown, 20)
			}
			if shown[0] == '0' {
				s.Texts[1].Kind, s.Texts[1].Why = "unseen", "clipped"
			}
			s.Settle()
			for _, want := range []string{"12", "2", "500", "5", "0"} {
				pick := s.Pick("Orders", "", []string{"Orders"})
				switch {
				case pick.Best != nil:
					if o := kpi.Compare(pick.Best.Value, expected(t, want, ""), qa.Tolerance{}); o.Status != qa.KPIAmbiguous {
						t.Errorf("%q for %s, in a line: %v: %s", shown, want, line, o.Status)
					}
				case pick.Picture == "" && len(pick.Ambiguous) == 0:
					t.Errorf("%q, in a line: %v: missing", shown, line)
				}
			}
		}
	}
}

// Issue 29, item 2: digits of other elements that touch a figure's are read with it by
// a person, so that neither is a figure of its own; a space or an element's name parts
// them.
func TestDigitsThatTouchAreOneNumber(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		x    float64 // of the second element, behind one of 12 pixels
		text string
		font float64
		open bool
	}{
		{"touching", 12, "2", 20, true}, {"a hair apart", 14, "2", 20, true}, {"a word apart", 18, "2", 20, false}, {"words", 12, "orders", 20, false}, {"smaller", 12, "2", 11, false},
	} {
		s := &sheet{Page: kpi.Page{Lang: "en", Writings: []kpi.Writing{writing(t, "en")}}}
		card := s.box(-1, kpi.Box{Tag: "div"})
		s.text(s.box(card, kpi.Box{Tag: "h3"}), "Orders", 12)
		for i, text := range []string{"1", tt.text} {
			s.text(s.box(card, kpi.Box{Tag: "i"}), text, []float64{20, tt.font}[i])
			x := &s.Texts[i+1]
			x.X, x.Y, x.W, x.H = []float64{0, tt.x}[i], 60, 12, 20
		}
		s.Settle()
		pick := s.Pick("Orders", "", []string{"Orders"})
		open := pick.Best == nil || pick.Best.Doubt != ""
		if open != tt.open && (tt.name != "a word apart" || pick.Best != nil) {
			t.Errorf("%s: open %v, want %v (%+v)", tt.name, open, tt.open, pick.Best)
		}
	}
}
